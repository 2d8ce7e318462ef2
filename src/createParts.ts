import type * as vscode from 'vscode';
import { accountModel } from './accountModel.ts';
import { accountReadings } from './accountReadings.ts';
import type { Colors } from './colors/colors.ts';
import { setContext } from './contributions.ts';
import { ContentSources } from './git/contentSources.ts';
import type { ServedContents } from './git/servedContents.ts';
import { versionComparison } from './git/versionComparison.ts';
import { WorkspaceRepositories } from './git/workspaceRepositories.ts';
import { AtHand, kindOf } from './model/atHand.ts';
import type { Model } from './model/model.ts';
import type { Readings } from './model/reading/readings.ts';
import { AccountFolders } from './session/accountFolders.ts';
import { Connection } from './session/connection.ts';
import { connectionWindow } from './session/connectionWindow.ts';
import { SessionStore, type Session } from './session/sessions.ts';
import { Deeds } from './ui/deeds.ts';
import { keepFresh } from './ui/keepFresh.ts';
import { createLog, type Log } from './ui/log.ts';
import { OrderedMemento } from './ui/orderedMemento.ts';
import { RecentChanges } from './ui/recentChanges.ts';
import type { TextFiles } from './ui/textFiles.ts';
import { DisposableStore } from './util/disposable.ts';
import { inBackground, noteBackgroundFailures } from './util/inBackground.ts';
import { lazy } from './util/lazy.ts';
import type { WindowParts } from './windowParts.ts';

interface LaterFeatures {
  signInAgain: (session: Session) => Promise<Session>;
  /** Is given the model as soon as it is loaded. */
  onModel: (model: Model) => void;
  /** Is given what an account has read as soon as that is loaded. */
  onReadings: (readings: Readings) => void;
}

/**
 * Creates the objects that every feature is given, but for the pending changes: a feature has those.
 *
 * @returns also `turnTo`, which has the model be that of another account; see `accountModel`.
 */
export function createParts(
  context: vscode.ExtensionContext,
  { signInAgain, onModel, onReadings }: LaterFeatures,
): {
  made: Omit<WindowParts, 'pendingChanges'>;
  turnTo: ReturnType<typeof accountModel>['turnTo'];
} {
  const disposables = new DisposableStore();
  context.subscriptions.push(disposables);

  const memory = new OrderedMemento(context.globalState);
  const log = disposables.add(createLog(context.logUri));
  noteBackgroundFailures((failure) => log.error(failure));
  const sessions = disposables.add(new SessionStore(context.secrets, context.globalStorageUri.fsPath));
  const connection = disposables.add(
    new Connection({ window: connectionWindow, memory, sessions, log, signInAgain }),
  );
  const folders = new AccountFolders(context.globalStorageUri.fsPath);
  const { model, turnTo } = accountModel({ connection, folders, log, disposables }, (created) => {
    disposables.add(keepFresh(created.freshness));
    onModel(created);
  });
  const repositories = disposables.add(new WorkspaceRepositories());
  const contentSources = disposables.add(new ContentSources(repositories));
  const service = servedContents(connection, log);
  const { judge, ...comparison } = versionComparison(context, { sources: contentSources, service });
  const readings = accountReadings({ context, connection, folders, log, disposables }, judge, onReadings);
  const made = {
    context,
    memory,
    workspaceMemory: new OrderedMemento(context.workspaceState),
    disposables,
    log,
    sessions,
    connection,
    folders,
    model,
    readings,
    repositories,
    contentSources,
    ...comparison,
    atHand: followAtHand(disposables),
    changes: new RecentChanges(log, () => connection.holdAccount()),
    deeds: new Deeds(memory),
    texts: lazy(async (): Promise<TextFiles> => {
      const { TextFiles } = await import('./ui/textFiles.ts');
      return disposables.add(new TextFiles());
    }),
    colors: lazy(async (): Promise<Colors> => {
      const { Colors } = await import('./colors/colors.ts');
      return disposables.add(new Colors(context.extensionUri));
    }),
  };
  return { made, turnTo };
}

/** Contents of files from the service of the active account, if it gives any. */
function servedContents({ use }: Connection, log: Log): ServedContents {
  return {
    isOffered: () => use(async ({ contents }) => contents.isOffered).catch(() => false),
    read: (ids) =>
      use(({ contents }) => contents.read(ids)).catch((error: unknown) => {
        // There are still the diffs.
        log.warn(`The contents that the service gives could not be read: ${String(error)}`);
        return new Map();
      }),
  };
}

/** Follows what the person works on, which menus and keys depend on. */
function followAtHand(disposables: DisposableStore): AtHand {
  const atHand = disposables.add(new AtHand());
  disposables.add(
    atHand.onDidChange(() => {
      const [first] = atHand.places;
      inBackground(setContext('atHand', (first && kindOf(first.place)) ?? ''));
    }),
  );
  return atHand;
}
