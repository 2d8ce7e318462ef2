/**
 * Lets requests through to a local service while it is known to be ours. Anybody on the computer may listen at the port where one
 * was: neither the token nor a text goes there before the window's own process has said that it is ready, or one that another window
 * has started has proved itself.
 */
import { ConnectionError } from '../api/errors.ts';
import { serverRoot } from '../api/server.ts';
import type { Server } from '../session/clientOptions.ts';
import type { Session } from '../session/sessions.ts';
import { inBackground } from '../util/inBackground.ts';
import type { ReachedService } from '../util/runningService.ts';
import type { LocalTrialPlace } from './localTrialFolders.ts';

/** A local service and the access token that it takes. */
interface OpenService {
  readonly url: string;
  readonly token: string;
}

/** What the gate has of the window. */
interface LocalTrialGateContext {
  readonly folders: {
    readonly placeOf: (serverUrl: string) => LocalTrialPlace | undefined;
    readonly openFolderOf: (serverUrl: string) => string | undefined;
    readonly remember: (url: string, place: LocalTrialPlace) => Promise<Server>;
  };
  /** Starts the service of a folder in a process of this window, which opens the gate. */
  readonly start: (folder: string) => Promise<void>;
  /** Signs in to a service that is ours. */
  readonly signIn: (server: Server, token: string) => Promise<unknown>;
  readonly reachRunning: (data: string) => Promise<ReachedService | undefined>;
  /** Told when another window's service has ended that this one was served by. */
  readonly onLeft: () => Promise<void>;
}

/** See the module. */
export class LocalTrialGate {
  readonly #context: LocalTrialGateContext;
  #open: OpenService | undefined;
  #opening: Promise<void> | undefined;
  #joined: ReachedService | undefined;

  constructor(context: LocalTrialGateContext) {
    this.#context = context;
  }

  /** Whether the requests of a session may go to its server as things are. */
  isOpenFor({ serverUrl, address = serverUrl, accessToken }: Server & Pick<Session, 'accessToken'>): boolean {
    const open = this.#open;
    return (
      !this.#context.folders.placeOf(serverUrl) ||
      (open !== undefined && serverRoot(open.url) === address && open.token === accessToken)
    );
  }

  /**
   * Finds or starts the local service of a session, whose token is another one afterwards.
   *
   * @throws {ConnectionError} when there is none and none can be started here; an error that says why it could not be.
   */
  async admit({ serverUrl }: Pick<Session, 'serverUrl'>): Promise<void> {
    this.#opening ??= this.#find(serverUrl).finally(() => (this.#opening = undefined));
    await this.#opening;
  }

  /** Lets the requests to a service through: it is the window's own, and has said that it is ready. */
  open(service: OpenService): void {
    this.#joined?.leave();
    this.#joined = undefined;
    this.#open = service;
  }

  /** Notes that a service has ended. */
  close({ token }: OpenService): void {
    if (this.#open?.token === token) {
      this.#open = undefined;
    }
  }

  /** Notes that nothing listens where the service of a session is, before anybody has told of its end. */
  noteGone(session: Server & Pick<Session, 'accessToken'>): void {
    if (this.#open?.token === session.accessToken && this.#context.folders.placeOf(session.serverUrl)) {
      this.#joined?.leave();
      this.#joined = undefined;
      this.#open = undefined;
    }
  }

  /** Has the service that runs over a data directory serve this window; false when there is none that is ours. */
  async join({ folder, data }: LocalTrialPlace): Promise<boolean> {
    const service = data === undefined ? undefined : await this.#context.reachRunning(data);
    if (!service) {
      return false;
    }
    this.open(service);
    this.#joined = service;
    inBackground(service.ended.then(() => this.#noteLeft(service)));
    await this.#context.signIn(
      await this.#context.folders.remember(service.url, { folder, data }),
      service.token,
    );
    return true;
  }

  dispose(): void {
    this.#joined?.leave();
    this.#joined = undefined;
  }

  async #find(serverUrl: string): Promise<void> {
    const { folders, start } = this.#context;
    const place = folders.placeOf(serverUrl);
    if (place && (await this.join(place))) {
      return;
    }
    const folder = folders.openFolderOf(serverUrl);
    if (folder === undefined) {
      throw new ConnectionError(
        'it does not run',
        {
          operation: 'the local server',
          method: '',
          pathTemplate: '',
          requestNumber: 0,
        },
        { code: 'ECONNREFUSED' },
      );
    }
    await start(folder);
  }

  async #noteLeft(service: ReachedService): Promise<void> {
    // Else this window has turned to another one.
    if (this.#joined === service) {
      this.#joined = undefined;
      this.close(service);
      await this.#context.onLeft();
    }
  }
}
