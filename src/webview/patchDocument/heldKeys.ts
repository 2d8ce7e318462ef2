/** Milliseconds for which a key is held at most: VS Code's own commands need no extension host, which may be hanging. */
const longestMs = 500;

/**
 * Holds keys back for which VS Code may have a command, until it knows what its keys are for: it learns a moment later that the page has
 * the focus, and a key that is pressed before, as right after the palette has closed, would be for nothing.
 */
export class HeldKeys {
  readonly #isHolding: () => boolean;
  readonly #held: KeyboardEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param isHolding tells whether VS Code doesn't know yet, of a page that has the focus. */
  constructor(isHolding: () => boolean) {
    this.#isHolding = isHolding;
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.isTrusted && isForCommand(event) && this.#isHolding()) {
          event.stopImmediatePropagation();
          event.preventDefault();
          this.#held.push(event);
          this.#timer ??= setTimeout(() => this.release(), longestMs);
        }
      },
      { capture: true },
    );
  }

  /** Drops the keys: the focus has gone elsewhere, where nobody has pressed them. */
  drop(): void {
    this.#take();
  }

  /** Gives the keys to whatever has the focus now. */
  release(): void {
    for (const event of this.#take()) {
      const again = new KeyboardEvent(event.type, event);
      // VS Code goes by the number, which no one can give to an event in another way.
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- VS Code does.
      Object.defineProperty(again, 'keyCode', { value: event.keyCode });
      (document.activeElement ?? document.body).dispatchEvent(again);
    }
  }

  #take(): KeyboardEvent[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#held.splice(0);
  }
}

/** Nobody types with them; and copying and pasting is the browser's, which does it at a key that is pressed and at no other. */
function isForCommand({ ctrlKey, metaKey, altKey, key }: KeyboardEvent): boolean {
  const isForBrowser = (ctrlKey || metaKey) && /^[acvx]$/i.test(key);
  const isModifier = ['Control', 'Meta', 'Alt', 'AltGraph', 'Shift'].includes(key);
  return !isForBrowser && !isModifier && (ctrlKey || metaKey || altKey || /^F\d+$/.test(key));
}
