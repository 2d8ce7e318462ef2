/** What became of a patch between two versions of its stack, and the word for it: what rows and pages say of it needs no more than this. */
import type { Outcome, SinceRead } from './outcome.ts';

/** A patch of either version. Places are those among the patches of their version, from 0 on. */
export interface StackChange {
  older?: number;
  newer?: number;
  /** Where both versions have it. */
  outcome?: Outcome;
  /** True when it is at another place among the patches that both versions have. */
  isMoved: boolean;
  /** Of an older one: the newer ones that were part of it. */
  splitInto: number[];
  /** Of a new one: the older one that most of it comes from. */
  splitFrom?: number;
  /** Of one that is gone: the newer one that most of it went into. */
  joinedInto?: number;
  /** Of a newer one: the older ones that went into it. */
  joinedFrom: number[];
  /** Of a newer one: the other older patches that lines of it were in, and are no longer. */
  movedFrom: { older: number; lines: number }[];
}

/** What became of a patch, in one word: those that say more come first. `part` is what another one was split into. */
export type ChangeKind = SinceRead | 'split' | 'part' | 'joined' | 'dropped' | 'new';

/** The one word for a change. */
export function kindOf({ older, outcome, splitInto, splitFrom, joinedInto }: StackChange): ChangeKind {
  if (splitInto.length > 0) {
    return 'split';
  }
  if (outcome) {
    return outcome.since;
  }
  return older === undefined
    ? splitFrom === undefined
      ? 'new'
      : 'part'
    : joinedInto === undefined
      ? 'dropped'
      : 'joined';
}

/** The number of changes of each kind, and of those at another place. */
export type ChangeCounts = ReadonlyMap<ChangeKind | 'moved', number>;

/** True for a patch of which its author has changed nothing. */
export function isQuiet(change: StackChange): boolean {
  return [...countsOf([change]).keys()].every((kind) => kind === 'unchanged' || kind === 'rebased');
}

/** Counts what became of the patches. */
export function countsOf(changes: readonly StackChange[]): ChangeCounts {
  const counts = new Map<ChangeKind | 'moved', number>();
  for (const change of changes) {
    for (const kind of [kindOf(change), ...(change.isMoved ? (['moved'] as const) : [])]) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  return counts;
}
