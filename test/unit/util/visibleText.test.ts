import assert from 'node:assert/strict';
import { visibleText } from '../../../src/util/visibleText.ts';

describe('visibleText', () => {
  it('keeps what can be seen, in any script', () => {
    for (const text of ['Fix', ' 修正 ', '🚀', '—', '\u202eabc']) {
      assert.equal(visibleText(text), text);
    }
  });

  it('takes blanks and invisible characters for nothing', () => {
    for (const text of [undefined, '', '  \n', '\u200b\u2060', '\u202e\u2066', '\u00a0\u3000']) {
      assert.equal(visibleText(text), undefined);
    }
  });
});
