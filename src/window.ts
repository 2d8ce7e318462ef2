/**
 * The composition root: creates every long-lived object of a window once and connects its features. The client, the model,
 * the documents and the forms are loaded when they are first used.
 */
import * as vscode from 'vscode';
import { accountModel } from './accountModel.ts';
import { accountReadings } from './accountReadings.ts';
import { versionComparison } from './git/versionComparison.ts';
import { registerAgents } from './agents/commands.ts';
import { registerAccounts } from './accounts/commands.ts';
import type { StartupSignIn } from './accounts/signInFile.ts';
import type { Colors } from './colors/colors.ts';
import type { CommandHandlers } from './commandTable.ts';
import { setContext } from './contributions.ts';
import { registerFeedback } from './feedback/commands.ts';
import { registerLinks } from './links/registerLinks.ts';
import { AtHand, kindOf } from './model/atHand.ts';
import type { Model } from './model/model.ts';
import type { Readings } from './model/reading/readings.ts';
import { registerPatches } from './patch/commands.ts';
import { registerProjects } from './projects/commands.ts';
import { createOperations, toChange } from './publicApi/apiOperations.ts';
import type { ApiOperations } from './publicApi/lazyApi.ts';
import type { Change } from './publicApi/patchStacks.ts';
import { registerReleases } from './releases/commands.ts';
import { AccountFolders } from './session/accountFolders.ts';
import { Connection } from './session/connection.ts';
import { SessionStore, type Session } from './session/sessions.ts';
import { registerStacks } from './stacks/commands.ts';
import { rowOfButton } from './tree/commandRow.ts';
import { registerTree } from './tree/commands.ts';
import type { StacksView } from './tree/stacksView.ts';
import { commandTitles, guardCommands } from './ui/commands.ts';
import { Deeds } from './ui/deeds.ts';
import type { Files } from './ui/lazyFiles.ts';
import { createLog } from './ui/log.ts';
import { showFailure } from './ui/notifications.ts';
import { RecentChanges } from './ui/recentChanges.ts';
import { withSubjects, type SubjectSources } from './ui/subjects.ts';
import type { TextFiles } from './ui/textFiles.ts';
import { registerUnsent } from './unsent/commands.ts';
import { DisposableStore } from './util/disposable.ts';
import { lazy } from './util/lazy.ts';
import type { WindowParts } from './windowParts.ts';

/** The part of a window that the extension's entry hands on to. */
export interface Window {
  /** One function for each command; a failure is told to the person by the function itself. */
  readonly commands: CommandHandlers;
  readonly sectionFiles: () => Promise<Files>;
  readonly stackFiles: () => Promise<Files>;
  readonly conflictFiles: () => Promise<Files>;
  /** The text of a document that the diff editor shows. */
  readonly diffText: (uri: vscode.Uri) => Promise<string>;
  readonly connection: Connection;
  readonly publicApi: ApiOperations;
  /** Ends when nothing is left to be written. */
  readonly close: () => Promise<unknown>;
}

interface WindowContext {
  /** See `startupSignInFile`. */
  readonly signInFile: string | undefined;
  /** Tells other extensions what changes. */
  readonly changed: vscode.EventEmitter<Change>;
}

interface LaterFeatures {
  signInAgain: (session: Session) => Promise<Session>;
  /** Is given the model as soon as it is loaded. */
  onModel: (model: Model) => void;
  /** Is given what an account has read as soon as that is loaded. */
  onReadings: (readings: Readings) => void;
}

interface StartSteps {
  signInFile: string | undefined;
  startup: ReturnType<typeof registerAccounts>['startup'];
  sweepFeedback: () => Promise<void>;
}

