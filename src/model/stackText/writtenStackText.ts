import type { Patch, PatchSection } from '../../api/types/patches.ts';
import type { PatchStack } from '../../api/types/stacks.ts';
import { isOfKind, type PendingChange } from '../pending/pendingChange.ts';
import { writtenStack } from '../prose/stackCoverage.ts';
import { printOf } from './lines.ts';
import type { FixedPart, PatchText, StackText } from './stackText.ts';

/** A stack with the lines that show those parts of it that nobody writes. */
export interface WrittenStackText {
  text: StackText;
  linesOfPart: (patch: PatchText, part: FixedPart) => readonly string[];
}

/**
 * A stack as it is written: with what the service doesn't have yet.
 *
 * @param patches with their sections.
 * @param partLines the lines that show a section that nobody writes.
 */
export function writtenStackText(
  stack: PatchStack,
  patches: readonly Patch[],
  changes: readonly PendingChange[],
  partLines: (section: PatchSection) => string[],
): WrittenStackText {
  const shown = new Map<string, readonly string[]>();
  const unsent = changes.find(
    (change) =>
      isOfKind(change, 'stack') &&
      (change.subject.stackUuid === stack.uuid ||
        (stack.branchId !== undefined && change.subject.branchId === stack.branchId)),
  );
  const fields = unsent && isOfKind(unsent, 'stack') ? unsent.content.fields : {};
  const added = new Set(
    changes.flatMap((change) => (isOfKind(change, 'newSection') ? [change.subject.key] : [])),
  );
  const written = writtenStack(patches, changes);
  return {
    text: {
      title: fields.title ?? stack.title ?? '',
      description: fields.description ?? stack.description ?? '',
      patches: written.map(({ changeId, sections }, index) => ({
        changeId,
        title: patches[index]?.title ?? '',
        sections: sections.map((section) => {
          const { code, identifier } = section;
          if (section.sectionType === 'text') {
            const { text = '' } = section;
            return { kind: 'text', code, identifier, text, ...(added.has(code) && { isNew: true }) };
          }
          const lines = partLines(section);
          shown.set(JSON.stringify([changeId, identifier]), lines);
          return { kind: 'fixed', code, identifier, lineCount: lines.length, print: printOf(lines) };
        }),
      })),
    },
    linesOfPart: ({ changeId }, { identifier }) => shown.get(JSON.stringify([changeId, identifier])) ?? [],
  };
}
