/** Imports what is new in a repository by itself. */
import { DisposableStore } from '../util/disposable.ts';
import { ServiceError } from './errors.ts';
import { openRepository } from './git/repository.ts';
import type { ImportSummary } from './git/importer.ts';

interface Following {
  repository: string;
  /** The import at the start: what comes after it is followed. */
  importing: Promise<ImportSummary>;
  importRepository: () => Promise<ImportSummary>;
  /** Told whenever a branch has moved, also where that changed no stack: others may share one of a branch that has come. */
  onMove: () => void;
  /** Told when that has changed a stack, or taken one away. */
  onChange: (imported: ImportSummary) => void;
  onDefect: (error: unknown) => void;
}

/** Imports what is new whenever a branch has moved, until it is disposed. */
export function followRepository(following: Following): DisposableStore {
  const store = new DisposableStore();
  begin(following, store).catch((error: unknown) => {
    // Why a repository can't be read is told to whoever has started the service.
    if (!(error instanceof ServiceError) && !store.disposed) {
      following.onDefect(error);
    }
  });
  return store;
}

async function begin(
  { repository, importing, importRepository, onMove, onChange }: Following,
  store: DisposableStore,
): Promise<void> {
  let before = await importing;
  const { BranchWatch } = await import('./git/branchWatch.ts');
  // At first it is imported once more: something may have come while that was done.
  store.add(
    new BranchWatch(await openRepository(repository), async () => {
      const imported = await importRepository();
      const isNew = imported.stacks.some(({ result }) => result !== 'unchanged');
      const isFewer = imported.stacks.length !== before.stacks.length;
      before = imported;
      onMove();
      if (isNew || isFewer) {
        onChange(imported);
      }
    }),
  );
}