/** Creates what a window needs from the start, and begins to look who is signed in. */
export function createWindow(
  context: vscode.ExtensionContext,
  { signInFile, changed }: WindowContext,
): Window {
  const { made, turnTo } = createParts(context, {
    signInAgain: (session) => accounts.signInAgain(session),
    onModel: (created) => {
      disposables.add(tree.view.follow(created));
      disposables.add(created.onDidChange((change) => changed.fire(toChange(change))));
    },
    onReadings: (created) => disposables.add(created.onDidChange((stack) => tree.reading.noteRead(stack))),
  });
  const { disposables, log, connection, model } = made;
  const unsent = registerUnsent(made, {
    tellInDocument: (patch, change) => patches.tell(patch, change),
    follow: (pendingChanges) => disposables.add(tree.view.followPending(pendingChanges)),
  });
  const parts: WindowParts = { ...made, pendingChanges: unsent.pendingChanges };
  const { accounts, startup, sharing, commands } = registerAccounts(parts, {
    forgetPending: unsent.forget,
    showFirstStack: () => stacks.openFirst(),
  });
  const tree = registerTree(parts, {
    untilSignedIn: startup.untilSignedIn,
    sharing,
    reorderSections: async (patch, codes) => (await patches.writing()).order.reorder(patch, codes),
  });
  const { view } = tree;
  const patches = registerPatches(parts, unsent.actions, tree.reading);
  const agents = registerAgents(parts);
  const feedback = registerFeedback(parts);
  const stacks = registerStacks(parts, { view, tellOutcome: unsent.tell, reading: tree.reading });
  const handlers = {
    ...commands,
    ...tree.commands,
    ...patches.commands,
    ...registerProjects(parts, view).commands,
    ...stacks.commands,
    ...registerReleases(parts).commands,
    ...feedback.commands,
    ...agents.commands,
    ...unsent.commands,
    showLog: () => log.show(),
  } satisfies CommandHandlers;

  disposables.add(
    connection.onDidChangeAccount(async (session) => {
      changed.fire({ kind: 'all' });
      void unsent.turnTo(session);
      await turnView(view, session, turnTo);
    }),
  );
  const started = start(parts, { signInFile, startup, sweepFeedback: feedback.sweep });
  started
    .then(async ({ showsStack, branch }) => {
      if (showsStack && isNothingOpen()) {
        await stacks.openFirst(branch);
      }
    })
    // The view says what is wrong with the service.
    .catch((error: unknown) => log.warn(`There was no stack to begin with: ${String(error)}`));
  const links = registerLinks(parts, {
    accounts,
    view,
    openPatch: async (patch) => (await patches.panels()).open(patch),
    // Before that it is not known who is signed in.
    untilStarted: () => started.then(() => undefined),
  });
  const forSubjects = withSubjects(handlers, subjectSources(parts, view, patches.focusedPart));
  return {
    commands: guardCommands(forSubjects, commandTitles(context.extension), log),
    sectionFiles: patches.files,
    stackFiles: stacks.files,
    conflictFiles: unsent.conflictFiles,
    diffText: patches.diffText,
    connection,
    publicApi: createOperations(model, links.open),
    close: () => Promise.all([unsent.close(), agents.close()]),
  };
}

/** Shows the rows of an account. They, too, may have been asked for before anybody had looked who is signed in. */
async function turnView(
  view: StacksView,
  session: Session | undefined,
  turnTo: ReturnType<typeof accountModel>['turnTo'],
): Promise<void> {
  if (await turnTo(session)) {
    view.reset();
  } else {
    view.turnTo(session?.id);
  }
}

/** Creates what every feature is given, but for the pending changes: a feature has those. */
function createParts(
  context: vscode.ExtensionContext,
  { signInAgain, onModel, onReadings }: LaterFeatures,
): { made: Omit<WindowParts, 'pendingChanges'>; turnTo: ReturnType<typeof accountModel>['turnTo'] } {
  const disposables = new DisposableStore();
  context.subscriptions.push(disposables);

  const log = disposables.add(createLog(context.logUri));
  const sessions = disposables.add(new SessionStore(context.secrets, context.globalStorageUri.fsPath));
  const connection = disposables.add(
    new Connection({ memory: context.globalState, sessions, log, signInAgain }),
  );
  const folders = new AccountFolders(context.globalStorageUri);
  const { model, turnTo } = accountModel({ connection, folders, log, disposables }, onModel);
  const readings = accountReadings({ context, connection, folders, log, disposables }, onReadings);
  const made = {
    context,
    disposables,
    log,
    sessions,
    connection,
    folders,
    model,
    readings,
    ...versionComparison(context),
    atHand: followAtHand(disposables),
    changes: new RecentChanges(log),
    deeds: new Deeds(context.globalState),
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

/** Ends when it is known who is signed in, however that went. @returns what the window is to begin with. */
async function start(
  { connection, sessions, log }: WindowParts,
  { signInFile, startup, sweepFeedback }: StartSteps,
): Promise<Pick<StartupSignIn, 'showsStack' | 'branch'>> {
  let signedIn: StartupSignIn | undefined;
  try {
    // When it is refused the window still has to learn who is signed in.
    signedIn = await startup.signIn(signInFile);
    await connection.refresh();
    await sessions.watch();
    void sweepFeedback();
    await startup.resumeTrial();
  } catch (error) {
    void showFailure(vscode.l10n.t('start Patch Stacks'), error, log);
  }
  return signedIn ?? {};
}

function subjectSources(
  { atHand, connection, model }: WindowParts,
  view: StacksView,
  focusedPart: SubjectSources['focusedPart'],
): SubjectSources {
  return {
    atHand,
    connection,
    rowOf: (args) => view.rowFor(args),
    rowOfButton,
    focusedPart,
    findProject: async (projectId) => (await model()).findProject(projectId),
    findStack: async (projectId, stackUuid) => (await model()).findStack(projectId, stackUuid),
  };
}

/** Follows what the person works on, which menus and keys depend on. */
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

/** True when no editor is open but the one that VS Code welcomes people with. */
function isNothingOpen(): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.every(({ input }) => input === undefined);
}
