/** A patch of one text, as somebody has read it and as it is now, for tests of what it is compared with. */
import type { Patch } from '../../../src/api/types/patches.ts';
import type { CompareVersions } from '../../../src/git/versionComparison.ts';
import { comparePatches } from '../../../src/model/reading/comparePatches.ts';
import { showComparison } from '../../../src/model/reading/showComparison.ts';

/** The stack of the patch. */
export const stack = { projectId: '1', branchId: 'topic' };

const patch = (text: string, version: string): Patch => ({
  changeId: 'I1',
  title: 'Title',
  version,
  contributors: [],
  sections: [{ sectionType: 'text', code: 'a', identifier: 'a', text }],
});

/** The patch in its first version, and in its second. */
export const [before, now] = [patch('As it was read.', '1'), patch('As it is now.', '2')];

/** Compares two versions of it, of which nothing is in Git. */
export const compareTexts: CompareVersions = async ([older, newer]) =>
  showComparison(older, newer, comparePatches(older, newer));
