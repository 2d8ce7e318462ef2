/** The fingerprints by which agents name what they have read of a patch, and the differences from what is there now. */
import { createHash } from 'node:crypto';
import type { Patch, PatchSection } from '../api/types/patches.ts';
import { fingerprintOf } from '../model/fingerprint.ts';
import { isOfKind, type PendingChange } from '../model/pending/pendingChange.ts';
import { patchOf } from '../model/pending/subjects.ts';
import { writtenSections } from '../model/prose/writtenSections.ts';

/** A patch as an agent is shown it: with what the person has written and the service doesn't have yet. */
export interface AgentPatch {
  patch: Patch;
  sections: readonly PatchSection[];
  /** The pending changes of its texts and their order. */
  changes: readonly PendingChange[];
  fingerprint: string;
}

/** Joins a patch with what is pending of it. @param changes those of any patch. */
export function agentPatch(patch: Patch, changes: readonly PendingChange[]): AgentPatch {
  const own = changes.filter(
    (change) =>
      patchOf(change.subject)?.changeId === patch.changeId &&
      isOfKind(change, 'sectionText', 'newSection', 'sectionDeletion', 'sectionOrder'),
  );
  const said = own.map(({ subject, content }) => JSON.stringify([subject, content])).sort();
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([fingerprintOf(patch), said]))
    .digest('hex')
    .slice(0, 32);
  return { patch, sections: writtenSections(patch.sections ?? [], own), changes: own, fingerprint };
}

/** Everything of a patch that is compared. */
interface Known {
  version: string | undefined;
  head: string;
  prints: ReadonlyMap<string, string>;
}

/** Patches of which it is known what agents have read. */
const mostKnown = 200;

/** Remembers what agents have read, to say what has changed since. */
export class AgentReadings {
  readonly #known = new Map<string, Known>();

  /** Notes that an agent was told this fingerprint. */
  note({ fingerprint, patch, sections }: AgentPatch): void {
    this.#known.delete(fingerprint);
    this.#known.set(fingerprint, knownOf(patch, sections));
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKnown && oldest !== undefined) {
      this.#known.delete(oldest);
    }
  }

  /** Says what is different from what an agent has read, a sentence for each; `codeName` writes the code of a section. */
  changes(read: string, now: AgentPatch, codeName: (code: string) => string): string[] {
    const before = this.#known.get(read);
    if (!before) {
      return ['That fingerprint is none that was given for this patch lately.'];
    }
    const after = knownOf(now.patch, now.sections);
    const both = [...after.prints.keys()].filter((code) => before.prints.has(code));
    const order = [...before.prints.keys()].filter((code) => after.prints.has(code));
    return [
      ...(before.version !== after.version ? ['There is another version of the patch.'] : []),
      ...(before.head !== after.head ? ['Its title or message changed.'] : []),
      ...both
        .filter((code) => before.prints.get(code) !== after.prints.get(code))
        .map((code) => `Section ${codeName(code)} changed.`),
      ...[...after.prints.keys()]
        .filter((code) => !before.prints.has(code))
        .map((code) => `Section ${codeName(code)} is new.`),
      ...[...before.prints.keys()]
        .filter((code) => !after.prints.has(code))
        .map((code) => `Section ${codeName(code)} is gone.`),
      ...(both.join('\n') !== order.join('\n') ? ['The order of the sections changed.'] : []),
    ];
  }
}

function knownOf(patch: Patch, sections: readonly PatchSection[]): Known {
  const print = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');
  return {
    version: patch.version,
    head: print([patch.title, patch.description]),
    prints: new Map(
      sections.map((section) => [
        section.code,
        print(
          section.sectionType === 'text'
            ? section.text
            : section.sectionType === 'diff'
              ? section.diffPatch
              : section.title,
        ),
      ]),
    ),
  };
}
