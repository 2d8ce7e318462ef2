/** *Try It on This Repository*: the local service over the open folder's repository, inside the editor. */
import { fork, type ChildProcess } from 'node:child_process';
import * as vscode from 'vscode';
import { readSetting } from '../contributions.ts';
import type { LocalServiceMessage } from '../protocol/localService.ts';
import { CancelledError, runCommand } from '../ui/commands.ts';
import { RemediableError } from '../ui/failures.ts';
import type { Connection } from '../session/connection.ts';
import type { Log } from '../ui/log.ts';
import { showFailure, showMessage } from '../ui/notifications.ts';
import type { Disposable } from '../util/disposable.ts';
import { inBackground } from '../util/inBackground.ts';
import type { Accounts } from './accounts.ts';
import type { LocalTrialFolders } from './localTrialFolders.ts';
import type { LocalTrialGate } from './localTrialGate.ts';
import { ServiceLink } from './sharing/serviceLink.ts';
import { sharesAsBranch, type Sharing } from './sharing/sharing.ts';

type ReadyMessage = Extract<LocalServiceMessage, { kind: 'ready' }>;

/** A local service that answers, in a process of this window. */
interface StartedService extends ReadyMessage {
  link: ServiceLink;
  /** Resolves, with what went wrong, when the rest of the repository has been read; undefined where there is no rest. */
  imported: Promise<string | undefined> | undefined;
}

interface LocalTrialContext {
  accounts: Accounts;
  connection: Pick<Connection, 'activeServer'>;
  folders: LocalTrialFolders;
  gate: LocalTrialGate;
  sharing: Sharing;
  extensionUri: vscode.Uri;
  storage: vscode.Uri;
  log: Log;
}

/** How often a service is looked for or started: another one may end while it is being found. */
const tries = 3;

/** Starts the local service as a process of its own, and ends it with the window. Nothing leaves this computer. */
export class LocalTrial implements Disposable {
  readonly #context: LocalTrialContext;
  #process: ChildProcess | undefined;
  #starting: { folder: string; end: Promise<void> } | undefined;

  constructor(context: LocalTrialContext) {
    this.#context = context;
  }

  /**
   * Imports the repository of a folder into the local service and signs in to it. Where another window has one for it, that serves
   * this window, too.
   *
   * @param folder without it, the open folder, or one that the person chooses.
   * @throws {CancelledError} when the person gives up; an error that says why the service could not be started.
   */
  async start(folder?: string): Promise<void> {
    const path = folder ?? (await chooseFolder());
    // Nobody has asked for another one than that which is being started: its account is the active one in a moment.
    if (this.#starting && (folder !== undefined || this.#starting.folder === path)) {
      return this.#starting.end;
    }
    const end = this.#start(path, folder === undefined).finally(() => {
      if (this.#starting?.end === end) {
        this.#starting = undefined;
      }
    });
    this.#starting = { folder: path, end };
    return end;
  }

  async #start(folder: string, isAsked: boolean): Promise<void> {
    await vscode.window.withProgress(
      {
        location: isAsked ? vscode.ProgressLocation.Notification : vscode.ProgressLocation.Window,
        title: vscode.l10n.t('Reading the repository'),
        cancellable: isAsked,
      },
      async (progress, cancellation) => {
        const registration = cancellation.onCancellationRequested(() => this.#stop());
        try {
          if (await this.#isServed(folder)) {
            return;
          }
          for (let left = tries; ; left--) {
            const service = await this.#startService(folder, (message) => progress.report({ message }));
            if ('link' in service) {
              await this.#serve(folder, service);
              return;
            }
            if (await this.#context.gate.join({ folder, data: service.data })) {
              return;
            }
            if (left === 1) {
              throw new Error(vscode.l10n.t('The local server stopped before it was ready.'));
            }
          }
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

  /** Whether the active account is of a service for this folder, which may have its data elsewhere, and which somebody else has started. */
  async #isServed(folder: string): Promise<boolean> {
    const { connection, folders, gate } = this.#context;
    const place = folders.placeOf(connection.activeServer ?? '');
    return this.#process === undefined && place?.folder === folder && (await gate.join(place));
  }

  /** Signs in to a service that this window has started. */
  async #serve(folder: string, service: StartedService): Promise<void> {
    const { accounts, folders, gate, sharing } = this.#context;
    const { url, token, data, imported, projectId, link } = service;
    gate.open(service);
    const server = await folders.remember(url, { folder, data });
    const { serverUrl } = await accounts.signInWithKnownToken(server, token);
    inBackground(sharing.serve({ link, serverUrl, folder, projectId }));
    // Not awaited: what is there can be read meanwhile.
    inBackground(this.#showRest(imported));
  }

  /** Shows that the rest of a repository is being read, and then what was in it. */
  async #showRest(imported: Promise<string | undefined> | undefined): Promise<void> {
    if (!imported) {
      return;
    }
    const failure = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Reading the repository') },
      async () => imported,
    );
    if (failure !== undefined) {
      inBackground(
        showFailure(vscode.l10n.t('read all of the repository'), new Error(failure), this.#context.log),
      );
    }
    await runCommand('refresh');
  }

  #stop(): void {
    if (this.#process?.connected) {
      // The service closes its database when its window is gone.
      this.#process.disconnect();
    }
    this.#process = undefined;
  }

  #fork(folder: string): ChildProcess {
    const { extensionUri, storage, sharing, log } = this.#context;
    const program = vscode.Uri.joinPath(extensionUri, 'dist', 'service.cjs');
    const base = readSetting('base', vscode.Uri.file(folder)).trim();
    const encoding = vscode.workspace
      .getConfiguration('files', vscode.Uri.file(folder))
      .get('encoding', 'utf8');
    const child = fork(
      program.fsPath,
      [
        folder,
        // Where earlier versions kept it.
        vscode.Uri.joinPath(storage, 'local-service').fsPath,
        base,
        encoding,
        sharing.remoteOf(folder) ?? '',
        sharesAsBranch() ? 'branch' : '',
      ],
      {
        // The editor's own program runs as plain Node.
        env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
        execArgv: [],
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      },
    );
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => log.warn(`local service: ${text.trimEnd()}`));
    return child;
  }

  /** @returns also where the data of a service lies that serves another window already. */
  async #startService(
    folder: string,
    tell: (progress: string) => void,
  ): Promise<StartedService | { data: string }> {
    this.#stop();
    const { gate, sharing, log } = this.#context;
    const child = this.#fork(folder);
    this.#process = child;
    const link = new ServiceLink(child);
    const imported = Promise.withResolvers<string | undefined>();
    let ready: ReadyMessage | undefined;
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', () => {
        if (ready) {
          gate.close(ready);
        }
        if (this.#process === child) {
          this.#process = undefined;
        }
        sharing.leave(link);
        reject(new Error(vscode.l10n.t('The local server stopped before it was ready.')));
        imported.resolve(undefined);
      });
      child.on('message', (message: LocalServiceMessage) => {
        switch (message.kind) {
          case 'waiting':
            tell(vscode.l10n.t('Waiting for another window to let go of it…'));
            break;
          case 'restored':
            inBackground(showMessage(describeRestored(message), { severity: 'warning' }));
            break;
          case 'copied':
            log.info(`The data of ${folder} was copied from ${message.from}`);
            if (message.others.length > 0) {
              inBackground(showMessage(describeOtherData(message)));
            }
            break;
          case 'progress': {
            const { branch, done, total } = message;
            tell(vscode.l10n.t('{0}: commit {1} of {2}', branch, done, total));
            break;
          }
          case 'running':
            resolve({ data: message.data });
            break;
          case 'ready':
            ready = message;
            resolve({
              ...message,
              link,
              imported: message.isImported ? undefined : imported.promise,
            });
            break;
          case 'imported':
            imported.resolve(message.failure);
            if (message.projectId !== undefined) {
              sharing.noteProject(link, message.projectId);
            }
            break;
          case 'sharing':
            sharing.take(link, message.news);
            break;
          case 'answer':
            link.take(message.id, message.answer);
            break;
          case 'failed':
            reject(new Error(describeServiceFailure(message.code, message.message)));
            break;
        }
      });
    });
  }
}

