/**
 * npm start: shows the branches of a git repository as patch stacks, in VS Code, on this computer.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { format, parseArgs } from 'node:util';
import type { StartupSignIn } from '../src/accounts/signInFile.ts';
import { ServiceError } from '../src/service/errors.ts';
import { currentBranch, openRepository, type Repository } from '../src/service/git/repository.ts';
import { describeStore, findStore, foldersIn } from '../src/service/stores.ts';
import { takeBuild } from './builds.ts';
import { findDesktop, hasDisplay } from './desktopCode.ts';
import { isAlive } from './install.mjs';
import { cleanEnvironment, isPortFree, logTail, startGroup, stopRequested } from './processes.ts';
import { Refusal, say, step } from './progress.ts';
import { findOnPath, provideVsCode, root, testFolder } from './provision.ts';
import { SignInFile } from './signInFile.ts';
import { openService, type LocalService } from './localService.ts';
import { startVsCode } from './vscode.ts';

const usage = `Shows the branches of a Git repository as patch stacks, in VS Code.

  npm start -- [options]

  --repo PATH   the Git repository to read (default: this clone)
  --base REF    what all branches are compared with
                (default: each with the branch it left, or what "git config patchStacks.base" says)
  --share REMOTE
                shares reviews through a remote of the repository, such as origin: see docs/sharing.md
  --share-device DEVICE
                another device of yours that shares in your name: what it says is shown here, too
  --port N      the port of VS Code's address in the browser; opens the browser even where VS Code is installed
  --no-open     prints the address and opens nothing
  --browser     uses VS Code in the browser even where VS Code is installed
  --data DIR    keeps what you write, and VS Code's settings, in this folder
                (default: what you write with your other data, where VS Code finds it, too; VS Code's settings in
                a folder under .vscode-test/start/ for each repository)
  --help        prints this text

Press Ctrl+C to stop everything it has started.`;

interface Options {
  readonly repository: Repository;
  readonly base: string | undefined;
  readonly share: string | undefined;
  readonly devices: readonly string[];
  readonly dataDirectory: string;
  /** Where the service keeps its data; left out, in the store of the repository. */
  readonly serviceDirectory: string | undefined;
  readonly port: number | undefined;
  readonly open: boolean;
  readonly browser: boolean;
}

/** The memory of a data folder from one start to the next, so that addresses stay the same. */
interface Memory {
  servicePort?: number;
  vscodePort?: number;
}

async function readOptions(): Promise<Options | undefined> {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        repo: { type: 'string' },
        base: { type: 'string' },
        share: { type: 'string' },
        'share-device': { type: 'string', multiple: true, default: [] },
        port: { type: 'string' },
        'no-open': { type: 'boolean', default: false },
        browser: { type: 'boolean', default: false },
        data: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }));
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
  if (values.help) {
    say(usage);
    return undefined;
  }
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65536)) {
    throw new Refusal(`"${String(values.port)}" isn't a port. Enter a number from 1 to 65535 for --port.`);
  }
  // npm runs scripts in the project's folder: a relative path was meant from where the person stands.
  const here = process.env['INIT_CWD'] ?? process.cwd();
  const repository = await openRepository(path.resolve(here, values.repo ?? root));
  const data = values.data === undefined ? undefined : path.resolve(here, values.data);
  return {
    repository,
    base: values.base,
    share: values.share,
    devices: values['share-device'],
    dataDirectory: data ?? defaultDataDirectory(repository.directory),
    serviceDirectory: data === undefined ? undefined : path.join(data, 'service'),
    port,
    open: !values['no-open'],
    browser: values.browser || values['no-open'] || port !== undefined,
  };
}

function defaultDataDirectory(repository: string): string {
  const real = realpathSync(repository);
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 8);
  const name = path
    .basename(real)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 40);
  return path.join(testFolder, 'start', `${name}-${hash}`);
}

/** Where earlier versions kept what a person has written, of any repository: from the terminal, and in VS Code's windows that it opened. */
function olderStores(): string[] {
  const starts = foldersIn(path.join(testFolder, 'start'));
  const profiles = starts.flatMap((start) =>
    ['vscode/data/User', 'desktop/User'].map((user) => path.join(start, user, 'globalStorage')),
  );
  return [
    path.join(testFolder, 'service'),
    ...starts.map((start) => path.join(start, 'service')),
    ...profiles
      .flatMap((profile) => foldersIn(profile))
      .flatMap((extension) => foldersIn(path.join(extension, 'local-service'))),
  ];
}

