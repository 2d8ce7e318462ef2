/**
 * The composition root: connects the features of a window, and has their commands. The client, the model, the documents and the
 * forms are loaded when they are first used.
 */
import type * as vscode from 'vscode';
import { registerAgents } from './agents/commands.ts';
import { registerAccounts } from './accounts/commands.ts';
import type { CommandHandlers } from './commandTable.ts';
import { createParts } from './createParts.ts';
import { registerFeedback } from './feedback/commands.ts';
import { registerLinks } from './links/registerLinks.ts';
import { registerPatches } from './patch/commands.ts';
import { registerProjects } from './projects/commands.ts';
import { createOperations, toChange } from './publicApi/apiOperations.ts';
import type { ApiOperations } from './publicApi/lazyApi.ts';
import type { Change } from './publicApi/patchStacks.ts';
import { registerReleases } from './releases/commands.ts';
import type { Connection } from './session/connection.ts';
import { registerStacks } from './stacks/commands.ts';
import { registerTree } from './tree/commands.ts';
import { commandTitles, guardCommands } from './ui/commands.ts';
import type { Files } from './ui/lazyFiles.ts';
import { withSubjects, type SubjectSources } from './ui/subjects.ts';
import { registerUnsent } from './unsent/commands.ts';
import { inBackground } from './util/inBackground.ts';
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
    showFirstStack: (isWanted) => stacks.openFirst(isWanted),
  });
  const tree = registerTree(parts, {
    untilSignedIn: startup.untilSignedIn,
    sharing,
    reorderSections: async (patch, codes) => (await patches.writing()).order.reorder(patch, codes),
  });
  const patches = registerPatches(parts, unsent.actions, tree.reading);
  const agents = registerAgents(parts);
  const feedback = registerFeedback(parts);
  const stacks = registerStacks(parts, { ...tree, panels: patches.panels, tellOutcome: unsent.tell });
  const handlers = {
    ...commands,
    ...tree.commands,
    ...patches.commands,
    ...registerProjects(parts, tree.view).commands,
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
      inBackground(unsent.turnTo(session));
      // Rows, too, may have been asked for before anybody had looked who is signed in.
      if (await turnTo(session)) {
        tree.view.reset();
      } else {
        tree.view.turnTo(session?.id);
      }
    }),
  );
  const started = startup.begin(signInFile);
  inBackground(started.then(() => feedback.sweep()));
  inBackground(
    started.then(({ showsStack, branch }) => (showsStack ? stacks.beginWithFirst(branch) : undefined)),
  );
  const links = registerLinks(parts, {
    accounts,
    view: tree.view,
    openPatch: async (patch) => (await patches.panels()).open(patch),
    // Before that it is not known who is signed in.
    untilStarted: () => started.then(() => undefined),
  });
  const forSubjects = withSubjects(handlers, subjectSources(parts, tree.rows, patches.focusedPart));
  return {
    commands: guardCommands(forSubjects, commandTitles(context.extension), log),
    sectionFiles: patches.files,
    stackFiles: stacks.files,
    conflictFiles: unsent.conflictFiles,
    diffText: patches.diffText,
    connection,
    publicApi: createOperations(model, links.open),
    close: () => allWritten(parts, [unsent.close(), agents.close()]),
  };
}

/** @param closing may still write something themselves. */
async function allWritten(
  { memory, workspaceMemory }: WindowParts,
  closing: readonly Promise<unknown>[],
): Promise<void> {
  await Promise.all(closing);
  await Promise.all([memory.settled(), workspaceMemory.settled()]);
}

function subjectSources(
  { atHand, connection, model }: WindowParts,
  rows: Pick<SubjectSources, 'rowOf' | 'rowOfButton'>,
  focusedPart: SubjectSources['focusedPart'],
): SubjectSources {
  return {
    atHand,
    connection,
    ...rows,
    focusedPart,
    findProject: async (projectId) => (await model()).findProject(projectId),
    findStack: async (projectId, stackUuid) => (await model()).findStack(projectId, stackUuid),
  };
}
