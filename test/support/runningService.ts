/** A local service on a data directory of its own, and plain HTTP requests to it: for the tests of the service itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startService, type LocalService, type ServiceOptions } from '../../src/service/service.ts';

/** An answer with its body read. */
export interface Answer {
  status: number;
  headers: Headers;
  /** The JSON of the body; its text where it is none; undefined where there is no body. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of every shape
  body: any;
}

/** What a request differs in from a plain one of the owner. */
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
  readonly service: LocalService;
  readonly dataDirectory: string;

  private constructor(service: LocalService, dataDirectory: string) {
    this.service = service;
    this.dataDirectory = dataDirectory;
  }

  /** Starts a service on a new data directory, or on the one given. Defects fail the test that asks for them. */
  static async start(options: Partial<ServiceOptions> = {}): Promise<RunningService> {
    const dataDirectory = options.dataDirectory ?? mkdtempSync(path.join(tmpdir(), 'patch-stacks-data-'));
    const service = await startService({ ...options, dataDirectory });
    return new RunningService(service, dataDirectory);
  }

  /** Stops the service, and deletes its data unless it is kept for another start. */
  async stop({ keepData = false } = {}): Promise<void> {
    await this.service.close();
    if (!keepData) rmSync(this.dataDirectory, { recursive: true, force: true });
  }

  /** The port it listens on. */
  get port(): number {
    return Number(new URL(this.service.url).port);
  }

  /** Sends one request to a path under the API root. */
  async call(method: string, apiPath: string, parts: RequestParts = {}): Promise<Answer> {
    const { json, token = this.service.token } = parts;
    const body = json === undefined ? parts.body : JSON.stringify(json);
    const response = await fetch(`${this.service.url}${apiPath}`, {
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

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: unknown = text === '' ? undefined : text;
  try {
    if (text !== '') body = JSON.parse(text);
  } catch {
    // Not every answer is JSON: the test sees the text.
  }
  return { status: response.status, headers: response.headers, body };
}
