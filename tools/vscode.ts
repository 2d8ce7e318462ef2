/** Starts and stops a VS Code server, and knows the addresses of its windows. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { StartupSignIn } from '../src/accounts/signInFile.ts';
import { cleanEnvironment, logTail, startGroup } from './processes.ts';
import { Refusal } from './progress.ts';
import type { VsCodeInstallation } from './provision.ts';
import type { ServerConfiguration } from './vscodeServer.ts';

export interface VsCodeOptions {
  readonly installation: VsCodeInstallation;
  /** Keeps the server's settings, state and extensions; a second start finds them. */
  readonly dataDirectory: string;
  readonly logFile: string;
  /** 0 takes a free one. */
  readonly port?: number;
  readonly extensionsDirectory?: string;
  /** The folders of extensions that are taken as installed. */
  readonly extensions?: readonly string[];
  /**
   * True when a window's address can name an extension to be developed and tests to be run: then VS Code is in the hands of a test, and
   * shows no notifications but in their list.
   */
  readonly runsTests?: boolean;
  /** Seconds for which the extension host of a window that was closed waits for it to come back: three hours when left out. */
  readonly graceSeconds?: number;
  /** A packaged extension, which VS Code installs as it does for a person. */
  readonly vsix?: string;
  /** Added to the environment of the extension host, and so of terminals and tasks: for nothing secret. */
  readonly env?: NodeJS.ProcessEnv;
  /** Each window that is opened, or loaded again, is handed this sign-in. */
  readonly signIn?: StartupSignIn;
  /** True when the first window alone is handed it: the browser keeps it for the others. */
  readonly signsInOnce?: boolean;
  /** The folder of a window whose address names none. */
  readonly folder?: string;
  /**
   * True when folders are trusted without asking: for those that we have made ourselves. In another one VS Code would run what
   * its settings, and Git's, name.
   */
  readonly trustsFolders?: boolean;
  /** The display language, as VS Code names it: English when left out. */
  readonly language?: string;
  /** The person's own settings, in every window. */
  readonly settings?: Record<string, unknown>;
  /** The person's own keys, in every window. */
  readonly keybindings?: readonly { readonly key: string; readonly command: string }[];
}

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly version: string;
}

export interface WindowOptions {
  /** A folder to open, or the address of one that is on no disk; without it the window is empty. */
  readonly folder?: string;
  readonly extensionDevelopmentPath?: string;
  /** A module with run(): it runs in the extension host, and the window reports its result. */
  readonly extensionTestsPath?: string;
}

export interface VsCode {
  readonly port: number;
  /** That of its process group, in which extension hosts are, too. */
  readonly pid: number;
  readonly logFile: string;
  readonly exited: Promise<number>;
  /** The address of a window with the folder of the options. */
  readonly address: string;
  readonly windowUrl: (options: WindowOptions) => string;
  readonly stop: () => Promise<void>;
}

async function writeAsJson(file: string, content: unknown): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(content, undefined, 2));
}

/** Nothing that asks, advertises or calls home between a reader and a patch. */
const quietSettings = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  // Servers that listen on this machine are ours, and the browser reaches them as they are.
  'remote.autoForwardPorts': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/**
 * The same, of settings that VS Code takes from a person's own alone. Its server sends what windows tell it, whatever it is started
 * with, and its own extensions call home, too.
 */
const quietOwnSettings = {
  'telemetry.telemetryLevel': 'off',
};

