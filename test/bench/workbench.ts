/**
 * A real VS Code for benchmarks: with the extension as it is shipped, a trivial extension to compare with, and a probe
 * through which a function runs inside the extension host of a window.
 *
 *   await using code = await BenchWorkbench.start({ service });
 *   const took = await code.inHost(import.meta.resolve('../probes/activation.mjs'), { first: 'ours' });
 *   const window = await code.openWindow();        // a Workbench of test/support: page, tree, webview
 */
import { createServer } from 'node:http';
import { glob, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../tools/browser.ts';
import { buildExtension } from '../../tools/build.ts';
import { provideVsCode, root } from '../../tools/provision.ts';
import { startVsCode, type VsCode } from '../../tools/vscode.ts';
import { Workbench, type WorkbenchOptions } from '../support/workbench.ts';

export interface BenchOptions {
  /** Each window is signed in to it from the start; without it no one is signed in. */
  readonly service?: { readonly url: string; readonly token: string };
  /** True when only the first window is handed the sign-in: the others find it, as those of a person do. */
  readonly signsInOnce?: boolean;
  /** VS Code settings of every window. */
  readonly settings?: Record<string, unknown>;
  /** Environment of the extension hosts. */
  readonly env?: Readonly<Record<string, string>>;
  /** Folder of every window; without it the windows are empty. */
  readonly folder?: string;
}

interface Answer {
  readonly value?: unknown;
  readonly error?: string;
}

/** See the module. */
export class BenchWorkbench implements AsyncDisposable {
  readonly browser: Browser;
  readonly #code: VsCode;
  readonly #dataDirectory: string;
  readonly #folder: string | undefined;
  readonly #probes: ProbeServer;
  readonly #cleanup: AsyncDisposableStack;

  private constructor(
    browser: Browser,
    code: VsCode,
    dataDirectory: string,
    folder: string | undefined,
    probes: ProbeServer,
    cleanup: AsyncDisposableStack,
  ) {
    this.browser = browser;
    this.#code = code;
    this.#dataDirectory = dataDirectory;
    this.#folder = folder;
    this.#probes = probes;
    this.#cleanup = cleanup;
  }

  /** Builds the extension for use, and starts VS Code with it. */
  static async start({
    service,
    signsInOnce = false,
    settings = {},
    env = {},
    folder,
  }: BenchOptions = {}): Promise<BenchWorkbench> {
    await buildExtension(['--production']);
    await using cleanup = new AsyncDisposableStack();
    const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-bench-'));
    cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
    const dataDirectory = path.join(directory, 'vscode');
    const probes = cleanup.use(await ProbeServer.start());
    const code = await startVsCode({
      installation: await provideVsCode(),
      // What windows before have left behind would be measured with all those after.
      graceSeconds: 0,
      dataDirectory,
      logFile: path.join(directory, 'vscode.log'),
      env: {
        ...env,
        PATCH_STACKS_BENCH_PROBES: probes.address,
      },
      ...(service && { signIn: { url: service.url, token: service.token } }),
      signsInOnce,
      trustsFolders: true,
      extensions: [
        root,
        ...['trivial', 'registrations', 'first', 'probe'].map((name) =>
          path.join(import.meta.dirname, 'extensions', name),
        ),
      ],
      settings,
    });
    cleanup.defer(code.stop);
    const browser = await launchBrowser();
    cleanup.defer(() => browser.close());
    return new BenchWorkbench(browser, code, dataDirectory, folder, probes, cleanup.move());
  }

  /** Opens a cold window in a browser of its own. */
  openWindow(options: WorkbenchOptions = {}): Promise<Workbench> {
    return Workbench.open(this.browser, this.windowUrl, options);
  }

  /** Has windows know nothing of what the service said to those before them. */
  async forgetContent(): Promise<void> {
    for await (const file of glob('**/accounts/*/known.json', { cwd: this.#dataDirectory })) {
      await rm(path.join(this.#dataDirectory, file));
    }
  }

  /** The address of a window, to be opened in a page that the caller prepares. */
  get windowUrl(): string {
    return this.#code.windowUrl(this.#folder === undefined ? {} : { folder: this.#folder });
  }

  /**
   * Opens a window, calls the default export of a module, (vscode, argument) => value, in its extension host, and closes
   * the window. The call comes before any extension is activated but the built-in ones that cannot wait.
   *
   * @param module a file: URL of an ECMAScript module; its value and argument travel as JSON.
   * @param open opens the window, where the caller wants to watch what happens in it.
   * @param end resolves when the window may be closed.
   */
  async inHost(
    module: string,
    argument: unknown = null,
    open: () => Promise<Workbench> = () => this.openWindow(),
    end: () => Promise<unknown> = async () => undefined,
  ): Promise<unknown> {
    const answered = this.#probes.next(module, argument);
    const window = await open();
    try {
      const { value, error } = await answered;
      if (error !== undefined) {
        throw new Error(error);
      }
      await end();
      return value;
    } finally {
      await window.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup.disposeAsync();
  }
}

/** Hands a module to the probe extension of the next window, and takes its answer. */
class ProbeServer implements AsyncDisposable {
  readonly address: string;
  readonly #close: () => Promise<unknown>;
  readonly #hand: { task: object; answered: (answer: Answer) => void };

  private constructor(
    address: string,
    hand: { task: object; answered: (answer: Answer) => void },
    close: () => Promise<unknown>,
  ) {
    this.address = address;
    this.#hand = hand;
    this.#close = close;
  }

  static async start(): Promise<ProbeServer> {
    const hand: { task: object; answered: (answer: Answer) => void } = {
      task: {},
      answered: () => undefined,
    };
    const server = createServer((request, response) => {
      if (request.method === 'GET') {
        response.end(JSON.stringify(hand.task));
        hand.task = {};
        return;
      }
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        response.end();
        hand.answered(JSON.parse(text) as Answer);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new ProbeServer(`http://127.0.0.1:${port}/`, hand, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
  }

  next(module: string, argument: unknown): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#hand.task = { module, argument };
    this.#hand.answered = resolve;
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}
