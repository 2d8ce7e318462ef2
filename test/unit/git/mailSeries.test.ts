import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { hasCommits, mailSeries } from '../../../src/git/mailSeries.ts';
import { repositoryAt } from '../../../src/git/repository.ts';
import { GitRepository, grace } from '../../support/gitRepository.ts';

describe('commits as mails', () => {
  let repository: GitRepository;

  beforeEach(() => {
    repository = GitRepository.withMain();
    repository.branch('topic');
  });

  afterEach(() => repository.remove());

  const shas = (): string[] => repository.git('rev-list', '--reverse', 'main..topic').split('\n');
  const inRepository = () => repositoryAt('git', repository.directory);
  const series = (notes: string) =>
    mailSeries(
      inRepository(),
      shas().map((sha) => ({ sha, notes })),
      tmpdir(),
    );

  /** The contents, the author, and the message of each commit. */
  const told = (range: string): string[] =>
    repository
      .git('log', '--reverse', '--format=%T %an %ae %at%n%B%x00', range)
      .split('\0')
      .map((commit) => commit.trim());

  it('make the same commits again, whatever is in them and is said beside them', async () => {
    repository.write('umläut.txt', Buffer.from([0xff, 0xfe, 0x0d, 0x0a, 0x80]));
    repository.write('new\n---\ndiff --git a/x b/\u202ey', 'a\n');
    repository.write('latin1.txt', Buffer.from('gr\xfc\xdfe\n', 'latin1'));
    repository.commit('Grüße\n\nFrom here on:\n\n  a/b\n\nChange-Id: I1');
    repository.git('mv', 'README.md', 'READ ME.md');
    repository.write('image.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 0]));
    repository.commit('Move it \u202e', grace);
    repository.write('crlf.txt', 'one\r\ntwo\r\nno end');
    repository.commit('Add lines that end otherwise');

    const notes = [
      'From ada Mon Sep 17 00:00:00 2001',
      '---',
      'diff --git a/evil b/evil',
      '--- a/README.md',
      '+++ b/README.md',
      '@@ -1 +1 @@',
      '-# Example',
      '+gone',
      '\r',
      'Subject: another',
    ].join('\n');
    const mails = Buffer.from(await series(notes));
    assert.match(
      mails.toString('latin1'),
      /^Subject: \[PATCH 2\/3\] =\?UTF-8\?q\?Move=20it=20=E2=80=AE\?=$/m,
    );
    assert.match(mails.toString('latin1'), /^> \+gone$/m);
    assert.deepEqual(Buffer.from(await series(notes)), mails);

    repository.git('branch', 'again', 'main');
    repository.git('switch', '--quiet', 'again');
    repository.gitWithInput(mails, 'am', '--keep-cr', '--quiet');
    assert.deepEqual(told('main..again'), told('main..topic'));
  });

  it('are refused where git would make another commit of one, because of its message', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('mails-'));
    const misread = [
      'Add it\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a',
      'Add it\n\n--- a line of dashes',
      'Add it\n\n---\nmore',
      'Add it\n\nIndex: of all',
      'Add it\n\nFrom: Somebody Else <else@example.com>\n\nmore',
      'Add it\n\nFrom ada@example.com Mon Sep 17 00:00:00 2001\nmore',
    ];
    for (const [index, message] of misread.entries()) {
      repository.write('a.txt', `${index}\n`);
      repository.commit(message);
      await assert.rejects(series(''), { name: 'MisreadMailError', index: 0 }, message);
      repository.git('reset', '--quiet', '--hard', 'main');
    }
    for (const message of [
      'Add it\n\nFrom here on.\n\n  diff --git a/a',
      'Add\nit all\n\n-- \nme',
      'Füge [PATCH] an',
    ]) {
      repository.write('a.txt', 'a\n');
      repository.commit(message);
      assert.ok((await series('')).length > 0);
      repository.git('reset', '--quiet', '--hard', 'main');
    }
    assert.deepEqual(
      readdirSync(tmpdir()).filter((name) => name.startsWith('mails-')),
      before,
    );
  });

  it('are the same whatever the repository wants mails to be like', async () => {
    repository.write('a.txt', 'a\n');
    repository.commit('Add a', grace);
    repository.git('notes', 'add', '-m', 'Not for everybody.', 'topic');
    const before = Buffer.from(await series('A note.')).toString('latin1');
    for (const [name, value] of [
      ['format.signOff', 'true'],
      ['format.subjectPrefix', 'OTHER'],
      ['format.headers', 'X-Evil: 1\n'],
      ['format.attach', 'mixed'],
      ['format.from', 'true'],
      ['format.to', 'a@b.c'],
      ['format.cc', 'a@b.c'],
      ['format.signature', 'me'],
      ['format.numbered', 'true'],
      ['format.thread', 'deep'],
      ['format.notes', 'true'],
      ['diff.noprefix', 'true'],
      ['diff.mnemonicPrefix', 'true'],
      ['diff.algorithm', 'patience'],
      ['diff.renames', 'false'],
      ['diff.external', 'false'],
      ['core.abbrev', '40'],
    ]) {
      repository.git('config', name!, value!);
    }
    assert.equal(Buffer.from(await series('A note.')).toString('latin1'), before);
  });

  it('are only those that the repository has', async () => {
    repository.write('a.txt', 'a\n');
    repository.commit('Add a');
    const [sha = ''] = shas();
    assert.equal(await hasCommits(inRepository(), [sha]), true);
    assert.equal(await hasCommits(inRepository(), [sha, '0'.repeat(40)]), false);
    const tree = repository.git('rev-parse', 'topic^{tree}');
    assert.equal(await hasCommits(inRepository(), [tree]), false);
  });
});
