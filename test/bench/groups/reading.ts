import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiClient } from '../../../src/api/client.ts';
import type { Patch } from '../../../src/api/types/patches.ts';
import { compareAllContents } from '../../../src/git/comparePatch.ts';
import { versionOfCommit } from '../../../src/git/commitVersion.ts';
import { repositoryAt } from '../../../src/git/repository.ts';
import { Model } from '../../../src/model/model.ts';
import { outcomeOf, type VersionPair } from '../../../src/model/reading/outcome.ts';
import { versionOf } from '../../../src/model/reading/patchVersion.ts';
import { Readings } from '../../../src/model/reading/readings.ts';
import { startService } from '../../../src/service/service.ts';
import { GitRepository } from '../../support/gitRepository.ts';
import { amountRow, compare, milliseconds, type Group, type Row } from '../measure.ts';

const metric = 'how far a stack of 50 rewritten patches was read';
const besideGit = `${metric}, beside git range-diff`;
const comparing =
  'a stack of 50 rewritten patches compared with the contents of its files, beside git range-diff';
const comparingOne = 'one patch of 3,000 rewritten files compared with their contents, beside git range-diff';

const patches = 50;
const files = 60;
const lines = 300;
const rounds = 15;

/**
 * A reader comes back: all patches of a stack were read, then it was rebased, and a few patches of it amended. Measured from
 * where the patches are there until it is known of each what is left to read, with the record read from disk; and by itself, what
 * comparing them with the contents of their files takes, which the rebase has made necessary for every one.
 */
export const group: Group = {
  async run(wanted) {
    const large = wanted(comparingOne) ? await measureLarge() : [];
    if (![metric, besideGit, comparing].some(wanted)) {
      return large;
    }
    const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-reading-'));
    const repository = GitRepository.create();
    try {
      const rows = await measure(repository, directory);
      return [...rows.filter((row) => wanted(row.metric)), ...large];
    } finally {
      await rm(directory, { recursive: true, force: true });
      repository.remove();
    }
  },
};

async function measure(repository: GitRepository, directory: string): Promise<Row[]> {
  makeStack(repository);
  const service = await startService({
    dataDirectory: path.join(directory, 'data'),
    repository: repository.directory,
  });
  const client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
  try {
    const readings = (): Readings =>
      new Readings({
        folder: path.join(directory, 'account'),
        limit: () => 100_000_000,
        onFailure: (error) => {
          throw error;
        },
      });
    const stack = { projectId: '1', branchId: 'topic' };
    const before = await readStack(client);
    const record = readings();
    for (const patch of before) {
      const codes = (patch.sections ?? []).map(({ code }) => code);
      await record.note(stack, patch, codes, { seen: true }, before);
    }
    rewriteStack(repository);
    await service.importRepository();
    const after = await readStack(client);
    const times: number[] = [];
    const ours = async (): Promise<number> => {
      // As in a window that has just loaded them: nothing was made of them yet.
      const loaded = structuredClone(after);
      const began = performance.now();
      const states = await readings().states(stack, loaded);
      const time = performance.now() - began;
      const changed = states.filter(({ state }) => state === 'changed').length;
      if (states.length !== patches || changed !== amended.length) {
        throw new Error(`${changed} of ${states.length} patches are said to be changed.`);
      }
      times.push(time);
      return time;
    };
    const git = milliseconds(() => repository.git('range-diff', 'main~1..was', 'main..topic'));
    const rows = await compare(
      besideGit,
      'ms',
      ours,
      { 'git range-diff': { aim: { atMost: 3 }, measure: git } },
      { rounds },
    );
    const pairs = before.map((patch, index): VersionPair => [
      versionOf(patch),
      versionOf(after[index] ?? patch),
    ]);
    const compared = await compare(
      comparing,
      'ms',
      () => comparedIn(repository, directory, pairs, amended.length),
      { 'git range-diff': { aim: { atMost: 1.2 }, measure: git } },
      { rounds },
    );
    return [amountRow(metric, 'ms', times.slice(-rounds), { atMost: 300 }), ...rows, ...compared];
  } finally {
    await client.close();
    await service.close();
  }
}

/** Milliseconds until it is known what became of patches. */
async function comparedIn(
  repository: GitRepository,
  scratch: string,
  pairs: readonly VersionPair[],
  changed: number,
): Promise<number> {
  const began = performance.now();
  const found = { changed: 0, rebased: 0 };
  const open = repositoryAt('git', repository.directory);
  for await (const { comparison } of compareAllContents([open], pairs, scratch)) {
    const { since } = outcomeOf(comparison);
    found.changed += since === 'changed' ? 1 : 0;
    found.rebased += since === 'rebased' ? 1 : 0;
  }
  const time = performance.now() - began;
  if (found.changed !== changed || found.rebased !== pairs.length - changed) {
    throw new Error(
      `Of ${pairs.length} patches ${found.changed} are said to be changed, ${found.rebased} to be rebased.`,
    );
  }
  return time;
}

