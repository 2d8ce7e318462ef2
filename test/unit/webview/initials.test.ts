import assert from 'node:assert/strict';
import { initials } from '../../../src/webview/common/initials.ts';

describe('initials', () => {
  for (const [name, expected] of [
    ['Ada Löwe', 'AL'],
    ['ada', 'A'],
    ['Ada King Noel', 'AN'],
    ['ada.lovelace', 'AL'],
    ['  ø  ', 'Ø'],
    ['日本 太郎', '日太'],
    ['👩‍🚀 Ada', '👩‍🚀A'],
    ['', ''],
    ['- _', ''],
  ] as const) {
    it(`of “${name}” are “${expected}”`, () => {
      assert.equal(initials(name), expected);
    });
  }
});
