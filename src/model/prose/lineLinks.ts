/**
 * Links to lines of files. A paragraph that was written anew means the lines as they are now, and one beside it those of before: the
 * same words may lead to other lines there.
 */
import { isDeepStrictEqual } from 'node:util';
import { newlineCount } from '../../util/newlineCount.ts';
import type { LinkTarget, ProseLink } from '../../util/proseLink.ts';

/** The target of words in one of the paragraphs that have them. */
interface TargetThere {
  paragraph: string;
  index: number;
  target: LinkTarget | undefined;
}

/** See the module. */
export class LineLinks {
  readonly #targets = new Map<string, TargetThere[]>();
  /** The number of links at most. */
  size = 0;

  /** Returns true for words of the paragraph that begins at `index`, once they were added. */
  has(words: string, index: number): boolean {
    return this.#targets.get(words)?.some((there) => there.index === index) === true;
  }

  /** Adds the target of words in a paragraph; undefined where they lead nowhere. */
  add(words: string, there: TargetThere): void {
    this.#targets.set(words, [...(this.#targets.get(words) ?? []), there]);
    this.size += there.target ? 1 : 0;
  }

  /** All of them. @param text the whole of what the paragraphs are of. */
  *linksOf(text: string): Generator<ProseLink> {
    for (const [words, targets] of this.#targets) {
      const [first] = targets;
      const isOne = targets.every(({ target }) => isDeepStrictEqual(target, first?.target));
      for (const { paragraph, index, target } of isOne ? targets.slice(0, 1) : targets) {
        const line = newlineCount(text.slice(0, index));
        const within = { first: line, last: line + newlineCount(paragraph) };
        if (target) {
          yield { text: words, target, ...(!isOne && { within }) };
        }
      }
    }
  }
}