/** Where the service keeps its data. The person is told what was found elsewhere. */
async function findData({ repository, serviceDirectory }: Options): Promise<string> {
  if (serviceDirectory !== undefined) {
    return serviceDirectory;
  }
  const store = await findStore(repository, olderStores());
  describeStore(store).forEach(say);
  return store.directory;
}

/** Says what a person meets who has not said yet that they trust a folder. */
function sayWhatIsLimited(repository: string): void {
  if (!isThisClone(repository)) {
    say(
      "VS Code won't run code from this folder until you trust it (Restricted Mode). Reading and reviewing still work.",
    );
  }
}

/**
 * Returns true for this clone, whose code runs anyway. For any other repository it is the person who says whether VS Code may run
 * what the folder names: its tasks and settings, and the programs in its git configuration.
 */
function isThisClone(repository: string): boolean {
  return realpathSync(repository) === realpathSync(root);
}

interface Running {
  readonly pid: number;
  readonly address?: string;
}

/** Refuses a data folder that another start is using. */
async function claim(
  dataDirectory: string,
): Promise<{ release: () => void; setAddress: (address: string) => void }> {
  const file = path.join(dataDirectory, 'running.json');
  const other = readJson(file) as Running | undefined;
  if (other !== undefined && (await isRunning(other))) {
    throw new Refusal(
      `Patch Stacks is already running for this repository${other.address === undefined ? '' : ` at ${other.address}`}. ` +
        `Use that one, stop it (process ${other.pid}), or use another folder with --data.`,
    );
  }
  const write = (address?: string): void => {
    writeFileSync(file, JSON.stringify({ pid: process.pid, address }), {
      mode: 0o600,
    });
  };
  write();
  return { release: () => rmSync(file, { force: true }), setAddress: write };
}

