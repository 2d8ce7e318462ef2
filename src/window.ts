/**
 * The composition root: creates every long-lived object of a window once and connects its features. The client, the model,
 * the documents and the forms are loaded when they are first used.
 */
import * as vscode from 'vscode';
import { accountModel } from './accountModel.ts';
import { registerAccounts } from './accounts/commands.ts';
import type { CommandHandlers } from './commandTable.ts';
import { setContext } from './contributions.ts';
import { registerFeedback } from './feedback/commands.ts';
import { registerLinks } from './links/registerLinks.ts';
import { AtHand, kindOf } from './model/atHand.ts';
import { registerPatches } from './patch/commands.ts';
import { registerProjects } from './projects/commands.ts';
import { createOperations, toChange } from './publicApi/apiOperations.ts';
import type { ApiOperations } from './publicApi/lazyApi.ts';
import type { Change } from './publicApi/patchStacks.ts';
import { registerReleases } from './releases/commands.ts';
import { AccountFolders } from './session/accountFolders.ts';
import { Connection } from './session/connection.ts';
import { SessionStore } from './session/sessions.ts';
import { registerStacks } from './stacks/commands.ts';
import { rowOfButton, type RowArguments } from './tree/commandRow.ts';
import { registerTree } from './tree/commands.ts';
import { commandTitles, guardCommands } from './ui/commands.ts';
import { Deeds } from './ui/deeds.ts';
import type { Files } from './ui/lazyFiles.ts';
import { createLog } from './ui/log.ts';
import { showFailure } from './ui/notifications.ts';
import { RecentChanges } from './ui/recentChanges.ts';
import { withSubjects } from './ui/subjects.ts';
import type { TextFiles } from './ui/textFiles.ts';
import { registerUnsent } from './unsent/commands.ts';
import { DisposableStore } from './util/disposable.ts';
import { lazy } from './util/lazy.ts';
import type { WindowParts } from './windowParts.ts';

/** What the extension's entry hands on to. */
export interface Window {
  /** One function for each command; a failure is told to the person by the function itself. */
  readonly commands: CommandHandlers;
  readonly sectionFiles: Files;
  readonly conflictFiles: Files;
  /** The text of a document that the diff editor shows. */
  readonly diffText: (uri: vscode.Uri) => Promise<string>;
  readonly connection: Connection;
  readonly publicApi: ApiOperations;
  /** Ends when nothing is left to be written. */
  readonly close: () => Promise<void>;
}

/** What the extension's entry has for the window. */
export interface WindowContext {
  /** See `startupSignInFile`. */
  readonly signInFile: string | undefined;
  /** Tells other extensions what changes. */
  readonly changed: vscode.EventEmitter<Change>;
}

/** Creates what a window needs from the start, and begins to look who is signed in. */
export function createWindow(
  context: vscode.ExtensionContext,
  { signInFile, changed }: WindowContext,
): Window {
  const disposables = new DisposableStore();
  context.subscriptions.push(disposables);

  const log = disposables.add(createLog(context.logUri));
  const sessions = disposables.add(new SessionStore(context.secrets, context.globalStorageUri.fsPath));
  const connection: Connection = disposables.add(
    new Connection({
      memory: context.globalState,
      sessions,
      log,
      signInAgain: (session) => accounts.signInAgain(session),
    }),
  );
  const folders = new AccountFolders(context.globalStorageUri);
  const { model, turnTo } = accountModel({ connection, folders, log, disposables }, (created) => {
    disposables.add(tree.view.follow(created));
    disposables.add(created.onDidChange((change) => changed.fire(toChange(change))));
  });
  const made = {
    context,
    disposables,
    log,
    sessions,
    connection,
    folders,
    model,
    atHand: followAtHand(disposables),
    changes: new RecentChanges(log),
    deeds: new Deeds(context.globalState),
    texts: lazy(async (): Promise<TextFiles> => {
      const { TextFiles } = await import('./ui/textFiles.ts');
      return disposables.add(new TextFiles());
    }),
  };
  const unsent = registerUnsent(made, {
    tellInDocument: (patch, change) => patches.tell(patch, change),
    follow: (pendingChanges) => disposables.add(tree.view.followPending(pendingChanges)),
  });
  const parts: WindowParts = { ...made, pendingChanges: unsent.pendingChanges };
  const { accounts, ...accountParts } = registerAccounts(parts, unsent.forget);
  const patches = registerPatches(parts, unsent.decisions);
  const tree = registerTree(parts, {
    untilSignedIn: accountParts.untilSignedIn,
    reorderSections: async (patch, codes) => (await patches.writing()).order.reorder(patch, codes),
  });
  const { view } = tree;
  const feedback = registerFeedback(parts);
  const handlers = {
    ...accountParts.commands,
    ...tree.commands,
    ...patches.commands,
    ...registerProjects(parts, view).commands,
    ...registerStacks(parts, { view, tellOutcome: unsent.tell }).commands,
    ...registerReleases(parts).commands,
    ...feedback.commands,
    ...unsent.commands,
    showLog: () => log.show(),
  } satisfies CommandHandlers;
  const commands = withSubjects(handlers, {
    atHand: parts.atHand,
    connection,
    rowOf: (args) => view.rowFor(args as RowArguments<object>),
    rowOfButton: (args) => rowOfButton(args as RowArguments<object>),
    focusedPart: patches.focusedPart,
    findProject: async (projectId) => (await model()).findProject(projectId),
    findStack: async (projectId, stackUuid) => (await model()).findStack(projectId, stackUuid),
  });

  disposables.add(
    connection.onDidChangeAccount(async (session) => {
      changed.fire({ kind: 'all' });
      void unsent.turnTo(session);
      // The rows, too, may have been asked for before anybody had looked who is signed in.
      if (await turnTo(session)) {
        view.reset();
      } else {
        view.turnTo(session?.id);
      }
    }),
  );
  const start = async (): Promise<void> => {
    // When it is refused the window still has to learn who is signed in.
    await accountParts.signInAtStartup(signInFile);
    await connection.refresh();
    await sessions.watch();
    void feedback.sweep();
    await accountParts.resumeTrial();
  };
  const started = start().catch(
    (error: unknown) => void showFailure(vscode.l10n.t('start Patch Stacks'), error, log),
  );
  const links = registerLinks(parts, {
    accounts,
    view,
    openPatch: async (patch) => (await patches.panels()).open(patch),
    // Before that it is not known who is signed in.
    untilStarted: () => started,
  });
  return {
    commands: guardCommands(commands, commandTitles(context.extension), log),
    sectionFiles: patches.files,
    conflictFiles: unsent.conflictFiles,
    diffText: patches.diffText,
    connection,
    publicApi: createOperations(model, links.open),
    close: unsent.close,
  };
}

/** What the person works on, which menus and keys depend on. */
function followAtHand(disposables: DisposableStore): AtHand {
  const atHand = disposables.add(new AtHand());
  disposables.add(
    atHand.onDidChange(() => {
      const [first] = atHand.places;
      void setContext('atHand', (first && kindOf(first.place)) ?? '');
    }),
  );
  return atHand;
}
