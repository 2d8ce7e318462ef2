import { coverageOf } from '../model/prose/coverage.ts';
import type { WrittenPatch } from '../model/prose/stackCoverage.ts';
import { placesOf } from '../model/reading/hunks.ts';
import { linesOf, nextPlace, type Found, type StackPlace, type Whereabouts } from './stackPlaces.ts';

/** The next hunk of a stack that no prose explains, after where the person is; from the end on from the beginning. */
export function nextUnexplained(patches: readonly WrittenPatch[], from: Whereabouts): StackPlace | undefined {
  const places = patches.flatMap((patch, index) => unexplainedIn(patch, index));
  const inStack = patches.map(({ changeId, sections }) => ({
    changeId,
    codes: sections.map(({ code }) => code),
    placesIn: (section: number) => {
      const file = sections[section];
      return file?.sectionType === 'diff' ? placesOf(file.diffPatch ?? '') : [];
    },
  }));
  return nextPlace(inStack, places, from, 'next');
}

function unexplainedIn({ changeId, sections }: WrittenPatch, patch: number): Found[] {
  const sectionOf = new Map(sections.map(({ code }, index) => [code, index]));
  return coverageOf(sections).unexplained.map(({ code, place, change }) => ({
    place: { changeId, sectionCode: code, ...(place && { line: linesOf(place) }) },
    at: [patch, sectionOf.get(code) ?? -1, place ? change : -1],
  }));
}