async function isRunning({ pid, address }: Running): Promise<boolean> {
  // Another program may have got the number of one that was killed.
  return isAlive(pid) && (address === undefined || !(await isPortFree(Number(new URL(address).port))));
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The remembered port while it is free, so that bookmarks and sign-ins last; else any free one. */
async function preferPort(remembered: number | undefined): Promise<number> {
  return remembered !== undefined && (await isPortFree(remembered)) ? remembered : 0;
}

/** Opens the address in the person's own browser; whether that could be tried. */
function openInBrowser(url: string): boolean {
  const [command, ...args]: [string, ...string[]] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  if (!hasDisplay() || (process.platform === 'linux' && findOnPath('xdg-open') === undefined)) {
    return false;
  }
  const child = spawn(command, args, { stdio: 'ignore', detached: true, env: cleanEnvironment() });
  child.on('error', () => say("Couldn't open the browser. Open the address yourself."));
  child.unref();
  return true;
}

async function main(): Promise<number> {
  const options = await readOptions();
  if (options === undefined) {
    return 0;
  }
  const stopping = stopRequested().then(() => 'stop' as const);
  const { dataDirectory, repository } = options;
  if (options.port !== undefined && !(await isPortFree(options.port))) {
    throw new Refusal(
      `Port ${options.port} is already in use. Stop the program that uses it, or use another port with --port.`,
    );
  }
  await mkdir(dataDirectory, { recursive: true });
  const claimed = await claim(dataDirectory);
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(claimed.release);

  const running = start(options, claimed.setAddress, cleanup);
  const outcome = await Promise.race([running, stopping]);
  if (outcome === 'stop') {
    say('\nStopping …');
    // A process that is being started ends by itself or is ended with this one.
    running.catch(() => undefined);
  }
  await cleanup.disposeAsync();
  if (outcome === 'stop') {
    say(`Stopped. Your changes are saved for the next time you start with ${repository.directory}.`);
  }
  return outcome === 'stop' ? 0 : outcome;
}

/** Resolves when VS Code has ended by itself, with the exit code for this process. */
async function start(
  options: Options,
  setAddress: (address: string) => void,
  cleanup: AsyncDisposableStack,
): Promise<number> {
  const { dataDirectory, repository } = options;
  const memoryFile = path.join(dataDirectory, 'start.json');
  const memory = (readJson(memoryFile) ?? {}) as Memory;

  const build = await takeBuild();
  cleanup.defer(build.release);
  const data = await findData(options);
  const service = await openService({
    repository: repository.directory,
    base: options.base,
    share: options.share,
    devices: options.devices,
    dataDirectory: data,
    port: await preferPort(memory.servicePort),
    isTokenNew: true,
  });
  cleanup.defer(service.close);
  memory.servicePort = service.port;

  const desktop = options.browser ? undefined : findDesktop();
  if (desktop !== undefined) {
    writeFileSync(memoryFile, JSON.stringify(memory));
    return runDesktop(desktop, build.folder, options, { service, data }, cleanup);
  }
  const installation = await provideVsCode();
  const code = await step(`Starting VS Code ${installation.version}`, async () =>
    startVsCode({
      installation,
      dataDirectory: path.join(dataDirectory, 'vscode'),
      signIn: await handedOver(service, repository, data),
      trustsFolders: isThisClone(repository.directory),
      logFile: path.join(dataDirectory, 'logs/vscode.log'),
      port: options.port ?? (await preferPort(memory.vscodePort)),
      folder: repository.directory,
      extensions: [build.folder],
    }),
  );
  cleanup.defer(code.stop);
  writeFileSync(memoryFile, JSON.stringify({ ...memory, vscodePort: code.port }));

  const { address } = code;
  setAddress(address);
  const opened = options.open && openInBrowser(address);
  say(
    `\nPatch Stacks is ready. ${opened ? 'Opening your browser:' : 'Open this address in your browser:'}\n`,
  );
  say(`  ${address}\n`);
  sayWhatIsLimited(repository.directory);
  say('Press Ctrl+C to stop.');
  const exitCode = await code.exited;
  if (cleanup.disposed) {
    return 0;
  }
  say(
    `VS Code stopped unexpectedly with code ${exitCode}. The last lines of its log:\n${logTail(code.logFile, 15)}`,
  );
  return 1;
}

/** The state that the window begins with: signed in, with the page of the branch that is checked out. */
async function handedOver(
  { url, token }: LocalService,
  repository: Repository,
  data: string,
): Promise<StartupSignIn> {
  const branch = await currentBranch(repository);
  return {
    ...{ url, token, data, folder: repository.directory, showsStack: true },
    ...(branch !== undefined && { branch }),
  };
}

async function runDesktop(
  executable: string,
  extension: string,
  { dataDirectory, repository }: Options,
  { service, data }: { service: LocalService; data: string },
  cleanup: AsyncDisposableStack,
): Promise<number> {
  const userData = path.join(dataDirectory, 'desktop');
  await mkdir(userData, { recursive: true, mode: 0o700 });
  await chmod(userData, 0o700);
  const signInFile = new SignInFile(dataDirectory, await handedOver(service, repository, data));
  signInFile.write();
  cleanup.defer(() => signInFile.delete());
  const group = startGroup(
    executable,
    [
      `--extensionDevelopmentPath=${extension}`,
      `--user-data-dir=${userData}`,
      `--extensions-dir=${path.join(dataDirectory, 'desktop-extensions')}`,
      '--new-window',
      ...(isThisClone(repository.directory) ? ['--disable-workspace-trust'] : []),
      '--skip-welcome',
      '--skip-release-notes',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      repository.directory,
    ],
    { env: cleanEnvironment(signInFile.environment), logFile: path.join(dataDirectory, 'logs/desktop.log') },
  );
  cleanup.defer(group.stop);
  say(`\nPatch Stacks is ready. Opening ${repository.directory} in VS Code.`);
  say(`  The local service is at ${service.url}\n`);
  sayWhatIsLimited(repository.directory);
  say('To stop, close its window or press Ctrl+C here.');
  const exitCode = await group.exited;
  if (exitCode !== 0 && !cleanup.disposed) {
    say(`VS Code stopped with code ${exitCode}. The last lines of its log:`);
    say(logTail(path.join(dataDirectory, 'logs/desktop.log'), 15));
  }
  return exitCode === 0 ? 0 : 1;
}

/** The message about a failure that a person should read: one sentence where we know it, else everything. */
function explain(error: unknown): string {
  if (error instanceof ServiceError) {
    return error.code === 'no_repository'
      ? `${error.message}\nFor example: npm start -- --repo ~/my/project`
      : error.message;
  }
  return error instanceof Refusal ? error.message : format(error);
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`\n${explain(error)}\n`);
  process.exitCode = 1;
}
// Whatever a stopped start has left in the event loop must not keep the terminal waiting.
process.exit();
