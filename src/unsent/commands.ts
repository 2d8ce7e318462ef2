import type { CommandHandlers } from '../commandTable.ts';
import { setContext } from '../contributions.ts';
import type { KnownChange, SendOutcome } from '../model/pending/pendingChange.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import type { Session } from '../session/sessions.ts';
import type { RecentChange } from '../ui/recentChanges.ts';
import { inBackground } from '../util/inBackground.ts';
import { lazy } from '../util/lazy.ts';
import type { WindowParts } from '../windowParts.ts';
import type { ConflictFiles } from './conflictFiles.ts';
import type { UnsentChanges } from './unsentChanges.ts';
import type { PatchRef } from '../util/patchRef.ts';

type UnsentParts = Omit<WindowParts, 'pendingChanges'>;

interface UnsentNeeds {
  /** Tells of a change in the document of its patch, and says whether that is in view. */
  tellInDocument: (patch: PatchRef, change: RecentChange) => boolean;
  /** Is given the pending changes as soon as they are loaded. */
  follow: (pendingChanges: PendingChanges) => void;
}

/** Pending changes: keeping, seeing, sending, resolving and undoing them. */
export function registerUnsent(parts: UnsentParts, { tellInDocument, follow }: UnsentNeeds) {
  const { disposables, log, connection, folders, model, readings, changes, texts } = parts;

  const pendingChanges = lazy(async (): Promise<PendingChanges> => {
    const created = await createPendingChanges(parts, { tellInDocument, tell });
    follow(created);
    inBackground(unsentChanges());
    return created;
  });
  const conflictFiles = lazy(async (): Promise<ConflictFiles> => {
    const { ConflictFiles } = await import('./conflictFiles.ts');
    return disposables.add(new ConflictFiles(pendingChanges));
  });
  const unsentChanges = lazy(async (): Promise<UnsentChanges> => {
    const { UnsentChanges } = await import('./unsentChanges.ts');
    return disposables.add(
      new UnsentChanges({
        pendingChanges: await pendingChanges(),
        model: await model(),
        conflicts: await conflictFiles(),
        texts: await texts(),
        connection,
        readings,
        compareVersions: parts.compareVersions,
        log,
      }),
    );
  });
  /** Tells the person what became of sending a pending change, and offers what can be done next. */
  const tell = async (pending: KnownChange, outcome: SendOutcome): Promise<void> =>
    (await unsentChanges()).tell(pending, outcome);
  return {
    pendingChanges,
    conflictFiles,
    tell,
    /** Actions on a pending change where it is shown. */
    actions: {
      compare: async (id: string) => (await unsentChanges()).actOn(id, 'compare'),
      resolve: async (id: string) => (await unsentChanges()).actOn(id, 'resolve'),
      resolveShared: async (patch: PatchRef, code: string) =>
        (await unsentChanges()).resolveShared(patch, code),
      send: async (id: string) => (await unsentChanges()).actOn(id, 'send'),
      takeOver: async (id: string) => (await unsentChanges()).actOn(id, 'takeOver'),
    },
    /** Loads the pending changes of an account that has some; others are loaded with the first key that is typed. */
    turnTo: async (session: Session | undefined): Promise<void> => {
      if (pendingChanges.created) {
        await (await pendingChanges()).activate(session && folders.pendingFolder(session));
      } else if (session && (await folders.pendingCount(session)) !== 0) {
        await pendingChanges();
      }
    },
    /** Forgets what is typed, in this window and on its pages, because it is about to be deleted. */
    forget: async (session: Session): Promise<void> =>
      (await pendingChanges()).forget(folders.pendingFolder(session)),
    /** Ends when nothing is left to be written. */
    close: async (): Promise<void> => {
      if (pendingChanges.created) {
        await (await pendingChanges()).close();
      }
    },
    commands: {
      showUnsentChanges: async (id) => (await unsentChanges()).show(id),
      resolveConflict: async (file) => (await unsentChanges()).resolveIn(file),
      showRecentChanges: async () => {
        const { showRecentChanges } = await import('./showRecentChanges.ts');
        await showRecentChanges(changes, await texts());
      },
    } satisfies Partial<CommandHandlers>,
  };
}

/** The pending changes of the active account, with all that follows what becomes of them. */
async function createPendingChanges(
  { disposables, log, connection, folders, model, readings, changes, deeds }: UnsentParts,
  tellers: Pick<UnsentNeeds, 'tellInDocument'> & {
    tell: (pending: KnownChange, outcome: SendOutcome) => Promise<void>;
  },
): Promise<PendingChanges> {
  const { PendingChanges } = await import('../model/pending/pendingChanges.ts');
  const created = disposables.add(
    new PendingChanges({
      ask: connection.use,
      model: await model(),
      // The window answers to that, however little it changes there; an extension host that it has left gets no answer.
      isAttended: () => setContext('attended', true),
    }),
  );
  const session = await connection.session();
  await created.activate(session && folders.pendingFolder(session));
  const { createUnsentStatusBar } = await import('./unsentStatusBar.ts');
  disposables.add(createUnsentStatusBar(created));
  const { followReviews } = await import('./followReviews.ts');
  disposables.add(followReviews(created, await model(), readings, log));
  const { followWriting } = await import('./followWriting.ts');
  disposables.add(followWriting(created, await model(), readings, log));
  const { followSentChanges } = await import('./sentChanges.ts');
  disposables.add(followSentChanges(created, await model(), changes, deeds, tellers.tellInDocument));
  const { QueuedChanges } = await import('./queuedChanges.ts');
  disposables.add(new QueuedChanges({ pendingChanges: created, changes, log, ...tellers }));
  return created;
}
