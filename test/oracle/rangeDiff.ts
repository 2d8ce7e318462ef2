/**
 * Holds what the table of a stack's changes tells against `git range-diff`, on stacks that were rewritten: nothing that this tells may
 * be missing there.
 */
import { tmpdir } from 'node:os';
import { changesWithContents } from '../../src/git/changesWithContents.ts';
import { versionOfCommit } from '../../src/git/commitVersion.ts';
import { repositoryAt, type OpenRepository } from '../../src/git/repository.ts';
import { kindOf, type StackChange } from '../../src/model/reading/stackChange.ts';
import type { PlacedVersion } from '../../src/model/reading/stackChanges.ts';
import { Random } from '../support/random.ts';
import { StackRewriter, type RewrittenStack, type StackOfCommits } from '../support/stackRewrites.ts';

/** The bounds of a run. */
export interface RangeDiffOptions {
  stacks: number;
  seed: number;
  onProgress?: (done: string) => void;
}

/** All that was compared, and what the table doesn't tell. */
export interface RangeDiffVerdict {
  stacks: number;
  /** Lines of `git range-diff`. */
  pairs: number;
  /** Pairs of it that the table tells as parts of one another. */
  asParts: number;
  gone: number;
  added: number;
  /** Pairs of patches that have changed their order. */
  reorders: number;
  /** Patches that were dropped, as the rewriting tells. */
  dropped: number;
  missing: string[];
}

/** A line of `git range-diff`, with places from 0 on. */
export interface RangeDiffLine {
  older?: number;
  newer?: number;
  isSame: boolean;
}

/** Reads what `git range-diff --no-patch` prints. */
export function readRangeDiff(printed: string): RangeDiffLine[] {
  return printed.split('\n').flatMap((line) => {
    const [, older, sign, newer] = /^\s*(\d+|-):\s+\S+ ([=!<>])\s+(\d+|-):/.exec(line) ?? [];
    const place = (text: string | undefined): number | undefined =>
      text === undefined || text === '-' ? undefined : Number(text) - 1;
    const [before, now] = [place(older), place(newer)];
    return sign === undefined
      ? []
      : [
          {
            ...(before !== undefined && { older: before }),
            ...(now !== undefined && { newer: now }),
            isSame: sign === '=',
          },
        ];
  });
}

/** What `git range-diff` tells and these changes don't, in words. */
export function untold(lines: readonly RangeDiffLine[], changes: readonly StackChange[]): string[] {
  const older = new Map(
    changes.flatMap((change) => (change.older === undefined ? [] : [[change.older, change]])),
  );
  const newer = new Map(
    changes.flatMap((change) => (change.newer === undefined ? [] : [[change.newer, change]])),
  );
  const missing = lines.flatMap((line) => {
    const name = `${(line.older ?? -2) + 1 || '-'} ${line.isSame ? '=' : '!'} ${(line.newer ?? -2) + 1 || '-'}`;
    const [before, now] = [older.get(line.older ?? -1), newer.get(line.newer ?? -1)];
    if ((line.older !== undefined && !before) || (line.newer !== undefined && !now)) {
      return [`${name}: no line`];
    }
    if (line.older !== undefined && line.newer !== undefined) {
      const isPair = before === now;
      if (!isPair && !isRelated(before, now)) {
        return [`${name}: told as ${tell(before)} and ${tell(now)}`];
      }
      return isPair && !line.isSame && before?.outcome?.since === 'unchanged'
        ? [`${name}: told as unchanged`]
        : [];
    }
    const only = before ?? now;
    const kind = only && kindOf(only);
    // A patch that the table finds again although it changed a lot is told as changed.
    return kind === 'unchanged' || kind === 'rebased' || kind === 'alike' ? [`${name}: told as ${kind}`] : [];
  });
  const pairs = lines.flatMap(({ older: before, newer: now }) => {
    const change = older.get(before ?? -1);
    return before === undefined || now === undefined || change?.newer !== now
      ? []
      : [{ before, now, change }];
  });
  const reordered = swapped(pairs).filter(([one, other]) => !one.change.isMoved && !other.change.isMoved);
  return [
    ...missing,
    ...reordered.map(([one, other]) => `${one.before + 1} and ${other.before + 1}: not told as reordered`),
  ];
}

