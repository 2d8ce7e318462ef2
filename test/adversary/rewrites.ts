/**
 * Commits that were moved and edited: the comparison of versions must call nothing changed that only moved, and miss nothing
 * that somebody did. With `--repo PATH`, it is the history of a real repository that is moved about.
 */
import assert from 'node:assert/strict';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { compareCommits } from '../../src/git/compareCommits.ts';
import { compareFile } from '../../src/model/reading/compareFile.ts';
import type { ComparedFile } from '../../src/model/reading/compareFiles.ts';
import { compareSections } from '../../src/model/reading/compareSections.ts';
import type { FileChange } from '../../src/model/reading/fileChange.ts';
import { pairFiles } from '../../src/model/reading/pairFiles.ts';
import type { VersionSection } from '../../src/model/reading/patchVersion.ts';
import { Random } from '../support/random.ts';
import { RewriteRepository } from '../support/rewrites.ts';
import { Trial, type Attack } from './attack.ts';

const isQuiet = ({ verdict }: { verdict: string }): boolean => verdict === 'same' || verdict === 'rebased';

/** Files of a hundred that may be called changed although they only moved, where contents are not to be had. */
const falseAlarms = 0.03;

/** Goes through repositories: real ones where there are some, else one that is made up. */
export async function forEachRepository(
  { full, repositories, seed }: { full: boolean; repositories: readonly string[]; seed: number },
  visit: (repository: RewriteRepository, name: string, random: Random) => Promise<void>,
): Promise<void> {
  const random = new Random(seed);
  const real = repositories.map((directory) => ({
    name: path.basename(directory),
    make: () => RewriteRepository.of(directory, random),
  }));
  const madeUp = { name: 'made up', make: () => RewriteRepository.generated(full ? 1200 : 40, random) };
  for (const { name, make } of real.length > 0 ? real : [madeUp]) {
    const repository = make();
    try {
      await visit(repository, name, random);
    } finally {
      repository.remove();
    }
  }
}

/** Compares many pairs, several at a time, and never so many that all contents are there at once. */
async function* compareAll<T extends { older: string; newer: string }>(
  { open }: RewriteRepository,
  pairs: readonly T[],
): AsyncGenerator<[T, ComparedFile[]]> {
  const lanes = availableParallelism();
  const size = 12;
  for (let at = 0; at < pairs.length; at += lanes * size) {
    const some = Array.from({ length: lanes }, (_, lane) =>
      pairs.slice(at + lane * size, at + (lane + 1) * size),
    );
    const compared = await Promise.all(some.map((each) => compareCommits(open, each, tmpdir())));
    for (const [lane, each] of some.entries()) {
      for (const [index, pair] of each.entries()) {
        yield [pair, compared[lane]?.[index] ?? []];
      }
    }
  }
}

const pathOf = ({ older, newer }: Pick<ComparedFile, 'older' | 'newer'>): string =>
  (newer ?? older)?.path ?? '';

const describeFile = (file: ComparedFile): string => `${pathOf(file)} is ${file.verdict}`;

const cleanMoves: Attack = {
  name: 'rewrites: commits that only moved',
  async run(full, repositories = []) {
    const trial = new Trial();
    const counts = { quiet: 0, told: 0 };
    await forEachRepository({ full, repositories, seed: 1 }, async (repository, name) => {
      const moves = await repository.moves(full ? 1000 : 40);
      for await (const [{ older, newer }, files] of compareAll(repository, moves)) {
        await trial.try(`${name}: ${older} as ${newer}`, () =>
          assert.deepEqual(files.filter((file) => !isQuiet(file)).map(describeFile), []),
        );
      }
      const bare = await repository.withoutContents(moves.flatMap(({ older, newer }) => [older, newer]));
      for (const move of moves) {
        const files = compareDiffs(bare, move);
        counts.quiet += files.filter(isQuiet).length;
        counts.told += files.filter((file) => !isQuiet(file)).length;
      }
    });
    await trial.try(`of ${counts.quiet + counts.told} files without their contents`, () =>
      assert.ok(
        counts.told <= falseAlarms * (counts.quiet + counts.told),
        `${counts.told} are called changed`,
      ),
    );
    return trial;
  },
};

