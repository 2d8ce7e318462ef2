/** Makes all that is here and all that is shared the same, as far as either has changed. */
import type { LogProblem } from './admission.ts';
import { tellWaiting } from './clocksAhead.ts';
import { LocalState, type LocalParts } from './localState.ts';
import type { Emit } from './ownLog.ts';
import { People } from './people.ts';

/** The two sides, and what was found when they were looked at. */
export interface ReconcileParts extends Omit<LocalParts, 'people'> {
  /** The user whom the service runs for. */
  ownerId: number;
  /** The branches that the remote has: of others nothing is told. */
  branches: ReadonlySet<string>;
  /** What wasn't taken of the logs of others. */
  problems: readonly LogProblem[];
}

/** It all happens in one transaction, so a kill at any moment leaves the one or the other. */
export function reconcile({ ownerId, branches, problems, ...sides }: ReconcileParts): void {
  const { store, changes } = sides;
  const emit: Emit = (operation, of, outcome) =>
    sides.emit(operation, of, {
      shared: outcome.shared,
      withheld: () => {
        changes.repeat(operation);
        outcome.withheld();
      },
    });
  const parts = { ...sides, emit };
  try {
    store.transaction(() => {
      tellWaiting(parts, problems);
      if (changes.begin(branches)) {
        const people = new People({ ...parts, ownerId });
        people.reconcile();
        changes.goOn();
        new LocalState({ ...parts, people }).reconcile(branches);
      }
    });
  } catch (error) {
    changes.forget();
    throw error;
  }
}
