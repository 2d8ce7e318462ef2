/** *Try It on This Repository*: the local service over the open folder's repository, inside the editor. */
import { fork, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import { CancelledError } from '../ui/commands.ts';
import type { Log } from '../ui/log.ts';
import type { Disposable } from '../util/disposable.ts';
import type { Accounts } from './accounts.ts';

/** Where the service listens, and the token it takes. */
interface Ready {
  url: string;
  token: string;
}

/** What a trial needs of the rest. */
export interface LocalTrialContext {
  accounts: Accounts;
  extensionUri: vscode.Uri;
  storage: vscode.Uri;
  log: Log;
}

/** Starts the local service as a process of its own, and ends it with the window. Nothing leaves this computer. */
export class LocalTrial implements Disposable {
  readonly #context: LocalTrialContext;
  #running: { folder: string; process: ChildProcess } | undefined;

  constructor(context: LocalTrialContext) {
    this.#context = context;
  }

  /**
   * Imports the repository of the open folder into the local service and signs in to it.
   *
   * @throws {CancelledError} when the person gives up; an error that says why the service could not be started.
   */
  async start(): Promise<void> {
    const folder = await chooseFolder();
    const { accounts } = this.#context;
    await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Reading the repository'),
        cancellable: true,
      },
      async (progress, cancellation) => {
        const registration = cancellation.onCancellationRequested(() => this.#stop());
        try {
          const { url, token } = await this.#startService(folder, (message) => progress.report({ message }));
          await accounts.signInWithKnownToken(url, token);
        } catch (error) {
          throw cancellation.isCancellationRequested ? new CancelledError() : error;
        } finally {
          registration.dispose();
        }
      },
    );
  }

  dispose(): void {
    this.#stop();
  }

  #stop(): void {
    this.#running?.process.kill();
    this.#running = undefined;
  }

  async #startService(folder: string, tell: (message: string) => void): Promise<Ready> {
    this.#stop();
    const { extensionUri, storage, log } = this.#context;
    const name = createHash('sha256').update(folder).digest('hex').slice(0, 32);
    const data = vscode.Uri.joinPath(storage, 'local-service', name);
    await vscode.workspace.fs.createDirectory(data);
    const service = vscode.Uri.joinPath(extensionUri, 'dist', 'service.cjs');
    const child = fork(service.fsPath, ['--repo', folder, '--port', '0', '--data', data.fsPath], {
      // The editor's own program runs as plain Node; nothing of the editor's debugger settings is handed on.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#running = { folder, process: child };
    return new Promise((resolve, reject) => {
      const said: string[] = [];
      child.once('error', reject);
      child.once('exit', () => {
        if (this.#running?.process === child) {
          this.#running = undefined;
        }
        reject(new Error(said.at(-1) ?? vscode.l10n.t('The local service ended before it was ready.')));
      });
      createInterface({ input: child.stderr ?? process.stdin }).on('line', (line) => {
        log.info(`local service: ${line}`);
        said.push(line);
        tell(line);
      });
      createInterface({ input: child.stdout ?? process.stdin }).once('line', (line) => {
        resolve(JSON.parse(line) as Ready);
      });
    });
  }
}

/**
 * The folder to try it on.
 *
 * @throws {CancelledError} when the person gives up; an error when there is none, or git must not be run in it.
 */
async function chooseFolder(): Promise<string> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const [first, ...others] = folders;
  if (!first) {
    throw new Error(vscode.l10n.t('Open a folder with a git repository first.'));
  }
  if (!vscode.workspace.isTrusted) {
    throw new Error(
      vscode.l10n.t('Git is not run in a folder that you have not trusted. Trust the folder first.'),
    );
  }
  if (others.length === 0) {
    return first.uri.fsPath;
  }
  const chosen = await vscode.window.showWorkspaceFolderPick({
    placeHolder: vscode.l10n.t('The repository to try it on'),
  });
  if (!chosen) {
    throw new CancelledError();
  }
  return chosen.uri.fsPath;
}
