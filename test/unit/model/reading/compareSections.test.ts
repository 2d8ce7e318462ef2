import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareProse } from '../../../../src/util/compareProse.ts';
import { compareSections } from '../../../../src/model/reading/compareSections.ts';
import type { VersionSection } from '../../../../src/model/reading/patchVersion.ts';

const text = (code: string, words: string): VersionSection => ({ kind: 'text', code, text: words });
const diff = (path: string): VersionSection => ({ kind: 'diff', path });
const nameOf = (section: VersionSection | undefined): string =>
  section === undefined ? '' : section.kind === 'diff' ? section.path : section.code;
const told = (older: VersionSection[], newer: VersionSection[]): string[] =>
  compareSections(older, newer).map(
    ({ older: one, newer: other, verdict, isMoved }) =>
      `${nameOf(other ?? one)} ${verdict}${isMoved ? ', moved' : ''}`,
  );

describe('comparing the prose of two versions', () => {
  it('tells the words that changed', () => {
    assert.deepEqual(compareProse('Reads the file.', 'Reads each file.'), [
      { kind: 'same', text: 'Reads ' },
      { kind: 'removed', text: 'the' },
      { kind: 'added', text: 'each' },
      { kind: 'same', text: ' file.' },
    ]);
    assert.deepEqual(compareProse('', ''), []);
  });

  it('tells words apart where no blanks stand between them', () => {
    const changed = compareProse('我喜欢咖啡', '我喜欢茶').filter(({ kind }) => kind !== 'same');
    assert.deepEqual(changed, [
      { kind: 'removed', text: '咖啡' },
      { kind: 'added', text: '茶' },
    ]);
  });

  it('goes by lines where there are too many words', () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `some words of line ${index}\n`);
    const changed = compareProse(lines.join(''), lines.with(7, 'another\n').join(''));
    assert.deepEqual(
      changed.filter(({ kind }) => kind !== 'same'),
      [
        { kind: 'removed', text: 'some words of line 7\n' },
        { kind: 'added', text: 'another\n' },
      ],
    );
  });

  it('makes both texts, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (older, newer) => {
        const changes = compareProse(older, newer);
        const without = (kind: string): string =>
          changes.flatMap((change) => (change.kind === kind ? [] : change.text)).join('');
        assert.deepEqual([without('added'), without('removed')], [older, newer]);
        assert.equal(
          changes.every(({ kind }) => kind === 'same'),
          older === newer,
        );
      }),
    );
  });
});