const seededEdits: Attack = {
  name: 'rewrites: commits that somebody edited when they had moved',
  async run(full, repositories = []) {
    const trial = new Trial();
    await forEachRepository({ full, repositories, seed: 2 }, async (repository, name, random) => {
      // In three real repositories together there are as many as in the one that is made up.
      const ofEachKind = full ? (repositories.length > 0 ? 35 : 100) : 6;
      const edits = await repository.edits(await repository.moves(full ? 300 : 30), ofEachKind, random);
      for await (const [{ kind, older, newer, paths }, files] of compareAll(repository, edits)) {
        await trial.try(`${name}, ${kind}: ${older} as ${newer}`, () => {
          const told = files.filter((file) => !isQuiet(file));
          const isMeant = (file: ComparedFile): boolean =>
            [file.older, file.newer].some((change) => change && paths.includes(change.path));
          assert.ok(told.some(isMeant), `${paths[0]} is said to be unchanged`);
          assert.deepEqual(told.filter((file) => !isMeant(file)).map(describeFile), [], 'others are told');
        });
      }
    });
    return trial;
  },
};

const words = [
  'Reads',
  'the',
  'file',
  'again',
  'where',
  'a',
  'stack',
  'was',
  'rebased',
  'and',
  'its',
  'order',
];

function inventSections(random: Random): VersionSection[] {
  return Array.from({ length: 3 + random.below(8) }, (_, index): VersionSection => {
    const isText = index === 0 || random.oneIn(2);
    const prose = Array.from({ length: 5 + random.below(60) }, () => random.pick(words)).join(' ');
    return isText
      ? { kind: 'text', code: `c${random.below(1e9)}`, text: `${prose} ${index}.` }
      : { kind: 'diff', path: `${index}` };
  });
}

/** Edits of a patch's sections, each with the verdict that is to be told then. */
const proseEdits: Record<
  string,
  (sections: VersionSection[], at: number, random: Random) => VersionSection[]
> = {
  'a word changed': (sections, at, random) =>
    sections.map((section, index) => {
      if (index !== at || section.kind !== 'text') {
        return section;
      }
      const all = section.text.split(' ');
      return { ...section, text: all.with(random.below(all.length), 'elsewhere').join(' ') };
    }),
  'the order changed': (sections, at) => {
    const rest = sections.toSpliced(at, 1);
    return rest.toSpliced((at + 1) % sections.length, 0, ...sections.slice(at, at + 1));
  },
  'a section added': (sections, at) =>
    sections.toSpliced(at, 0, { kind: 'text', code: 'new', text: 'Nobody has read this yet' }),
  'a section removed': (sections, at) => sections.toSpliced(at, 1),
};

const editedProse: Attack = {
  name: 'rewrites: prose that somebody edited',
  async run(full) {
    const trial = new Trial();
    const random = new Random(3);
    for (let round = 0; round < (full ? 1000 : 50); round += 1) {
      for (const [kind, edit] of Object.entries(proseEdits)) {
        const before = inventSections(random);
        const texts = before.flatMap((section, index) => (section.kind === 'text' ? [index] : []));
        const at = random.pick(texts) ?? 0;
        // A commit that is imported again may have other codes.
        const isRenamed = random.oneIn(2);
        const after = edit([...before], at, random).map((section) =>
          section.kind === 'text' && isRenamed ? { ...section, code: `n${section.code}` } : section,
        );
        await trial.try(`${kind}: ${JSON.stringify(before)}`, () => {
          const told = compareSections(before, after).filter((one) => one.verdict !== 'same' || one.isMoved);
          const [only, ...more] = told.map((one) => (one.older ? before.indexOf(one.older) : 'new'));
          assert.deepEqual(more, []);
          const swapped = (at + 1) % before.length;
          const right: (number | 'new')[] =
            kind === 'a section added' ? ['new'] : kind === 'the order changed' ? [at, swapped] : [at];
          assert.ok(only !== undefined && right.includes(only), `${only} is told, not ${right.join(' or ')}`);
        });
      }
    }
    return trial;
  },
};

/** Compares what two commits do where only their diffs are to be had. */
function compareDiffs(
  bare: ReadonlyMap<string, readonly FileChange[]>,
  { older, newer }: { older: string; newer: string },
): { verdict: string }[] {
  return pairFiles(bare.get(older) ?? [], bare.get(newer) ?? []).flatMap((pair) =>
    pair.older && pair.newer ? [compareFile(pair.older, pair.newer, pair)] : [],
  );
}

export const attacks: readonly Attack[] = [cleanMoves, seededEdits, editedProse];
