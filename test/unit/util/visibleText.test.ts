import assert from 'node:assert/strict';
import { plainText, plainTexts, undisguised, visibleText } from '../../../src/util/visibleText.ts';

describe('visibleText', () => {
  it('keeps what can be seen, in any script', () => {
    for (const text of ['Fix', '修正', '🚀', '—', 'שלום', 'नमस्ते', '👩‍👩‍👧']) {
      assert.equal(visibleText(text), text);
    }
  });

  it('takes blanks and invisible characters for nothing', () => {
    for (const text of [undefined, '', '  \n', '\u200b\u2060', '\u202e\u2066', '\u00a0\u3000']) {
      assert.equal(visibleText(text), undefined);
    }
  });
});

describe('undisguised', () => {
  it('takes out what turns the direction, in a text of any length, and keeps its lines', () => {
    assert.equal(undisguised('a\u202eb\n\tc\u2066\u001b[31m'), 'a b\n\tc  [31m');
    assert.equal(undisguised('x'.repeat(1000)).length, 1000);
  });
});

describe('plainText', () => {
  it('takes out what turns the direction, and what is no text', () => {
    assert.equal(plainText('Fix \u202etxt.exe\u202c'), 'Fix  txt.exe');
    assert.equal(plainText('a\u001b[31mb\nc\u0007'), 'a [31mb c');
    assert.equal(plainText('\u2066left\u2069'), 'left');
    assert.equal(plainText('one\u2028two\u2029three\u0085four\rfive'), 'one two three four five');
  });

  it('does so with every text of a whole', () => {
    const value = { name: 'a\u202eb', list: [{ of: '\u2066c' }, 1, null], is: true };
    assert.deepEqual(plainTexts(value), { name: 'a b', list: [{ of: 'c' }, 1, null], is: true });
  });
});

describe('names of a hundred thousand characters', () => {
  it('become as long as a name is, with an ellipsis', () => {
    for (const long of ['x'.repeat(100_000), '🚀'.repeat(50_000), `a${' '.repeat(99_999)}`]) {
      const shown = visibleText(long) ?? '';
      assert.ok(shown.length <= 300 && shown.endsWith('…') && shown.isWellFormed(), shown.slice(-5));
    }
    assert.equal(plainText('x'.repeat(300)), 'x'.repeat(300));
  });
});