describe('comparing the sections of two versions', () => {
  const older = [text('a', 'Why this is done'), diff('one.ts'), text('b', 'How it is done'), diff('two.ts')];

  it('finds nothing where nothing changed, also under other codes', () => {
    const newer = [
      text('x', 'Why this is done'),
      diff('one.ts'),
      text('y', 'How it is done'),
      diff('two.ts'),
    ];
    assert.deepEqual(told(older, newer), ['x same', 'one.ts same', 'y same', 'two.ts same']);
  });

  it('tells sections that changed, came, went and moved', () => {
    const newer = [
      text('c', 'Something else'),
      diff('one.ts'),
      diff('two.ts'),
      text('b', 'How it is done, mostly'),
    ];
    assert.deepEqual(told(older, newer), [
      'a removed',
      'c added',
      'one.ts same',
      'two.ts same',
      'b changed, moved',
    ]);
  });

  it('takes a section for the same one by its code when it says something else entirely', () => {
    assert.deepEqual(told([text('a', 'One')], [text('a', 'Another')]), ['a changed']);
  });

  it('follows a section that was moved and got the code of another', () => {
    const before = [text('1', 'The first of them'), text('2', 'And then the second')];
    const after = [text('1', 'And then the second'), text('2', 'Now one at the end')];
    assert.deepEqual(told(before, after), ['1 removed', '1 same', '2 added']);
  });

  it('takes texts without any word for what they are', () => {
    assert.deepEqual(told([text('1', '---'), text('2', '***')], [text('3', '***'), text('4', '---')]), [
      '3 same',
      '4 same, moved',
    ]);
    assert.deepEqual(told([text('1', '---')], [text('1', '***')]), ['1 changed']);
  });

  it('follows a file that was renamed', () => {
    const compared = compareSections([diff('a.ts')], [diff('b.ts')], () => 'b.ts');
    assert.deepEqual(
      compared.map(({ verdict }) => verdict),
      ['same'],
    );
  });

  /** A section as the model knows it: two with the same id are the same one. */
  interface Known {
    id: number;
    section: VersionSection;
  }
  const words = (id: number): string => Array.from({ length: 10 }, (_, index) => `w${id}x${index}`).join(' ');
  const edit = fc.record({
    kind: fc.constantFrom('word', 'move', 'delete', 'add'),
    at: fc.nat(100),
    to: fc.nat(100),
  });

  it('tells what a plain list of sections knows of them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
        fc.array(edit, { maxLength: 4 }),
        fc.boolean(),
        (kinds, edits, hasNewCodes) => {
          const before = kinds.map((isText, id): Known => ({
            id,
            section: isText ? text(`c${id}`, words(id)) : diff(`f${id}`),
          }));
          let after = before.map(({ id, section }): Known => ({
            id,
            section: section.kind === 'text' && hasNewCodes ? { ...section, code: `n${id}` } : section,
          }));
          const changed = new Set<number>();
          edits.forEach(({ kind, at, to }, index) => {
            const known = after[at % after.length];
            const rest = after.filter((each) => each !== known);
            if (kind === 'add') {
              const id = 100 + index;
              after = after.toSpliced(to % (after.length + 1), 0, {
                id,
                section: text(`c${id}`, words(id)),
              });
            } else if (kind === 'move' && known) {
              after = rest.toSpliced(to % after.length, 0, known);
            } else if (kind === 'delete') {
              after = rest;
            } else if (known?.section.kind === 'text') {
              const { section } = known;
              changed.add(known.id);
              const spliced = section.text.split(' ').with(to % 3, `edited${index}`);
              after = after.map((each) =>
                each === known ? { ...known, section: { ...section, text: spliced.join(' ') } } : each,
              );
            }
          });
          const compared = compareSections(
            before.map(({ section }) => section),
            after.map(({ section }) => section),
          );
          const idIn = (list: readonly Known[], section: VersionSection | undefined): number | undefined =>
            list.find((each) => each.section === section)?.id;
          const gone = before.filter(({ id }) => !after.some((each) => each.id === id));
          assert.equal(compared.length, after.length + gone.length);
          assert.deepEqual(
            compared.flatMap((each) => (each.newer ? [each.newer] : [])),
            after.map(({ section }) => section),
          );
          for (const each of compared) {
            const [one, other] = [idIn(before, each.older), idIn(after, each.newer)];
            if (one !== undefined && other !== undefined) {
              assert.equal(one, other);
              assert.equal(each.verdict, changed.has(one) && one < 100 ? 'changed' : 'same');
            } else {
              assert.equal(each.verdict, one === undefined ? 'added' : 'removed');
              const list = one === undefined ? before : after;
              assert.ok(!list.some(({ id }) => id === (one ?? other)), 'the other version has it, too');
            }
          }
          // As few have moved as leave the others in their order.
          const order = after.flatMap(({ id }) => (before.some((each) => each.id === id) ? [id] : []));
          const staying = compared.flatMap((each) =>
            each.older && each.newer && !each.isMoved ? [idIn(before, each.older) ?? -1] : [],
          );
          assert.deepEqual(
            staying,
            [...staying].sort((a, b) => a - b),
          );
          assert.equal(staying.length, longestRise(order));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('loses none of several that say the same', () => {
    const some = fc.array(fc.constantFrom('a', 'b', 'a b c d', ''), { maxLength: 6 });
    fc.assert(
      fc.property(some, some, (one, other) => {
        const [before, after] = [one, other].map((list, side) =>
          list.map((each, index) => text(`${side}${index}`, each)),
        );
        const compared = compareSections(before ?? [], after ?? []);
        const olderOnes = compared.flatMap((each) => (each.older ? [nameOf(each.older)] : []));
        assert.deepEqual(olderOnes.toSorted(), before?.map(nameOf));
        assert.deepEqual(
          compared.flatMap((each) => (each.newer ? [each.newer] : [])),
          after,
        );
      }),
    );
  });
});

/** The number of a list's numbers that can stay when it is to rise. */
function longestRise(list: readonly number[]): number {
  const best: number[] = [];
  list.forEach((number, index) => {
    best.push(1 + Math.max(0, ...best.filter((_, before) => (list[before] ?? 0) < number && before < index)));
  });
  return Math.max(0, ...best);
}
