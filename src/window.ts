/**
 * The composition root: creates every long-lived object of a window once and connects them. The client, the model, the
 * documents and the forms are loaded when they are first used.
 */
import * as vscode from 'vscode';
import { AccountFolders } from './session/accountFolders.ts';
import { Accounts } from './accounts/accounts.ts';
import { AuthenticationProvider } from './accounts/authenticationProvider.ts';
import { Connection } from './session/connection.ts';
import { readHandedIn, takeOverSignIn, waitForSignIn } from './accounts/handover.ts';
import type { ProfilePanel } from './accounts/profile/profilePanel.ts';
import { SessionStore, type Session } from './session/sessions.ts';
import type { SshKeys } from './accounts/sshKeys/sshKeys.ts';
import { createStatusBar } from './accounts/statusBar.ts';
import type { UserCards } from './accounts/users/userCards.ts';
import {
  feedbackViewType,
  patchDocumentViewType,
  patchStatusesViewType,
  profileViewType,
  setContext,
  releaseViewType,
  stacksViewId,
  userCardViewType,
  type CommandHandlers,
  type SectionRow,
} from './contributions.ts';
import type { FeedbackPanel } from './feedback/feedbackPanel.ts';
import type { PackedFiles } from './feedback/packedFiles.ts';
import type { LinkContext } from './links/openLink.ts';
import type { LocalTrial } from './accounts/localTrial.ts';
import { LocalTrialFolders } from './accounts/localTrialFolders.ts';
import { WorkspaceRepositories } from './git/workspaceRepositories.ts';
import { AtHand, kindOf } from './model/atHand.ts';
import type { PendingChanges } from './model/pending/pendingChanges.ts';
import type { ContentFile } from './model/keptContent.ts';
import type { Model } from './model/model.ts';
import type { Me } from './model/review.ts';
import type { PatchPanels } from './patch/patchPanels.ts';
import type { ViewedMarks } from './patch/viewedMarks.ts';
import type { PatchWriting } from './patch/writing/patchWriting.ts';
import type { SectionCommands } from './patch/writing/sectionCommands.ts';
import { SectionAddresses } from './patch/writing/sectionAddresses.ts';
import { SectionFiles } from './patch/writing/sectionFiles.ts';
import type { Projects } from './projects/projects.ts';
import { createOperations, toChange } from './publicApi/apiOperations.ts';
import type { ApiOperations } from './publicApi/lazyApi.ts';
import type { Change } from './publicApi/patchStacks.ts';
import type { ReleasePanel } from './releases/releasePanel.ts';
import type { Stacks } from './stacks/stacks.ts';
import type { StatusPanel } from './stacks/statusPanel.ts';
import { ConflictFiles } from './unsent/conflictFiles.ts';
import type { UnsentChanges } from './unsent/unsentChanges.ts';
import { isLost, type RowArguments } from './tree/commandRow.ts';
import { referenceTo } from './tree/nodes.ts';
import { StacksView } from './tree/stacksView.ts';
import { attempt, commandTitles, guardCommands } from './ui/commands.ts';
import { Deeds } from './ui/deeds.ts';
import type { Files } from './ui/lazyFiles.ts';
import { createLog } from './ui/log.ts';
import { showFailure } from './ui/notifications.ts';
import { RecentChanges } from './ui/recentChanges.ts';
import { withSubjects, type SubjectSources } from './ui/subjects.ts';
import type { TextFiles } from './ui/textFiles.ts';
import { DisposableStore } from './util/disposable.ts';
import { lazy } from './util/lazy.ts';

/** What the extension's entry hands on to. */
export interface Window {
  /** One function for each command; a failure is told to the person by the function itself. */
  readonly commands: CommandHandlers;
  readonly sectionFiles: Files;
  readonly conflictFiles: Files;
  /** The text of a document that the diff editor shows. */
  readonly diffText: (uri: vscode.Uri) => Promise<string>;
  readonly connection: Connection;
  /** What other extensions can have done. */
  readonly publicApi: ApiOperations;
  /** Ends when nothing is left to be written. */
  readonly close: () => Promise<void>;
}

/** What the extension's entry has for the window. */
export interface WindowContext {
  /** The file of a sign-in; see `handedInFile`. */
  readonly handedIn: string | undefined;
  /** Tells other extensions what changes. */
  readonly changed: vscode.EventEmitter<Change>;
}

