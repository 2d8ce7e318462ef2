/** The draft of a section by a language model: the hunks that it is to explain, and all that the model is told. */
import type { DiffSection, Patch, PatchSection } from '../api/types/patches.ts';
import type { TextsOfPatch } from '../model/prose/followNames.ts';
import { coverageOf, prepareCoverage } from '../model/prose/coverage.ts';
import { pathOf } from '../model/prose/filesByName.ts';
import { shortened, startOf } from '../util/budget.ts';
import { saysSomething } from '../util/proseNames.ts';
import { Answer, seenText } from './answer.ts';

/** The files that a draft is to explain, and its place. */
export interface DraftPlace {
  /** The code of the section that it follows; null at the top. */
  after: string | null;
  /** Those that no prose explains, one after the other. */
  files: readonly DiffSection[];
}

/** Characters of all that is sent to a model, and of the parts of it. */
const longestPrompt = 24_000;
const longestNeighbor = 1_500;
const longestTemplate = 4_000;

/** Characters of a draft: whatever a model goes on to say is no section any more. */
export const longestDraft = 8_000;

/**
 * Finds the files that a draft is to explain: the file that is named with those after it, else the first that no prose explains.
 *
 * @param sections as their author has written them.
 * @param texts the patch that they are of.
 * @param code that of a section; a text stands for the files after it.
 * @returns undefined when prose explains all of it.
 */
export async function findDraftPlace(
  sections: readonly PatchSection[],
  texts: TextsOfPatch,
  code?: string,
): Promise<DraftPlace | undefined> {
  await prepareCoverage(sections, texts);
  const unexplained = new Set(coverageOf(sections).unexplained.map((hunk) => hunk.code));
  const from = Math.max(
    0,
    sections.findIndex((section) => section.code === code),
  );
  const first = sections.findIndex((section, index) => index >= from && unexplained.has(section.code));
  if (first < 0) {
    return undefined;
  }
  const files: DiffSection[] = [];
  for (const section of sections.slice(first)) {
    if (section.sectionType !== 'diff') {
      break;
    }
    if (unexplained.has(section.code)) {
      files.push(section);
    }
  }
  return { after: sections[first - 1]?.code ?? null, files };
}

/** All that a model is told; nothing else is sent to it. */
export function draftPrompt(
  patch: Pick<Patch, 'title'>,
  sections: readonly PatchSection[],
  { after, files }: DraftPlace,
  template?: string,
): string {
  const answer = new Answer();
  answer.say(
    'Write one section of prose, in Markdown, for a reviewer who is about to read the diffs below: why they change what they change, and what to look at. Be short. Write only the section itself. Do not repeat the diffs, and do not claim what they do not show.',
    `The patch is called ${answer.name(patch.title)}.`,
  );
  if (template !== undefined && template.trim() !== '') {
    answer.quote('the form that sections of this project have', shortened(template, longestTemplate));
  }
  const place = sections.findIndex(({ code }) => code === after);
  const textOf = (section: PatchSection): string =>
    section.sectionType === 'text' ? (section.text ?? '') : '';
  for (const [what, text] of [
    [
      'the text before it',
      sections
        .slice(0, place + 1)
        .map(textOf)
        .findLast(saysSomething),
    ],
    [
      'the text after it',
      sections
        .slice(place + 1)
        .map(textOf)
        .find(saysSomething),
    ],
  ] as const) {
    if (text !== undefined) {
      answer.quote(what, shortened(text, longestNeighbor));
    }
  }
  let room = longestPrompt - answer.length;
  for (const file of files) {
    const diff = startOf(seenText(file.diffPatch ?? ''), Math.max(0, room));
    if (diff === '') {
      break;
    }
    answer.quote(`the diff of ${JSON.stringify(shortened(pathOf(file), 300))}`, diff);
    room -= diff.length + 500;
  }
  return answer.whole;
}

/** The section that a model has written so far: without the fence that some put around all of it. */
export function draftedText(written: string): string {
  const text = seenText(startOf(written, longestDraft)).trimStart();
  const fenced = /^```(?:markdown|md)?\n/.exec(text);
  return fenced ? text.slice(fenced[0].length).replace(/\n```\s*$/, '') : text;
}
