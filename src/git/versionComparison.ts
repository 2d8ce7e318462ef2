import { mkdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ComparisonJob } from './compareInBackground.ts';
import type { ContentSources } from './contentSources.ts';
import type { StackVersions } from './changesWithContents.ts';
import type { SignOffOutcome, SignOffQuestion } from './decideWithContents.ts';
import type { ServedContents } from './servedContents.ts';
import type { PatchVersion } from '../model/reading/patchVersion.ts';
import type { Judge } from '../model/reading/sinceRead.ts';
import type { Outcome, VersionPair } from '../model/reading/outcome.ts';
import type { StackChange } from '../model/reading/stackChange.ts';
import { lacksContents, type ShownComparison } from '../util/shownComparison.ts';

/** Compares two versions of a patch. */
export type CompareVersions = (
  versions: readonly [older: PatchVersion, newer: PatchVersion],
) => Promise<ShownComparison>;

/** Decides which patches of a stack may be signed off again. */
export type DecideSignOffs = (question: SignOffQuestion) => Promise<SignOffOutcome[]>;

/** Tells what became of the patches of a stack. @throws the signal's reason. */
export type CompareStacks = (versions: StackVersions, signal: AbortSignal) => Promise<StackChange[]>;

/**
 * Compares in the background, with the contents that the repositories of the workspace have, and those that the local service gives
 * where these lack any.
 */
export function versionComparison(
  { extensionUri, globalStorageUri }: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>,
  { sources, service }: { sources: ContentSources; service: ServedContents },
): {
  compareVersions: CompareVersions;
  decideSignOffs: DecideSignOffs;
  compareStacks: CompareStacks;
  judge: Judge;
} {
  const worker = vscode.Uri.joinPath(extensionUri, 'dist', 'comparisonWorker.cjs').fsPath;
  const scratch = globalStorageUri.fsPath;
  const prepare = async () => {
    const { compareInBackground } = await import('./compareInBackground.ts');
    await mkdir(scratch, { recursive: true });
    const where = { ...(await sources.where()), scratch };
    const compare = <K extends ComparisonJob['kind']>(
      job: Extract<ComparisonJob, { kind: K }>,
      signal?: AbortSignal,
    ) => compareInBackground<K>(worker, job, signal);
    return { where, hasGit: where.roots.length > 0, compare };
  };
  return {
    compareVersions: async (versions) => {
      const { where, hasGit, compare } = await prepare();
      const shownOf = async (pair: VersionPair): Promise<ShownComparison> =>
        (await compare({ kind: 'patch', ...where, versions: pair })).shown;
      const known = hasGit ? await shownOf(versions) : undefined;
      if (known && !lacksContents(known)) {
        return known;
      }
      const [served] = (await servedPairs([versions], service)) ?? [];
      return served ? shownOf(served) : (known ?? shownOf(versions));
    },
    decideSignOffs: async (question) => {
      const { where, hasGit, compare } = await prepare();
      const decide = async (of: SignOffQuestion): Promise<SignOffOutcome[]> =>
        (await compare({ kind: 'signOffs', ...where, ...of })).decisions;
      const known = hasGit ? await decide(question) : undefined;
      if (known?.every((decision) => decision.kind !== 'refused' || decision.reason !== 'uncertain')) {
        return known;
      }
      const served = await withServed(question, service);
      return served ? decide(served) : (known ?? decide(question));
    },
    compareStacks: async (versions, signal) => {
      const { where, hasGit, compare } = await prepare();
      const changesOf = async (of: StackVersions): Promise<StackChange[]> =>
        (await compare({ kind: 'stacks', ...where, ...of }, signal)).changes;
      const known = await changesOf(versions);
      // What git does not know, and what it was not asked: whether a conflict was resolved, the contents alone tell.
      const open = known.filter(
        ({ outcome }) => outcome && (!outcome.isCertain || (!hasGit && outcome.since === 'changed')),
      );
      const served = await withServedSides(versions, open, service);
      return served ? changesOf(served) : known;
    },
    judge: {
      sources: async () => {
        const stamp = await sources.stamp();
        const isServed = await service.isOffered();
        return stamp !== '' || isServed ? JSON.stringify([stamp, isServed]) : '';
      },
      judge: async (pairs) => {
        const { where, hasGit, compare } = await prepare();
        const judge = async (some: readonly VersionPair[]): Promise<Outcome[]> =>
          (await compare({ kind: 'verdicts', ...where, pairs: some })).outcomes;
        const known = hasGit ? await judge(pairs) : [];
        const open = pairs.filter((_, index) => known[index]?.isCertain !== true);
        const served = open.length > 0 ? await servedPairs(open, service) : undefined;
        const found = new Map<VersionPair, Outcome | undefined>();
        if (served || !hasGit) {
          const outcomes = await judge(served ?? open);
          open.forEach((pair, index) => found.set(pair, outcomes[index]));
        }
        return pairs.map((pair, index) => found.get(pair) ?? known[index] ?? { since: 'unknown' });
      },
    },
  };
}

/** See `withServedContents`, which is loaded once git lacks something. */
async function servedPairs(
  pairs: readonly VersionPair[],
  service: ServedContents,
): Promise<VersionPair[] | undefined> {
  const { withServedContents } = await import('./servedContents.ts');
  return withServedContents(pairs, service);
}

/** Both versions with the contents that the local service gives of some of the patches; undefined where it gives none. */
async function withServedSides(
  { older, newer }: StackVersions,
  open: readonly StackChange[],
  service: ServedContents,
): Promise<StackVersions | undefined> {
  const pairs = open.flatMap((change): VersionPair[] => {
    const [before, now] = [older[change.older ?? -1], newer[change.newer ?? -1]];
    return before && now ? [[before, now]] : [];
  });
  const served = pairs.length > 0 ? await servedPairs(pairs, service) : undefined;
  if (!served) {
    return undefined;
  }
  const fill = filledBy(pairs, served);
  return { older: older.map(fill), newer: newer.map(fill) };
}

/** Gives a version as it is served, where it is. */
function filledBy(
  pairs: readonly VersionPair[],
  served: readonly VersionPair[],
): <V extends PatchVersion>(version: V) => V {
  const filled = new Map(
    pairs.flatMap((pair, index) => pair.map((version, side) => [version, served[index]?.[side]] as const)),
  );
  return (version) => ({ ...version, ...filled.get(version) });
}

/** The question with the contents that the local service gives, of the patches that are called as they were. */
async function withServed(
  question: SignOffQuestion,
  service: ServedContents,
): Promise<SignOffQuestion | undefined> {
  const current = new Map(question.current.map((version) => [version.changeId, version]));
  const pairs = question.signed.flatMap(({ changeId, version }): VersionPair[] => {
    const now = current.get(changeId);
    return version && now ? [[version, now]] : [];
  });
  const served = await servedPairs(pairs, service);
  if (!served) {
    return undefined;
  }
  const fill = filledBy(pairs, served);
  return {
    ...question,
    signed: question.signed.map((one) => (one.version ? { ...one, version: fill(one.version) } : one)),
    current: question.current.map(fill),
  };
}
