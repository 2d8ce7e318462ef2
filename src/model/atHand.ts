/** Knows what the person works on: the row that they have selected, and the document that they look at. */
import type { Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import type { Ref } from '../util/patchRef.ts';

/** The values of the context key `patchStacks.atHand`, on which menus depend. */
export type PlaceKind = 'project' | 'stack' | 'patch' | 'section';

/** A place, with where it comes from. */
export interface PlaceAtHand {
  place: Ref;
  from: 'row' | 'document';
}

/** See the module. The views note what they show; commands that are given nothing are for what is at hand. */
export class AtHand implements Disposable {
  readonly #changed = new Emitter<undefined>();
  #row: Ref | undefined;
  #document: Ref | undefined;
  #latest: PlaceAtHand['from'] = 'row';

  /** Fires when something else is at hand. */
  readonly onDidChange = this.#changed.event;

  /** The selected row and the open document, as far as there are any: what the person turned to last comes first. */
  get places(): PlaceAtHand[] {
    const row = this.#row && { place: this.#row, from: 'row' as const };
    const document = this.#document && { place: this.#document, from: 'document' as const };
    const inOrder = this.#latest === 'row' ? [row, document] : [document, row];
    return inOrder.filter((one) => one !== undefined);
  }

  /** Notes the row that the person has selected; undefined for one that stands for nothing of the service. */
  select(row: Ref | undefined): void {
    this.#row = row;
    this.#latest = 'row';
    this.#changed.fire(undefined);
  }

  /** Notes the row that was selected because it is the document's. */
  follow(row: Ref | undefined): void {
    this.#row = row;
  }

  /** Notes the document that the person turned to; undefined when none is open any more. */
  show(document: Ref | undefined): void {
    this.#document = document;
    if (document) {
      this.#latest = 'document';
    }
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** The kind of a place; undefined when it names nothing. */
export function kindOf({ projectId, stackUuid, changeId, sectionCode }: Ref): PlaceKind | undefined {
  if (changeId !== undefined) {
    return sectionCode === undefined ? 'patch' : 'section';
  }
  return stackUuid !== undefined ? 'stack' : projectId !== undefined ? 'project' : undefined;
}
