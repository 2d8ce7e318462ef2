import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ageChangesAt, readableAge } from '../../../src/util/age.ts';

const now = new Date('2026-11-21T12:00:00Z');
const age = (text: string, language = 'en'): string => readableAge(new Date(text), language, now);

describe('ages', () => {
  it('are told in the largest unit that fits', () => {
    assert.equal(age('2026-11-21T11:59:30Z'), 'this minute');
    assert.equal(age('2026-11-21T11:58:00Z'), '2 minutes ago');
    assert.equal(age('2026-11-21T09:01:00Z'), '2 hours ago');
    assert.equal(age('2026-11-20T11:00:00Z'), 'yesterday');
    assert.equal(age('2026-11-18T11:00:00Z'), '3 days ago');
    assert.equal(age('2026-11-07T11:00:00Z'), '2 weeks ago');
    assert.equal(age('2026-08-21T11:00:00Z'), '3 months ago');
    assert.equal(age('2024-11-01T11:00:00Z'), '2 years ago');
  });

  it('may lie ahead, where clocks differ', () => {
    assert.equal(age('2026-11-21T12:05:00Z'), 'in 5 minutes');
  });

  it('are told in the language of the window', () => {
    assert.equal(age('2026-11-18T11:00:00Z', 'de'), 'vor 3 Tagen');
  });

  it('are other ones from the moment that is told, and the same until then', () => {
    const years = 3 * 365 * 86_400_000;
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: -7_200_000, max: 7_200_000 }), fc.integer({ min: -years, max: years })),
        (ago) => {
          const date = new Date(now.getTime() - ago);
          const changes = ageChangesAt(date, now);
          const said = readableAge(date, 'en', now);
          assert.ok(changes > now.getTime());
          assert.equal(readableAge(date, 'en', new Date(changes - 1)), said);
          assert.notEqual(readableAge(date, 'en', new Date(changes)), said);
        },
      ),
    );
  });
});
