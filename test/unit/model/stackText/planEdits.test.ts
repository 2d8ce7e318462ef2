/** The plan of what somebody has written into a stack's markdown file leads from the stack as it was to what the file says. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { printOf } from '../../../../src/model/stackText/lines.ts';
import { isNoChange, planEdits, type PatchPlan } from '../../../../src/model/stackText/planEdits.ts';
import { readStackMarkdown, type EditedStack } from '../../../../src/model/stackText/readStackMarkdown.ts';
import { stackAsMarkdown } from '../../../../src/model/stackText/stackAsMarkdown.ts';
import type { PatchText, StackText } from '../../../../src/model/stackText/stackText.ts';

type Section = PatchText['sections'][number];
/** What stands in a file: a diff by its identifier, a text of before with its code, or a new text. */
type Told = { diff: string } | { code?: string; text: string };

const texts = fc.constantFrom(
  'One.',
  'Two\n\nparts.',
  '  Indented',
  '# Heading',
  '<!-- text x -->',
  'Ünter.',
);

/** As others may have left them: blank lines at the end are no part of what the file shows. */
const keptTexts = fc.oneof(
  texts,
  texts.map((text) => `${text}\n\n`),
);

const sectionsOf = (patch: string): fc.Arbitrary<Section[]> =>
  fc
    .array(fc.tuple(fc.constantFrom('text', 'text', 'fixed', 'new'), keptTexts), { maxLength: 6 })
    .map((some) =>
      some.map(([kind, text], index): Section => {
        const code = `${patch}-${index}`;
        // Codes and identifiers are two things.
        const identifier = `id/${code}`;
        return kind === 'fixed'
          ? { kind, code, identifier, lineCount: 1, print: printOf([`Diff of ${identifier}`]) }
          : { kind: 'text', code, identifier, text, ...(kind === 'new' && { isNew: true }) };
      }),
    );

/** Sections as somebody leaves them: in whatever order, some of the texts gone, some rewritten, and others added. */
const editedFrom = (base: readonly Section[]): fc.Arbitrary<Told[]> =>
  fc
    .record({
      order: fc.oneof(fc.constant([...base]), fc.shuffledSubarray([...base], { minLength: base.length })),
      gone: fc.subarray(base.filter(({ kind }) => kind === 'text')),
      rewritten: fc.dictionary(fc.constantFrom('', ...base.map(({ code }) => code)), texts, { maxKeys: 2 }),
      added: fc.array(fc.tuple(fc.nat(base.length), texts), { maxLength: 3 }),
    })
    .map(({ order, gone, rewritten, added }) => {
      const told = order
        .filter((section) => !gone.includes(section))
        .map((section): Told => {
          const { code } = section;
          return section.kind === 'fixed'
            ? { diff: section.identifier }
            : { code, text: rewritten[code] ?? section.text };
        });
      added.forEach(([at, text]) => told.splice(at, 0, { text }));
      return told;
    });

const stacks = fc
  .record({ title: texts, description: texts, first: sectionsOf('a'), second: sectionsOf('b') })
  .map(({ first, second, ...fields }): StackText => {
    const patches = [first, second].map((sections, index) => ({
      changeId: `I${index}`,
      title: 'Greet',
      sections,
    }));
    return { ...fields, title: fields.title.replaceAll(/\s+/g, ' ').trim(), patches };
  });

const edits = stacks.chain((base) =>
  fc.record({
    base: fc.constant(base),
    title: fc.constantFrom(base.title, 'Another title'),
    description: fc.constantFrom(base.description, 'Another description.'),
    told: fc.tuple(...base.patches.map(({ sections }) => editedFrom(sections))),
  }),
);

/** The file that says so. */
function fileOf(
  base: StackText,
  { title, description, told }: { title: string; description: string; told: Told[][] },
) {
  const patches = base.patches.map((patch, index) => ({
    ...patch,
    sections: told[index]!.map((one): Section =>
      'diff' in one
        ? patch.sections.find(({ identifier }) => identifier === one.diff)!
        : { kind: 'text', code: one.code ?? 'ADDED', identifier: '', text: one.text },
    ),
  }));
  return stackAsMarkdown({ title, description, patches }, 'Write here', (_patch, { identifier }) => [
    `Diff of ${identifier}`,
  ]).replaceAll('<!-- text ADDED -->', '<!-- text -->');
}

function read(file: string, base: StackText): EditedStack {
  const result = readStackMarkdown(file, base);
  assert.equal(result.kind, 'stack', JSON.stringify(result));
  return result.stack;
}

/**
 * What a plan makes of the sections of a patch: those that the service has are changed, deleted and ordered, and those that it doesn't
 * have yet come in behind what they follow.
 */
