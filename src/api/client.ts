import { InsecureError, InvalidError } from './errors.ts';
import type { ApiLogger } from './logger.ts';
import { chooseProxy, type ProxySettings } from './proxy.ts';
import { fetchImage } from './images.ts';
import type { CallOptions, CredentialScheme } from './call.ts';
import { Requester } from './request.ts';
import { Contents } from './resources/contents.ts';
import { Feedback } from './resources/feedback.ts';
import { Login } from './resources/login.ts';
import { News } from './resources/news.ts';
import { Patches } from './resources/patches.ts';
import { Projects } from './resources/projects.ts';
import { Releases } from './resources/releases.ts';
import { Stacks } from './resources/stacks.ts';
import { Users } from './resources/users.ts';
import type { RetryLimits } from './retry.ts';
import { parseServerRoot, type ServerRoot } from './server.ts';
import { Transport, type TransportLimits } from './transport.ts';
import { Uploads, type UploadForm } from './uploads.ts';

/** Options for the connection to the server; everything has a default. Times are milliseconds, sizes bytes. */
export interface TransportOptions extends Partial<TransportLimits>, Partial<RetryLimits> {
  /** For a whole call with all its tries and waits. An upload may take longer as long as it moves. Default 60,000. */
  totalTimeoutMs?: number;
  /** Lets equal GETs of one turn of the event loop share one request. Default true. */
  shareReads?: boolean;
  /** The editor's proxy settings and the environment. */
  proxy?: ProxySettings;
  /** False accepts any certificate (`http.proxyStrictSSL`). Default true. */
  strictSSL?: boolean;
  /** Trusts the operating system's certificate authorities, too. Default true. */
  systemCertificates?: boolean;
  /** More certificate authorities to trust, in PEM. */
  extraCertificates?: readonly string[];
  /** Allows plain `http:` to a server that is not on this computer. */
  allowInsecure?: boolean;
}

/** One client talks to one server on behalf of one account. */
export interface ApiClientOptions {
  /** The server setting: a host or a URL, see `serverRoot`. */
  serverUrl: string;
  /** Asked for the access token before each call; undefined sends the call without one. */
  getToken: (signal?: AbortSignal) => Promise<string | undefined>;
  /** The header that carries the token; default `x-auth-token`. */
  credentialScheme?: CredentialScheme;
  transport?: TransportOptions;
  /** The way this server takes files, when that is known already. */
  uploadForm?: UploadForm | undefined;
  /** Called when it becomes known how this server takes files, to be kept for `uploadForm`. */
  onUploadForm?: (form: UploadForm) => void;
  logger?: ApiLogger;
}

/**
 * Speaks to one server on behalf of one account. Every method takes an `AbortSignal` and throws nothing but
 * `ApiError`s. Close it when it is no longer needed.
 */
export class ApiClient {
  /** The server's API root: one spelling for each server, whatever the setting. */
  readonly serverRoot: string;
  readonly users: Users;
  readonly projects: Projects;
  readonly stacks: Stacks;
  readonly patches: Patches;
  readonly login: Login;
  readonly releases: Releases;
  readonly feedback: Feedback;
  readonly contents: Contents;
  readonly news: News;
  readonly #root: ServerRoot;
  readonly #transport: Transport;
  readonly #requester: Requester;
  readonly #uploads: Uploads;

  /** Throws an `InvalidError` for what is no server or proxy address, and an `InsecureError` for plain `http:`. */
  constructor(options: ApiClientOptions) {
    const { transport = {}, logger } = options;
    const context = { operation: 'client', method: '', pathTemplate: '', requestNumber: 0 };
    const root = parseServerRoot(options.serverUrl);
    if (root === undefined) {
      const message = 'is not a server address';
      throw new InvalidError(`the setting ${message}`, context, {
        fields: [{ field: 'serverUrl', message }],
      });
    }
    if (root.origin.startsWith('http:') && !root.loopback && transport.allowInsecure !== true) {
      throw new InsecureError('plain http: would show the access token to the network', context);
    }
    this.serverRoot = root.href;
    this.#root = root;
    this.#transport = new Transport({
      origin: root.origin,
      proxy: proxyFor(root.origin, transport.proxy),
      strictSSL: transport.strictSSL ?? true,
      systemCertificates: transport.systemCertificates ?? true,
      extraCertificates: transport.extraCertificates ?? [],
      connectTimeoutMs: transport.connectTimeoutMs ?? 10_000,
      headersTimeoutMs: transport.headersTimeoutMs ?? 30_000,
      bodyTimeoutMs: transport.bodyTimeoutMs ?? 30_000,
      maxResponseSize: transport.maxResponseSize ?? 64 * 1024 * 1024,
      connections: transport.connections ?? 64,
      keepAliveTimeoutMs: transport.keepAliveTimeoutMs ?? 30_000,
    });
    this.#requester = new Requester(this.#transport, {
      root,
      scheme: options.credentialScheme ?? 'x-auth-token',
      getToken: options.getToken,
      logger,
      totalTimeoutMs: transport.totalTimeoutMs ?? 60_000,
      shareReads: transport.shareReads ?? true,
      maxRetries: transport.maxRetries ?? 2,
      retryDelayMs: transport.retryDelayMs ?? 250,
      maxRetryDelayMs: transport.maxRetryDelayMs ?? 10_000,
    });
    this.#uploads = new Uploads(options.uploadForm, options.onUploadForm);
    this.users = new Users(this.#requester, this.#uploads);
    this.projects = new Projects(this.#requester);
    this.stacks = new Stacks(this.#requester);
    this.patches = new Patches(this.#requester);
    this.login = new Login(this.#requester);
    this.releases = new Releases(this.#requester);
    this.feedback = new Feedback(this.#requester, this.#uploads);
    this.contents = new Contents(this.#requester);
    this.news = new News(this.#requester);

    function proxyFor(origin: string, settings: ProxySettings | undefined) {
      try {
        return chooseProxy(origin, settings);
      } catch {
        const message = 'is not a proxy address';
        throw new InvalidError(`the setting ${message}`, context, { fields: [{ field: 'proxy', message }] });
      }
    }
  }

  /** The number of responses of the server so far, whatever they said. It grows for as long as the server can be reached and is asked. */
  get answers(): number {
    return this.#requester.answers;
  }

  /** True for our own local service, which refuses to write to a version of a stack that isn't the newest one, and names that. */
  get refusesOlderVersions(): boolean {
    return this.#requester.offers('newest-only');
  }

  /** True for our own local service, which compares what a write is to replace with what it names: see `CallOptions.ifMatch`. */
  get comparesBeforeWriting(): boolean {
    return this.#requester.offers('if-match');
  }

  /** The way this server takes files; undefined until an upload has worked. */
  get uploadForm(): UploadForm | undefined {
    return this.#uploads.form;
  }

  /**
   * An image that lies with the service, such as an avatar; sent for without the access token. Undefined when it lies
   * elsewhere or cannot be had. Its content is not checked.
   */
  image(address: string, options?: CallOptions): Promise<Buffer | undefined> {
    return fetchImage(this.#transport, this.#root, address, options?.signal);
  }

  /** Ends all calls with an `AbortedError` and cuts all connections. */
  async close(): Promise<void> {
    this.#requester.close();
    await this.#transport.close();
  }

  /** As `close`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