export async function startVsCode(options: VsCodeOptions): Promise<VsCode> {
  const { installation, dataDirectory, logFile } = options;
  // Everything that is read and written in its windows lies below, such as diffs that are kept and texts that are not saved.
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  await chmod(dataDirectory, 0o700);
  await writeAsJson(path.join(dataDirectory, 'data/Machine/settings.json'), quietSettings);
  const ownSettings = path.join(dataDirectory, 'data/User/settings.json');
  // Those that somebody has made since the first start stay as they are.
  if (options.settings || !existsSync(ownSettings)) {
    await writeAsJson(ownSettings, { ...quietOwnSettings, ...options.settings });
  }
  if (options.keybindings) {
    await writeAsJson(path.join(dataDirectory, 'data/User/keybindings.json'), options.keybindings);
  }
  if (options.language !== undefined) {
    await writeLanguagePack(dataDirectory, options.language);
  }
  // Whoever can open the window can run programs: the token keeps other users of the machine, and web pages, out.
  const tokenFile = path.join(dataDirectory, 'connection-token');
  const token = await keepToken(tokenFile);

  for (const extension of options.extensions ?? []) {
    await writeInstalled(options.extensionsDirectory ?? path.join(dataDirectory, 'extensions'), extension);
  }

  if (options.vsix !== undefined) {
    await installPackage(options, options.vsix);
  }

  const ready = Promise.withResolvers<number>();
  const configuration: ServerConfiguration = {
    directory: installation.directory,
    dataDirectory,
    port: options.port ?? 0,
    token,
    ...(options.signIn && { signIn: options.signIn }),
    ...(options.signsInOnce && { signsInOnce: true }),
  };
  // In a file that the server deletes: an environment can be read as long as its process runs, and is inherited.
  const configurationFile = path.join(dataDirectory, 'server.json');
  await rm(configurationFile, { force: true });
  await writeFile(configurationFile, JSON.stringify(configuration), { mode: 0o600, flag: 'wx' });
  const group = startGroup(
    installation.node,
    [
      '--disable-warning=ExperimentalWarning',
      path.join(import.meta.dirname, 'vscodeServer.ts'),
      ...['--connection-token-file', tokenFile],
      ...['--server-data-dir', dataDirectory],
      ...(options.extensionsDirectory === undefined ? [] : ['--extensions-dir', options.extensionsDirectory]),
      ...(options.folder === undefined ? [] : ['--default-folder', options.folder]),
      ...(options.language === undefined ? [] : ['--locale', options.language]),
      ...['--telemetry-level', 'off'],
      ...(options.graceSeconds === undefined
        ? []
        : ['--reconnection-grace-time', String(options.graceSeconds)]),
      // It goes over no network: packing and unpacking it only takes time.
      '--disable-websocket-compression',
      '--accept-server-license-terms',
      ...(options.trustsFolders ? ['--disable-workspace-trust'] : []),
      '--force-disable-user-env',
      // Without it the window ignores which extension is being developed and which tests are to be run.
      ...(options.runsTests ? ['--enable-smoke-test-driver'] : []),
    ],
    {
      cwd: installation.directory,
      // An empty gallery: nothing is looked up outside this machine.
      env: cleanEnvironment({
        EXTENSIONS_GALLERY: '{}',
        ...options.env,
        PATCH_STACKS_VSCODE_SERVER: configurationFile,
      }),
      logFile,
      onLine: (line) => {
        const port = /^Listening on (\d+)/.exec(line)?.[1];
        if (port !== undefined) {
          ready.resolve(Number(port));
        }
      },
    },
  );
  let timer: NodeJS.Timeout | undefined;
  const port = await Promise.race([
    ready.promise,
    group.exited.then((code) => {
      const tail = logTail(logFile, 15);
      throw tail.includes('EADDRINUSE')
        ? new Refusal(`Port ${String(options.port)} is already in use. Use another one with --port.`)
        : new Error(`VS Code stopped with code ${code} while starting:\n${tail}`);
    }),
    new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`VS Code wasn't ready after two minutes:\n${logTail(logFile, 15)}`)),
        120_000,
      );
    }),
  ]).catch(async (error: unknown) => {
    await group.stop();
    throw error;
  });
  clearTimeout(timer);

  return {
    port,
    pid: group.pid,
    logFile,
    exited: group.exited,
    address: `http://127.0.0.1:${port}/?tkn=${token}`,
    windowUrl: (window) => windowUrl(port, token, window),
    stop: group.stop,
  };
}

