import assert from 'node:assert/strict';
import { complaintsAboutSizes, sizesTable, type PackedFile } from '../../../tools/packageSizes.ts';

const file = (name: string, kilobytes: number, packed = kilobytes): PackedFile => ({
  name,
  bytes: kilobytes * 1024,
  packed: packed * 1024,
});

const files = [
  file('dist/window.cjs', 140, 40),
  file('dist/extension.cjs', 2.5, 1),
  file('dist/chunks/a-ABCD1234.cjs', 90, 30),
  file('dist/chunks/b.cjs', 8, 3),
  file('readme.md', 4, 2),
];
const table = sizesTable(files);
const budget = { 'dist/window.cjs': 140, 'dist/extension.cjs': 3 };

describe('the sizes of a package', () => {
  it('are a table with a row for each large file, and one for what else is in a folder', () => {
    assert.deepEqual(table.split('\n').slice(2), [
      '| dist/window.cjs | 40 | 140 |',
      '| dist/chunks/… | 33 | 98 |',
      '| … | 2 | 4 |',
      '| dist/… | 1 | 3 |',
    ]);
  });

  it('are as they were noted', () => {
    assert.deepEqual(complaintsAboutSizes(files, table, budget), []);
    const aligned = table.replaceAll(/\| (\d+) \| (\d+) \|/g, '|    $1 |   $2 |');
    assert.deepEqual(complaintsAboutSizes(files, aligned, budget), []);
  });

  it('may differ a little, and no file of the start may be larger', () => {
    const larger = [file('dist/window.cjs', 140.5, 43), ...files.slice(1)];
    assert.deepEqual(complaintsAboutSizes(larger, table, budget), [
      'dist/window.cjs is loaded for the first row, and has 141 KB: test/startBudget.json says 140.',
      'If that is meant: npm run package -- --note-sizes',
    ]);
  });

  it('are to be noted again when a row says something else', () => {
    const other = [file('dist/window.cjs', 140, 46), ...files.slice(1), file('dist/new.cjs', 30)];
    assert.deepEqual(complaintsAboutSizes(other, table, budget), [
      "docs/package.md isn't true: dist/window.cjs has 46 KB, not 40.",
      "docs/package.md isn't true: dist/new.cjs has 30 KB, not none.",
      'If that is meant: npm run package -- --note-sizes',
    ]);
  });

  it('are complained about when a file of the start is not there', () => {
    const [complaint = ''] = complaintsAboutSizes(files, table, { 'dist/chunks/start.cjs': 80 });
    assert.match(complaint, /^dist\/chunks\/start\.cjs is loaded for the first row/);
  });
});
