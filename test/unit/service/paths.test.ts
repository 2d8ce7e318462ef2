import assert from 'node:assert/strict';
import { RepositoryDecoder } from '../../../src/service/git/encodings.ts';
import { decodePath, readablePath } from '../../../src/service/git/paths.ts';
import { parseRemote } from '../../../src/service/git/repository.ts';
import { stackTitle } from '../../../src/service/git/importer.ts';

describe('paths of files', () => {
  it('are text where they are UTF-8', () => {
    assert.equal(decodePath(Buffer.from('src/ä b\n日本.ts')), 'src/ä b\n日本.ts');
  });

  it('are quoted as git does where they are not, each differently', () => {
    assert.equal(decodePath(Buffer.from('caf\xe9.txt', 'latin1')), '"caf\\351.txt"');
    assert.equal(decodePath(Buffer.from('a\\\t"\xff', 'latin1')), '"a\\\\\\t\\"\\377"');
  });

  it('are never mistaken for a quoted one', () => {
    assert.equal(decodePath(Buffer.from('"caf\\351.txt"')), '"\\"caf\\\\351.txt\\""');
  });
});

describe('paths as people read them', () => {
  // "設定表.txt" in Shift-JIS, of which one byte is a backslash in ASCII, and "é" in Latin-1.
  const japanese = Buffer.from([0x90, 0xdd, 0x92, 0xe8, 0x95, 0x5c, 0x2e, 0x74, 0x78, 0x74]);

  it('are in the encoding that was declared, or else in that of the other texts', () => {
    assert.equal(readablePath(japanese, new RepositoryDecoder(() => 'Shift_JIS')), '設定表.txt');
    const decoder = new RepositoryDecoder();
    decoder.decode(Buffer.from('82b182f182c982bf82cd90a28a4581420a'.repeat(20), 'hex'));
    assert.equal(readablePath(japanese, decoder), '設定表.txt');
    assert.equal(readablePath(Buffer.from('caf\xe9.txt', 'latin1'), new RepositoryDecoder()), 'café.txt');
  });

  it('are those of git where they are UTF-8, or no name in any encoding', () => {
    const decoder = new RepositoryDecoder(() => 'Shift_JIS');
    assert.equal(readablePath(Buffer.from('größer.txt'), decoder), 'größer.txt');
    assert.equal(readablePath(Buffer.from('a\n\xe9', 'latin1'), decoder), '"a\\n\\351"');
  });
});

describe('addresses of remotes', () => {
  const cases: [string, { owner: string; slug: string } | undefined][] = [
    ['git@github.com:acme/tool.git', { owner: 'acme', slug: 'tool' }],
    ['https://example.com/acme/tool.git/', { owner: 'acme', slug: 'tool' }],
    ['https://user:secret@example.com/group/sub/tool', { owner: 'sub', slug: 'tool' }],
    ['ssh://git@example.com:22/acme/tool', { owner: 'acme', slug: 'tool' }],
    ['https://example.com/tool', undefined],
    ['/home/ada/tool.git', undefined],
    ['../tool', undefined],
    [String.raw`C:\tools\tool`, undefined],
    ['file:///srv/git/tool.git', undefined],
  ];
  for (const [url, expected] of cases) {
    it(`gives owner and slug of ${url}`, () => assert.deepEqual(parseRemote(url), expected));
  }
});

describe('titles of stacks', () => {
  it('are the title of the only commit', () => {
    assert.equal(stackTitle('feature/x', [{ title: 'Add x' }]), 'Add x');
  });

  it('are the branch as somebody wrote it where there are more commits, or one without a title', () => {
    const several = [{ title: 'a' }, { title: 'b' }];
    for (const branch of ['feature/add-login_page', 'topic/latest', 'greet/größer', 'a/---', 'wip']) {
      assert.equal(stackTitle(branch, several), branch);
      assert.equal(stackTitle(branch, [{ title: '' }]), branch);
    }
  });
});