/** The token of a data folder: the same at every start, so that a window which is still open finds its way back. */
async function keepToken(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => '');
  const token = /^[0-9a-f]{32}$/.test(kept) ? kept : randomBytes(16).toString('hex');
  await writeFile(file, token, { mode: 0o600 });
  // The mode counts for a new file only.
  await chmod(file, 0o600);
  return token;
}

/**
 * Has VS Code take a language for one that it has a language pack of. The pack holds none of VS Code's own texts: these stay
 * English, while extensions speak the language if they can.
 */
async function writeLanguagePack(dataDirectory: string, language: string): Promise<void> {
  const folder = path.join(dataDirectory, 'data');
  const texts = path.join(folder, 'languagepack.json');
  await writeFile(texts, JSON.stringify({ version: '1.0.0', contents: {} }));
  const extensions = [{ extensionIdentifier: { id: 'test.language-pack' }, version: '1.0.0' }];
  const pack = { hash: 'none', label: language, extensions, translations: { vscode: texts } };
  await writeFile(path.join(folder, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}

/** Puts the extension into VS Code's list of installed ones; its files stay where they are. */
async function writeInstalled(directory: string, extension: string): Promise<void> {
  const manifest = JSON.parse(await readFile(path.join(extension, 'package.json'), 'utf8')) as Manifest;
  const id = `${manifest.publisher}.${manifest.name}`;
  const file = path.join(directory, 'extensions.json');
  const installed = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as { identifier: { id: string } }[],
    () => [],
  );
  await mkdir(directory, { recursive: true });
  const entry = {
    identifier: { id },
    version: manifest.version,
    location: { $mid: 1, path: slashed(extension), scheme: 'file' },
    metadata: {},
  };
  const others = installed.filter((other) => other.identifier.id !== id);
  await writeFile(file, JSON.stringify([...others, entry]));
}

/** Has VS Code itself install a package. */
async function installPackage({ installation, dataDirectory, ...options }: VsCodeOptions, vsix: string) {
  const { stdout } = await promisify(execFile)(
    installation.node,
    [
      path.join(installation.directory, 'out/server-main.js'),
      ...['--install-extension', path.resolve(vsix)],
      ...['--server-data-dir', dataDirectory],
      ...['--extensions-dir', options.extensionsDirectory ?? path.join(dataDirectory, 'extensions')],
      '--accept-server-license-terms',
    ],
    { cwd: installation.directory, env: cleanEnvironment({ EXTENSIONS_GALLERY: '{}' }) },
  );
  if (!stdout.includes('was successfully installed')) {
    throw new Error(`Couldn't install the package:\n${stdout}`);
  }
}

/** The address of a file for a window, which meets the server's files by their address. */
function remoteUri(port: number, file: string): string {
  return `vscode-remote://127.0.0.1:${port}${slashed(file)}`;
}

/** An absolute path as a URL has it. */
function slashed(file: string): string {
  const absolute = path.resolve(file).replaceAll(path.sep, '/');
  return absolute.startsWith('/') ? absolute : `/${absolute}`;
}

function windowUrl(port: number, token: string, options: WindowOptions): string {
  const payload: [string, string][] = [['skipWelcome', 'true']];
  if (options.extensionDevelopmentPath !== undefined) {
    payload.push(['extensionDevelopmentPath', remoteUri(port, options.extensionDevelopmentPath)]);
  }
  if (options.extensionTestsPath !== undefined) {
    payload.push(['extensionTestsPath', remoteUri(port, options.extensionTestsPath)]);
  }
  const url = new URL(`http://127.0.0.1:${port}/`);
  url.searchParams.set('tkn', token);
  if (options.folder === undefined) {
    url.searchParams.set('ew', 'true');
  } else {
    const isAddress = /^[a-z][a-z0-9+.-]+:/i.test(options.folder);
    url.searchParams.set('folder', isAddress ? options.folder : slashed(options.folder));
  }
  if (options.extensionDevelopmentPath !== undefined) {
    url.searchParams.set('payload', JSON.stringify(payload));
  }
  return url.href;
}
