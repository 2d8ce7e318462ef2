import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RecentLines } from '../../../src/util/recentLines.ts';

describe('recent lines', () => {
  it('are the last ones that fit, whole and in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 12 })),
        fc.integer({ min: 20, max: 60 }),
        (lines, limit) => {
          const recent = new RecentLines(limit);
          for (const line of lines) {
            recent.add(line);
          }
          const all = lines.map((line) => `${line}\n`).join('');
          const kept = recent.text();
          assert.ok(kept.length <= limit);
          assert.ok(all.endsWith(kept));
          // One more line would not have fitted.
          const next = lines.at(-1 - (kept === '' ? 0 : kept.split('\n').length - 1));
          if (kept.length < all.length && next !== undefined && !next.includes('\n')) {
            assert.ok(kept.includes('\n'));
          }
        },
      ),
    );
  });

  it('have a long one cut', () => {
    const recent = new RecentLines(10);
    recent.add('x'.repeat(50));
    assert.equal(recent.text(), `${'x'.repeat(9)}\n`);
    recent.add('yy');
    assert.equal(recent.text(), 'yy\n');
  });
});
