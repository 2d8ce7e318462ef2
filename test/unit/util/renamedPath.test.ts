import assert from 'node:assert/strict';
import fc from 'fast-check';
import { renamedPath } from '../../../src/util/renamedPath.ts';

describe('a renamed path', () => {
  const shown = (oldPath: string, path: string): string | undefined => {
    const parts = renamedPath(oldPath, path);
    return parts && `${parts.before}{${parts.from} → ${parts.to}}${parts.after}`;
  };

  for (const [oldPath, path, expected] of [
    ['src/utils/concurrent.ts', 'src/utils/pool.ts', 'src/utils/{concurrent → pool}.ts'],
    ['src/a/index.ts', 'src/b/index.ts', 'src/{a → b}/index.ts'],
    ['a/index.ts', 'b/index.ts', '{a → b}/index.ts'],
    ['src/poolside.ts', 'src/pool.ts', 'src/{poolside → pool}.ts'],
    ['src/pool.test.ts', 'src/queue.test.ts', 'src/{pool → queue}.test.ts'],
    ['src/readme', 'src/notes', 'src/{readme → notes}'],
    ['src/pool.js', 'src/pool.ts', 'src/{pool.js → pool.ts}'],
    ['src/v1.2/a.ts', 'src/v2.2/a.ts', 'src/{v1.2 → v2.2}/a.ts'],
    ['src/old/pool.ts', 'src/pool.ts', 'src/{old/pool → pool}.ts'],
    // Nothing would stand between the braces.
    ['src/.env', 'src/a.env', undefined],
    // Too little in common.
    ['concurrent.ts', 'pool.ts', undefined],
    ['a/one.ts', 'b/two.js', undefined],
  ] as const) {
    it(`${oldPath} to ${path} is ${expected ?? 'said as a whole'}`, () => {
      assert.equal(shown(oldPath, path), expected);
    });
  }

  it('can always be put together again, and cuts no name', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(name, name, (oldPath, path) => {
        const parts = renamedPath(oldPath, path);
        if (parts) {
          const { before, from, to, after } = parts;
          assert.deepEqual([before + from + after, before + to + after], [oldPath, path]);
          assert.ok(before === '' || before.endsWith('/'));
          assert.match(after, /^$|^[./]/);
          assert.ok(from !== '' && to !== '');
        }
      }),
    );
  });
});
