/**
 * The VS Code server as a program, with the options of its own server-main.js, and with what its usual command line adds
 * around it: the half of a key with which a window encrypts what extensions keep as secrets, and the development
 * extension for windows whose address does not say which.
 */
import { timingSafeEqual, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** What startVsCode in vscode.ts hands over in the environment. */
export interface ServerConfiguration {
  /** The folder of the VS Code server. */
  readonly directory: string;
  readonly dataDirectory: string;
  readonly port: number;
  readonly token: string;
  /** The parameters of a window whose address has none: its folder, and the extension that is developed. */
  readonly window?: { readonly folder: string; readonly extensionDevelopmentPath: string };
}

interface CodeServer {
  readonly handleRequest: (request: IncomingMessage, response: ServerResponse) => void;
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex) => void;
}

interface ServerMain {
  readonly loadCodeWithNls: () => Promise<{
    readonly createServer: (address: null) => Promise<CodeServer>;
  }>;
}

const variable = 'PATCH_STACKS_VSCODE_SERVER';

/** Where a file lies for a window, which meets the server's files by their address. */
export function remoteUri(port: number, file: string): string {
  return `vscode-remote://127.0.0.1:${port}${slashed(file)}`;
}

/** An absolute path as a URL has it. */
export function slashed(file: string): string {
  const absolute = path.resolve(file).replaceAll(path.sep, '/');
  return absolute.startsWith('/') ? absolute : `/${absolute}`;
}

async function main(): Promise<void> {
  const configuration = JSON.parse(process.env[variable] ?? '{}') as ServerConfiguration;
  Reflect.deleteProperty(process.env, variable);
  // Keeps the module from starting a server by itself, which has none of the above.
  process.env['CODE_SERVER_PARENT_PID'] = String(process.ppid);
  const main = pathToFileURL(path.join(configuration.directory, 'out/server-main.js')).href;
  const { loadCodeWithNls } = (await import(main)) as ServerMain;
  const { createServer } = await loadCodeWithNls();

  const code = await createServer(null);
  const key = readKey(path.join(configuration.dataDirectory, 'window-key'));
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/mint-key' && request.method === 'POST') {
      const allowed = isToken(readCookie(request, 'vscode-tkn'), configuration.token);
      response.writeHead(allowed ? 200 : 403, { 'content-type': 'application/octet-stream' });
      response.end(allowed ? key : undefined);
      return;
    }
    const target = completeAddress(url, configuration, server);
    if (target !== undefined && request.method === 'GET') {
      response.writeHead(302, { location: target, 'cache-control': 'no-store' }).end();
      return;
    }
    code.handleRequest(request, response);
  });
  server.on('upgrade', (request, socket) => code.handleUpgrade(request, socket));
  server.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  server.listen(configuration.port, '127.0.0.1', () => {
    process.stdout.write(`Listening on ${portOf(server)}\n`);
  });
}

/** The address of a window with the extension, for one that does not name any; undefined for every other. */
function completeAddress(url: URL, { window }: ServerConfiguration, server: http.Server): string | undefined {
  if (url.pathname !== '/' || window === undefined || url.searchParams.has('payload')) {
    return undefined;
  }
  if (!['folder', 'workspace', 'ew'].some((name) => url.searchParams.has(name))) {
    url.searchParams.set('folder', slashed(window.folder));
  }
  const extension = remoteUri(portOf(server), window.extensionDevelopmentPath);
  url.searchParams.set('payload', JSON.stringify([['extensionDevelopmentPath', extension]]));
  return url.pathname + url.search;
}

function portOf(server: http.Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function readKey(file: string): Buffer {
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(32), { mode: 0o600 });
  }
  return readFileSync(file);
}

function readCookie(request: IncomingMessage, name: string): string {
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

function isToken(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

if (import.meta.main) {
  await main();
}
