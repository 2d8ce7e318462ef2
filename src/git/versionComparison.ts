import { mkdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ComparisonJob } from './compareInBackground.ts';
import type { ContentSources } from './contentSources.ts';
import type { SignOffOutcome, SignOffQuestion } from './decideWithContents.ts';
import { withServedContents, type ServedContents } from './servedContents.ts';
import type { PatchVersion } from '../model/reading/patchVersion.ts';
import type { Judge } from '../model/reading/sinceRead.ts';
import type { Outcome, VersionPair } from '../model/reading/outcome.ts';
import { lacksContents, type ShownComparison } from '../util/shownComparison.ts';

/** Compares two versions of a patch. */
export type CompareVersions = (
  versions: readonly [older: PatchVersion, newer: PatchVersion],
) => Promise<ShownComparison>;

/** Decides which patches of a stack may be signed off again. */
export type DecideSignOffs = (question: SignOffQuestion) => Promise<SignOffOutcome[]>;

/**
 * Compares in the background, with the contents that the repositories of the workspace have, and those that the local service gives
 * where these lack any.
 */
export function versionComparison(
  { extensionUri, globalStorageUri }: vscode.ExtensionContext,
  { sources, service }: { sources: ContentSources; service: ServedContents },
): {
  compareVersions: CompareVersions;
  decideSignOffs: DecideSignOffs;
  judge: Judge;
} {
  const worker = vscode.Uri.joinPath(extensionUri, 'dist', 'comparisonWorker.cjs').fsPath;
  const scratch = globalStorageUri.fsPath;
  const prepare = async () => {
    const { compareInBackground } = await import('./compareInBackground.ts');
    await mkdir(scratch, { recursive: true });
    const where = { ...(await sources.where()), scratch };
    const compare = <K extends ComparisonJob['kind']>(job: Extract<ComparisonJob, { kind: K }>) =>
      compareInBackground<K>(worker, job);
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
      const [served] = (await withServedContents([versions], service)) ?? [];
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
        const served = open.length > 0 ? await withServedContents(open, service) : undefined;
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
  const served = await withServedContents(pairs, service);
  if (!served) {
    return undefined;
  }
  const filled = new Map<PatchVersion, PatchVersion>();
  pairs.forEach(([older, newer], index) => {
    const [before, now] = served[index] ?? [older, newer];
    filled.set(older, before).set(newer, now);
  });
  const fill = (version: PatchVersion): PatchVersion => filled.get(version) ?? version;
  return {
    ...question,
    signed: question.signed.map((one) => (one.version ? { ...one, version: fill(one.version) } : one)),
    current: question.current.map(fill),
  };
}
