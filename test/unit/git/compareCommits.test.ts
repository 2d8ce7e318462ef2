import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readContents } from '../../../src/git/commitChanges.ts';
import { compareCommits } from '../../../src/git/compareCommits.ts';
import { repositoryAt } from '../../../src/git/repository.ts';
import { numberedLines } from '../../support/author.ts';
import { GitRepository } from '../../support/gitRepository.ts';

describe('two versions of a commit in git', () => {
  let repository: GitRepository;
  let scratch: string;

  beforeEach(() => {
    scratch = mkdtempSync(path.join(tmpdir(), 'patch-stacks-scratch-'));
    repository = GitRepository.create();
    repository.write('a.txt', numberedLines('line'));
    repository.write('b.txt', numberedLines('other'));
    repository.write('binary', Buffer.from([0, 1, 2]));
    repository.commit('Start');
  });

  afterEach(() => {
    repository.remove();
    rmSync(scratch, { recursive: true, force: true });
  });

  const read = (file: string): string => readFileSync(path.join(repository.directory, file), 'utf8');
  const replace = (...change: [file: string, from: string, to: string]): void =>
    repository.replace(...change);

  async function verdicts(older: string, newer: string): Promise<Record<string, string>> {
    const [files = []] = await compareCommits(
      repositoryAt('git', repository.directory),
      [{ older, newer }],
      scratch,
    );
    return Object.fromEntries(files.map((file) => [(file.newer ?? file.older)?.path ?? '', file.verdict]));
  }

  /** Commits something on top of `main`, and gives what it is after `main` went on and it was rebased onto that. */
  function rebased(change: () => void, base: () => void): { older: string; newer: string } {
    repository.branch('topic');
    change();
    const older = repository.commit('Change');
    repository.switch('main');
    base();
    repository.commit('Go on');
    repository.switch('topic');
    return { older, newer: repository.rebase('main') };
  }

  it('tells what was rebased, what is the same, and what the author changed since', async () => {
    const { older, newer } = rebased(
      () => {
        replace('a.txt', 'line 20\n', 'mine\n');
        replace('b.txt', 'other 3\n', 'mine\n');
        repository.write('new.txt', 'new\n');
      },
      () => replace('a.txt', 'line 2\n', 'theirs\ntheirs\n'),
    );
    assert.deepEqual(await verdicts(older, newer), {
      'a.txt': 'rebased',
      'b.txt': 'same',
      'new.txt': 'same',
    });
    replace('b.txt', 'other 30\n', 'more\n');
    repository.write('newer.txt', 'newer\n');
    repository.git('rm', '--quiet', 'new.txt');
    assert.deepEqual(await verdicts(older, repository.amend()), {
      'a.txt': 'rebased',
      'b.txt': 'changed',
      'newer.txt': 'added',
      'new.txt': 'removed',
    });
  });

  it('tells of a change of thousands of lines, too, whether part of it went into the base', async () => {
    const long = Array.from({ length: 5_000 }, (_, index) => `mine ${index}\n`).join('');
    const { older, newer } = rebased(
      () => repository.write('a.txt', numberedLines('line', { 20: 'mine' }) + long),
      () => replace('a.txt', 'line 2\n', 'theirs\n'),
    );
    assert.deepEqual(await verdicts(older, newer), { 'a.txt': 'rebased' });
    // One of those lines is changed in a commit of its own now.
    const whole = read('a.txt');
    repository.git('reset', '--quiet', '--hard', 'HEAD^');
    replace('a.txt', 'line 20\n', 'mine\n');
    repository.commit('Begin');
    repository.write('a.txt', whole);
    assert.deepEqual(await verdicts(older, repository.commit('Change')), { 'a.txt': 'changed' });
  });

  it('follows a file that the base has renamed, and one that the author has', async () => {
    const { older, newer } = rebased(
      () => replace('a.txt', 'line 20\n', 'mine\n'),
      () => {
        repository.git('mv', 'a.txt', 'moved.txt');
        replace('moved.txt', 'line 2\n', 'theirs\n');
      },
    );
    assert.deepEqual(await verdicts(older, newer), { 'moved.txt': 'rebased' });
    repository.git('mv', 'moved.txt', 'mine.txt');
    assert.deepEqual(await verdicts(newer, repository.amend()), { 'mine.txt': 'changed' });
  });

  it('sees modes, binary files and names that are no text', async () => {
    const odd = Buffer.from([0x66, 0xff, 0xfc]);
    const { older, newer } = rebased(
      () => {
        repository.write('binary', Buffer.from([0, 3]));
        repository.write('a.txt', numberedLines('line', {}, 41));
        repository.write(odd, 'odd\n');
      },
      () => repository.write('b.txt', 'other\n'),
    );
    assert.deepEqual(await verdicts(older, newer), {
      binary: 'same',
      'a.txt': 'same',
      [odd.toString('latin1')]: 'same',
    });
    repository.write('binary', Buffer.from([0, 4]));
    repository.git('update-index', '--chmod=+x', 'a.txt');
    repository.git('config', 'core.fileMode', 'false');
    repository.write(odd, 'even\n');
    assert.deepEqual(await verdicts(older, repository.amend()), {
      binary: 'changed',
      'a.txt': 'changed',
      [odd.toString('latin1')]: 'changed',
    });
  });

  it('takes what git takes for binary for that, and what is not there for missing', async () => {
    const id = (content: Buffer): string => repository.gitWithInput(content, 'hash-object', '-w', '--stdin');
    const far = Buffer.alloc(9000, 'a');
    far[8500] = 0;
    const ids = [Buffer.from([65, 0]), far, Buffer.from([0xe9, 10])].map(id);
    const contents = await readContents(repositoryAt('git', repository.directory), [...ids, 'f'.repeat(40)]);
    assert.deepEqual(
      [...contents.values()],
      [
        { kind: 'binary' },
        { kind: 'text', text: far.toString('latin1') },
        { kind: 'text', text: '\u00e9\n' },
        { kind: 'missing' },
      ],
    );
  });

  it('sees that part of a change went into the commit before, and that all of it did', async () => {
    const start = repository.head();
    repository.commitFile('c.txt', 'c\n', 'Parent');
    replace('a.txt', 'line 5\n', 'mine\n');
    replace('a.txt', 'line 35\n', 'mine, too\n');
    replace('b.txt', 'other 5\n', 'mine\n');
    const older = repository.commit('Child');
    const [whole, other] = [read('a.txt'), read('b.txt')];
    repository.git('reset', '--quiet', '--hard', start);
    repository.write('c.txt', 'c\n');
    replace('a.txt', 'line 5\n', 'mine\n');
    repository.write('b.txt', other);
    repository.commit('Parent');
    repository.write('a.txt', whole);
    assert.deepEqual(await verdicts(older, repository.commit('Child')), {
      'a.txt': 'changed',
      'b.txt': 'removed',
    });
  });

  it('calls what the author had to resolve a conflict, and asks git where its own merge is more careful', async () => {
    repository.branch('topic');
    replace('a.txt', 'line 20\n', 'mine\n');
    const older = repository.commit('Change');
    repository.switch('main');
    replace('a.txt', 'line 20\n', 'theirs\n');
    repository.commit('Go on');
    replace('a.txt', 'theirs\n', 'theirs and mine\n');
    assert.deepEqual(await verdicts(older, repository.commit('Change')), { 'a.txt': 'conflict' });
  });

  it("takes git's word where its own merge is more careful", async () => {
    const write = (words: string): void => repository.write('few.txt', words.replaceAll(' ', '\n'));
    write('a c x c b a b } b y y b ');
    repository.commit('Add few lines');
    const { older, newer } = rebased(
      () => write('a mine c b a b } b y } y b '),
      () => write('a c x c a b } b y y b '),
    );
    assert.deepEqual(await verdicts(older, newer), { 'few.txt': 'rebased' });
  });

  it('sees no change where an older base has part of it already', async () => {
    const start = repository.head();
    replace('a.txt', 'line 35\n', 'of the base\n');
    repository.commit('Go on');
    replace('a.txt', 'of the base\n', 'line 35\n');
    replace('a.txt', 'line 5\n', 'mine\n');
    const older = repository.commit('Go back');
    const whole = read('a.txt');
    repository.git('reset', '--quiet', '--hard', start);
    repository.write('a.txt', whole);
    const newer = repository.commit('Go back');
    assert.deepEqual(await verdicts(older, newer), { 'a.txt': 'rebased' });
    assert.deepEqual(await verdicts(newer, older), { 'a.txt': 'changed' });
  });

  it('compares commits that have no parent, and a merge by its first', async () => {
    const start = repository.head();
    repository.git('switch', '--quiet', '--orphan', 'other');
    repository.write('a.txt', `${numberedLines('line')}more\n`);
    assert.deepEqual(await verdicts(start, repository.commit('Start')), {
      'a.txt': 'changed',
      'b.txt': 'removed',
      binary: 'removed',
    });
  });

  it('reads many pairs at once, and leaves nothing behind of the merges that git makes', async () => {
    const { older, newer } = rebased(
      () => replace('a.txt', 'line 20\n', 'mine\n'),
      () => replace('a.txt', 'line 2\n', 'theirs\n'),
    );
    replace('a.txt', 'mine\n', 'mine\nmore\n');
    const newest = repository.amend();
    const objects = repository.git('count-objects');
    const compared = await compareCommits(
      repositoryAt('git', repository.directory),
      [
        { older, newer },
        { older, newer: newest },
        { older: newest, newer: older },
        { older, newer: older },
      ],
      scratch,
    );
    assert.deepEqual(
      compared.map((files) => files.map(({ verdict }) => verdict)),
      [['rebased'], ['changed'], ['changed'], ['same']],
    );
    assert.deepEqual([repository.git('count-objects'), readdirSync(scratch)], [objects, []]);
  });
});
