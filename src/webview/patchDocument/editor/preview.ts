import { colorBlocks } from '../../common/codeBlocks.ts';
import { formulasToCome, mayHaveFormulas, withFormulas } from '../../common/drawnFormulas.ts';
import { renderMarkdown, type MarkdownOptions } from '../../common/markdown.ts';
import { shortened } from '../../../util/budget.ts';
import { inBackground } from '../../../util/inBackground.ts';
import type { MarkdownBlock } from './blocks.ts';
import type { MarkdownEditor } from './markdownEditor.ts';

/** Milliseconds that rendering may take before it waits for a pause in the typing. */
const frameShareMs = 8;

/** A slow rendering waits this many times as long as it takes, which leaves it a quarter of the time at most. */
const restFactor = 3;

/** Milliseconds that formulas are waited for. */
const formulaMs = 150;

/** Blocks that stand together at most: when one changes, the browser lays out all beside it. */
const groupSize = 60;

/** Characters of a block that are shown as plain text. */
const longestPlainBlock = 2_000;

/** The source of a block that is rendered anew: no text has it. */
const renewed = '\0';

/** The preview of a text, rendered while it is typed: only the blocks that have changed. It follows the editor's scrolling. */
export class Preview {
  readonly #place: HTMLElement;
  readonly #options: MarkdownOptions;
  #editor: MarkdownEditor | undefined;
  #shown: { block: MarkdownBlock; element: HTMLElement }[] = [];
  #frame: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastCost = 0;
  #waitedFor: Promise<void> | undefined;
  /** Blocks that are rendered but not shown yet: HTML by its source. */
  readonly #prepared = new Map<string, string>();
  #scrollFrame: number | undefined;

  /**
   * @param place the element that is filled, and scrolled when it is lower than what it shows.
   */
  constructor(place: HTMLElement, options: MarkdownOptions) {
    this.#place = place;
    this.#options = options;
  }