/** Says what became of the database of the local service, in which all is that people have written. */
function describeRestored({
  trouble,
  copiedAt,
  keptIn,
}: Extract<LocalServiceMessage, { kind: 'restored' }>): string {
  const copied = new Date(copiedAt).toLocaleString(vscode.env.language);
  if (keptIn === undefined) {
    return vscode.l10n.t(
      'The database of the local server was missing. Its copy of {0} is used instead, without what was written since.',
      copied,
    );
  }
  return trouble === 'empty'
    ? vscode.l10n.t(
        'The database of the local server was empty. Its copy of {0} is used instead, without what was written since.',
        copied,
      )
    : vscode.l10n.t(
        'The database of the local server was damaged. Its copy of {0} is used instead, without what was written since. The damaged one is kept in {1}.',
        copied,
        keptIn,
      );
}

/** Says which data of a repository that was found is not used: nothing of it is lost. */
function describeOtherData({ from, others }: Extract<LocalServiceMessage, { kind: 'copied' }>): string {
  return vscode.l10n.t(
    'Several versions of your reviews of this repository were found. The newest is used, from {0}. The others are still in {1}.',
    from,
    others.join(', '),
  );
}

function describeServiceFailure(code: string, message: string): string {
  switch (code) {
    case 'no_repository':
      return vscode.l10n.t(
        'The folder isn\'t in a Git repository. Open one that is, or run "git init" there.',
      );
    case 'empty_repository':
      return vscode.l10n.t("The repository doesn't have any commits yet. Commit something first.");
    case 'no_base':
      return vscode.l10n.t(
        'The base to compare with doesn\'t exist. Change the setting "patchStacks.base", here or in the repository\'s Git configuration.',
      );
    case 'git_missing':
      return vscode.l10n.t("Git wasn't found. Install Git or add it to your PATH.");
    case 'git_old':
      return vscode.l10n.t('Your Git is too old. Install version 2.31 or later.');
    case 'data_locked':
      return vscode.l10n.t(
        'Another window is already trying Patch Stacks on this repository. Use or close that window.',
      );
    default:
      return message;
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
    throw new RemediableError(vscode.l10n.t('Open a folder with a Git repository first.'), {
      title: vscode.l10n.t('Open Folder'),
      // The window begins anew with the folder.
      apply: async () => {
        await vscode.commands.executeCommand('workbench.action.files.openFolder');
        return false;
      },
    });
  }
  if (!vscode.workspace.isTrusted) {
    throw new RemediableError(vscode.l10n.t("Git isn't run in untrusted folders. Trust the folder first."), {
      title: vscode.l10n.t('Manage Workspace Trust'),
      apply: async () => {
        await vscode.commands.executeCommand('workbench.trust.manage');
        return vscode.workspace.isTrusted;
      },
    });
  }
  if (others.length === 0) {
    return first.uri.fsPath;
  }
  const chosen = await vscode.window.showWorkspaceFolderPick({
    placeHolder: vscode.l10n.t('Select the repository to try Patch Stacks on'),
  });
  if (!chosen) {
    throw new CancelledError();
  }
  return chosen.uri.fsPath;
}
