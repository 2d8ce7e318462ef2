import assert from 'node:assert/strict';
import type { DiffSection, PatchSection, TextSection } from '../../../../src/api/types/patches.ts';
import { ChangedCode } from '../../../../src/model/prose/changedCode.ts';
import { diffSection as file, textSection as text } from '../../../support/patchSections.ts';

const hunk = (line: number, ...lines: string[]): string =>
  `@@ -${line},2 +${line},${2 + lines.length} @@\n before\n${lines.map((one) => `${one}\n`).join('')} after\n`;
const changes = (written: PatchSection[], now: PatchSection[], of: TextSection): string[] =>
  new ChangedCode(written, now).of(of).map(({ path, kind, line }) => `${kind} ${path}:${line}`);

describe('the code that a text is about, since it was written', () => {
  const why = text('Why.');

  it('is the same when nothing but its place has changed', () => {
    const written = [why, file('a.ts', hunk(3, '+one') + hunk(20, '+two'))];
    const now = [why, file('a.ts', hunk(8, '+one').replace('before', 'other') + hunk(30, '+two'))];
    assert.deepEqual(changes(written, now, why), []);
    assert.deepEqual(changes(written, written, why), []);
  });

  it('has changed with the lines of the file that follows it', () => {
    const other = text('Other.');
    const written = [why, file('a.ts', hunk(3, '+one')), other, file('b.ts', hunk(3, '+one'))];
    const now = [why, file('a.ts', hunk(3, '+one')), other, file('b.ts', hunk(3, '+two'))];
    assert.deepEqual(changes(written, now, why), []);
    assert.deepEqual(changes(written, now, other), ['changed b.ts:4']);
  });

  it('has not changed with a name in a comment or a string', () => {
    const named = text('named', 'In `run`.');
    const of = (line: string) => changes([named], [named, file('a.ts', hunk(3, line))].toReversed(), named);
    assert.deepEqual(of('+function run() {'), ['added a.ts:4']);
    assert.deepEqual(['+// The function run', '+call("function run")'].map(of), [[], []]);
  });

  it('has changed when a file came to it or is gone, not when one stands elsewhere', () => {
    const a = file('a.ts', hunk(3, '+one'));
    const b = file('b.ts', hunk(3, '+one'));
    assert.deepEqual(changes([why, a], [why, b, a], why), ['added b.ts:4']);
    assert.deepEqual(changes([why, a], [why, a, b], why), []);
    assert.deepEqual(changes([why, a, b], [why, b], why), ['removed a.ts:undefined']);
    assert.deepEqual(changes([why, a, text('Other.'), b], [why, b, text('Other.'), a], why), []);
    assert.deepEqual(changes([why, a], [why, file('package-lock.json', hunk(1, '+x')), a], why), []);
  });

  it('has changed with a file that it names, or the lines of it that it names', () => {
    const two = (second: string) => file('src/a.ts', hunk(3, '+one') + hunk(20, second));
    const [written, now] = [[two('+two')], [two('+three')]];
    for (const [markdown, ...expected] of [
      ['See a.ts.', 'changed src/a.ts:21'],
      ['See src/a.ts:21.', 'changed src/a.ts:21'],
      ['See src/a.ts:4.'],
      ['See other.ts.'],
    ] as const) {
      const it = text('it', markdown);
      assert.deepEqual(changes([...written, it], [...now, it], it), expected, markdown);
    }
  });

  it('has changed with what defines a symbol that it names, not with what uses it', () => {
    const it = text('it', 'Thanks to `load`.');
    const a = (line: string): PatchSection[] => [file('a.ts', hunk(3, line)), it];
    assert.deepEqual(changes(a('+function load() {'), a('+function load(it) {'), it), ['changed a.ts:4']);
    assert.deepEqual(changes(a('+load();'), a('+load(it);'), it), []);
  });

  it('has changed with a file as a whole', () => {
    const moved = file('b.ts', 'rename from a.ts\nrename to b.ts\n', { oldPath: 'a.ts' });
    assert.deepEqual(changes([why, file('a.ts', hunk(3, '+one'))], [why, moved], why), [
      'changed b.ts:undefined',
    ]);
    const binary = (bytes: string) => file('a.png', `GIT binary patch\nliteral 1\n${bytes}\n`);
    assert.deepEqual(changes([why, binary('one')], [why, binary('two')], why), ['changed a.png:undefined']);
  });

  it('has another print when either of them is another', () => {
    const print = (now: string, of: TextSection): string | undefined =>
      new ChangedCode([of, file('a.ts', hunk(3, '+one'))], [of, file('a.ts', now)]).of(of)[0]?.print;
    const two = print(hunk(3, '+two'), why);
    assert.equal(two, print(hunk(9, '+two'), why));
    assert.notEqual(two, print(hunk(3, '+three'), why));
    assert.notEqual(two, print(hunk(3, '+two'), text('Why.', 'Why not?')));
    assert.notEqual(two, undefined);
  });

  it('has changed with the heading of what stands in a symbol that it names', () => {
    const it = text('it', 'Thanks to `load`.');
    const inLoad = (line: string): PatchSection =>
      file('a.ts', hunk(3, line).replace('@@\n', '@@ function load() {\n'));
    assert.deepEqual(changes([inLoad('+one'), it], [inLoad('+two'), it], it), ['changed a.ts:4']);
    assert.deepEqual(changes([inLoad('+one'), it], [it], it), ['removed a.ts:undefined']);
    const other = text('other', 'Thanks to `store`.');
    assert.deepEqual(changes([inLoad('+one'), other], [inLoad('+two'), other], other), []);
  });

  it('has changed with a file that it names as it was called before, or that is gone', () => {
    const moved = file('src/b.ts', hunk(3, '+two'), { oldPath: 'src/a.ts' });
    const it = text('it', 'See src/a.ts.');
    assert.deepEqual(changes([file('src/a.ts', hunk(3, '+one')), it], [moved, it], it), [
      'changed src/b.ts:4',
    ]);
    assert.deepEqual(changes([file('src/a.ts', hunk(3, '+one')), it], [it], it), [
      'removed src/a.ts:undefined',
    ]);
    assert.deepEqual(changes([it], [it], it), []);
  });

  it('has changed with the lines that it names where the file changed as a whole, whichever they are', () => {
    const it = text('it', 'See a.ts:400.');
    const mode = 'old mode 100644\nnew mode 100755\n';
    const plain = file('a.ts', hunk(3, '+one'));
    const executable = file('a.ts', mode + hunk(3, '+one'));
    assert.deepEqual(changes([executable, it], [plain, it], it), ['changed a.ts:undefined']);
    // What came to it is at none of the lines that there were.
    assert.deepEqual(changes([plain, it], [executable, it], it), []);
  });

  it('is the same when only how alike two files are is told otherwise', () => {
    const moved = (percent: number, id: string): PatchSection =>
      file(
        'b.ts',
        `diff --git a/a.ts b/b.ts\nsimilarity index ${percent}%\nrename from a.ts\nrename to b.ts\nindex ${id}..${id} 100644\n--- a/a.ts\n+++ b/b.ts\n${hunk(3, '+one')}`,
        { oldPath: 'a.ts' },
      );
    const elsewhere = (moved(90, '1') as DiffSection).diffPatch?.replaceAll('a.ts', 'z.ts') ?? '';
    assert.deepEqual(changes([why, moved(90, '1')], [why, moved(97, '2')], why), []);
    assert.deepEqual(changes([why, moved(90, '1')], [why, file('b.ts', elsewhere)], why), [
      'changed b.ts:undefined',
    ]);
  });

  it('has changed with a file that followed it when it was written, and follows another text, or none, now', () => {
    const other = text('Other.');
    const [one, two] = [file('a.ts', hunk(3, '+one')), file('a.ts', hunk(3, '+two'))];
    // What is gone is for the text that spoke of it, under whichever code that text is now.
    assert.deepEqual(changes([why, one, other], [other, { ...why, code: 'new' }], { ...why, code: 'new' }), [
      'removed a.ts:undefined',
    ]);
    assert.deepEqual(changes([why, one], [two, why], why), []);
    assert.deepEqual(changes([one, why], [two, why], why), []);
    assert.deepEqual(changes([why, one, other], [why, other, two], other), ['changed a.ts:4']);
  });

  it('has not changed with what follows it when it names another file, be that gone now', () => {
    const it = text('it', 'See b.ts.');
    const [one, two] = [file('a.ts', hunk(3, '+one')), file('a.ts', hunk(3, '+two'))];
    const b = file('b.ts', hunk(3, '+b'));
    assert.deepEqual(changes([it, one, b], [it, two, b], it), []);
    assert.deepEqual(changes([it, one, b], [it, two], it), ['removed b.ts:undefined']);
    assert.deepEqual(changes([why, b, one], [why, b, two], why), []);
  });

  it('has not changed with a file that a machine writes, though it names that', () => {
    const it = text('it', 'See package-lock.json.');
    const lock = (line: string): PatchSection => file('package-lock.json', hunk(3, line));
    assert.deepEqual(changes([lock('+one'), it], [lock('+two'), it], it), []);
  });

  it('has changed with a file as a whole only where that did, and not only lines of it', () => {
    const it = text('it', 'See a.ts:400.');
    const executable = (line: string): PatchSection =>
      file('a.ts', `old mode 100644\nnew mode 100755\n${hunk(3, line)}`);
    assert.deepEqual(changes([executable('+one'), it], [executable('+two'), it], it), []);
  });

  it('has changed where lines became one', () => {
    const of = (...lines: string[]): PatchSection[] => [why, file('a.ts', hunk(3, ...lines))];
    assert.deepEqual(changes(of('+a', '+b'), of('+a+b'), why), ['changed a.ts:4']);
  });

  it('has changed with a file that came to it without any content', () => {
    const empty = file('a.ts', '');
    delete empty.diffPatch;
    assert.deepEqual(changes([why], [why, empty], why), ['added a.ts:undefined']);
  });

  it('has the code of each file that is there, once, and none of those that are gone', () => {
    const it = text('it', 'See a.ts and a.ts:4, b.ts, and `load`.');
    const gone = file('b.ts', hunk(3, '+one'));
    const written = [it, file('a.ts', hunk(3, '+function load() {')), gone];
    const found = new ChangedCode(written, [it, file('a.ts', hunk(3, '+function load(it) {'))]).of(it);
    assert.deepEqual(
      found.map(({ path, kind, code }) => [path, kind, code]),
      [
        ['a.ts', 'changed', 'a.ts'],
        ['b.ts', 'removed', undefined],
      ],
    );
    assert.ok(found[1] && !('code' in found[1]) && !('line' in found[1]));
    const prints = found.map(({ print }) => print);
    assert.ok(prints.every((print) => print.length === 22) && prints[0] !== prints[1]);
  });
});
