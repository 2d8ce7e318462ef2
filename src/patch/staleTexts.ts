/** The texts of a document's patch that are older than the code that they are about. */
import { isDeepStrictEqual } from 'node:util';
import type { Patch } from '../api/types/patches.ts';
import type { Model } from '../model/model.ts';
import type { PendingChange } from '../model/pending/pendingChange.ts';
import { ChangedCode, type ChangedFile } from '../model/prose/changedCode.ts';
import { WrittenVersions } from '../model/prose/writtenIn.ts';
import { writtenSections } from '../model/prose/writtenSections.ts';
import type { Readings } from '../model/reading/readings.ts';
import { stackNameOf } from '../model/reading/stackName.ts';
import type { StaleText } from '../protocol/patchDocument.ts';
import type { Disposable } from '../util/disposable.ts';
import { nextTurn } from '../util/nextTurn.ts';
import { saysSomething } from '../util/proseNames.ts';
import type { PatchRef } from '../util/patchRef.ts';

/** A text whose code has changed since. */
export interface FoundStale {
  code: string;
  /** The stack of the version that it was written in, with the number of that. */
  stackUuid: string;
  number: string | undefined;
  files: ChangedFile[];
}

/** The sources of all that is said of stale texts. */
export interface StaleContext {
  model: Model;
  /** The readings of the account that is signed in; undefined when none is. */
  readings: () => Promise<Readings | undefined>;
}

/** Files of a text that are named. */
const mostNamed = 20;

/** Texts that are looked at in one turn of the event loop. */
const textsPerTurn = 50;

/** Finds the texts of a patch that are older than the code that they are about. @param only the code of the one that is asked for. */
export async function findStale(
  { model, readings }: StaleContext,
  ref: PatchRef,
  patch: Patch,
  changes: readonly PendingChange[],
  only?: string,
): Promise<FoundStale[]> {
  const stackName = stackNameOf(model.located(ref));
  const stillTrue = (await (await readings())?.stillTrue(stackName)) ?? new Set<string>();
  const sections = writtenSections(patch.sections ?? [], changes);
  const stack = await model.stackOfPatch(ref).catch(() => undefined);
  const versions = new WrittenVersions(model, ref, patch, stack?.stack.createdAt);
  const changed = new Map<string, ChangedCode>();
  const found: FoundStale[] = [];
  for (const [index, section] of sections.entries()) {
    if (index % textsPerTurn === textsPerTurn - 1) {
      await nextTurn();
    }
    if (section.sectionType !== 'text' || (only !== undefined && section.code !== only)) {
      continue;
    }
    const { code, text = '' } = section;
    if (!saysSomething(text)) {
      continue;
    }
    const written = await versions.of(text);
    const { stackUuid } = written;
    if (stackUuid !== undefined) {
      const since = changed.get(stackUuid) ?? new ChangedCode(written.patch.sections ?? [], sections);
      changed.set(stackUuid, since);
      const files = since.of(section).filter(({ print }) => !stillTrue.has(print));
      if (files.length > 0) {
        found.push({ code, stackUuid, number: written.patch.version, files });
      }
    }
  }
  return found;
}

interface Wanted {
  ref: PatchRef;
  patch: Patch;
  changes: readonly PendingChange[];
  name: string;
}

/** See the module. They are looked for once the document is drawn, and again when a text or the patch has changed. */
export class StaleTexts implements Disposable {
  readonly #context: StaleContext;
  readonly #onChange: () => void;
  #wanted: Wanted | undefined;
  #known: { patch: Patch; name: string; found: FoundStale[]; view: Record<string, StaleText> } | undefined;
  #hasBegun = false;
  #finding: Promise<void> | undefined;

  /** @param onChange told when others are stale. */
  constructor(context: StaleContext, onChange: () => void) {
    this.#context = context;
    this.#onChange = onChange;
  }

  /** Begins to look: the document is there to be read. */
  begin(): void {
    this.#hasBegun = true;
    this.#find();
  }

  /**
   * The stale texts of a patch, as far as they are known.
   *
   * @param changes those of the patch that the service doesn't have yet.
   */
  view(
    ref: PatchRef,
    patch: Patch,
    changes: readonly PendingChange[],
  ): Record<string, StaleText> | undefined {
    const name = JSON.stringify(changes.map(({ id, changedAt, subject }) => [id, changedAt, subject.kind]));
    const looked = this.#wanted ?? this.#known;
    if (looked?.patch !== patch || looked.name !== name) {
      this.#wanted = { ref, patch, changes, name };
      this.#find();
    }
    const { view } = this.#known ?? {};
    return this.#known?.patch.changeId === patch.changeId && view && Object.keys(view).length > 0
      ? view
      : undefined;
  }

  /** A stale text, by the code of its section. */
  find(code: string): FoundStale | undefined {
    return this.#known?.found.find((one) => one.code === code);
  }

  /** Takes the mark of a text away: it was noted that it is still true. */
  drop(code: string): void {
    this.#known = this.#known && withFound(this.#known, (one) => one.code !== code);
    this.#onChange();
  }

  dispose(): void {
    this.#hasBegun = false;
    this.#wanted = undefined;
  }

  /** Looks for what is wanted last, once nothing else is looked for. */
  #find(): void {
    if (this.#hasBegun && this.#wanted && !this.#finding) {
      this.#finding = this.#findWanted(this.#wanted).finally(() => {
        this.#finding = undefined;
        this.#find();
      });
    }
  }

  async #findWanted(wanted: Wanted): Promise<void> {
    const { ref, patch, changes, name } = wanted;
    const found = await findStale(this.#context, ref, patch, changes).catch(() => []);
    if (this.#wanted !== wanted) {
      return;
    }
    this.#wanted = undefined;
    const before = this.#known?.view ?? {};
    const next = withFound({ patch, name, found, view: {} }, () => true);
    // Marks that are the same are the same object: the page is told of them once.
    this.#known = isDeepStrictEqual(before, next.view) ? { ...next, view: before } : next;
    if (this.#known === next) {
      this.#onChange();
    }
  }
}

/** Notes on this computer that a text is true of the code as it is now. */
export async function noteStillTrue(
  { model, readings }: StaleContext,
  ref: PatchRef,
  { files }: FoundStale,
): Promise<void> {
  const prints = files.map(({ print }) => print);
  await (await readings())?.noteStillTrue(stackNameOf(model.located(ref)), prints);
}

function withFound<T extends { found: FoundStale[]; view: Record<string, StaleText> }>(
  known: T,
  isIt: (found: FoundStale) => boolean,
): T {
  const found = known.found.filter(isIt);
  return { ...known, found, view: Object.fromEntries(found.map((one) => [one.code, viewOf(one)])) };
}

function viewOf({ number, files }: FoundStale): StaleText {
  return {
    ...(number !== undefined && { number }),
    files: files.slice(0, mostNamed).map(({ path, kind, code, line }) => ({
      path,
      kind,
      ...(code !== undefined && { code }),
      ...(line !== undefined && { line }),
    })),
    more: Math.max(0, files.length - mostNamed),
  };
}
