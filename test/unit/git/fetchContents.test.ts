import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compareContents } from '../../../src/git/comparePatch.ts';
import { versionOfCommit } from '../../../src/git/commitVersion.ts';
import { readContents } from '../../../src/git/commitChanges.ts';
import { fetchContents } from '../../../src/git/fetchContents.ts';
import { repositoryAt, type OpenRepository } from '../../../src/git/repository.ts';
import type { VersionPair } from '../../../src/model/reading/outcome.ts';
import { GitRepository } from '../../support/gitRepository.ts';

describe('contents that a clone lacks', () => {
  let author: GitRepository;
  let folder: string;
  let pair: VersionPair;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-clones-'));
    author = GitRepository.create();
    author.write('a.txt', 'one\ntwo\nthree\n');
    author.commit('Start');
    author.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    author.git('config', 'uploadpack.allowFilter', 'true');
  });

  afterEach(() => {
    author.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();

  /** A clone of what there is now. */
  function clone(...options: string[]): OpenRepository {
    git('clone', '--quiet', ...options, `file://${author.directory}`, 'clone');
    return repositoryAt('git', path.join(folder, 'clone'));
  }

  /** Two versions of a patch, of which the first is on no branch any more. */
  async function versions(): Promise<VersionPair> {
    const repository = repositoryAt('git', author.directory);
    author.branch('topic');
    author.write('a.txt', 'one\n2\nthree\n');
    const older = author.commit('Change');
    author.write('a.txt', 'one\n2\n3\n');
    author.git('commit', '--quiet', '--all', '--amend', '--no-edit');
    const found = [
      await versionOfCommit(repository, older, 'I1'),
      await versionOfCommit(repository, author.head(), 'I1'),
    ];
    return found.map((version) => ({
      ...version!,
      files: version!.files.map(({ before, after, ...file }) => ({
        ...file,
        ...(before && { before: { ...before, content: { kind: 'missing' as const } } }),
        ...(after && { after: { ...after, content: { kind: 'missing' as const } } }),
      })),
    })) as unknown as VersionPair;
  }

  it('are there after it was asked for, once, and no branch is another one', async () => {
    const mine = clone();
    const before = git('-C', 'clone', 'for-each-ref');
    pair = await versions();
    assert.equal((await compareContents([mine], pair, folder)).comparison.files[0]?.comparison?.basis, 'ids');
    assert.deepEqual(await fetchContents([mine], pair), { found: 2, isAsked: true });
    assert.equal(
      (await compareContents([mine], pair, folder)).comparison.files[0]?.comparison?.basis,
      'contents',
    );
    assert.deepEqual(await fetchContents([mine], pair), { found: 0, isAsked: false });
    assert.equal(git('-C', 'clone', 'for-each-ref'), before);
  });

  it('are there also where the clone is a partial one', async () => {
    pair = await versions();
    const mine = clone('--filter=blob:none', '--no-checkout');
    // Git ends at the first of them; what it has is read all the same.
    const main = git('-C', 'clone', 'rev-parse', 'origin/main:a.txt');
    git('-C', 'clone', 'cat-file', 'blob', main);
    const ids = pair.flatMap(({ files }) =>
      files.flatMap(({ before, after }) => [before?.id ?? [], after?.id ?? []].flat()),
    );
    const contents = await readContents(mine, [...ids, main]);
    assert.deepEqual(
      new Set([...contents].flatMap(([id, { kind }]) => (kind === 'text' ? id : []))),
      new Set([main]),
    );
    assert.deepEqual(await fetchContents([mine], pair), { found: 2, isAsked: true });
    assert.equal(
      (await compareContents([mine], pair, folder)).comparison.files[0]?.comparison?.basis,
      'contents',
    );
  });

  it('come from whichever remote has them', async () => {
    const mine = clone();
    git('-C', 'clone', 'remote', 'rename', 'origin', 'theirs');
    git('init', '--quiet', '--bare', 'empty');
    git('-C', 'clone', 'remote', 'add', 'empty', path.join(folder, 'empty'));
    pair = await versions();
    assert.deepEqual(await fetchContents([mine], pair), { found: 2, isAsked: true });
  });

  it('are missing still where no remote has them, and git says why', async () => {
    const mine = clone();
    pair = await versions();
    git('init', '--quiet', '--bare', 'empty');
    git('-C', 'clone', 'remote', 'set-url', 'origin', path.join(folder, 'empty'));
    await assert.rejects(fetchContents([mine], pair), /not our ref|couldn't find remote ref|upload-pack/);
    git('-C', 'clone', 'remote', 'remove', 'origin');
    assert.deepEqual(await fetchContents([mine], pair), { found: 0, isAsked: false });
  });

  it('are asked for by nothing but ids, whatever the service says', async () => {
    const mine = clone();
    const [older, newer] = await versions();
    const asked: string[][] = [];
    const watched: OpenRepository = {
      ...mine,
      git: (args, ...more) => {
        asked.push([...args]);
        return mine.git(args, ...more);
      },
    };
    const named = { ...older, commitSha: '--upload-pack=touch /tmp/x' };
    await fetchContents([watched], [named, newer]);
    assert.ok(asked.length > 1);
    assert.equal(
      asked.flat().find((word) => word.includes('upload-pack')),
      undefined,
    );
  });
});