  /** Renders what is in the editor, soon. */
  update(editor: MarkdownEditor): void {
    this.#editor = editor;
    if (this.#frame !== undefined || this.#timer !== undefined) {
      return;
    }
    if (this.#lastCost > frameShareMs) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#render(editor);
      }, this.#lastCost * restFactor);
    } else {
      this.#frame = requestAnimationFrame(() => {
        this.#frame = undefined;
        // After the frame in which the key is painted.
        this.#timer = setTimeout(() => {
          this.#timer = undefined;
          this.#render(editor);
        });
      });
    }
  }

  /** Renders blocks anew although their source is the same: what they show has come. */
  renew(isMeant: (source: string) => boolean): void {
    if (this.#editor && this.#shown.some(({ block }) => isMeant(block.source))) {
      this.#prepared.clear();
      this.#shown = this.#shown.map((shown) =>
        isMeant(shown.block.source) ? { ...shown, block: { ...shown.block, source: renewed } } : shown,
      );
      this.update(this.#editor);
    }
  }

  /** Scrolls to where the editor is. */
  follow(): void {
    this.#scrollFrame ??= requestAnimationFrame(() => {
      this.#scrollFrame = undefined;
      const editor = this.#editor;
      if (editor) {
        this.#place.scrollTop = editor.atEnd ? this.#place.scrollHeight : this.#heightOf(editor.topLine);
      }
    });
  }

  dispose(): void {
    if (this.#frame !== undefined) {
      cancelAnimationFrame(this.#frame);
    }
    if (this.#scrollFrame !== undefined) {
      cancelAnimationFrame(this.#scrollFrame);
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#editor = undefined;
  }

  #render(editor: MarkdownEditor): void {
    const start = performance.now();
    const before = this.#shown;
    const blocks = editor.blocks();
    if (!blocks) {
      this.#goOn(editor);
      return;
    }
    let head = 0;
    while (head < before.length && before[head]?.block.source === blocks[head]?.source) {
      head += 1;
    }
    let tail = 0;
    while (
      tail < Math.min(before.length, blocks.length) - head &&
      before.at(-1 - tail)?.block.source === blocks.at(-1 - tail)?.source
    ) {
      tail += 1;
    }
    const changed = blocks.slice(head, blocks.length - tail);
    if (!this.#prepare(changed, start + frameShareMs)) {
      this.#goOn(editor);
      return;
    }
    if (this.#waitsForFormulas(editor)) {
      return;
    }
    let last = before[head - 1]?.element;
    const fresh = changed.map((block) => {
      const element = document.createElement('div');
      element.className = 'preview-block';
      element.innerHTML = this.#prepared.get(block.source) ?? '';
      this.#insertAfter(last, element);
      colorBlocks(element);
      last = element;
      return { block, element };
    });
    for (const { element } of before.slice(head, before.length - tail)) {
      takeOut(element);
    }
    this.#prepared.clear();
    const kept = [...before.slice(0, head), ...fresh, ...before.slice(before.length - tail)];
    this.#shown = blocks.flatMap((block, index) => {
      const element = kept[index]?.element;
      return element ? [{ block, element }] : [];
    });
    this.#lastCost = performance.now() - start;
    this.follow();
  }

  /** Puts a block after another, or before all. */
  #insertAfter(before: HTMLElement | undefined, element: HTMLElement): void {
    if (before) {
      before.after(element);
    } else {
      const first = this.#place.firstElementChild ?? this.#place.appendChild(document.createElement('div'));
      first.prepend(element);
    }
    const group = element.parentElement;
    if (group && group.childElementCount > groupSize) {
      const half = document.createElement('div');
      half.append(...[...group.children].slice(groupSize / 2));
      group.after(half);
    }
  }

  /** Renders blocks, at least one of them; false when the time is over before all are there. */
  #prepare(blocks: readonly MarkdownBlock[], end: number): boolean {
    const missing = new Set(
      blocks.map(({ source }) => source).filter((source) => !this.#prepared.has(source)),
    );
    for (const source of missing) {
      const html = renderMarkdown(source, this.#options);
      this.#prepared.set(source, html === undefined ? plainBlock(source) : withFormulas(html));
      missing.delete(source);
      if (performance.now() >= end) {
        break;
      }
    }
    return missing.size === 0;
  }

  /** Returns true when the blocks are shown a little later: a formula that is written would be its source for a moment with every key. */
  #waitsForFormulas(editor: MarkdownEditor): boolean {
    const coming = formulasToCome();
    if (!coming || this.#waitedFor === coming) {
      return false;
    }
    this.#waitedFor = coming;
    this.#prepared.clear();
    const show = (): void => {
      clearTimeout(timer);
      this.#timer = undefined;
      this.#render(editor);
    };
    const timer = setTimeout(show, formulaMs);
    this.#timer = timer;
    inBackground(
      coming.then(() => {
        if (this.#timer === timer) {
          show();
        } else {
          this.renew(mayHaveFormulas);
        }
      }),
    );
    return true;
  }

  /** Goes on after what else waits, such as the next key. */
  #goOn(editor: MarkdownEditor): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#render(editor);
    });
  }

  /** Pixels from the top at which a line of the source is shown. */
  #heightOf(line: number): number {
    const index = this.#shown.findLastIndex(({ block }) => block.from <= line);
    const current = this.#shown[index];
    if (!current) {
      return 0;
    }
    const top = this.#topOf(current.element);
    const next = this.#shown[index + 1];
    const bottom = next ? this.#topOf(next.element) : this.#place.scrollHeight;
    const lines = (next?.block.from ?? current.block.to) - current.block.from;
    return top + (bottom - top) * Math.min(1, (line - current.block.from) / Math.max(1, lines));
  }

  #topOf(element: HTMLElement): number {
    return (
      element.getBoundingClientRect().top - this.#place.getBoundingClientRect().top + this.#place.scrollTop
    );
  }
}

/** A block that is over the budget, as it stands in the editor beside it. */
function plainBlock(source: string): string {
  const block = document.createElement('pre');
  block.className = 'plain-text';
  block.textContent = shortened(source, longestPlainBlock);
  return block.outerHTML;
}

/** Takes a block away, and its group when it was the last there. */
function takeOut(element: HTMLElement): void {
  const group = element.parentElement;
  element.remove();
  if (group?.childElementCount === 0) {
    group.remove();
  }
}
