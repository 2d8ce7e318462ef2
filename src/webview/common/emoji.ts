/** Names of emoji in texts, such as `:tada:`, as VS Code knows them. */
import { formulaClass } from './formulas.ts';
import { Store } from './store.ts';
import { textNodes } from './textNodes.ts';

/** By their names; undefined until a text has one. */
export const emoji = new Store<{ known: ReadonlyMap<string, string> | undefined }>({ known: undefined });

let ask: (() => Promise<Record<string, string>>) | undefined;

/** Has emoji drawn from now on. @param askHost is asked once, when a text may have the name of one. */
export function drawEmojiBy(askHost: () => Promise<Record<string, string>>): void {
  ask = askHost;
}

const name = /:([a-z\d_+-]{1,50}):/g;

/** Puts emoji in place of their names, but for those in code: without them it is asked for them, and the text can be read. */
export function drawEmoji(fragment: DocumentFragment): void {
  for (const text of textNodes(fragment)) {
    if (text.data.search(name) >= 0 && !text.parentElement?.closest(`pre, code, .${formulaClass}`)) {
      text.data = withEmoji(text.data);
    }
  }
}

/** A text with emoji in place of their names; as it is, without them, until they have come: see `emoji`. */
export function withEmoji(text: string): string {
  const { known } = emoji.value;
  if (known) {
    return text.replaceAll(name, (written, called: string) => known.get(called) ?? written);
  }
  if (ask && text.search(name) >= 0) {
    const asked = ask();
    ask = undefined;
    asked.then(
      (found) => emoji.update({ known: new Map(Object.entries(found)) }),
      () => undefined, // The names stay.
    );
  }
  return text;
}
