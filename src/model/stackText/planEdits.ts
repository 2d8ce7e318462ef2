/** The changes that bring a stack to what somebody has made of its markdown file: as few requests as can be. */
import { linesOf, writtenText } from './lines.ts';
import type { AddedText, EditedPatch, EditedStack } from './readStackMarkdown.ts';
import type { FixedPart, PatchText, StackText, WrittenText } from './stackText.ts';

/** The changes of one patch. In this order they lead to what is wanted. */
export interface PatchPlan {
  changeId: string;
  /** Sections with another text; of one that the service doesn't have yet `follows` is its place. */
  texts: { section: WrittenText; text: string; follows: Follows }[];
  /** Sections that are there no more. */
  deletions: { section: WrittenText; follows: string | null }[];
  /** Identifiers of what stays: in their order, and in the one that is wanted. Missing when that is the same. */
  order?: { base: string[]; order: string[] };
  additions: { text: string; follows: Follows }[];
  /** The patch as it is then, with what is to be added by its place in `additions`. */
  result: (WrittenText | FixedPart | { kind: 'added'; index: number; text: string })[];
}

/** The section that something stands behind: by its code, by its place among those that are added, or none. */
export type Follows = string | number | null;

export interface StackPlan {
  fields: { title?: string; description?: string };
  patches: PatchPlan[];
}

type Section = EditedPatch['sections'][number];
type Kept = WrittenText | FixedPart;

/** See the module. @param base what the file was made of. */
export function planEdits(base: StackText, edited: EditedStack): StackPlan {
  const fields = {
    ...(edited.title !== base.title && { title: edited.title }),
    ...(edited.description !== base.description && { description: edited.description }),
  };
  const byId = new Map(edited.patches.map((patch) => [patch.changeId, patch]));
  return {
    fields,
    patches: base.patches.map((patch) =>
      planPatch(patch, byId.get(patch.changeId)?.sections ?? patch.sections),
    ),
  };
}

/** True when there is nothing to do. */
export function isNoChange({ texts, deletions, order, additions }: PatchPlan): boolean {
  return texts.length === 0 && deletions.length === 0 && !order && additions.length === 0;
}

function planPatch({ changeId, sections: base }: PatchText, typed: readonly Section[]): PatchPlan {
  const sections = withReplacedTexts(base, typed);
  const kept = sections.filter((section): section is Kept => section.kind !== 'added');
  const left = new Set(kept.map(({ code }) => code));
  const before = new Map(base.map((section) => [section.code, section]));
  const plan: PatchPlan = { changeId, texts: [], deletions: [], additions: [], result: [] };
  let follows: Follows = null;
  const places = new Map(base.map(({ code }, index) => [code, base[index - 1]?.code ?? null]));
  for (const section of sections) {
    if (section.kind === 'added') {
      const index = plan.additions.length;
      plan.additions.push({ text: section.text, follows });
      plan.result.push({ kind: 'added', index, text: section.text });
      follows = index;
      continue;
    }
    const was = before.get(section.code);
    const isMoved = isNew(section) && places.get(section.code) !== follows;
    if (section.kind === 'text' && was?.kind === 'text' && (section.text !== was.text || isMoved)) {
      plan.texts.push({ section: was, text: section.text, follows });
    }
    plan.result.push(section);
    follows = section.code;
  }
  base.forEach((section, index) => {
    if (section.kind === 'text' && !left.has(section.code)) {
      plan.deletions.push({ section, follows: base[index - 1]?.code ?? null });
    }
  });
  const identifiers = (of: readonly Kept[]): string[] =>
    // Of what the service doesn't have yet it can't be told where it is to stand.
    of.flatMap((section) => (isNew(section) ? [] : [section.identifier]));
  const was = identifiers(base.filter(({ code }) => left.has(code)));
  const wanted = identifiers(kept);
  if (!isSame(was, wanted)) {
    plan.order = { base: was, order: wanted };
  }
  return plan;
}

/**
 * The sections that somebody wants, with new texts in the place of sections that are gone: to write another text into a section is one
 * request, to delete it and to add another one are two. Where the order is as it was, a text that stands where the other one stood is
 * taken for it; where another order is to be written anyway, or that is worth it, any other.
 */
function withReplacedTexts(base: readonly Kept[], typed: readonly Section[]): Section[] {
  const left = new Set(typed.flatMap((section) => (section.kind === 'added' ? [] : [section.code])));
  const gone = base.filter(
    (section): section is WrittenText => section.kind === 'text' && !left.has(section.code),
  );
  const added = typed.filter((section) => section.kind === 'added');
  const most = Math.min(gone.length, added.length);
  if (most === 0) {
    return [...typed];
  }
  const isOrdered = isSame(
    base.flatMap((section) => (left.has(section.code) && !isNew(section) ? [section.code] : [])),
    typed.flatMap((section) => (section.kind === 'added' || isNew(section) ? [] : [section.code])),
  );
  const inPlace = pairsInPlace(base, typed, left);
  // One more request, for the order, which is there anyway when it is another one.
  const isWorthIt = !isOrdered || most - inPlace.size > 1;
  const pairs = isWorthIt ? new Map(added.slice(0, most).map((text, index) => [text, gone[index]])) : inPlace;
  return typed.map((section) => {
    const instead = section.kind === 'added' ? pairs.get(section) : undefined;
    return instead && section.kind === 'added'
      ? { ...instead, text: writtenText(instead.text, linesOf(section.text)) }
      : section;
  });
}

/** Pairs of texts that stand between the same sections that are still there. */
function pairsInPlace(
  base: readonly Kept[],
  typed: readonly Section[],
  left: ReadonlySet<string>,
): Map<AddedText, WrittenText> {
  const gaps = new Map<string | undefined, WrittenText[]>();
  let gap: string | undefined;
  for (const section of base) {
    if (left.has(section.code)) {
      gap = section.code;
    } else if (section.kind === 'text') {
      gaps.set(gap, [...(gaps.get(gap) ?? []), section]);
    }
  }
  const pairs = new Map<AddedText, WrittenText>();
  gap = undefined;
  for (const section of typed) {
    if (section.kind !== 'added') {
      gap = section.code;
      continue;
    }
    const instead = gaps.get(gap)?.shift();
    if (instead) {
      pairs.set(section, instead);
    }
  }
  return pairs;
}

function isNew(section: Kept): boolean {
  return section.kind === 'text' && section.isNew === true;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, place) => item === other[place]);
}
