/** Orders of sections as people read them. */
import type { PatchSection } from '../../api/types/patches.ts';
import { sectionTitle } from '../../util/sectionTitle.ts';

/** A section in an order. */
export interface NamedSection {
  identifier: string;
  name: string;
}

/** A section with what it is called. */
export function namedSection(section: PatchSection): NamedSection {
  const { identifier, title = identifier } = section;
  const name =
    section.sectionType === 'text'
      ? (sectionTitle(section.text ?? '') ?? title)
      : section.sectionType === 'diff'
        ? (section.newPath ?? section.oldPath ?? title)
        : title;
  return { identifier, name };
}

/** An order as lines, without the sections that are there no more. */
export function orderText(identifiers: readonly string[], sections: readonly NamedSection[]): string {
  const names = new Map(sections.map(({ identifier, name }) => [identifier, name]));
  return identifiers
    .flatMap((identifier) => names.get(identifier) ?? [])
    .map((name) => `${name}\n`)
    .join('');
}
