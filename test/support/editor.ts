/** A whole VS Code with the extension in it, a local service over the example repository, and a browser to show windows. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import type { StartupSignIn } from '../../src/accounts/signInFile.ts';
import { startService, type LocalService } from '../../src/service/service.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { provideVsCode, root } from '../../tools/provision.ts';
import { startVsCode, type VsCode } from '../../tools/vscode.ts';
import { commandKeys } from './commandKeys.ts';
import { makeExampleRepository } from './exampleRepository.ts';
import { Workbench, type WorkbenchOptions } from './workbench.ts';

export interface EditorOptions {
  /** True when each window is handed a sign-in as it opens, as `npm start` does. */
  readonly signedIn?: boolean;
  /** True where the service follows the repository, as it does for people; else tests say when it looks. */
  readonly follows?: boolean;
  /** Signs each window in to another service than the editor's own; is given the folder of everything. */
  readonly signIn?: (directory: string) => Promise<StartupSignIn>;
  /** Given the service's address, gives the one that the windows are signed in at. */
  readonly reachedAt?: (serviceUrl: string) => Promise<string>;
  /** The display language of every window: English when left out. */
  readonly language?: string;
  /** VS Code settings of every window. */
  readonly settings?: Record<string, unknown>;
  /** True when folders are trusted without asking: the default. */
  readonly trustsFolders?: boolean;
  /** The folders of other extensions that are installed. */
  readonly extensions?: readonly string[];
  /** Errors of ours that there may be in its windows. Any other fails the tests. */
  readonly expectedErrors?: RegExp;
  /** Added to the environment of the extension host; is given the folder of everything. */
  readonly env?: (directory: string) => Promise<NodeJS.ProcessEnv>;
}

/** The options with which a window is opened. */
export interface WindowOptions extends WorkbenchOptions {
  readonly context?: BrowserContext;
  /** The folder that is open in it, or its address: the clone when left out. */
  readonly folder?: 'none' | (string & {});
}

/** Chromium itself gives text a style that replaces a selected word which had one, and says that it was refused. */
export const errorsWhileTyping = /inline style/i;

/** See the module. Close it at the end. */
export class Editor {
  readonly directory: string;
  /** The clone that is open in every window. */
  readonly repository: string;
  readonly service: LocalService;
  readonly browser: Browser;
  /** The codes of sign-ins that the owner of the service was shown, oldest first. */
  readonly codes: readonly string[];
  #code: VsCode;
  readonly #startCode: (port: number) => Promise<VsCode>;
  readonly #expectedErrors: RegExp | undefined;

  private constructor(
    directory: string,
    repository: string,
    service: LocalService,
    codes: readonly string[],
    browser: Browser,
    code: VsCode,
    startCode: (port: number) => Promise<VsCode>,
    expectedErrors: RegExp | undefined,
  ) {
    this.directory = directory;
    this.repository = repository;
    this.service = service;
    this.codes = codes;
    this.browser = browser;
    this.#code = code;
    this.#startCode = startCode;
    this.#expectedErrors = expectedErrors;
  }

  static async start(options: EditorOptions = {}): Promise<Editor> {
    const {
      signedIn = false,
      reachedAt,
      settings = {},
      language,
      env,
      trustsFolders = true,
      signIn,
      extensions = [],
      expectedErrors,
      follows = false,
    } = options;
    // The package to test in place of what is in the working tree.
    const vsix = process.env['PATCH_STACKS_VSIX'];
    const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-editor-'));
    const { directory: repository } = await makeExampleRepository(directory);
    const codes: string[] = [];
    const service = await startService({
      repository,
      dataDirectory: path.join(directory, 'service'),
      tellCode: (code) => codes.push(code),
      ...(follows && { onFollowed: () => undefined }),
    });
    const { token } = service;
    const url = reachedAt ? await reachedAt(service.url) : service.url;
    const installation = await provideVsCode();
    const handedOver = signIn ? await signIn(directory) : signedIn ? { url, token } : undefined;
    // Nothing of an editor that was before: its repository had the same commits.
    const extensionEnv = { XDG_DATA_HOME: path.join(directory, 'data'), ...(await env?.(directory)) };
    const startCode = (port: number): Promise<VsCode> =>
      startVsCode({
        installation,
        port,
        dataDirectory: path.join(directory, 'vscode'),
        logFile: path.join(directory, 'vscode.log'),
        env: extensionEnv,
        ...(handedOver && { signIn: handedOver }),
        ...(vsix === undefined ? { extensions: [root, ...extensions] } : { extensions, vsix }),
        trustsFolders,
        ...(language !== undefined && { language }),
        settings: {
          'window.autoDetectColorScheme': true,
          // A moving element takes no click until it stands: so, a command is run by the palette six times as fast.
          'workbench.reduceMotion': 'on',
          ...settings,
        },
        keybindings: commandKeys,
      });
    const code = await startCode(0);
    return new Editor(
      directory,
      repository,
      service,
      codes,
      await launchBrowser(),
      code,
      startCode,
      expectedErrors,
    );
  }

  /** Opens a window: in a browser of its own, or beside the other windows of a context. */
  async openWindow(options: WindowOptions = {}): Promise<Workbench> {
    const { context, folder = this.repository, ...rest } = options;
    const expectedErrors = this.#expectedErrors;
    const url = this.#code.windowUrl(folder === 'none' ? {} : { folder });
    return context
      ? Workbench.openIn(await context.newPage(), url, undefined, expectedErrors)
      : Workbench.open(this.browser, url, { ...rest, expectedErrors });
  }

  /** A person's browser: its windows share what VS Code keeps in it, and get their pages from the local service. */
  openContext(): Promise<BrowserContext> {
    return this.browser.newContext({ viewport: { width: 1280, height: 800 } });
  }

  /** Kills VS Code's server with its whole process group, extension hosts included. */
  async killServer(): Promise<void> {
    process.kill(-this.#code.pid, 'SIGKILL');
    await this.#code.exited;
  }

  /** Starts it again after that, where windows that are open look for it. */
  async startServer(): Promise<void> {
    this.#code = await this.#startCode(this.#code.port);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.#code.stop();
    await this.service.close();
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
