import assert from 'node:assert/strict';
import { blobName, nameInCommit, readBlob, readBytes } from '../../../src/git/blobs.ts';
import { repositoryAt, type OpenRepository } from '../../../src/git/repository.ts';
import { GitRepository } from '../../support/gitRepository.ts';

const never = new AbortController().signal;

describe('the content of a file by its id', () => {
  let made: GitRepository;
  let repository: OpenRepository;
  let id: string;
  before(() => {
    made = GitRepository.withMain();
    made.commitFile('a.txt', 'größe\n', 'Add a');
    repository = repositoryAt('git', made.directory);
    id = made.git('rev-parse', 'HEAD:a.txt');
  });
  after(() => made.remove());

  it('is read as text and as bytes', async () => {
    assert.equal(await readBlob(repository, id, 1000, never), 'größe\n');
    const bytes = Buffer.from('größe\n');
    assert.deepEqual(await readBytes(repository, id, bytes.length, never), { size: bytes.length, bytes });
    assert.deepEqual(await readBytes(repository, `${made.head()}:a.txt`, 1000, never), {
      size: bytes.length,
      bytes,
    });
  });

  it('is its size alone where it is larger, and nothing where the repository does not have it', async () => {
    const size = Buffer.byteLength('größe\n');
    assert.deepEqual(await readBytes(repository, id, size - 1, never), { size });
    assert.equal(await readBlob(repository, id, 3, never), undefined);
    const missing = 'f'.repeat(40);
    assert.equal(await readBlob(repository, missing, 1000, never), undefined);
    assert.equal(await readBytes(repository, missing, 1000, never), undefined);
  });

  it('is not asked for where there is no id, and other texts do not reach git', async () => {
    const asked: unknown[] = [];
    const noted = { ...repository, git: async (args: readonly string[]) => void asked.push(args) } as never;
    for (const text of [undefined, '', '--all', 'HEAD', '0'.repeat(40), 'f'.repeat(39)]) {
      assert.equal(await readBlob(noted, text, 1000, never), undefined);
    }
    assert.deepEqual(asked, []);
  });

  it('ends with the reason of the signal, and with what is no word of git', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await assert.rejects(readBlob(repository, id, 1000, controller.signal), /enough/);
    const broken = { ...repository, git: async () => Promise.reject(new TypeError('a mistake of ours')) };
    await assert.rejects(readBlob(broken, id, 1000, never), /a mistake of ours/);
  });
});

describe('the name of a file for git', () => {
  const [sha1, sha256] = ['0a'.repeat(20), '0a'.repeat(32)];

  it('is a whole id, and not that of no file', () => {
    assert.equal(blobName(sha1), sha1);
    assert.equal(blobName(sha256), sha256);
    for (const text of [
      undefined,
      '',
      '0'.repeat(40),
      '0'.repeat(64),
      `x${sha1}`,
      `${sha1}x`,
      `${sha1}\n`,
      'g'.repeat(40),
      'g'.repeat(64),
      sha1.slice(1),
      `${sha1}0`,
      '-a',
    ]) {
      assert.equal(blobName(text), undefined, text);
    }
    // Zeros at its beginning or end do not make it that of no file.
    assert.equal(blobName(`1${'0'.repeat(39)}`), `1${'0'.repeat(39)}`);
    assert.equal(blobName(`${'0'.repeat(39)}1`), `${'0'.repeat(39)}1`);
  });

  it('is a path in a commit, or before it', () => {
    assert.equal(nameInCommit('0a1b2c3', 'src/a.ts'), '0a1b2c3:src/a.ts');
    assert.equal(nameInCommit(sha256, 'a', 'after'), `${sha256}:a`);
    assert.equal(nameInCommit(sha1, 'a', 'before'), `${sha1}^:a`);
    for (const text of [undefined, '', 'HEAD', '0a1b2c', `x${sha1}`, `${sha1}x`, `-${sha1}`, `${sha256}0`]) {
      assert.equal(nameInCommit(text, 'a'), undefined, text);
    }
    assert.equal(nameInCommit(sha1, undefined), undefined);
  });
});
