import assert from 'node:assert/strict';
import { Follower, followLines } from '../../../../src/model/prose/followLines.ts';
import { Random } from '../../../support/random.ts';

const lines = (text: string): (string | undefined)[] =>
  Array.from({ length: text.length }, (_, at) => text.charAt(at)).map((one) =>
    one === '?' ? undefined : one,
  );
/** Follows the line that is marked by a star behind it; the answer is the newer text with the star. */
const follow = (older: string, newer: string): string => {
  const line = older.indexOf('*');
  const found = followLines(lines(older.replace('*', '')), lines(newer), { start: line, end: line });
  return found ? `${newer.slice(0, found.end)}*${newer.slice(found.end)}` : 'lost';
};

describe('a line in a newer version of its file', () => {
  for (const [older, newer, expected, why] of [
    ['abc*d', 'xxabcd', 'xxabc*d', 'lines came above'],
    ['abc*d', 'dabc', 'dabc*', 'others were moved'],
    ['abc*d', 'cabd', 'c*abd', 'it was moved itself'],
    ['abc*d', 'abd', 'lost', 'it was removed'],
    ['abc*d', 'abxd', 'abx*d', 'it was changed where it stands'],
    ['abc*d', 'abxyd', 'lost', 'nobody knows which of two it became'],
    ['abc*d', 'abccd', 'lost', 'it is there twice'],
    ['a}b}*c', 'a}xb}c', 'a}xb}*c', 'the lines around it are the same'],
    ['a}b}*c', 'ab}c', 'ab}*c', 'another like it was removed'],
    ['ab}*c', 'ab}}c', 'lost', 'another like it came next to it'],
    ['ab}*', 'ab}x}', 'lost', 'another like it came at the end'],
    ['ab}*}c', 'ab}}}c', 'lost', 'another like it came, and nobody knows where'],
    ['ab}*xcd}e', 'ab}e', 'lost', 'it could be either of two'],
    ['q{}*cd{', 'x}cdq!{}{', 'lost', 'it may have gone with the line above'],
    ['}*', '}', '}*', 'nothing else is there'],
    ['abc*', '', 'lost', 'the file is empty'],
    ['axyxy*b', 'axyb', 'lost', 'it could be either of two that were next to each other'],
    ['cxy*b', 'xyaxyb', 'xyaxy*b', 'its other neighbor is gone, and a copy has neither'],
    ['by*xc', 'byxayx', 'by*xayx', 'the same, the other way round'],
    ['ax*bc', 'aybcx', 'lost', 'it was moved, or else changed after it was copied'],
    ['ax*by', 'ayb', 'lost', 'another one was moved to where it stood'],
    ['?ab*?', '?xab?', '?xab*?', 'nobody knows what was below it'],
    ['?a*?', '?xa?', 'lost', 'nobody knows what was around it'],
    ['?ab*c?', '?abx?', 'lost', 'it may be another one in a part that nobody knows'],
    ['?bc*d?', '???xbcd?', '???xbc*d?', 'only a part of the file is known'],
    ['??*??', 'abcde', 'lost', 'nobody knows what it was'],
  ] as const) {
    it(`is ${expected} of ${newer} when it was ${older}: ${why}`, () => {
      assert.equal(follow(older, newer), expected);
    });
  }

  it('is the same from the first to the last of several, and lost when one of them is', () => {
    assert.deepEqual(followLines(lines('abcd'), lines('xabycd'), { start: 2, end: 3 }), { start: 3, end: 5 });
    assert.equal(followLines(lines('abcd'), lines('cabd'), { start: 2, end: 3 }), undefined);
    assert.equal(followLines(lines('abcd'), lines('abd'), { start: 2, end: 3 }), undefined);
    assert.equal(followLines(lines('ab'), lines('ab'), { start: 2, end: 3 }), undefined);
    assert.equal(followLines(lines('ab'), lines('ab'), { start: 0, end: 1 }), undefined);
  });

  it('is the same with other blanks at its beginning and its end', () => {
    const older = ['open();', 'if (a) {', '  one();', '}', 'close();'];
    const newer = ['open();\r', 'try {', '\tif (a) {', '\t\tone();', '\t}', '} catch {}', 'close();\r'];
    const follower = new Follower(older, newer);
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((line) => follower.follow(line)),
      [0, 2, 3, 4, 6],
    );
  });

  it('is told by one that both have once, however far away, and lost among too many that are alike', () => {
    const followed = (count: number): (number | undefined)[] => {
      const brackets = Array.from({ length: count }, () => '}');
      const follower = new Follower(['name', ...brackets], ['first', 'name', ...brackets]);
      return [-1, 0, 1, count / 2, count, count + 1].map((line) => follower.follow(line));
    };
    assert.deepEqual(followed(400), [undefined, 1, 2, 201, 401, undefined]);
    assert.deepEqual(followed(4_000), [undefined, 1, undefined, undefined, undefined, undefined]);
  });

  const block = Array.from({ length: 300 }, (_, number) => `call(${number});`);
  const whole = ['one();', ...block, 'two();', 'three();'];
  for (const [name, newer] of [
    ['below it', ['one();', ...block, ...block, 'two();', 'three();']],
    [
      'in its place, and its first line was changed',
      ['one();', 'other();', ...block, ...block.slice(1), 'two();'],
    ],
    ['behind the end, and it was changed', [...whole.with(150, 'other();'), ...block]],
  ] as const) {
    it(`is lost where its block was written again ${name}`, () => {
      const follower = new Follower(whole, newer);
      assert.equal(follower.follow(150), undefined);
    });
  }

  it('is not one that was written anew where it could be one of two, or one of which only a side is known', () => {
    const known = ['a();', '}', 'b();'];
    assert.equal(follow('c}*ad', 'c}b}ed'), 'lost');
    assert.equal(follow('ab?*c', 'abd?c'), 'lost');
    assert.deepEqual(
      [0, 1, 2].map((line) => new Follower([undefined, ...known], [undefined, ...known]).follow(line + 1)),
      [1, 2, 3],
    );
  });

  it('is found after 1,000 random edits, and never another one', () => {
    const random = new Random(25);
    const below = (count: number): number => random.below(count);
    let number = 0;
    /** A line of a program: some are everywhere. */
    const written = (): { text: string } => {
      const kind = below(20);
      number += 1;
      return {
        text:
          kind < 3
            ? '}'
            : kind < 5
              ? ''
              : kind === 5
                ? '  return;'
                : `  const name${number} = compute(${below(50)});`,
      };
    };
    let [followed, there, wrong] = [0, 0, 0];
    for (let round = 0; round < 1_000; round++) {
      const older = Array.from({ length: 40 + below(200) }, written);
      const newer = [...older];
      for (let edit = 0; edit < 1 + below(4); edit++) {
        const at = below(newer.length);
        switch (below(4)) {
          case 0:
            newer.splice(at, 0, ...Array.from({ length: 1 + below(8) }, written));
            break;
          case 1:
            newer.splice(at, 1 + below(4));
            break;
          case 2:
            newer[at] = Object.assign(Object.create({ was: newer[at] }) as object, written());
            break;
          default: {
            const moved = newer.splice(at, 2 + below(8));
            newer.splice(below(newer.length), 0, ...moved);
          }
        }
      }
      const origin = (line: object): object => ('was' in line ? origin(line.was as object) : line);
      const follower = new Follower(
        older.map(({ text }) => text),
        newer.map(({ text }) => text),
      );
      const line = below(older.length);
      const place = follower.follow(line);
      const truth = newer.findIndex((one) => origin(one) === older[line]);
      there += truth >= 0 ? 1 : 0;
      followed += place !== undefined && place === truth ? 1 : 0;
      // Nobody could tell a line that was removed from another that says the same in its place.
      const isAnother = truth >= 0 || newer[place ?? -1]?.text !== older[line]?.text;
      wrong += place !== undefined && place !== truth && isAnother ? 1 : 0;
    }
    assert.deepEqual(
      { wrong, share: followed / there >= 0.97 },
      { wrong: 0, share: true },
      `${followed} of ${there}, ${wrong} wrong`,
    );
  });
});
