/** Marks rows that have changes that the service doesn't have yet. */
import type { PatchSection } from '../api/types/patches.ts';
import type { ChangeSubject } from '../model/pending/kinds/index.ts';
import { patchOf, placeOf } from '../model/pending/subjects.ts';
import type { PendingChange } from '../model/pending/pendingChange.ts';
import { patchKey, type PatchRef } from '../util/patchRef.ts';

/** See the module. */
export interface UnsentMarks {
  /** Ids of projects and stacks that have something unsent in them. */
  projects: ReadonlySet<string>;
  stacks: ReadonlySet<string>;
  hasPatch(patch: PatchRef): boolean;
  hasSection(section: PatchRef & { sectionCode: string }): boolean;
  isReordered(patch: PatchRef): boolean;
  /** The sections of a patch in the order that the person gave them, which the service may not have yet. */
  inOrder(patch: PatchRef, sections: readonly PatchSection[]): PatchSection[];
}

/** Nothing is unsent. */
export const noUnsentMarks = unsentMarks([]);

/** The marks of pending changes. */
export function unsentMarks(
  pendingChanges: readonly Pick<PendingChange, 'subject' | 'content'>[],
): UnsentMarks {
  const projects = new Set<string>();
  const stacks = new Set<string>();
  const patches = new Set<string>();
  const sections = new Set<string>();
  const orders = new Map<string, readonly string[]>();
  for (const { subject, content } of pendingChanges) {
    const { projectId, stackUuid } = placeOf(subject);
    if (stackUuid !== undefined) {
      stacks.add(stackUuid);
    }
    if (projectId !== undefined) {
      projects.add(projectId);
    }
    const patch = patchOf(subject);
    if (!patch) {
      continue;
    }
    patches.add(patchKey(patch));
    const code = codeOf(subject);
    if (code !== undefined) {
      sections.add(patchKey(patch, code));
    }
    if ('order' in content) {
      orders.set(patchKey(patch), content.order);
    }
  }
  return {
    projects,
    stacks,
    hasPatch: (patch) => patches.has(patchKey(patch)),
    hasSection: (section) => sections.has(patchKey(section, section.sectionCode)),
    isReordered: (patch) => orders.has(patchKey(patch)),
    inOrder: (patch, list) => sorted(list, orders.get(patchKey(patch))),
  };
}

function codeOf(subject: ChangeSubject): string | undefined {
  return 'code' in subject ? subject.code : undefined;
}

/** Sections that the order doesn't name stay behind the one they stood behind. */
function sorted(sections: readonly PatchSection[], order: readonly string[] | undefined): PatchSection[] {
  if (!order) {
    return [...sections];
  }
  const places = new Map(order.map((identifier, index) => [identifier, index]));
  let place = -1;
  const placed = sections.map((section) => {
    place = places.get(section.identifier) ?? place;
    return { section, place };
  });
  return placed.sort((one, other) => one.place - other.place).map(({ section }) => section);
}
