/**
 * The VS Code server as a program, with the options of its own server-main.js, and with what the programs that usually
 * stand before it add: the half of a key with which a window encrypts what extensions keep as secrets. It also hands each window
 * that is loaded the sign-in that it was given, if any.
 */
import { timingSafeEqual, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StartupSignIn } from '../src/accounts/signInFile.ts';
import { SignInFile } from './signInFile.ts';

/** The configuration that startVsCode in vscode.ts hands over, in a file that the environment names. */
export interface ServerConfiguration {
  /** The folder of the VS Code server. */
  readonly directory: string;
  readonly dataDirectory: string;
  readonly port: number;
  readonly token: string;
  /** The account that the extension is to sign in with, in each window. */
  readonly signIn?: StartupSignIn;
  /** True when the first window alone is handed it. */
  readonly signsInOnce?: boolean;
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

async function main(): Promise<void> {
  const file = process.env[variable] ?? '';
  const configuration = JSON.parse(readFileSync(file, 'utf8')) as ServerConfiguration;
  rmSync(file);
  Reflect.deleteProperty(process.env, variable);
  // Keeps the module from starting a server by itself, which has none of the above.
  process.env['CODE_SERVER_PARENT_PID'] = String(process.ppid);
  const main = pathToFileURL(path.join(configuration.directory, 'out/server-main.js')).href;
  const { loadCodeWithNls } = (await import(main)) as ServerMain;
  const { createServer } = await loadCodeWithNls();

  const signInFile =
    configuration.signIn && new SignInFile(configuration.dataDirectory, configuration.signIn);
  Object.assign(process.env, signInFile?.environment);
  process.on('exit', () => signInFile?.delete());

  let isHandedOver = false;
  const code = await createServer(null);
  const key = readKey(path.join(configuration.dataDirectory, 'window-key'));
  const server = http.createServer((request, response) => {
    if (request.method === 'POST' && request.url === '/mint-key') {
      const allowed = isToken(readCookie(request, 'vscode-tkn'), configuration.token);
      response.writeHead(allowed ? 200 : 403, { 'content-type': 'application/octet-stream' });
      response.end(allowed ? key : undefined);
      return;
    }
    if (isWindow(request.url ?? '') && isToken(readCookie(request, 'vscode-tkn'), configuration.token)) {
      if (configuration.signsInOnce !== true || !isHandedOver) {
        signInFile?.write();
      }
      isHandedOver = true;
    }
    const local = localAddress(request.url ?? '');
    if (local !== undefined) {
      response.writeHead(302, { location: local }).end();
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
    const address = server.address() as AddressInfo;
    process.stdout.write(`Listening on ${address.port}\n`);
  });
}

/** Returns true for the page of a window, which will start an extension host. */
function isWindow(url: string): boolean {
  return /^\/(?:\?|$)/.test(url);
}

/**
 * The address at which the browser finds what a window asks the server's proxy for. A window takes every browser for one on
 * another machine, and rewrites addresses on loopback to that proxy; the browsers of this server are on this machine, and get
 * there themselves.
 */
function localAddress(url: string): string | undefined {
  const [, port, rest] = /^\/proxy\/(\d{1,5})(\/.*)$/.exec(url) ?? [];
  return port === undefined ? undefined : `http://127.0.0.1:${port}${rest ?? '/'}`;
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

await main();
