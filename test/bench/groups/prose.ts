import type { PatchSection } from '../../../src/api/types/patches.ts';
import { ChangedCode } from '../../../src/model/prose/changedCode.ts';
import { coverageOf } from '../../../src/model/prose/coverage.ts';
import { fileOf } from '../../../src/model/prose/followReference.ts';
import { targetOfWord } from '../../../src/model/prose/proseLinks.ts';
import { targetOfSymbol } from '../../../src/model/prose/symbols.ts';
import { inlineCodeIn, wordsIn } from '../../../src/util/proseNames.ts';
import { amountRow, type Group } from '../measure.ts';

const metric = 'what no prose explains in a patch of 1,000 sections';
const ofStale = 'which texts of 1,000 sections are older than their code';
const ofLinks = 'what the texts of 1,000 sections name';

const rounds = 25;
const sections = 1_000;

/** Texts and files in turn. Each text names one hunk by its function, one by its lines, and one of seven files as a whole. */
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
        `@@ -${line},4 +${line},12 @@`,
        ' {',
        `+function part${file}_${hunk}() {`,
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
    const line = 1 + (text % 5) * 40;
    const names = `In \`part${text}_2()\`, as of src/part${text % 20}/file${text}.ts:${line}-${line + 19}, [it](file${text % 7}.ts)`;
    const markdown = `## Part ${text}\n\n${`${names} reckons what the **reader** of it wants. `.repeat(4)}\n`;
    return { sectionType: 'text', code: `text ${text}`, identifier: `text ${text}`, text: markdown };
  });
  const later = files
    .slice(sections / 4)
    .flatMap((file, index) => [texts[index * 2], texts[index * 2 + 1], file]);
  return [...files.slice(0, sections / 4), ...later.filter((section) => section !== undefined)];
}

/** Measures what is made of a patch. @param work throws when the result is not the one that is known. */
function times<T>(make: () => T, work: (made: T) => void): number[] {
  const measured: number[] = [];
  for (let round = -3; round < rounds; round++) {
    // As in a window that has just loaded them: nothing was made of them yet.
    const made = make();
    const began = performance.now();
    work(made);
    measured.push(performance.now() - began);
  }
  return measured.slice(3);
}

/** 500 hunks are named by a function, 400 others by their lines, and the seven files have 22 more. */
const explained = 922;

function findUnexplained(patch: PatchSection[]): void {
  const { hunks, unexplained } = coverageOf(patch);
  if (hunks !== 2_500 || unexplained.length !== hunks - explained) {
    throw new Error(`${unexplained.length} of ${hunks} hunks are said to be unexplained.`);
  }
}

function findNames(sections: PatchSection[]): void {
  const patch = { changeId: 'I1', contributors: [], sections };
  const found = { symbols: 0, files: 0 };
  for (const section of sections) {
    if (section.sectionType === 'text') {
      const text = section.text ?? '';
      for (const word of wordsIn(text)) {
        const isFile = !targetOfWord(word, { patch, patches: [patch] }) && word.start !== undefined;
        found.files += isFile && fileOf(patch, word.name) ? 1 : 0;
      }
      found.symbols += inlineCodeIn(text).filter((code) => targetOfSymbol(code, sections)).length;
    }
  }
  if (found.files < 1_000 || found.symbols < 100) {
    throw new Error(`${found.files} files and ${found.symbols} symbols were found.`);
  }
}

/** A patch, and a version of it in which half of the files are changed in one of their hunks. */
function makeVersions(): { written: PatchSection[]; now: PatchSection[] } {
  const now = makePatch().map((section, index) =>
    section.sectionType === 'diff' && index % 2 === 0
      ? { ...section, diffPatch: (section.diffPatch ?? '').replaceAll('compute(2,', 'reckon(2,') }
      : section,
  );
  return { written: makePatch(), now };
}

function findStale({ written, now }: ReturnType<typeof makeVersions>): void {
  const changed = new ChangedCode(written, now);
  const stale = now.filter((section) => section.sectionType === 'text' && changed.of(section).length > 0);
  if (stale.length < 100 || stale.length > 500) {
    throw new Error(`${stale.length} texts are said to be older than their code.`);
  }
}

/** One round of each measurement. @throws where what is found is not what is known. */
export function checkResults(): void {
  findUnexplained(makePatch());
  findStale(makeVersions());
  findNames(makePatch());
}

/** The bookkeeping that keeps prose true, for patches as large as they get. */
export const group: Group = {
  async run(wanted) {
    return [
      ...(wanted(metric) ? [amountRow(metric, 'ms', times(makePatch, findUnexplained), { atMost: 50 })] : []),
      ...(wanted(ofStale) ? [amountRow(ofStale, 'ms', times(makeVersions, findStale), { atMost: 50 })] : []),
      ...(wanted(ofLinks) ? [amountRow(ofLinks, 'ms', times(makePatch, findNames), { atMost: 50 })] : []),
    ];
  },
};
