import * as l10n from '@vscode/l10n';
import type { SectionView } from '../../../protocol/patchDocument.ts';
import { isNew } from '../../../protocol/patchWriting.ts';
import { Emitter } from '../../../util/event.ts';
import type { AskHost } from './textEdit.ts';
import type { Writing } from './writing.ts';
import { sectionName } from '../reading/sectionName.ts';
import { isSameOrder, moveBy, moveTo, type Gap } from './order.ts';

/** The section that the person moved, and the one that stays where it is on the screen meanwhile. */
interface Move {
  code: string;
  /** The section around which the others move; none when the person has not looked at one. */
  beside: string | undefined;
}

/** The selection of sections, and moving them: by the mouse, by keys, and to a chosen place. */
export class Reordering {
  readonly #writing: Writing;
  readonly #ask: AskHost;
  readonly #changed = new Emitter<null>();
  #shown: readonly SectionView[] = [];
  #selected: ReadonlySet<string> = new Set();
  #anchor: string | undefined;
  #move: Move | undefined;

  /** Fires when other sections are selected. */
  readonly onDidChangeSelection = this.#changed.event;

  constructor(writing: Writing, ask: AskHost) {
    this.#writing = writing;
    this.#ask = ask;
  }

  /** Takes in the sections as they are shown; those that are gone are no longer selected. */
  setShown(sections: readonly SectionView[]): void {
    this.#shown = sections;
    const codes = new Set(sections.map(({ code }) => code));
    if ([...this.#selected].some((code) => !codes.has(code))) {
      this.#selected = new Set([...this.#selected].filter((code) => codes.has(code)));
    }
  }

  isSelected(code: string): boolean {
    return this.#selected.has(code);
  }

  get selectedCount(): number {
    return this.#selected.size;
  }

  /** Selects a section too, or no longer; `range` selects all from the one that was chosen before. */
  select(code: string, options: { range: boolean }): void {
    const order = this.#order();
    const selected = new Set(this.#selected);
    const from = this.#anchor === undefined ? -1 : order.indexOf(this.#anchor);
    const to = order.indexOf(code);
    if (options.range && from >= 0) {
      order.slice(Math.min(from, to), Math.max(from, to) + 1).forEach((one) => selected.add(one));
    } else if (!selected.delete(code)) {
      selected.add(code);
    }
    this.#anchor = code;
    this.#selected = selected;
    this.#changed.fire(null);
    this.#writing.announce(
      selected.size === 0
        ? l10n.t('No section selected')
        : selected.size === 1
          ? l10n.t('1 section selected')
          : l10n.t('{0} sections selected', selected.size),
    );
  }

  /** Selects nothing. */
  clearSelection(): void {
    if (this.#selected.size > 0) {
      this.#selected = new Set();
      this.#changed.fire(null);
    }
  }

  /** The sections that move with one: all that are selected when it is one of them. */
  movedWith(code: string): ReadonlySet<string> {
    return this.#selected.has(code) ? this.#selected : new Set([code]);
  }

  /** Moves a section, with those that are selected with it, by one place. */
  moveBy(code: string, step: -1 | 1): void {
    this.#apply({ code, beside: code }, moveBy(this.#order(), this.movedWith(code), step));
  }

  /** Moves a section, with those that are selected with it, before or after another. */
  moveBeside(code: string, other: string, edge: 'top' | 'bottom'): void {
    const order = this.#order();
    const place = order.indexOf(other);
    if (place >= 0) {
      const gap = edge === 'top' ? place : place + 1;
      this.#apply({ code, beside: other }, moveTo(order, this.movedWith(code), gap));
    }
  }

  /** Asks where to, and moves a section with those that are selected with it. */
  async moveToChosen(code: string): Promise<void> {
    const moved = this.movedWith(code);
    const others = this.#sections().filter((section) => !moved.has(section.code));
    const chosen: Gap | null = await this.#ask('chooseGap', {
      moving: moved.size,
      names: others.map(sectionName),
    });
    if (chosen !== null) {
      const before = others[chosen];
      const order = this.#order();
      const gap = before ? order.indexOf(before.code) : order.length;
      this.#apply({ code, beside: undefined }, moveTo(order, moved, gap));
    }
  }

  /** The move that is about to be drawn, once. */
  takeMove(): Move | undefined {
    const move = this.#move;
    this.#move = undefined;
    return move;
  }

  /** Sections that the service knows: one that is only being written has no place there yet. */
  #sections(): readonly SectionView[] {
    return this.#shown.filter(({ code }) => !isNew(code));
  }

  #order(): string[] {
    return this.#sections().map(({ code }) => code);
  }

  /** Shows a new order and says it. */
  #apply(move: Move, order: string[]): void {
    const { code } = move;
    const place = order.indexOf(code);
    const section = this.#shown.find((candidate) => candidate.code === code);
    const said = l10n.t(
      '{0}, section {1} of {2}',
      section ? sectionName(section) : '',
      place + 1,
      order.length,
    );
    if (isSameOrder(order, this.#order())) {
      this.#writing.announce(said);
      return;
    }
    this.#move = move;
    this.#writing.reorder(order);
    this.#writing.announce(said);
  }
}
