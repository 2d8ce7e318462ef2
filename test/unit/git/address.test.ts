import assert from 'node:assert/strict';
import { parseProjectName, parseRemote, issuesOf, webPageOf } from '../../../src/git/address.ts';

describe('the name of a project', () => {
  const expected = { owner: 'ada', slug: 'engine' };

  it('is read as typed, and out of addresses', () => {
    for (const text of [
      'ada/engine',
      '  ada/engine ',
      'https://patches.example.com/ada/engine',
      'https://patches.example.com/ada/engine/reviews/12?tab=files#top',
      'https://git.example.com/ada/engine.git',
      'ssh://git@git.example.com:22/ada/engine.git',
      'git@git.example.com:ada/engine.git',
    ]) {
      assert.deepEqual(parseProjectName(text), expected, text);
    }
  });

  it('is decoded where it stands in an address, and only there', () => {
    assert.deepEqual(parseProjectName('https://example.com/ada/gr%C3%B6%C3%9Fe'), {
      owner: 'ada',
      slug: 'größe',
    });
    assert.deepEqual(parseProjectName('ada/50%25'), { owner: 'ada', slug: '50%25' });
  });

  it('is not read out of anything else', () => {
    for (const text of [
      '',
      'ada',
      'ada/',
      '/engine',
      'a/b/c',
      'https://example.com/ada',
      'https://[',
      'x://y/%zz/a',
      'two words/engine',
      'see https://example.com/ada/engine',
      'ada/engine git@example.com:ada/engine',
    ]) {
      assert.equal(parseProjectName(text), undefined, text);
    }
  });
});

describe('the address of a remote', () => {
  for (const [url, name] of [
    ['https://example.com/ada/engine.git', 'ada/engine'],
    ['https://ada:secret@example.com/ada/engine', 'ada/engine'],
    ['ssh://git@example.com:2222/scm/ada/engine.git/', 'ada/engine'],
    ['git@example.com:ada/engine.git', 'ada/engine'],
    ['git@example.com:group/ada/engine', 'ada/engine'],
    ['example.com:ada/engine.git', 'ada/engine'],
    ['/home/ada/engine', undefined],
    ['../engine', undefined],
    ['file:///home/ada/engine.git', undefined],
    ['C:\\work\\engine', undefined],
    ['C:/code/engine', undefined],
    ['https://example.com/engine.git', undefined],
    ['', undefined],
    ['FILE:///home/ada/engine', undefined],
    ['/home/git@example.com:ada/engine', undefined],
    ['c:\\work\\file:engine', undefined],
    ['git@example.com:ada/engine.github', 'ada/engine.github'],
    ['git@example.com:ada/file:/engine', 'file:/engine'],
    [' git@example.com:ada/engine ', 'ada/engine'],
    ['https://example.com/%zz/engine', undefined],
    ['git@example.com:engine', undefined],
  ] as const) {
    it(`“${url}” is ${name ?? 'no project'}`, () => {
      const parsed = parseRemote(url);
      assert.equal(parsed && `${parsed.owner}/${parsed.slug}`, name);
    });
  }
});

describe('the page of a repository in the web', () => {
  for (const [remote, expected] of [
    ['git@github.com:ada/engine.git', 'https://github.com/ada/engine'],
    [
      'https://user:secret@gitlab.example.org/group/sub/engine.git/',
      'https://gitlab.example.org/group/sub/engine',
    ],
    ['ssh://git@codeberg.org:2222/ada/engine', 'https://codeberg.org/ada/engine'],
    ['/srv/git/engine.git', undefined],
    ['file:///srv/engine', undefined],
    ['https://localhost/ada/engine', undefined],
    ['http://127.0.0.1:3000/ada/engine', undefined],
    ['javascript:alert.org/a/b', undefined],
    ['example.com:ada/engine.git', 'https://example.com/ada/engine'],
    ['git@git.example.co.uk:ada/engine', 'https://git.example.co.uk/ada/engine'],
    ['http://example.com/ada/engine', 'https://example.com/ada/engine'],
    ['git://example.com/ada/engine/', 'https://example.com/ada/engine'],
    ['git+https://example.com/ada/engine', undefined],
    ['httpsx://example.com/ada/engine', undefined],
    ['https://example.c0/ada/engine', undefined],
    ['https://example.com/engine', undefined],
    ['https://[::1]/ada/engine', undefined],
    ['git@localhost:ada/engine', undefined],
    ['see git@example.com:ada/engine', undefined],
    ['', undefined],
  ] as const) {
    it(`of ${remote} is ${expected}`, () => assert.equal(webPageOf(remote), expected));
  }
});

describe('the issues of a repository', () => {
  for (const [expected, ...remotes] of [
    ['https://github.com/ada/engine/issues/', 'git@github.com:ada/engine.git'],
    ['https://gitlab.com/ada/parts/engine/-/issues/', 'https://gitlab.com/ada/parts/engine.git'],
    ['https://codeberg.org/ada/engine/issues/', 'ssh://git@codeberg.org/ada/engine', ''],
    ['https://gitea.com/ada/engine/issues/', '/srv/engine.git', 'https://gitea.com/ada/engine'],
    [
      'https://github.com/ada/engine/issues/',
      'git@github.com:ada/engine',
      'https://github.com/ada/engine.git',
    ],
    [undefined, 'git@github.com:emmy/engine', 'git@github.com:ada/engine'],
    [undefined, 'git@git.example.org:ada/engine'],
    [undefined, 'https://github.com.example.org/ada/engine'],
    [undefined, 'https://constructor.org/ada/engine'],
    [undefined, '/srv/engine.git'],
    [undefined],
  ] as [string | undefined, ...string[]][]) {
    it(`are at ${expected ?? 'no address'} for ${remotes.join(' and ')}`, () =>
      assert.equal(issuesOf(remotes), expected));
  }
});
