import type { PatchSection } from '../../../src/api/types/patches.ts';
import { coverageOf } from '../../../src/model/prose/coverage.ts';
import { amountRow, type Group } from '../measure.ts';

const metric = 'what no prose explains in a patch of 1,000 sections';

const rounds = 25;
const sections = 1_000;

/** Texts and files in turn: half of the files come before the first text, and are explained by name or not at all. */
function makePatch(): PatchSection[] {
  const files = Array.from({ length: sections / 2 }, (_, file): PatchSection => {
    const path = `src/part${file % 20}/file${file}.ts`;
    const hunks = Array.from({ length: 5 }, (_, hunk) => {
      const added = Array.from(
        { length: 8 },
        (_, line) => `+const value${file}_${line} = compute(${hunk}, "${path}");`,
      );
      const line = 1 + hunk * 40;
      return [
        `@@ -${line},4 +${line},12 @@ function part${file}_${hunk}() {`,
        ' {',
        ' one',
        ...added,
        ' two',
        ' }',
        '',
      ].join('\n');
    });
    const diffPatch = `--- a/${path}\n+++ b/${path}\n${hunks.join('')}`;
    return {
      sectionType: 'diff',
      code: `file ${file}`,
      identifier: path,
      oldPath: path,
      newPath: path,
      diffPatch,
    };
  });
  const texts = Array.from({ length: sections / 2 }, (_, text): PatchSection => {
    const names = `In \`part${text}_2()\`, as of src/part${text % 20}/file${text}.ts:${1 + (text % 5) * 40}-20, [it](file${text % 7}.ts)`;
    const markdown = `## Part ${text}\n\n${`${names} reckons what the **reader** of it wants. `.repeat(4)}\n`;
    return { sectionType: 'text', code: `text ${text}`, identifier: `text ${text}`, text: markdown };
  });
  const later = files
    .slice(sections / 4)
    .flatMap((file, index) => [texts[index * 2], texts[index * 2 + 1], file]);
  return [...files.slice(0, sections / 4), ...later.filter((section) => section !== undefined)];
}

/** The bookkeeping that keeps prose true, for patches as large as they get. */
export const group: Group = {
  name: 'prose',
  async run(wanted) {
    if (!wanted(metric)) {
      return [];
    }
    const times: number[] = [];
    for (let round = -3; round < rounds; round++) {
      // As in a window that has just loaded them: nothing was made of them yet.
      const patch = makePatch();
      const began = performance.now();
      const { hunks, unexplained } = coverageOf(patch);
      const time = performance.now() - began;
      if (
        patch.length !== sections ||
        hunks !== 2_500 ||
        unexplained.length < 500 ||
        unexplained.length > 1_200
      ) {
        throw new Error(`${unexplained.length} of ${hunks} hunks are said to be unexplained.`);
      }
      if (round >= 0) {
        times.push(time);
      }
    }
    return [amountRow(metric, 'ms', times, { atMost: 50 })];
  },
};