/** Pairs that stand in another order in the newer version. */
function swapped<P extends { before: number; now: number }>(pairs: readonly P[]): [P, P][] {
  return pairs.flatMap((one) =>
    pairs.flatMap((other): [P, P][] =>
      one.before < other.before && one.now > other.now ? [[one, other]] : [],
    ),
  );
}

function isRelated(older: StackChange | undefined, newer: StackChange | undefined): boolean {
  const [before, now] = [older?.older ?? -1, newer?.newer ?? -1];
  return (
    newer?.splitFrom === before ||
    older?.joinedInto === now ||
    newer?.movedFrom.some(({ older: from }) => from === before) === true
  );
}

function tell(change: StackChange | undefined): string {
  return change ? `${kindOf(change)} (${change.older ?? '-'} → ${change.newer ?? '-'})` : 'nothing';
}

/** See the module. @param directory a repository, whose history is rewritten in another place. */
export async function holdAgainstRangeDiff(
  directory: string,
  { stacks, seed, onProgress }: RangeDiffOptions,
): Promise<RangeDiffVerdict> {
  const verdict: RangeDiffVerdict = {
    stacks: 0,
    pairs: 0,
    asParts: 0,
    gone: 0,
    added: 0,
    reorders: 0,
    dropped: 0,
    missing: [],
  };
  const rewriter = new StackRewriter(directory, new Random(seed));
  try {
    const open = repositoryAt('git', rewriter.repository.directory);
    for (let tries = 0; tries < 5 * stacks && verdict.stacks < stacks; tries += 1) {
      const rewritten = rewriter.next();
      if (rewritten) {
        await holdStack(open, rewritten, verdict);
        onProgress?.(`${verdict.stacks} of ${stacks} stacks, ${verdict.missing.length} not told`);
      }
    }
  } finally {
    rewriter.remove();
  }
  return verdict;
}

async function holdStack(
  open: OpenRepository,
  rewritten: RewrittenStack,
  verdict: RangeDiffVerdict,
): Promise<void> {
  const { older, newer, kinds, dropped } = rewritten;
  const rangeOf = ({ base, commits }: StackOfCommits): string => `${base}..${commits.at(-1)?.sha ?? base}`;
  const printed = await open.git(['range-diff', '--no-color', '--no-patch', rangeOf(older), rangeOf(newer)]);
  const lines = readRangeDiff(printed);
  // Whoever rewrites a stack may give all its changes other ids.
  const areIdsKept = verdict.stacks % 2 === 0;
  const versions = {
    older: await versionsOf(open, older, (change) => change),
    newer: await versionsOf(open, newer, (change) => (areIdsKept ? change : `other ${change}`)),
  };
  const changes = await changesWithContents([open], versions, tmpdir());
  const where = `${rangeOf(older)} ${rangeOf(newer)} (${kinds.join(', ')}; ids ${areIdsKept ? 'kept' : 'others'})`;
  verdict.missing.push(...untold(lines, changes).map((what) => `${where}: ${what}`));
  if (areIdsKept) {
    const gone = new Set(
      changes.flatMap((change) => (change.newer === undefined ? (change.older ?? []) : [])),
    );
    for (const change of dropped) {
      const place = older.commits.findIndex((commit) => commit.change === change);
      if (place >= 0) {
        verdict.dropped += 1;
        verdict.missing.push(...(gone.has(place) ? [] : [`${where}: ${place + 1} was dropped`]));
      }
    }
  }
  verdict.stacks += 1;
  for (const { older: before, newer: now } of lines) {
    if (before === undefined) {
      verdict.added += 1;
    } else if (now === undefined) {
      verdict.gone += 1;
    } else {
      verdict.pairs += 1;
      const isPair = changes.some((change) => change.older === before && change.newer === now);
      verdict.asParts += isPair ? 0 : 1;
    }
  }
  verdict.reorders += swapped(
    lines.flatMap(({ older: before, newer: now }) =>
      before === undefined || now === undefined ? [] : [{ before, now }],
    ),
  ).length;
}

function versionsOf(
  open: OpenRepository,
  { commits }: StackOfCommits,
  idOf: (change: string) => string,
): Promise<PlacedVersion[]> {
  return Promise.all(
    commits.map(async ({ sha, change }) => {
      const version = await versionOfCommit(open, sha, idOf(change));
      if (!version) {
        throw new Error(`Git has no ${sha}.`);
      }
      return version;
    }),
  );
}