/** Creates what a window needs from the start, and begins to look who is signed in. */
export function createWindow(context: vscode.ExtensionContext, { handedIn, changed }: WindowContext): Window {
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
  const atHand = disposables.add(new AtHand());
  disposables.add(
    atHand.onDidChange(() => {
      const [first] = atHand.places;
      void setContext('atHand', (first && kindOf(first.place)) ?? '');
    }),
  );
  const accountFolders = new AccountFolders(context.globalStorageUri);
  const accounts = new Accounts({
    connection,
    sessions,
    folders: accountFolders,
    forgetPending: (session) => forgetPending(session),
    log,
  });
  disposables.add(createStatusBar(connection));

  disposables.add(connection.onDidChangeAccount(() => changed.fire({ kind: 'all' })));
  /** Whose content the model has. */
  let modelAccount: string | undefined;
  const model = lazy(async (): Promise<Model> => {
    const { Model } = await import('./model/model.ts');
    const session = await connection.session();
    const store = await contentStore(session);
    modelAccount = session?.id;
    const created = disposables.add(new Model(connection.use, { store, me: meOf(session) }));
    disposables.add(stacksView.follow(created));
    disposables.add(created.onDidChange((change) => changed.fire(toChange(change))));
    return created;
  });
  const recentChanges = new RecentChanges(log);
  const deeds = new Deeds(context.globalState);
  const contentStore = async (session: Session | undefined): Promise<ContentFile | undefined> => {
    const { ContentFile } = await import('./model/keptContent.ts');
    return (
      session &&
      new ContentFile(accountFolders.folder(session).fsPath, (error) =>
        log.warn(`What was loaded could not be kept: ${String(error)}`),
      )
    );
  };
  const pendingChanges = lazy(async (): Promise<PendingChanges> => {
    const { PendingChanges } = await import('./model/pending/pendingChanges.ts');
    const created = disposables.add(
      new PendingChanges({
        ask: connection.use,
        model: await model(),
        // The window answers to that, however little it changes there; an extension host that it has left gets no answer.
        isAttended: () => setContext('attended', true),
      }),
    );
    const session = await connection.session();
    await created.activate(session && accountFolders.pendingFolder(session));
    const { createUnsentStatusBar } = await import('./unsent/unsentStatusBar.ts');
    disposables.add(createUnsentStatusBar(created));
    const { followSentChanges } = await import('./unsent/sentChanges.ts');
    disposables.add(
      followSentChanges(
        created,
        recentChanges,
        deeds,
        (patch, change) => openPanels?.tell(patch, change) ?? false,
      ),
    );
    disposables.add(stacksView.followPending(created));
    void unsentChanges();
    const { QueuedChanges } = await import('./unsent/queuedChanges.ts');
    disposables.add(
      new QueuedChanges({
        pendingChanges: created,
        changes: recentChanges,
        tellInDocument: (patch, change) => openPanels?.tell(patch, change) ?? false,
        tell: async (pending, outcome) => (await unsentChanges()).tell(pending, outcome),
        log,
      }),
    );
    return created;
  });
  /** Loads the pending changes of an account that has some; others are loaded with the first key that is typed. */
  const turnToPending = async (session: Session | undefined): Promise<void> => {
    if (pendingChanges.created) {
      await (await pendingChanges()).activate(session && accountFolders.pendingFolder(session));
    } else if (session && (await accountFolders.pendingCount(session)) !== 0) {
      await pendingChanges();
    }
  };
  const forgetPending = async (session: Session): Promise<void> => {
    if (pendingChanges.created) {
      await (await pendingChanges()).forget(accountFolders.pendingFolder(session));
    }
  };
  const conflictFiles = disposables.add(new ConflictFiles(pendingChanges));
  const textFiles = lazy(async (): Promise<TextFiles> => {
    const { TextFiles } = await import('./ui/textFiles.ts');
    return disposables.add(new TextFiles());
  });
  const unsentChanges = lazy(async (): Promise<UnsentChanges> => {
    const { UnsentChanges } = await import('./unsent/unsentChanges.ts');
    return disposables.add(
      new UnsentChanges({
        pendingChanges: await pendingChanges(),
        model: await model(),
        conflicts: conflictFiles,
        texts: await textFiles(),
        connection,
        log,
      }),
    );
  });
  const repositories = disposables.add(new WorkspaceRepositories());
  let takingOver: Promise<boolean> | undefined;
  const stacksView = disposables.add(
    new StacksView({
      account: {
        get activeServer() {
          return connection.activeServer;
        },
        session: async () => {
          await waitForSignIn(takingOver);
          return connection.session();
        },
      },
      model,
      memory: context.workspaceState,
      repositories,
      reorderSections: async (patch, codes) =>
        (await patchWriting()).order.reorder(referenceTo(patch), codes),
      atHand,
      log,
    }),
  );
  disposables.add(
    connection.onDidChangeAccount(async (session) => {
      void turnToPending(session);
      const created = model.created ? await model() : undefined;
      // The model, and the rows, may have been asked for before anybody had looked who is signed in.
      if (created && modelAccount !== session?.id) {
        modelAccount = session?.id;
        created.reset({ store: await contentStore(session), me: meOf(session) });
        stacksView.reset();
      } else {
        stacksView.turnTo(session?.id);
      }
    }),
  );
  let marks: { account: string; marks: ViewedMarks } | undefined;
  const viewedMarks = async (): Promise<ViewedMarks | undefined> => {
    const session = await connection.session();
    if (session && marks?.account !== session.id) {
      const { ViewedMarks } = await import('./patch/viewedMarks.ts');
      marks = { account: session.id, marks: new ViewedMarks(accountFolders.folder(session).fsPath) };
    }
    return session && marks?.marks;
  };
  const patchWriting = lazy(async (): Promise<PatchWriting> => {
    const { PatchWriting } = await import('./patch/writing/patchWriting.ts');
    const decisions = {
      compare: async (id: string) => (await unsentChanges()).actOn(id, 'compare'),
      decide: async (id: string) => (await unsentChanges()).actOn(id, 'resolve'),
      send: async (id: string) => (await unsentChanges()).actOn(id, 'send'),
      takeOver: async (id: string) => (await unsentChanges()).actOn(id, 'takeOver'),
    };
    return disposables.add(new PatchWriting(await pendingChanges(), await model(), decisions, log));
  });
  const sectionFiles = disposables.add(
    new SectionFiles({
      addresses: new SectionAddresses(context.workspaceState),
      model,
      texts: async () => (await patchWriting()).texts,
      server: async () => (await connection.session())?.serverUrl,
      log,
    }),
  );
  let openPanels: PatchPanels | undefined;
  const patchPanels = lazy(async (): Promise<PatchPanels> => {
    const { PatchPanels } = await import('./patch/patchPanels.ts');
    openPanels = disposables.add(
      new PatchPanels({
        extensionUri: context.extensionUri,
        model: await model(),
        writing: await patchWriting(),
        memory: context.globalState,
        atHand,
        tabMemory: context.workspaceState,
        connection,
        viewedMarks,
        undo: (change) => recentChanges.undo(change),
        log,
        noteRead: () => deeds.note('read'),
      }),
    );
    return openPanels;
  });
  const sectionCommands = lazy(async (): Promise<SectionCommands> => {
    const { SectionCommands } = await import('./patch/writing/sectionCommands.ts');
    return new SectionCommands({
      panels: await patchPanels(),
      writing: await patchWriting(),
      files: sectionFiles,
    });
  });
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(patchDocumentViewType, {
      deserializeWebviewPanel: async (panel, state) => {
        const { restorePatchPanel } = await import('./patch/patchPanels.ts');
        restorePatchPanel(await patchPanels(), panel, state);
      },
    }),
  );

  const localTrialFolders = new LocalTrialFolders(context.globalState);
  const localTrial = lazy(async (): Promise<LocalTrial> => {
    const { LocalTrial } = await import('./accounts/localTrial.ts');
    const { extensionUri, globalStorageUri } = context;
    return disposables.add(
      new LocalTrial({ accounts, folders: localTrialFolders, extensionUri, storage: globalStorageUri, log }),
    );
  });
  const profilePanel = lazy(async (): Promise<ProfilePanel> => {
    const { ProfilePanel } = await import('./accounts/profile/profilePanel.ts');
    return disposables.add(
      new ProfilePanel({
        extensionUri: context.extensionUri,
        connection,
        pendingChanges: await pendingChanges(),
        changes: recentChanges,
        log,
      }),
    );
  });
  const userCards = lazy(async (): Promise<UserCards> => {
    const { UserCards } = await import('./accounts/users/userCards.ts');
    return disposables.add(new UserCards(context.extensionUri, connection, log));
  });
  const sshKeys = lazy(async (): Promise<SshKeys> => {
    const { SshKeys } = await import('./accounts/sshKeys/sshKeys.ts');
    return new SshKeys(connection, recentChanges);
  });
  const projects = lazy(async (): Promise<Projects> => {
    const { Projects } = await import('./projects/projects.ts');
    return new Projects({
      model: await model(),
      view: stacksView,
      pendingChanges,
      changes: recentChanges,
      log,
    });
  });
  const statusPanel = lazy(async (): Promise<StatusPanel> => {
    const { StatusPanel } = await import('./stacks/statusPanel.ts');
    return disposables.add(
      new StatusPanel({ extensionUri: context.extensionUri, connection, model: await model(), log }),
    );
  });
  const stacks = lazy(async (): Promise<Stacks> => {
    const { Stacks } = await import('./stacks/stacks.ts');
    return new Stacks({
      connection,
      model: await model(),
      view: stacksView,
      statuses: await statusPanel(),
      changes: recentChanges,
      pendingChanges,
      tellOutcome: async (pending, outcome) => (await unsentChanges()).tell(pending, outcome),
      log,
    });
  });
  const releasePanel = lazy(async (): Promise<ReleasePanel> => {
    const { ReleasePanel } = await import('./releases/releasePanel.ts');
    const { PastReleases } = await import('./releases/pastReleases.ts');
    return disposables.add(
      new ReleasePanel({
        extensionUri: context.extensionUri,
        connection,
        past: new PastReleases(context.workspaceState),
        pendingChanges: await pendingChanges(),
        changes: recentChanges,
        log,
      }),
    );
  });
  const packedFiles = lazy(async (): Promise<PackedFiles> => {
    const { PackedFiles } = await import('./feedback/packedFiles.ts');
    return disposables.add(new PackedFiles(vscode.Uri.joinPath(context.globalStorageUri, 'feedback').fsPath));
  });
  const feedbackPanel = lazy(async (): Promise<FeedbackPanel> => {
    const { FeedbackPanel } = await import('./feedback/feedbackPanel.ts');
    return disposables.add(
      new FeedbackPanel({
        extension: context.extension,
        connection,
        sessions,
        packed: await packedFiles(),
        pendingChanges: await pendingChanges(),
        changes: recentChanges,
        log,
      }),
    );
  });
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(feedbackViewType, {
      deserializeWebviewPanel: async (panel) => (await feedbackPanel()).panel.restore(panel),
    }),
  );
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(releaseViewType, {
      deserializeWebviewPanel: async (panel) => (await releasePanel()).panel.restore(panel),
    }),
  );
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(profileViewType, {
      deserializeWebviewPanel: async (panel) => (await profilePanel()).panel.restore(panel),
    }),
  );
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(patchStatusesViewType, {
      deserializeWebviewPanel: async (panel, state) => (await statusPanel()).restore(panel, state),
    }),
  );
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(userCardViewType, {
      deserializeWebviewPanel: async (panel, state) => (await userCards()).restore(panel, state),
    }),
  );

  disposables.add(new AuthenticationProvider(sessions, accounts));

  const linkContext: LinkContext = {
    connection,
    accounts,
    model,
    openPatch: async (patch) => {
      await (await patchPanels()).open(patch);
    },
    revealProject: (projectId) => stacksView.revealProject(projectId),
    revealStack: (projectId, stackUuid) => stacksView.revealStack(projectId, stackUuid),
  };

  const handlers: CommandHandlers = {
    signIn: async (serverUrl) => {
      await (serverUrl === undefined ? accounts.signIn('browser') : accounts.reach(serverUrl));
    },
    signInWithToken: async () => {
      await accounts.signIn('token');
    },
    signOut: () => accounts.signOut(),
    switchServer: () => accounts.switchServer(),
    tryLocally: async () => (await localTrial()).start(),
    showAccountMenu: async () => (await import('./accounts/menu.ts')).showAccountMenu(),
    editProfile: async () => (await profilePanel()).panel.open(),
    showUser: async (login) => (await userCards()).show(login),
    manageSshKeys: async () => (await sshKeys()).manage(),
    addSshKey: async () => (await sshKeys()).add(),
    deleteSshKey: async () => (await sshKeys()).delete(),
    createProject: async () => (await projects()).create(),
    editProject: async (row) => (await projects()).edit(row),
    deleteProject: async (row) => (await projects()).delete(row),
    openProject: async () => (await projects()).open(),
    connectProject: async (row) => (await projects()).connect(row),
    disconnectProject: async (row) => (await projects()).disconnect(row),
    createStack: async (row) => (await stacks()).create(row),
    editStack: async (row) => (await stacks()).edit(row),
    closeStack: async (row) => (await stacks()).close(row),
    reopenStack: async (row) => (await stacks()).reopen(row),
    openBranchStack: async (row) => (await stacks()).openBranch(row),
    showPatchStatuses: async (row) => (await stacks()).showStatuses(row),
    openPatch: async (patch) => {
      if (!patch) {
        throw new Error(vscode.l10n.t('Select a patch in the Patch Stacks view.'));
      }
      await (await patchPanels()).openByClick(referenceTo(patch));
    },
    keepOpen: async () => (await patchPanels()).keepOpen(),
    nextPatch: async () => (await patchPanels()).openNeighbour('next'),
    previousPatch: async () => (await patchPanels()).openNeighbour('previous'),
    nextChange: async () => (await patchPanels()).go('change', 'next'),
    previousChange: async () => (await patchPanels()).go('change', 'previous'),
    nextFile: async () => (await patchPanels()).go('file', 'next'),
    previousFile: async () => (await patchPanels()).go('file', 'previous'),
    nextSection: async () => (await patchPanels()).go('section', 'next'),
    previousSection: async () => (await patchPanels()).go('section', 'previous'),
    showAccessibleView: async () => {
      const { text, line, title } = await (await patchPanels()).asText();
      await (await textFiles()).show(text, { title, line });
    },
    showAccessibilityHelp: async () => {
      const { accessibilityHelp } = await import('./patch/accessibilityHelp.ts');
      await (
        await textFiles()
      ).show(accessibilityHelp(context.extension), {
        title: vscode.l10n.t('Accessibility Help'),
        line: 0,
      });
    },
    openChanges: async (patch) => (await patchPanels()).openChanges(patch),
    openCommit: async (patch) => (await patchPanels()).openCommit(patch),
    openFile: async (file) => {
      if (file) {
        await (await import('./patch/openFile.ts')).openFile(file.commitSha, file.path, file.line);
      }
    },
    findInPatch: async () => (await patchPanels()).find(),
    createRelease: async () => (await releasePanel()).panel.open(),
    sendFeedback: async () => (await feedbackPanel()).panel.open(),
    copyId: async (row) => (await import('./tree/copyRow.ts')).copyId(chosenRow(row)),
    copyLink: async (row) =>
      (await import('./tree/copyRow.ts')).copyLink(chosenRow(row), connection.activeServer ?? ''),
    openInBrowser: async (row) => (await import('./tree/copyRow.ts')).openInBrowser(chosenRow(row)),
    editRow: async (...args) => stacksView.editRow(await stacksView.rowFor(args)),
    deleteRow: async (...args) => stacksView.deleteRow(await stacksView.rowFor(args)),
    signOffPatch: async (row) => (await sectionCommands()).review(placeOf(row), 'signedOff'),
    requestChanges: async (row) => (await sectionCommands()).review(placeOf(row), 'changesRequested'),
    addSection: async (row) => (await sectionCommands()).add(placeOf(row)),
    editSection: async (row) => (await sectionCommands()).edit(placeOf(row)),
    editSectionInEditor: async (row) => (await sectionCommands()).editInEditor(placeOf(row)),
    deleteSection: async (row) => (await sectionCommands()).delete(placeOf(row)),
    moveSectionUp: async (row) => (await sectionCommands()).moveBy(placeOf(row), -1),
    moveSectionDown: async (row) => (await sectionCommands()).moveBy(placeOf(row), 1),
    moveSectionTo: async (row) => (await sectionCommands()).moveTo(placeOf(row)),
    filterStacks: () => stacksView.chooseFilter(),
    collapseAll: () => stacksView.collapseAll(),
    refresh: (row, what) => stacksView.refresh(what === 'below' ? row : undefined),
    loadMore: async () => (await model()).loadMoreProjects(),
    showUnsentChanges: async (id) => (await unsentChanges()).show(id),
    resolveConflict: async () => (await unsentChanges()).resolveActive(),
    showRecentChanges: async () => {
      const { showRecentChanges } = await import('./unsent/showRecentChanges.ts');
      await showRecentChanges(recentChanges, await textFiles());
    },
    showLog: () => log.show(),
  };
  const subjectSources: SubjectSources = {
    atHand,
    connection,
    rowOf: (args) => stacksView.rowFor(args as RowArguments<object>),
    rowOfButton: (args) => (isLost(args as RowArguments<object>) ? chosenRow<object>(undefined) : args[0]),
    focusedPart: async () => {
      const { code, line } = (await (await patchPanels()).focusedPlace()) ?? {};
      return code === undefined ? undefined : { sectionCode: code, line };
    },
    findProject: async (projectId) => (await model()).findProject(projectId),
    findStack: async (projectId, stackUuid) => (await model()).findStack(projectId, stackUuid),
  };
  const start = async (): Promise<void> => {
    if (handedIn !== undefined) {
      // Once: a second try finds no file any more.
      const reading = readHandedIn(handedIn);
      // When it is refused the window still has to learn who is signed in.
      await attempt(vscode.l10n.t('sign in'), log, async () => {
        takingOver = takeOverSignIn(accounts, reading);
        if (await takingOver) {
          await vscode.commands.executeCommand(`${stacksViewId}.focus`);
        }
      });
    }
    await connection.refresh();
    await sessions.watch();
    void packedFiles()
      .then((packed) => packed.sweep())
      .catch((error: unknown) =>
        log.warn(`Old attachments of feedback could not be deleted: ${String(error)}`),
      );
    const folder = localTrialFolders.openFolderOf(connection.activeServer ?? '');
    if (folder !== undefined) {
      await (await localTrial()).start(folder);
      if (model.created) {
        (await model()).refresh();
      }
    }
  };
  const started = start().catch(
    (error: unknown) => void showFailure(vscode.l10n.t('start Patch Stacks'), error, log),
  );
  disposables.add(
    vscode.window.registerUriHandler({
      handleUri: (uri) =>
        attempt(vscode.l10n.t('open the link'), log, async () => {
          // Before that it is not known who is signed in.
          await started;
          const { openLink } = await import('./links/openLink.ts');
          await openLink(uri, linkContext);
        }),
    }),
  );
  return {
    commands: guardCommands(withSubjects(handlers, subjectSources), commandTitles(context.extension), log),
    sectionFiles,
    conflictFiles,
    diffText: async (uri) => {
      const { diffDocumentText } = await import('./patch/diffDocuments.ts');
      return diffDocumentText(await model(), uri);
    },
    connection,
    publicApi: createOperations(model, async (target) => {
      const { openTarget } = await import('./links/openLink.ts');
      await openTarget({ ...target, serverUrl: connection.activeServer ?? '' }, linkContext);
    }),
    close: async () => {
      if (pendingChanges.created) {
        await (await pendingChanges()).close();
      }
    },
  };
}

/** Who is signed in, for those who need no token. */
function meOf(session: Session | undefined): Me | undefined {
  return session && { id: session.userId, login: session.login };
}

/** Where the patch or section of a row is: the row of the view itself goes on to change. */
function placeOf(row: SectionRow | null | undefined): SectionRow | undefined {
  const { serverUrl, stackUuid, changeId } = row ?? {};
  return row && serverUrl !== undefined && stackUuid !== undefined && changeId !== undefined
    ? referenceTo({ ...row, serverUrl, stackUuid, changeId })
    : (row ?? undefined);
}

/** The row that a command is for, which has no meaning without one. */
function chosenRow<T>(row: T | null | undefined): T {
  if (row === undefined || row === null) {
    throw new Error(vscode.l10n.t('Select a row in the Patch Stacks view, or open a patch.'));
  }
  return row;
}
