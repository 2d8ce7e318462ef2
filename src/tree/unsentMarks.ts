/** What has changes that the service does not have yet, as rows are marked with it. */
import type { PatchSection } from '../api/types/patches.ts';
import type { ChangeSubject } from '../model/pending/kinds/index.ts';
import type { PendingChange } from '../model/pending/pendingChange.ts';
import type { PatchAddress } from '../model/patchAddress.ts';

/** See the module. */
export interface UnsentMarks {
  /** Ids of projects and stacks that have something unsent in them. */
  projects: ReadonlySet<string>;
  stacks: ReadonlySet<string>;
  hasPatch(patch: PatchAddress): boolean;
  hasSection(section: PatchAddress & { sectionCode: string }): boolean;
  isReordered(patch: PatchAddress): boolean;
  /** The sections of a patch in the order that the person gave them, which the service may not have yet. */
  inOrder(patch: PatchAddress, sections: readonly PatchSection[]): PatchSection[];
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
    if (subject.kind === 'form') {
      // What it is about is a project, wherever it is about something.
      if (subject.about !== undefined) {
        projects.add(subject.about);
      }
      continue;
    }
    const { projectId, stackUuid } = subject.kind === 'stack' ? subject : subject.patch;
    stacks.add(stackUuid);
    if (projectId !== undefined) {
      projects.add(projectId);
    }
    if (subject.kind === 'stack') {
      continue;
    }
    patches.add(patchKey(subject.patch));
    const code = codeOf(subject);
    if (code !== undefined) {
      sections.add(sectionKey(subject.patch, code));
    }
    if (subject.kind === 'sectionOrder' && 'order' in content) {
      orders.set(patchKey(subject.patch), content.order);
    }
  }
  return {
    projects,
    stacks,
    hasPatch: (patch) => patches.has(patchKey(patch)),
    hasSection: (section) => sections.has(sectionKey(section, section.sectionCode)),
    isReordered: (patch) => orders.has(patchKey(patch)),
    inOrder: (patch, list) => sorted(list, orders.get(patchKey(patch))),
  };
}

function codeOf(subject: ChangeSubject): string | undefined {
  return 'code' in subject ? subject.code : undefined;
}

/** What the order does not name stays behind what it stood behind. */
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

function patchKey({ stackUuid, changeId }: PatchAddress): string {
  return JSON.stringify([stackUuid, changeId]);
}

function sectionKey({ stackUuid, changeId }: PatchAddress, code: string): string {
  return JSON.stringify([stackUuid, changeId, code]);
}
