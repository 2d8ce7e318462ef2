import type { PatchSection } from '../../api/types/patches.ts';
import { fitOrder } from '../../util/fitOrder.ts';
import { isOfKind, type PendingChange } from '../pending/pendingChange.ts';

/**
 * The sections of a patch as its author has written them, in the order that they want: with the texts that the service doesn't have
 * yet, and without what they have deleted.
 *
 * @param changes those of this patch.
 */
export function writtenSections(
  sections: readonly PatchSection[],
  changes: readonly PendingChange[],
): readonly PatchSection[] {
  if (changes.length === 0) {
    return sections;
  }
  const texts = new Map<string, string>();
  const deleted = new Set<string>();
  let order = sections.map(({ identifier }) => identifier);
  for (const change of changes) {
    if (isOfKind(change, 'sectionText')) {
      texts.set(change.subject.code, change.content.text);
    } else if (isOfKind(change, 'sectionDeletion')) {
      deleted.add(change.subject.code);
    } else if (isOfKind(change, 'sectionOrder')) {
      order = fitOrder(change.content.order, order);
    }
  }
  const byIdentifier = new Map(sections.map((section) => [section.identifier, section]));
  const written = order.flatMap((identifier): PatchSection[] => {
    const section = byIdentifier.get(identifier);
    const text = section && texts.get(section.code);
    if (!section || deleted.has(section.code)) {
      return [];
    }
    return [section.sectionType === 'text' && text !== undefined ? { ...section, text } : section];
  });
  for (const change of changes) {
    if (isOfKind(change, 'newSection')) {
      const { key } = change.subject;
      const { text, after } = change.content;
      const place = written.findIndex(({ code }) => code === after);
      const section = { sectionType: 'text', code: key, identifier: key, text } as const;
      written.splice(after === null ? 0 : place < 0 ? written.length : place + 1, 0, section);
    }
  }
  return written;
}
