/** Going from change to change in the lines of a diff. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Line } from '../../../src/webview/patchDocument/diff/arrange.ts';
import { changeFrom } from '../../../src/webview/patchDocument/steps.ts';

/** Lines from a word: a letter for each. */
function linesOf(word: string): Line[] {
  let [oldLine, newLine] = [1, 1];
  return Array.from(word).map((letter): Line => {
    switch (letter) {
      case '+':
        return { type: 'add', newLine: newLine++, text: '' };
      case '-':
        return { type: 'delete', oldLine: oldLine++, text: '' };
      case 'g':
        return { type: 'gap', id: 0, oldLine, newLine, count: 4, known: false, heading: '' };
      case 'n':
        return { type: 'note', text: '' };
      default:
        return { type: 'context', oldLine: oldLine++, newLine: newLine++, text: '' };
    }
  });
}

/** The index of the line to which one goes. */
function goFrom(word: string, index: number, direction: 'next' | 'previous'): number | undefined {
  const lines = linesOf(word);
  const found = changeFrom(lines, index, direction);
  const at = lines.findIndex(
    (line) =>
      (line.type === 'add' || line.type === 'delete') &&
      found !== undefined &&
      (found.side === 'new' ? line.newLine : line.oldLine) === found.line,
  );
  return found && at;
}

describe('going from change to change', () => {
  it('leads to where each begins, whatever it begins with', () => {
    const word = '..-++.g+.--';
    assert.equal(goFrom(word, -1, 'next'), 2);
    assert.equal(goFrom(word, 2, 'next'), 7);
    assert.equal(goFrom(word, 4, 'next'), 7);
    assert.equal(goFrom(word, 7, 'next'), 9);
    assert.equal(goFrom(word, 9, 'next'), undefined);
    assert.equal(goFrom(word, 11, 'previous'), 9);
    assert.equal(goFrom(word, 9, 'previous'), 7);
    assert.equal(goFrom(word, 7, 'previous'), 2);
    assert.equal(goFrom(word, 2, 'previous'), undefined);
  });

  it('leads from within a change to the one before it, not to its own beginning', () => {
    assert.equal(goFrom('.+.-++', 5, 'previous'), 1);
    assert.equal(goFrom('.-++', 3, 'previous'), undefined);
    // After a change it is the one just passed.
    assert.equal(goFrom('.-++.', 4, 'previous'), 1);
  });

  it('names a removed line by its old number, an added one by its new one', () => {
    assert.deepEqual(changeFrom(linesOf('..+.-'), -1, 'next'), { side: 'new', line: 3 });
    assert.deepEqual(changeFrom(linesOf('..+.-'), 2, 'next'), { side: 'old', line: 4 });
  });

  it('comes by each change once, in both directions', () => {
    const letters = fc.constantFrom('.', '+', '-', 'g', 'n');
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 40 }), (word) => {
        const text = word.join('');
        const starts = [...text.matchAll(/[+-]+/g)].map(({ index }) => index);
        const walked: number[] = [];
        for (let at = goFrom(text, -1, 'next'); at !== undefined; at = goFrom(text, at, 'next')) {
          walked.push(at);
        }
        assert.deepEqual(walked, starts);
        const back: number[] = [];
        for (
          let at = goFrom(text, word.length, 'previous');
          at !== undefined;
          at = goFrom(text, at, 'previous')
        ) {
          back.push(at);
        }
        assert.deepEqual(back, starts.toReversed());
      }),
    );
  });
});
