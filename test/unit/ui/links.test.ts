import assert from 'node:assert/strict';
import fc from 'fast-check';
import { makeLink, readLink } from '../../../src/ui/links.ts';
import type { Ref } from '../../../src/util/patchRef.ts';

function read(link: string) {
  const url = new URL(link);
  // As VS Code hands it out.
  return readLink({ path: url.pathname, query: decodeURIComponent(url.search.slice(1)) });
}

const open = 'vscode://patch-stacks.patch-stacks/open';

describe('deep links', () => {
  it('are of the form that is agreed', () => {
    const target = {
      serverUrl: 'https://stacks.example/api',
      stackUuid: 'u-1',
      changeId: 'c/2',
      sectionCode: 's 3',
    };
    assert.equal(
      makeLink(target, 'vscode'),
      `${open}?server=https%3A%2F%2Fstacks.example%2Fapi&stack=u-1&patch=c%2F2&section=s%203`,
    );
    assert.deepEqual(read(`${open}?server=https://stacks.example&stack=u-1&patch=c/2&section=s%203`), target);
  });

  it('point at what they were made for, whatever is in the ids', () => {
    const id = fc
      .string({ minLength: 1, maxLength: 40 })
      .filter((text) => /^[^\p{Cc}\p{Cs}]+$/u.test(text) && text.trim() !== '' && !/&\w+=/.test(text));
    fc.assert(
      fc.property(
        id,
        id,
        id,
        id,
        fc.integer({ min: 1, max: 4 }),
        (projectId, stackUuid, changeId, sectionCode, depth) => {
          const whole = Object.entries({ projectId, stackUuid, changeId, sectionCode }).slice(0, depth);
          const target = {
            serverUrl: 'http://127.0.0.1:8080/api',
            ...Object.fromEntries(whole),
          } as Ref;
          assert.deepEqual(read(makeLink(target, 'vscode')), target);
        },
      ),
    );
  });

  it('point at a line of a section, on either side', () => {
    const section = { serverUrl: 'https://x.example/api', stackUuid: 'u', changeId: 'c', sectionCode: 's' };
    fc.assert(
      fc.property(fc.constantFrom('old', 'new'), fc.integer({ min: 1 }), (side, line) => {
        const target: Ref = { ...section, line: { side, line } };
        assert.deepEqual(read(makeLink(target, 'vscode')), target);
      }),
    );
    assert.match(makeLink({ ...section, line: { side: 'new', line: 12 } }, 'vscode'), /&section=s&line=12$/);
    assert.match(
      makeLink({ ...section, line: { side: 'old', line: 12 } }, 'vscode'),
      /&section=s&line=12&side=old$/,
    );
  });

  it('are refused for a reason when they are malformed', () => {
    for (const [query, kind] of [
      ['', 'server'],
      ['stack=1', 'server'],
      ['server=&stack=1', 'parameter'],
      ['server=javascript:alert(1)&stack=1', 'server'],
      ['server=https://ada:secret@x.example&stack=1', 'server'],
      ['server=https://x.example', 'target'],
      ['server=https://x.example&patch=1', 'incomplete'],
      ['server=https://x.example&project=1&patch=1', 'incomplete'],
      ['server=https://x.example&stack=1&section=1', 'incomplete'],
      ['server=https://x.example&stack=1&stack=2', 'parameter'],
      ['server=https://x.example&stack=%20', 'parameter'],
      ['server=https://x.example&stack=a%0Ab', 'parameter'],
      ['server=https://x.example&stack=1&patch=1&line=3', 'incomplete'],
      ['server=https://x.example&stack=1&patch=1&section=1&side=old', 'parameter'],
      ['server=https://x.example&stack=1&patch=1&section=1&line=3&side=left', 'parameter'],
      ['server=https://x.example&stack=1&patch=1&section=1&line=0', 'parameter'],
      ['server=https://x.example&stack=1&patch=1&section=1&line=1e3', 'parameter'],
      ['server=https://x.example&stack=1&patch=1&section=1&line=99999999999999999999', 'parameter'],
      [`server=https://x.example&stack=${'x'.repeat(501)}`, 'parameter'],
    ] as const) {
      const result = readLink({ path: '/open', query: decodeURIComponent(query) });
      assert.ok('kind' in result, query);
      assert.equal(result.kind, kind, query);
    }
    assert.deepEqual(readLink({ path: '/close', query: 'server=https://x.example&stack=1' }), {
      kind: 'path',
    });
  });

  it('never make the reader fail', () => {
    fc.assert(fc.property(fc.string(), (query) => void readLink({ path: '/open', query })));
  });
});
