/** Tells what became of the patches of a stack in both ways that there are: as the stacks view does, and commit by commit. */
import { compareCommits } from '../src/git/compareCommits.ts';
import { compareAllContents } from '../src/git/comparePatch.ts';
import { versionOfCommit } from '../src/git/commitVersion.ts';
import type { OpenRepository } from '../src/git/repository.ts';
import type { ComparedFile } from '../src/model/reading/compareFiles.ts';
import { comparePatches } from '../src/model/reading/comparePatches.ts';
import type { CurrentPatch } from '../src/model/reading/lastRead.ts';
import { withRead } from '../src/model/reading/noteRead.ts';
import { outcomeOf, type Outcome, type SinceRead } from '../src/model/reading/outcome.ts';
import type { PatchPair } from '../src/model/reading/pairPatches.ts';
import type { PatchVersion } from '../src/model/reading/patchVersion.ts';
import type { StackRecord } from '../src/model/reading/readingRecords.ts';
import { readingStates, withMoved } from '../src/model/reading/readingStates.ts';
import type { ReadSoFar } from '../src/model/reading/readSoFar.ts';
import { SinceReadFinder } from '../src/model/reading/sinceRead.ts';

/** A patch of either version of a stack. */
export interface ToldPatch extends PatchPair {
  /** The state of its row for someone who has read all of the older version; undefined where there is no row any more. */
  row?: ReadSoFar;
  /** Its commits compared: their files by path, and the outcome of those with the message. Undefined when only one version has it. */
  commits?: { files: ComparedFile[]; outcome: SinceRead };
}

/** The patches of commits, in their order: called by the `Change-Id` of the message, if that is theirs alone. */
export async function versionsOf(
  repository: OpenRepository,
  shas: readonly string[],
): Promise<PatchVersion[]> {
  const versions = new Map<string, PatchVersion>();
  for (const sha of shas) {
    const version = await versionOfCommit(repository, sha, sha);
    if (!version) {
      throw new Error(`Couldn't read commit ${sha}.`);
    }
    const named = [...version.message.matchAll(/^Change-Id: (\S+)$/gim)].at(-1)?.[1] ?? sha;
    const changeId = versions.has(named) ? sha : named;
    versions.set(changeId, { ...version, changeId });
  }
  return [...versions.values()];
}

/**
 * See the module.
 *
 * @param pairs of `pairPatches`.
 * @param scratch a folder for what git writes meanwhile; nothing stays in it.
 */
export async function compareStacks(
  repository: OpenRepository,
  pairs: readonly PatchPair[],
  scratch: string,
): Promise<ToldPatch[]> {
  const rows = await rowsOf(repository, pairs, scratch);
  const both = pairs.flatMap(({ older: one, newer: other }) => (one && other ? [[one, other] as const] : []));
  const compared = await compareCommits(
    repository,
    both.map(([one, other]) => ({ older: one.commitSha ?? '', newer: other.commitSha ?? '' })),
    scratch,
  );
  const commits = new Map(
    both.map(([one, other], index) => {
      const files = (compared[index] ?? []).toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
      return [other, { files, outcome: outcomeOf(comparePatches(one, other, files)).since }];
    }),
  );
  return pairs.map((one): ToldPatch => {
    const row = one.newer && rows.get(one.newer);
    const found = one.newer && commits.get(one.newer);
    return { ...one, ...(row && { row }), ...(found && { commits: found }) };
  });
}

/** The file's path: in the newer version, if it is there. */
export function pathOf({ older, newer }: ComparedFile): string {
  return (newer ?? older)?.path ?? '';
}

/** True where the stacks view says something else than the commits. */
export function isDisputed({ row, commits }: ToldPatch): boolean {
  // What is there as it was read is just read.
  const said = row?.state === 'read' ? 'unchanged' : row?.state;
  return commits !== undefined && said !== commits.outcome;
}

/** The rows of the newer version, for someone who has read all of the older one. */
async function rowsOf(
  repository: OpenRepository,
  pairs: readonly PatchPair[],
  scratch: string,
): Promise<Map<PatchVersion, ReadSoFar>> {
  const kept = new Map<string, PatchVersion>();
  let record: StackRecord = { patches: [], elsewhere: [] };
  for (const version of pairs.flatMap(({ older }) => older ?? [])) {
    const patch = served(version);
    kept.set(patch.fingerprint, patch.version);
    const sections = new Set(patch.version.sections.keys());
    record = withRead(record, { patch, sections, mark: { seen: true }, at: 0 });
  }
  const finder = new SinceReadFinder(
    async ({ fingerprint }) => kept.get(fingerprint),
    {
      sources: async () => repository.root,
      judge: async (open) => {
        const found: Outcome[] = [];
        for await (const { comparison } of compareAllContents([repository], open, scratch)) {
          found.push(outcomeOf(comparison));
        }
        return found;
      },
    },
    (error) => {
      throw error;
    },
  );
  const current = pairs.flatMap(({ older: one, newer: other }) => {
    return other ? [{ version: other, patch: served(other, one?.changeId) }] : [];
  });
  const patches = current.map(({ patch }) => patch);
  const became = await finder.find(record, patches);
  const states = readingStates(
    record,
    patches,
    became.map((one) => one?.since),
  );
  return new Map(
    current.flatMap(({ version }, index) => {
      const state = states[index];
      return state ? [[version, withMoved(state, became[index])] as const] : [];
    }),
  );
}

/** A patch as a service has it: with a section for each file. */
function served(version: PatchVersion, changeId = version.changeId): CurrentPatch {
  const sections = version.files.map(({ path }) => ({ kind: 'diff' as const, path }));
  return { version: { ...version, changeId, sections }, fingerprint: version.commitSha ?? '' };
}
