/**
 * What the stacks view says of a patch since it was read, held against its commits and against what its author did: a row must never
 * say that nothing has changed where something has. With `--repo PATH`, of patches of the history of a real repository.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Patch } from '../../src/api/types/patches.ts';
import { compareCommits } from '../../src/git/compareCommits.ts';
import { comparePatches } from '../../src/model/reading/comparePatches.ts';
import { outcomeOf } from '../../src/model/reading/outcome.ts';
import { versionOf } from '../../src/model/reading/patchVersion.ts';
import { Readings } from '../../src/model/reading/readings.ts';
import { committedPatch, judgeIn } from '../support/committedPatch.ts';
import type { Random } from '../support/random.ts';
import { relocationKinds, type RewriteRepository } from '../support/rewrites.ts';
import { Trial, type Attack } from './attack.ts';
import { forEachRepository } from './rewrites.ts';

/** Two versions of a commit. */
interface Versions {
  older: string;
  newer: string;
}

/** Words of a row by which nobody reads the patch again. */
const isQuiet = (state: string | undefined): boolean =>
  state === 'read' || state === 'unchanged' || state === 'rebased';

/** The words of rows, and the outcome of comparing the commits. */
interface Said {
  /** Of someone who has read the older version, and of someone who has read only that of another patch. */
  row: string | undefined;
  unopened: string | undefined;
  commits: string;
}

async function rowsOf({ open }: RewriteRepository, { older, newer }: Versions): Promise<Said> {
  const folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-rows-'));
  try {
    const readings = new Readings({
      folder,
      limit: () => 100_000_000,
      onFailure: (error) => {
        throw error;
      },
      judge: judgeIn(open, folder),
    });
    const stack = { projectId: '1', branchId: 'topic' };
    // What is made of a commit has another message.
    const title = 'The same';
    const [was, is] = [
      await committedPatch(open, older, { title }),
      await committedPatch(open, newer, { title }),
    ];
    const codes = (was.sections ?? []).map(({ code }) => code);
    await readings.note(stack, was, codes, { seen: true });
    const state = async (patch: Patch): Promise<string | undefined> =>
      (await readings.states(stack, [patch]))[0]?.state;
    const [files = []] = await compareCommits(open, [{ older, newer }], folder);
    const bare = (patch: Patch) => ({ ...versionOf(patch), sections: [] });
    return {
      row: await state(is),
      unopened: await state({ ...is, changeId: 'I2' }),
      commits: outcomeOf(comparePatches(bare(was), bare(is), files)).since,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Looks at the rows of pairs of versions.
 *
 * @param isChanged whether the author has changed something in each of them.
 */
function rows(
  name: string,
  isChanged: boolean,
  make: (repository: RewriteRepository, full: boolean, random: Random) => Promise<readonly Versions[]>,
): Attack {
  return {
    name: `rows: ${name}`,
    async run(full, repositories = []) {
      const trial = new Trial();
      await forEachRepository({ full, repositories, seed: 4 }, async (repository, of, random) => {
        for (const versions of await make(repository, full, random)) {
          await trial.try(`${of}: ${versions.older} as ${versions.newer}`, async () => {
            const { row, unopened, commits } = await rowsOf(repository, versions);
            assert.equal(isQuiet(row), !isChanged, `the row says ${row}, and the commits ${commits}`);
            assert.equal(isQuiet(commits), !isChanged, `the commits say ${commits}, and the row ${row}`);
            assert.ok(!isQuiet(unopened), `a patch that nobody has opened is ${unopened}`);
          });
        }
      });
      return trial;
    },
  };
}

export const attacks: readonly Attack[] = [
  rows('commits that only moved', false, (repository, full) => repository.moves(full ? 100 : 15)),
  rows('commits that somebody edited when they had moved', true, async (repository, full, random) =>
    repository.edits(await repository.moves(full ? 100 : 20), full ? 10 : 2, random),
  ),
  ...relocationKinds.map((kind) =>
    rows(kind, true, async (repository, full, random) =>
      repository.relocations(kind, await repository.moves(full ? 100 : 40), full ? 40 : 8, random),
    ),
  ),
];
