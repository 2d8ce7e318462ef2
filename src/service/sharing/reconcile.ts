/** Makes all that is here and all that is shared the same, as far as either has changed. */
import type { Steps } from '../../util/inTurns.ts';
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

/**
 * Of each patch, what was changed here is told, and what others changed is written, in one transaction: a kill at any moment leaves
 * the one or the other, and so does what somebody writes between two of them.
 */
export function* reconciling({ ownerId, branches, problems, ...sides }: ReconcileParts): Steps<void> {
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
    const people = store.transaction(() => {
      tellWaiting(parts, problems);
      if (!changes.begin(branches)) {
        return undefined;
      }
      const all = new People({ ...parts, ownerId });
      all.reconcile();
      changes.goOn();
      return all;
    });
    if (people) {
      yield* new LocalState({ ...parts, people }).reconciling(branches);
    }
  } catch (error) {
    changes.forget();
    throw error;
  }
}
