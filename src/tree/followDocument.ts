import type * as vscode from 'vscode';
import type { AtHand } from '../model/atHand.ts';
import type { Log } from '../ui/log.ts';
import type { Node, PatchNode } from './nodes.ts';
import { askAgain } from '../util/askAgain.ts';
import { isPatch, isSamePatch, patchKey, type PatchRef } from '../util/patchRef.ts';

interface PatchRows {
  /** The row of a patch; undefined when it is not listed. */
  patchRow(patch: PatchRef): Promise<PatchNode | undefined>;
}

/**
 * Has the stacks view select the row of the patch document that the person turns to. It takes no focus, shows no view that is
 * hidden, and asks for nothing while the view is; what it has missed it makes up for when the view is shown.
 */
export class FollowDocument {
  readonly #view: Pick<vscode.TreeView<Node>, 'visible' | 'selection' | 'reveal'>;
  readonly #rows: PatchRows;
  readonly #atHand: Pick<AtHand, 'places'>;
  readonly #isOn: () => boolean;
  readonly #log: Pick<Log, 'debug'>;
  /** The document that was followed last: another change of what is at hand does not bring it back into view. */
  #followed: string | undefined;
  /** The row that VS Code has been asked to select and has not told of yet. */
  #selecting: string | undefined;
  /** The row that is selected, where it is this that has selected it. */
  #selected: string | undefined;

  constructor(
    view: Pick<vscode.TreeView<Node>, 'visible' | 'selection' | 'reveal'>,
    rows: PatchRows,
    atHand: Pick<AtHand, 'places'>,
    isOn: () => boolean,
    log: Pick<Log, 'debug'>,
  ) {
    this.#view = view;
    this.#rows = rows;
    this.#atHand = atHand;
    this.#isOn = isOn;
    this.#log = log;
  }

  /** Selects the row of the document, if the person has turned to another one. */
  async follow(): Promise<void> {
    const [latest] = this.#atHand.places;
    if (latest?.from !== 'document') {
      // Whoever selects a row and then comes back to the document has turned to it again.
      this.#followed = undefined;
      return;
    }
    const { place } = latest;
    if (!isPatch(place)) {
      return;
    }
    const document = patchKey(place, place.serverUrl);
    if (!this.#view.visible || !this.#isOn() || this.#followed === document) {
      return;
    }
    this.#followed = document;
    let hasAsked = false;
    try {
      hasAsked = await this.#selectRowOf(document, place);
    } catch (error) {
      // It is an extra, and the document is what counts.
      this.#log.debug(`The row of a document could not be found: ${String(error)}`);
    }
    if (hasAsked && this.#followed !== document) {
      // The row of what the person has turned to meanwhile may have been selected by their click until now.
      this.#followed = undefined;
      await this.follow();
    }
  }

  /** Notes which row is selected now. VS Code may tell of the person's own while it has yet to select that of a document. */
  noteSelected(row: Node | undefined): void {
    this.#selected = row && row.id === this.#selecting ? row.id : undefined;
  }

  /** True while a row is selected for the document that it is of, and not by the person. */
  hasSelected(row: Node): boolean {
    return this.#selected === row.id;
  }

  /** Selects the row of a document. @returns whether VS Code has been asked to. */
  async #selectRowOf(document: string, place: PatchRef): Promise<boolean> {
    for await (const turn of askAgain()) {
      const row = await this.#rows.patchRow(place);
      // By now the person may have turned to something else, and to reveal a row of a hidden view would show it.
      if (!row || !this.#canReveal(document) || this.#isSelected(row)) {
        return turn > 0;
      }
      try {
        await this.#select(row);
        return true;
      } catch (error) {
        // VS Code forgets a row while it draws it again.
        this.#log.debug(`The row of a document could not be selected: ${String(error)}`);
      }
    }
    return true;
  }

  async #select(row: Node): Promise<void> {
    this.#selecting = row.id;
    try {
      await this.#view.reveal(row, { select: true, focus: false, expand: false });
    } finally {
      // VS Code has told of it by now. Another one may be selected since.
      if (this.#selecting === row.id) {
        this.#selecting = undefined;
      }
    }
  }

  #canReveal(document: string): boolean {
    return this.#followed === document && this.#view.visible;
  }

  /** A selected section stays selected, so it counts as its patch. */
  #isSelected(patch: PatchNode): boolean {
    return this.#view.selection.some(
      (row) => (row.kind === 'patch' || row.kind === 'section') && isSamePatch(row, patch),
    );
  }
}