/** A patch of so many files that only their number matters: the base has changed in all of them. */
async function measureLarge(): Promise<Row[]> {
  const repository = GitRepository.create();
  const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-comparing-'));
  const write = (edits: Readonly<Record<number, string>>): void => {
    for (let file = 0; file < 3000; file++) {
      const told = Object.entries(edits).map(([line, text]): [number, string] => [
        Number(line),
        `${text} ${file}`,
      ]);
      repository.write(nameOf(file), textOf(file, new Map(told), 60));
    }
  };
  try {
    write({});
    repository.commit('Start');
    repository.branch('topic');
    write({ 40: '// Of the author' });
    const older = repository.commit('Rewrite');
    repository.git('tag', 'was');
    repository.switch('main');
    write({ 10: '// Of the base' });
    repository.commit('Move on');
    repository.git('checkout', '--quiet', '-B', 'topic', 'main');
    write({ 10: '// Of the base', 40: '// Of the author' });
    const newer = repository.commit('Rewrite');
    const open = repositoryAt('git', repository.directory);
    const [one, other] = [await versionOfCommit(open, older, 'I1'), await versionOfCommit(open, newer, 'I1')];
    if (!one || !other) {
      throw new Error('Git has no such patch.');
    }
    return await compare(
      comparingOne,
      'ms',
      () => comparedIn(repository, directory, [[structuredClone(one), structuredClone(other)]], 0),
      {
        'git range-diff': {
          aim: { atMost: 5 },
          measure: milliseconds(() => repository.git('range-diff', 'main~1..was', 'main..topic')),
        },
      },
      { rounds: 7, warmUp: 1 },
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
    repository.remove();
  }
}

async function readStack(client: ApiClient): Promise<Patch[]> {
  const model = new Model((operation) => operation(client));
  const [project] = (await model.projects()).value.items;
  const [stack] = (await model.stacks(project?.repositoryId ?? '', 'active')).value;
  if (!project || !stack) {
    throw new Error('The service has no stack.');
  }
  const { value } = await model.patchesOfStack(project.repositoryId, stack);
  return Promise.all(value.map(({ changeId }) => model.patchUnopened({ stackUuid: stack.uuid, changeId })));
}

const nameOf = (file: number): string => `src/part${file % 7}/file${file}.ts`;

/** Lines as long and as different as those of a program; the ones of an author say so. */
function textOf(file: number, edits: ReadonlyMap<number, string>, length = lines): string {
  return Array.from(
    { length },
    (_, line) => edits.get(line) ?? `const value${file}_${line} = compute(${line * 31}, "${file}");`,
  )
    .map((line) => `${line}\n`)
    .join('');
}

/** The edits so far, by file and line. */
type Edits = Map<number, Map<number, string>>;

/** The patches that the author changes when rebasing. */
const amended = [7, 23, 41];

/** Lines that a patch edits: three files, of each a few lines apart from each other. */
function editStack(repository: GitRepository, edits: Edits, index: number, suffix = ''): void {
  for (let step = 0; step < 3; step++) {
    const file = (index * 3 + step * 7) % files;
    const ofFile = edits.get(file) ?? new Map<number, string>();
    edits.set(file, ofFile);
    for (let line = 0; line < 4; line++) {
      const at = 60 + ((index * 37 + line * 43) % (lines - 60));
      ofFile.set(at, `const changed${index}_${line} = compute(${file}, ${step}, "patch ${index}${suffix}");`);
    }
    repository.write(nameOf(file), textOf(file, ofFile));
  }
}

function commitStack(repository: GitRepository, edits: Edits, suffixOf: (index: number) => string): void {
  for (let index = 0; index < patches; index++) {
    editStack(repository, edits, index, suffixOf(index));
    repository.commit(
      `Patch ${index}\n\nWhat patch ${index} is for.\n\nChange-Id: I${String(index).padStart(40, '0')}\n`,
    );
  }
}

function makeStack(repository: GitRepository): void {
  for (let file = 0; file < files; file++) {
    repository.write(nameOf(file), textOf(file, new Map()));
  }
  repository.commit('Start');
  repository.branch('topic');
  commitStack(repository, new Map(), () => '');
}

/** Rewrites the stack by a rebase onto a `main` that went on, with some patches amended on the way. */
function rewriteStack(repository: GitRepository): void {
  // A tag: another branch would be another stack.
  repository.git('tag', 'was');
  repository.switch('main');
  const edits: Edits = new Map();
  for (let file = 0; file < files; file++) {
    edits.set(file, new Map([[file % 50, `const moved${file} = await base("${file}");`]]));
    repository.write(nameOf(file), textOf(file, edits.get(file) ?? new Map()));
  }
  repository.commit('Move on');
  repository.switch('topic');
  repository.git('reset', '--quiet', '--hard', 'main');
  commitStack(repository, edits, (index) => (amended.includes(index) ? ', amended' : ''));
}
