import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { runsWithoutWindow, testsThatReach } from '../../mutants/reach.ts';
import { aims, plantedLine, scoresOf, survivors, type Planted } from '../../mutants/score.ts';

const root = path.resolve(import.meta.dirname, '../../..');

describe('planted mistakes', () => {
  it('are looked for by the tests that reach a file, however far away, also in a circle', () => {
    const texts: Record<string, string> = {
      'test/near.test.ts': "import { a } from '../src/a.ts';",
      'test/far.test.ts': "import { c } from '../src/c.ts';",
      'test/later.test.ts': "const a = await import('../src/a.ts');",
      'test/other.test.ts': "import assert from 'node:assert';\nimport { d } from '../src/d.ts';",
      'src/a.ts': "import { b } from './b.ts';",
      'src/b.ts': "import type { A } from './a.ts';",
      'src/c.ts': "export { b } from './b.ts';",
      'src/d.ts': '',
    };
    const tests = Object.keys(texts).filter((file) => file.startsWith('test/'));
    assert.deepEqual(
      testsThatReach(tests, new Set(['src/a.ts']), (file) => texts[file]),
      ['test/near.test.ts', 'test/far.test.ts', 'test/later.test.ts'],
    );
    assert.deepEqual(
      testsThatReach(tests, new Set(['src/d.ts']), (file) => texts[file]),
      ['test/other.test.ts'],
    );
  });

  it('are planted where a test can import the file: not where it needs a window as it is loaded', () => {
    const texts: Record<string, string> = {
      'src/window.ts': "import * as vscode from 'vscode';\nimport { a } from './a.ts';",
      'src/far.ts': "import { b } from './ui/near.ts';",
      'src/ui/near.ts': "export { window } from '../window.ts';",
      'src/types.ts': "import type { A } from './window.ts';\nexport type { B } from './window.ts';",
      'src/later.ts': "export const later = () => import('./window.ts');",
      'src/a.ts': "import { b } from './b.ts';\nimport path from 'node:path';",
      'src/b.ts': "import { a } from './a.ts';",
    };
    const files = Object.keys(texts).filter((file) => runsWithoutWindow(file, (name) => texts[name]));
    assert.deepEqual(files, ['src/types.ts', 'src/later.ts', 'src/a.ts', 'src/b.ts']);
  });

  it('have aims for what there is', () => {
    for (const [beginning] of aims) {
      const files = globSync([`${beginning}*`, `${beginning}**/*`], { cwd: root });
      assert.ok(files.length > 0, beginning);
    }
  });

  const plant = (file: string, status: string, replacement = 'true'): Planted => ({
    file,
    line: 1,
    mutator: 'ConditionalExpression',
    replacement,
    status,
  });

  it('count for their folder, apart from what has an aim of its own, and not where they change nothing', () => {
    const planted = [
      ...Array.from({ length: 17 }, () => plant('src/util/age.ts', 'Killed')),
      plant('src/util/age.ts', 'Survived'),
      plant('src/util/age.ts', 'NoCoverage'),
      plant('src/util/age.ts', 'Survived', 'false'),
      plant('src/util/age.ts', 'Ignored'),
      plant('src/util/age.ts', 'CompileError'),
      ...Array.from({ length: 17 }, () => plant('src/model/pending/journal.ts', 'Timeout')),
      ...Array.from({ length: 3 }, () => plant('src/model/pending/journal.ts', 'Survived')),
      plant('src/model/model.ts', 'Killed'),
    ];
    const guarded = [
      plant('src/service/guards.ts', 'Killed'),
      plant('src/util/secrets/findSecrets.ts', 'Killed'),
    ];
    assert.deepEqual(
      scoresOf(guarded, []).map(({ text }) => text),
      [
        'enough src/service/guards: 100.0 % of 1 noticed, aim 95 %',
        'enough src/util/secrets: 100.0 % of 1 noticed, aim 95 %',
      ],
    );
    assert.deepEqual(
      scoresOf(planted, []).map(({ text, isReached }) => [text, isReached]),
      [
        ['enough src/model: 100.0 % of 1 noticed, aim 85 %', true],
        ['too few src/model/pending: 85.0 % of 20 noticed, aim 95 %', false],
        ['enough src/util: 85.0 % of 20 noticed, aim 85 %', true],
      ],
    );
    assert.equal(
      plantedLine(planted),
      '41 mistakes were planted: 1 in src/model, 20 in src/model/pending, 20 in src/util.',
    );
    assert.equal(plantedLine([]), '0 mistakes were planted: nowhere.');
    const same = {
      file: 'src/util/age.ts',
      mutator: 'ConditionalExpression',
      replacement: 'true',
      reason: 'it is so anyway',
    };
    assert.equal(survivors(planted, [same]).filter(({ file }) => file === same.file).length, 1);
    assert.match(scoresOf(planted, [same]).at(-1)!.text, /94\.4 % of 18/);
  });
});
