import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { versionOfCommit } from '../../../src/git/commitVersion.ts';
import { decideWithContents } from '../../../src/git/decideWithContents.ts';
import { repositoryAt } from '../../../src/git/repository.ts';
import type { PatchVersion } from '../../../src/model/reading/patchVersion.ts';
import { GitRepository } from '../../support/gitRepository.ts';

const lines = (change: (line: number) => string = (line) => `line ${line}`): string =>
  Array.from({ length: 40 }, (_, index) => `${change(index)}\n`).join('');

describe('which patches may be signed off again, with what git has of their files', () => {
  let repository: GitRepository;
  let scratch: string;

  beforeEach(() => {
    scratch = mkdtempSync(path.join(tmpdir(), 'patch-stacks-scratch-'));
    repository = GitRepository.create();
    repository.write('a.txt', lines());
    repository.write('b.txt', lines());
    repository.commit('Start');
    repository.branch('topic');
    repository.switch('topic');
  });

  afterEach(() => {
    assert.deepEqual(readdirSync(scratch), []);
    repository.remove();
    rmSync(scratch, { recursive: true, force: true });
  });

  const inRepository = () => repositoryAt('git', repository.directory);
  /** The versions that the last commits are, the oldest first. */
  async function versions(count: number): Promise<PatchVersion[]> {
    const shas = repository.git('log', `--max-count=${count}`, '--reverse', '--format=%H').split('\n');
    return Promise.all(
      shas.map(async (sha, index) => {
        const found = await versionOfCommit(inRepository(), sha, `I${index}`);
        assert.ok(found);
        const sections = found.files.map((file) => ({ kind: 'diff' as const, path: file.path }));
        return { ...found, sections };
      }),
    );
  }
  const ofEach = (line: number, mine: string, file: string): void =>
    repository.write(
      file,
      lines((index) => (index === line ? mine : `line ${index}`)),
    );

  it('are those that the base alone has changed, and not those that their author has, nor those of which all is lost', async () => {
    ofEach(20, 'mine', 'a.txt');
    repository.commit('Change one');
    ofEach(20, 'mine', 'b.txt');
    repository.commit('Change another');
    repository.write('c.txt', 'new\n');
    repository.commit('Add one');
    repository.write('d.txt', 'new\n');
    repository.commit('Add another');
    const older = await versions(4);
    repository.switch('main');
    repository.write(
      'a.txt',
      lines((index) => (index === 17 ? 'theirs' : `line ${index}`)),
    );
    repository.commit('Go on');
    repository.switch('topic');
    repository.rebase('main');
    repository.git('reset', '--quiet', '--hard', 'HEAD~3');
    ofEach(20, 'mine, and more', 'b.txt');
    repository.commit('Change another');
    repository.write('c.txt', 'new\n');
    repository.commit('Add one');
    repository.write('d.txt', 'new\n');
    repository.commit('Add another');
    const current = await versions(4);
    const signed = older.map((version, index) => ({
      changeId: version.changeId,
      version: index === 2 ? undefined : version,
    }));
    const question = { signed, current, isSigned: ['I3'] };
    assert.deepEqual(await decideWithContents([inRepository()], question, scratch), [
      { changeId: 'I0', kind: 'offered', reason: 'rebased' },
      { changeId: 'I1', kind: 'refused', reason: 'changed' },
      { changeId: 'I2', kind: 'refused', reason: 'lost' },
      { changeId: 'I3', kind: 'alreadySigned' },
    ]);
    // Nobody knows without the contents what the line nearby was about.
    const [first] = await decideWithContents([], question, scratch);
    assert.notDeepEqual(first, { changeId: 'I0', kind: 'offered', reason: 'rebased' });
  });
});
