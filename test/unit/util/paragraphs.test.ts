import assert from 'node:assert/strict';
import { paragraphsOf } from '../../../src/util/paragraphs.ts';

describe('the paragraphs of a text', () => {
  for (const [text, ...expected] of [
    ['one\ntwo\n\n \nthree', 'one\ntwo', 'three'],
    ['\n\none  \n', 'one'],
    ['one', 'one'],
    ['', ...[]],
    ['\n \n', ...[]],
  ] as const) {
    it(`of ${JSON.stringify(text)}`, () => {
      const found = paragraphsOf(text);
      assert.deepEqual(
        found.map((one) => one.text),
        expected,
      );
      assert.ok(found.every((one) => text.startsWith(one.text, one.index)));
    });
  }
});
