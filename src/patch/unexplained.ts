import { isDeepStrictEqual } from 'node:util';
import type { DiffSection, Patch, PatchSection } from '../api/types/patches.ts';
import type { PendingChange } from '../model/pending/pendingChange.ts';
import { coverageOf, prepareCoverage, type UnexplainedHunk } from '../model/prose/coverage.ts';
import type { TextsOfPatch } from '../model/prose/followNames.ts';
import { writtenSections } from '../model/prose/writtenSections.ts';
import type { PatchView, UnexplainedHunks } from '../protocol/patchDocument.ts';
import type { Disposable } from '../util/disposable.ts';
import { inBackground } from '../util/inBackground.ts';

/** Milliseconds after which a text that is typed counts: nobody looks at the marks of files while they write. */
const restMs = 400;

/** The marks of a document, and all that they depend on. */
interface Marks {
  patch: Patch;
  /** The pending changes of the patch, as far as they matter. */
  changes: string;
  unexplained: NonNullable<PatchView['unexplained']>;
}

/** The hunks that no prose explains in the patch of a document: reckoned once it is drawn, and again when a text has changed. */
export class Unexplained implements Disposable {
  readonly #textsOf: (patch: Patch) => TextsOfPatch;
  readonly #onChange: () => void;
  #marks: Marks | undefined;
  #wanted: { patch: Patch; changes: readonly PendingChange[] } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasBegun = false;

  /**
   * @param textsOf the place of a patch, and where its older versions are asked for.
   * @param onChange told when there are other marks.
   */
  constructor(textsOf: (patch: Patch) => TextsOfPatch, onChange: () => void) {
    this.#textsOf = textsOf;
    this.#onChange = onChange;
  }

  /** Begins to reckon: the document is there to be read. */
  begin(): void {
    this.#hasBegun = true;
    if (this.#wanted) {
      this.#reckonIn(0);
    }
  }

  /**
   * Returns the marks of a patch as far as they are known; they are reckoned anew if need be.
   *
   * @param changes those of the patch that the service doesn't have yet.
   */
  view(patch: Patch, changes: readonly PendingChange[]): PatchView['unexplained'] {
    const marks = this.#marks;
    if (marks?.patch === patch && marks.changes === nameOf(changes)) {
      this.#wanted = undefined;
    } else if (this.#wanted?.patch !== patch || nameOf(this.#wanted.changes) !== nameOf(changes)) {
      this.#wanted = { patch, changes };
      this.#reckonIn(restMs);
    }
    // While somebody writes, those of before stay: they come and go with whole sections.
    return marks && hasSameFiles(marks.patch, patch) && Object.keys(marks.unexplained).length > 0
      ? marks.unexplained
      : undefined;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#hasBegun = false;
  }

  #reckonIn(delayMs: number): void {
    if (this.#hasBegun) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => inBackground(this.#reckon()), delayMs);
    }
  }

  async #reckon(): Promise<void> {
    const wanted = this.#wanted;
    if (!wanted) {
      return;
    }
    const { patch, changes } = wanted;
    const sections = writtenSections(patch.sections ?? [], changes);
    await prepareCoverage(sections, this.#textsOf(patch));
    if (this.#wanted !== wanted || !this.#hasBegun) {
      // It is reckoned anew, or nobody wants to know any more.
      return;
    }
    const unexplained = unexplainedBySection(sections);
    const before = this.#marks && hasSameFiles(this.#marks.patch, patch) ? this.#marks.unexplained : {};
    const isSame = isDeepStrictEqual(before, unexplained);
    this.#marks = { patch, changes: nameOf(changes), unexplained: isSame ? before : unexplained };
    this.#wanted = undefined;
    if (!isSame) {
      this.#onChange();
    }
  }
}

/** The hunks that no prose explains, as the page marks them. */
export function unexplainedBySection(sections: readonly PatchSection[]): Record<string, UnexplainedHunks> {
  const { unexplained, counts } = coverageOf(sections);
  const bySection = Map.groupBy(unexplained, ({ code }: UnexplainedHunk) => code);
  return Object.fromEntries(
    [...bySection].map(([code, hunks]) => [
      code,
      hunks.length === counts.get(code) ? ('all' as const) : hunks.flatMap(({ place }) => place ?? []),
    ]),
  );
}

function nameOf(changes: readonly PendingChange[]): string {
  return JSON.stringify(changes.map(({ id, changedAt, subject }) => [id, changedAt, subject.kind]));
}

/** True when marks at lines of one are right in the other: texts alone differ. */
function hasSameFiles(one: Patch, other: Patch): boolean {
  if (one === other) {
    return true;
  }
  const [before, now] = [filesOf(one), filesOf(other)];
  return (
    before.length === now.length &&
    before.every(
      ({ code, diffPatch }, index) => code === now[index]?.code && diffPatch === now[index].diffPatch,
    )
  );
}

function filesOf({ sections = [] }: Patch): DiffSection[] {
  return sections
    .filter((section) => section.sectionType === 'diff')
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}
