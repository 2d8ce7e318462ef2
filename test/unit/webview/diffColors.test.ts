import assert from 'node:assert/strict';
import { arrange, type Line } from '../../../src/webview/patchDocument/diff/arrange.ts';
import {
  Colors,
  colorWhole,
  type ColorLines,
  type GuessedColors,
  type WholeColors,
} from '../../../src/webview/patchDocument/diff/colors.ts';
import { parseFileDiff } from '../../../src/webview/patchDocument/diff/diff.ts';

const diff = '@@ -1,2 +1,2 @@\n one\n-two\n+deux\n@@ -40,2 +40,3 @@\n forty\n+more\n last\n';
const linesOf = (text: string): Line[] =>
  arrange(parseFileDiff(text)?.rows ?? [], { ignoreWhitespace: false, openings: new Map() });

/** Colors each line as a whole with a class that says how it was asked for. */
function colorer() {
  const asked: { lines: string[]; isStart: boolean }[] = [];
  const color: ColorLines = async (lines, isStart) => {
    asked.push({ lines, isStart });
    return lines.map((text) => [{ text, className: isStart ? 'sure' : 'guess' }]);
  };
  return { asked, color };
}

function colorsOf(
  lines: readonly Line[],
  color: ColorLines | undefined,
  guessed: GuessedColors,
  whole?: WholeColors,
) {
  const news = Promise.withResolvers<null>();
  const colors = new Colors(lines, { color, whole, guessed, onNews: () => news.resolve(null) });
  return { colors, news: news.promise };
}

describe('the colors of a diff', () => {
  const lines = linesOf(diff);

  it('come after the lines are there, each side of what is between two gaps as a whole', async () => {
    const { asked, color } = colorer();
    const { colors, news } = colorsOf(lines, color, new Map());
    assert.equal(colors.of(0), undefined);
    assert.equal(colors.of(1), undefined);
    await news;
    assert.deepEqual(asked, [
      { lines: ['one', 'two'], isStart: true },
      { lines: ['one', 'deux'], isStart: true },
    ]);
    assert.deepEqual(colors.of(1), [{ text: 'two', className: 'sure' }]);
    assert.deepEqual(colors.of(2), [{ text: 'deux', className: 'sure' }]);
  });

  it('are a guess where the file begins before', async () => {
    const { asked, color } = colorer();
    const { colors, news } = colorsOf(lines, color, new Map());
    const more = lines.findIndex((line) => 'text' in line && line.text === 'more');
    colors.of(more);
    await news;
    assert.deepEqual(asked, [{ lines: ['forty', 'more', 'last'], isStart: false }]);
    assert.equal(colors.of(more)?.[0]?.className, 'guess');
  });

  it('are kept, and not asked for again, when the lines are arranged in another way', async () => {
    const { asked, color } = colorer();
    const guessed: GuessedColors = new Map();
    const first = colorsOf(lines, color, guessed);
    first.colors.of(0);
    await first.news;
    const { length } = asked;
    const again = colorsOf(linesOf(diff), color, guessed);
    assert.equal(again.colors.of(2)?.[0]?.text, 'deux');
    assert.equal(asked.length, length);
  });

  it('are those of the whole file once it is known', async () => {
    const { asked, color } = colorer();
    const before = ['one', 'two', ...Array<string>(37).fill('x'), 'forty', 'last'];
    const after = ['one', 'deux', ...Array<string>(37).fill('x'), 'forty', 'more', 'last'];
    const whole = await colorWhole({ old: before, new: after }, color);
    asked.length = 0;
    const { colors } = colorsOf(lines, color, new Map(), whole);
    for (const [index, line] of lines.entries()) {
      if ('text' in line && line.type !== 'note') {
        assert.deepEqual(colors.of(index), [{ text: line.text, className: 'sure' }]);
      }
    }
    assert.deepEqual(asked, []);
  });

  it('are asked for once where there are none', async () => {
    let count = 0;
    const { colors } = colorsOf(lines, async () => void (count += 1), new Map());
    colors.of(0);
    colors.of(1);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(colors.of(0), undefined);
    assert.equal(count, 2);
  });

  it('are none of a file that is too large', () => {
    assert.equal(colorsOf(lines, undefined, new Map()).colors.of(0), undefined);
  });
});
