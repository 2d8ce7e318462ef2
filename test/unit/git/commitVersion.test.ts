import assert from 'node:assert/strict';
import { versionOfCommit } from '../../../src/git/commitVersion.ts';
import { commitId, readChanges, readContents, readRenames } from '../../../src/git/commitChanges.ts';
import { repositoryAt, type OpenRepository } from '../../../src/git/repository.ts';
import { GitRepository } from '../../support/gitRepository.ts';

const lines = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');

describe('a version of a patch as git has it', () => {
  let made: GitRepository;
  let repository: OpenRepository;
  let root: string;
  let changed: string;
  let renamed: string;
  before(() => {
    made = GitRepository.create();
    root = made.commitFile('größe.txt', lines, 'Begin');
    made.commitFile('b.txt', 'b\n', 'Add b');
    made.write('größe.txt', lines.replace('line 3\n', 'the third\ndiff --git a/x b/x\n'));
    made.write('b.txt', 'b\nmore\n');
    changed = made.commit('Change both\n\nWhy.\n\nAnd how.\n');
    made.git('mv', 'größe.txt', 'moved.txt');
    renamed = made.commit('Move');
    repository = repositoryAt('git', made.directory);
  });
  after(() => made.remove());

  it('has its title, its message, and the diff of each file', async () => {
    const version = await versionOfCommit(repository, changed, 'I1');
    assert.ok(version);
    const { files, ...rest } = version;
    assert.deepEqual(rest, {
      changeId: 'I1',
      commitSha: changed,
      title: 'Change both',
      message: 'Why.\n\nAnd how.',
      sections: [],
    });
    assert.deepEqual(
      files.map(({ path, oldPath }) => [path, oldPath]),
      [
        ['b.txt', 'b.txt'],
        ['größe.txt', 'größe.txt'],
      ],
    );
    assert.match(
      files[0]?.diff ?? '',
      /^diff --git a\/b\.txt b\/b\.txt\nindex [0-9a-f]{40}\.\.[^]*\n\+more\n$/,
    );
    assert.match(files[1]?.diff ?? '', /^diff --git [^]*\n\+the third\n\+diff --git a\/x b\/x\n/);
    assert.ok(!files[1]?.diff?.includes('+more'));
  });

  it('has the files of a first commit, and both names of one that was moved', async () => {
    const first = await versionOfCommit(repository, root, 'I1');
    assert.equal(first?.message, '');
    assert.equal(first.files.length, 1);
    assert.equal(first.files[0]?.before, undefined);
    assert.match(first.files[0]?.diff ?? '', /new file mode/);
    const moved = await versionOfCommit(repository, renamed, 'I1');
    assert.deepEqual(
      moved?.files.map(({ path, oldPath }) => [path, oldPath]),
      [['moved.txt', 'größe.txt']],
    );
  });

  it('is none for what git does not have, and for a text that is no whole id', async () => {
    const asked: unknown[] = [];
    const noted = {
      ...repository,
      gitBytes: async (args: readonly string[]) => void asked.push(args),
    } as never;
    for (const text of [
      '',
      '--all',
      'HEAD',
      changed.slice(1),
      `x${changed}`,
      `${changed}x`,
      'g'.repeat(64),
    ]) {
      assert.equal(await versionOfCommit(noted, text, 'I1'), undefined, text);
    }
    assert.deepEqual(asked, []);
    assert.equal(await versionOfCommit(repository, 'f'.repeat(40), 'I1'), undefined);
    assert.equal(await versionOfCommit(repository, 'f'.repeat(64), 'I1'), undefined);
  });

  it('ends with the reason of the signal, and with what is no word of git', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await assert.rejects(versionOfCommit(repository, changed, 'I1', controller.signal), /enough/);
    const broken = {
      ...repository,
      gitBytes: async () => Promise.reject(new TypeError('a mistake of ours')),
    };
    await assert.rejects(versionOfCommit(broken, changed, 'I1'), /a mistake of ours/);
  });

  it('is found by any name of a commit, and by no other', async () => {
    assert.equal(await commitId(repository, 'main'), made.head());
    assert.equal(await commitId(repository, 'HEAD~1'), changed);
    await assert.rejects(commitId(repository, 'HEAD:b.txt'));
    await assert.rejects(commitId(repository, '--all'));
    await assert.rejects(commitId(repository, 'nowhere'));
  });

  it('is read of each commit once, whatever is asked for', async () => {
    assert.deepEqual(await readChanges(repository, []), new Map());
    const changes = await readChanges(repository, [changed, root, changed]);
    assert.deepEqual([...changes.keys()], [changed, root]);
    assert.equal(changes.get(root)?.parent, undefined);
    assert.equal(changes.get(changed)?.files.length, 2);
    const { before, after } = changes.get(changed)!.files[0]!;
    assert.deepEqual(before, {
      mode: '100644',
      id: made.git('rev-parse', `${changed}~:b.txt`),
      content: { kind: 'missing' },
    });
    assert.equal(after?.id, made.git('rev-parse', `${changed}:b.txt`));
  });

  it('is told which file has another name in another commit', async () => {
    const name = Buffer.from('größe.txt').toString('latin1');
    const found = await readRenames(repository, [changed, renamed], [name], ['moved.txt']);
    assert.deepEqual(found, new Map([[name, 'moved.txt']]));
    const asked: unknown[] = [];
    const noted = {
      ...repository,
      gitBytes: async (args: readonly string[]) => void asked.push(args),
    } as never;
    assert.deepEqual(await readRenames(noted, [changed, renamed], [], ['moved.txt']), new Map());
    assert.deepEqual(await readRenames(noted, [changed, renamed], [name], []), new Map());
    assert.deepEqual(asked, []);
    // Both are there before and after: nothing was renamed.
    assert.deepEqual(await readRenames(repository, [root, changed], ['b.txt'], [name]), new Map());
  });

  it('has contents: texts, binary ones, and those that are no file or not there', async () => {
    made.write('binary', Buffer.from([1, 0, 2]));
    made.write('late', Buffer.concat([Buffer.alloc(8000, 'a'), Buffer.from([0])]));
    made.write('large', Buffer.alloc(8 * 1024 * 1024 + 1, 'a'));
    made.write('longest', Buffer.alloc(8 * 1024 * 1024, 'a'));
    made.commit('Others');
    const ids = ['b.txt', 'binary', 'late', 'large', 'longest'].map((name) =>
      made.git('rev-parse', `HEAD:${name}`),
    );
    const missing = 'f'.repeat(40);
    const contents = await readContents(repository, [...ids, missing, changed, ids[0] ?? '']);
    assert.deepEqual(
      [...ids, missing, changed].map((id) => contents.get(id)?.kind),
      ['text', 'binary', 'text', 'binary', 'text', 'missing', 'missing'],
    );
    assert.deepEqual(contents.get(ids[0] ?? ''), { kind: 'text', text: 'b\nmore\n' });
    assert.deepEqual(await readContents(repository, []), new Map());
  });
});
