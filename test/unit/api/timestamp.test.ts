import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseTimestamp } from '../../../src/api/timestamp.ts';

describe('parseTimestamp', () => {
  const time = Date.UTC(2026, 1, 3, 4, 5, 6);
  const same: (string | number)[] = [
    '2026-02-03T04:05:06Z',
    '2026-02-03 04:05:06 UTC',
    '2026-02-03T04:05:06',
    '2026-02-03t04:05:06.000z',
    '2026-02-03T06:05:06+02:00',
    '2026-02-03T06:05:06+0200',
    '2026-02-03 06:05:06 +02',
    '2026-02-03T04:05:06,000Z',
    time,
    String(time),
    time / 1000,
    String(time / 1000),
  ];
  for (const value of same) {
    it(`reads ${JSON.stringify(value)}`, () => assert.equal(parseTimestamp(value)?.getTime(), time));
  }

  it('reads a day, and fractions of a second', () => {
    assert.equal(parseTimestamp('2026-02-03')?.toISOString(), '2026-02-03T00:00:00.000Z');
    assert.equal(parseTimestamp('2026-02-03T04:05:06.123456Z')?.getTime(), time + 123);
    assert.equal(parseTimestamp(time / 1000 + 0.5)?.getTime(), time + 500);
  });

  for (const value of [
    undefined,
    '',
    'yesterday',
    '2026',
    '2026-13-45',
    '2026-02-03T99:00:00Z',
    'March 7',
    '1e400',
    'NaN',
  ]) {
    it(`leaves ${JSON.stringify(value)} as it came`, () => {
      // A bare year is a number, and so an epoch: services do not write bare years.
      const expected = value === '2026' ? 2_026_000 : undefined;
      assert.equal(parseTimestamp(value)?.getTime(), expected);
    });
  }

  it('reads back every date it is given, and never throws', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('5000-01-01'), noInvalidDate: true }), (date) => {
        assert.equal(parseTimestamp(date.toISOString())?.getTime(), date.getTime());
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void parseTimestamp(text)));
  });
});
