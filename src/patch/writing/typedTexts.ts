import { textKey, type TextEdition, type TextTarget, type TypedText } from '../../protocol/patchWriting.ts';
import type { PatchRef } from '../../util/patchRef.ts';
import { withChanges } from '../../util/textChanges.ts';

/** All of a text as it was typed on a page. */
export interface WholeText extends TextEdition {
  base: string;
  text: string;
}

/** The texts of a page as far as it has told of them: it tells only what has changed since. */
export class TypedTexts {
  readonly #told = new Map<string, WholeText>();

  /** All of what is typed; undefined when it is told as changes of anything but what was told last, or is older than that. */
  take({ patch, target, typed, page, edition }: TypedText): WholeText | undefined {
    const key = textKey(patch, target);
    const told = this.#told.get(key);
    if (told?.page === page && told.edition > edition) {
      return undefined;
    }
    const text = 'text' in typed ? typed : this.#changed(key, page, typed);
    const whole = text && { base: text.base, text: text.text, page, edition };
    if (whole) {
      this.#told.set(key, whole);
    }
    return whole;
  }

  /** The text as the page has sent it last. */
  of(patch: PatchRef, target: TextTarget): WholeText | undefined {
    return this.#told.get(textKey(patch, target));
  }

  /** Forgets those of a patch that nobody has, or all: what the page tells next is told whole. */
  forget(isForgotten: (key: string) => boolean = () => true): void {
    for (const key of [...this.#told.keys()].filter(isForgotten)) {
      this.#told.delete(key);
    }
  }

  #changed(
    key: string,
    page: string,
    { after, changes }: Extract<TypedText['typed'], { after: number }>,
  ): Pick<WholeText, 'base' | 'text'> | undefined {
    const told = this.#told.get(key);
    const isKnown = told?.page === page && told.edition === after;
    const text = isKnown ? withChanges(told.text, changes) : undefined;
    return told && text !== undefined ? { base: told.base, text } : undefined;
  }
}