function applied(base: readonly Section[], { texts, deletions, order, additions }: PatchPlan): Told[] {
  const isNew = (section: Section): boolean => section.kind === 'text' && section.isNew === true;
  const words = new Map(texts.map(({ section, text }) => [section.code, text]));
  const deleted = new Set(deletions.map(({ section }) => section.code));
  const left = base.filter(({ code }) => !deleted.has(code));
  const keyed = (section: Section): { key: string; told: Told } => ({
    key: section.code,
    told:
      section.kind === 'fixed'
        ? { diff: section.identifier }
        : { code: section.code, text: words.get(section.code) ?? section.text },
  });
  let there = left.filter((section) => !isNew(section));
  if (order) {
    assert.deepEqual(
      order.base,
      there.map(({ identifier }) => identifier),
    );
    assert.deepEqual(order.order.toSorted(), order.base.toSorted());
    there = order.order.map((identifier) => there.find((section) => section.identifier === identifier)!);
  }
  const stand = there.map(keyed);
  const waiting = [
    ...left.filter(isNew).map((section) => ({
      ...keyed(section),
      follows: (
        texts.find((one) => one.section.code === section.code) ?? {
          follows: base[base.indexOf(section) - 1]?.code ?? null,
        }
      ).follows,
    })),
    ...additions.map(({ text, follows }, index) => ({ key: String(index), told: { text }, follows })),
  ];
  while (waiting.length > 0) {
    const at = waiting.findIndex(
      ({ follows }) => follows === null || stand.some(({ key }) => key === String(follows)),
    );
    assert.ok(at >= 0, 'follows what is not there');
    const [next] = waiting.splice(at, 1);
    stand.splice(stand.findIndex(({ key }) => key === String(next!.follows)) + 1, 0, next!);
  }
  return stand.map(({ told }) => told);
}

/** Texts alone: to take a new text for another one of a section that is gone is up to the plan. */
const words = (all: readonly Told[]): unknown[] =>
  all.map((one) => ('diff' in one ? one : one.text.trimEnd()));

describe("the plan of a stack's edited file", () => {
  it('is empty where nothing was changed', () => {
    fc.assert(
      fc.property(stacks, (base) => {
        const told = base.patches.map(({ sections }) =>
          sections.map((one): Told => (one.kind === 'fixed' ? { diff: one.identifier } : one)),
        );
        const plan = planEdits(base, read(fileOf(base, { ...base, told }), base));
        assert.deepEqual(plan.fields, {});
        assert.ok(plan.patches.every(isNoChange));
      }),
    );
  });

  it('leads to what the file says, and says so', () => {
    fc.assert(
      fc.property(edits, ({ base, ...wanted }) => {
        const plan = planEdits(base, read(fileOf(base, wanted), base));
        const { title, description } = { ...base, ...plan.fields };
        assert.deepEqual({ title, description }, { title: wanted.title, description: wanted.description });
        assert.deepEqual(
          plan.patches.map(({ changeId }) => changeId),
          base.patches.map(({ changeId }) => changeId),
        );
        plan.patches.forEach((patch, index) => {
          const told = applied(base.patches[index]!.sections, patch);
          assert.deepEqual(words(told), words(wanted.told[index]!));
          assert.deepEqual(
            patch.result.map((section) =>
              section.kind === 'fixed'
                ? { diff: section.identifier }
                : { ...(section.kind === 'text' && { code: section.code }), text: section.text },
            ),
            told,
          );
          for (const section of patch.result) {
            assert.ok(section.kind !== 'added' || patch.additions[section.index]?.text === section.text);
          }
        });
      }),
      { numRuns: 500 },
    );
  });

  it('keeps each text that has its mark, and changes nothing twice or to what it is', () => {
    fc.assert(
      fc.property(edits, ({ base, ...wanted }) => {
        const plan = planEdits(base, read(fileOf(base, wanted), base));
        plan.patches.forEach(({ texts: written, deletions, additions, order }, index) => {
          const marked = new Set(wanted.told[index]!.flatMap((one) => ('code' in one ? [one.code] : [])));
          assert.ok(deletions.every(({ section }) => !marked.has(section.code)));
          const touched = [...written, ...deletions].map(({ section }) => section.code);
          assert.equal(new Set(touched).size, touched.length);
          assert.ok(
            written.every(
              ({ section, text }) => section.isNew === true || section.text.trimEnd() !== text.trimEnd(),
            ),
          );
          assert.ok(!order || order.base.join() !== order.order.join());
          // To delete a section and to add one is two requests: another order and one of them written into are no more.
          assert.ok(Math.min(additions.length, deletions.length) <= 1);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('says where each text stood that is gone, so that it can be had back there', () => {
    fc.assert(
      fc.property(edits, ({ base, ...wanted }) => {
        const plan = planEdits(base, read(fileOf(base, wanted), base));
        plan.patches.forEach(({ deletions }, index) => {
          const codes = base.patches[index]!.sections.map(({ code }) => code);
          for (const { section, follows } of deletions) {
            const without = codes.filter((code) => code !== section.code);
            without.splice(without.indexOf(follows ?? '') + 1, 0, section.code);
            assert.deepEqual(without, codes);
          }
        });
      }),
    );
  });
});
