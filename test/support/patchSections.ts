/** Sections of patches as the service gives them, for tests of what is made of their texts and diffs. */
import type { DiffSection, TextSection } from '../../src/api/types/patches.ts';

/** The section of a file that is called the same before and after, unless `more` says otherwise. */
export function diffSection(path: string, diffPatch: string, more: Partial<DiffSection> = {}): DiffSection {
  return {
    sectionType: 'diff',
    code: path,
    identifier: path,
    newPath: path,
    oldPath: path,
    diffPatch,
    ...more,
  };
}

/** A section with a text, by its code. */
export function textSection(code: string, markdown = code): TextSection & { text: string } {
  return { sectionType: 'text', code, identifier: code, text: markdown };
}
