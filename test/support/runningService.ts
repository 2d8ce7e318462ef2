/** A local service on a data directory of its own, and plain HTTP requests to it: for the tests of the service itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startService, type LocalService, type ServiceOptions } from '../../src/service/service.ts';

/** The marks on a patch. */
export interface ReviewFields {
  viewed: Fields[];
  signed_off: Fields[];
  rejected: Fields[];
}

/** Every field an answer can have, whichever operation gave it: a test knows which ones it looks at. */
export interface Fields {
  id: number;
  login: string;
  name: string;
  email: string;
  avatar_url: string;
  given_name: string;
  family_name: string;
  picture: string;
  locale: string;
  supporter: boolean;
  organizations: Fields[];
  access_token: string;
  role: string;
  projects: Fields[];
  permissions: object;
  created_at: string;
  updated_at: string;
  fingerprint: string;
  signature: string;
  slug: string;
  owner: string;
  parent_project: Fields;
  description: string;
  repository_id: string;
  active_reviews_count: number;
  branch_id: string;
  oplog_sha: string;
  uuid: string;
  title: string;
  status: string;
  version: number;
  stack_size: number;
  contributors: { email: string; user: Fields }[];
  patches: Fields[];
  base: string;
  texts_without_patch?: Fields[];
  change_id: string;
  review: ReviewFields;
  review_all: ReviewFields;
  sections: Fields[];
  section_type: string;
  identifier: string;
  code: string;
  data: string;
  position: number;
  new_path: string;
  diff_patch: string;
  token: number;
  url: string;
  expires: string;
  browser_token: string;
  error: string;
  error_code: string;
  errors: { field: string; message: string }[];
}

/** An answer with its body read. */
export interface Answer {
  status: number;
  headers: Headers;
  /** The body as it came. */
  text: string;
  /** The body where it is one record; an empty one where it is not JSON. */
  body: Fields;
  /** The body where it is a list. */
  list: Fields[];
}

/** The differences of a request from a plain one of the owner. */
export interface RequestParts {
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  body?: BodyInit;
  headers?: Record<string, string>;
  /** Another access token than the owner's; null for none. */
  token?: string | null;
}

/** A service under test. */
export class RunningService {
  /** Those that were started and not stopped. */
  static readonly #running = new Set<RunningService>();

  readonly service: LocalService;
  readonly dataDirectory: string;
  /** The codes that the owner was shown, oldest first, with the names of their sign-ins. */
  readonly shown: readonly { code: string; name: string }[];

  private constructor(
    service: LocalService,
    dataDirectory: string,
    shown: readonly { code: string; name: string }[],
  ) {
    this.service = service;
    this.dataDirectory = dataDirectory;
    this.shown = shown;
  }

  /** Starts a service on a new data directory, or on the one given. Defects fail the test that asks for them. */
  static async start({
    isOwnerShownCodes = true,
    ...options
  }: Partial<ServiceOptions> & { isOwnerShownCodes?: boolean } = {}): Promise<RunningService> {
    const dataDirectory = options.dataDirectory ?? mkdtempSync(path.join(tmpdir(), 'patch-stacks-data-'));
    const shown: { code: string; name: string }[] = [];
    const service = await startService({
      ...options,
      ...(isOwnerShownCodes && { tellCode: (code: string, name: string) => void shown.push({ code, name }) }),
      dataDirectory,
    });
    const running = new RunningService(service, dataDirectory, shown);
    RunningService.#running.add(running);
    return running;
  }

  /** Stops the service, and deletes its data unless it is kept for another start. */
  async stop({ keepData = false } = {}): Promise<void> {
    RunningService.#running.delete(this);
    await this.service.close();
    if (!keepData) {
      rmSync(this.dataDirectory, { recursive: true, force: true });
    }
  }

  /** Stops those that a failed test has left running, so that the test run can end. */
  static async stopAll(): Promise<void> {
    await Promise.all([...RunningService.#running].map((running) => running.stop()));
  }

  /** The code of a sign-in, as far as the owner was shown it; empty until then. */
  codeOf({ name }: Pick<Fields, 'name'>): string {
    return this.shown.find((one) => one.name === name)?.code ?? '';
  }

  /** The port it listens on. */
  get port(): number {
    return Number(new URL(this.service.url).port);
  }

  /** Sends one request to a path under the API root. */
  async call(method: string, apiPath: string, parts: RequestParts = {}): Promise<Answer> {
    return callService(this.service, method, apiPath, parts);
  }

  /** Sends a request as no fetch would: with any Host header, to any path, without a token. */
  async callRaw(
    method: string,
    rawPath: string,
    headers: Record<string, string> = {},
    body = '',
  ): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
    return new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port: this.port, method, path: rawPath, headers },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (text += chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

/** Sends one request to a path under the API root of a service, whichever process it runs in. */
export async function callService(
  service: { url: string; token: string },
  method: string,
  apiPath: string,
  parts: RequestParts = {},
): Promise<Answer> {
  const { json, token = service.token } = parts;
  const body = json === undefined ? parts.body : JSON.stringify(json);
  const response = await fetch(`${service.url}${apiPath}`, {
    method,
    headers: {
      ...(token !== null && { 'X-Auth-Token': token }),
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...parts.headers,
    },
    ...(body !== undefined && { body }),
    redirect: 'manual',
  });
  return readAnswer(response);
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  let value: unknown = {};
  try {
    value = JSON.parse(text);
  } catch {
    // Not every answer is JSON: the test sees the text.
  }
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: value as Fields,
    list: Array.isArray(value) ? (value as Fields[]) : [],
  };
}
