/** The part of the page that has the keyboard focus: keys of VS Code act on nothing else. */
import type { DocumentFocus } from '../../protocol/patchDocument.ts';
import { HeldKeys } from './heldKeys.ts';

/**
 * The focused element while the page has the focus, else the last one: the browser forgets it when VS Code's own parts take the
 * focus.
 */
let current: { element: Element; section: string | undefined } | undefined;

/** The section that has the focus; while VS Code's own parts have it, the one that has it again afterwards. */
export function focusedSection(): string | undefined {
  return current?.element.isConnected === true ? current.section : undefined;
}

/** The element that has the focus, or has it again afterwards. */
export function focusedInPage(): Element | undefined {
  return current?.element.isConnected === true ? current.element : undefined;
}

/**
 * Tells whenever something else of the page has the focus, and when nothing of it has.
 *
 * @param tell ends when VS Code knows: `data-keys` of the page says what its keys are for, and is missing until it does.
 * @param patch names the patch that the focus is in, on a page that has several: each is told for itself.
 * @returns looks again, where the focus may be in another patch by now.
 */
export function followFocus(
  tell: (focus: DocumentFocus) => Promise<unknown>,
  patch: () => string | undefined = () => undefined,
): () => void {
  const { dataset } = document.documentElement;
  let told: DocumentFocus = 'none';
  let toldPatch: string | undefined;
  const held = new HeldKeys(() => told !== 'none' && told !== 'typing' && dataset['keys'] === undefined);
  const note = (focus: DocumentFocus): void => {
    const of = patch();
    if (focus !== told || (focus !== 'none' && of !== toldPatch)) {
      told = focus;
      toldPatch = of;
      delete dataset['keys'];
      if (focus === 'none') {
        held.drop();
      }
      tell(focus).then(
        () => {
          if (told === focus && toldPatch === of) {
            dataset['keys'] = focus;
            held.release();
          }
        },
        () => held.release(), // The panel is being closed, or nobody answers.
      );
    }
  };
  const look = (): void => {
    if (!document.hasFocus()) {
      note('none');
      return;
    }
    const element = focusedElement();
    const section = document.activeElement?.closest('[data-section]')?.getAttribute('data-section');
    current = element && { element, section: section ?? undefined };
    note(takesText(element) ? 'typing' : focusedSection() === undefined ? 'document' : 'section');
  };
  // The state at the time of the event may not last: a section that is moved loses the focus for a moment.
  const lookSoon = (): void => {
    requestAnimationFrame(() => requestAnimationFrame(look));
  };
  window.addEventListener('blur', (event) => {
    if (event.target === window) {
      note('none');
    }
  });
  window.addEventListener('focus', look);
  document.addEventListener('focusin', look);
  for (const event of ['focus', 'blur', 'focusin', 'focusout']) {
    window.addEventListener(event, lookSoon);
  }
  look();
  return look;
}

/** Tells when the focus has come to the page and nobody has pressed anything in it: VS Code has given it. */
export function followGivenFocus(tell: () => Promise<unknown>): void {
  let isPressed = false;
  window.addEventListener('blur', () => (isPressed = false));
  document.addEventListener('pointerdown', () => (isPressed = true), { capture: true });
  const look = (): void => {
    if (document.hasFocus() && !isPressed) {
      tell().catch(() => undefined); // The panel is being closed.
    }
  };
  // A press comes a moment after the focus that it brings.
  window.addEventListener('focus', () => requestAnimationFrame(() => requestAnimationFrame(look)));
}

/** The keys that VS Code has commands for, with Alt, and with which the browser would scroll. */
const scrollingKeys: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown']);

/**
 * Keeps the browser from doing something of its own, too, at a key that VS Code has a command for: scrolling by a page where a
 * section is moved, or asking whether the cursor is wanted in the text at F7.
 */
export function leaveKeysToVsCode(): void {
  document.addEventListener('keydown', (event) => {
    const { altKey, ctrlKey, metaKey, key, target } = event;
    // With Alt a list opens.
    const isForList = target instanceof HTMLSelectElement;
    const isMove = altKey && !ctrlKey && !metaKey && scrollingKeys.has(key) && !isForList;
    const isStep = ctrlKey && !altKey && (key === 'ArrowUp' || key === 'ArrowDown');
    if (isMove || key === 'F7' || (isStep && !takesText(focusedElement()))) {
      event.preventDefault();
    }
  });
}

const letters: Readonly<Record<string, 'next' | 'previous'>> = { n: 'next', p: 'previous' };

/**
 * Has letters act where nobody types. They are no commands of VS Code's: it learns a moment later that an editor has the focus, and
 * would take the first letters of what is typed for them.
 */
export function followLetters(goToChange: (direction: 'next' | 'previous') => void): void {
  document.addEventListener('keydown', (event) => {
    const { altKey, ctrlKey, metaKey, shiftKey, key, target, defaultPrevented } = event;
    const direction = letters[key.toLowerCase()];
    const isForPage =
      !defaultPrevented && !takesText(focusedElement()) && !(target instanceof HTMLSelectElement);
    if (direction && isForPage && !altKey && !ctrlKey && !metaKey && !shiftKey) {
      event.preventDefault();
      goToChange(direction);
    }
  });
}

function takesText(element: Element | undefined): boolean {
  return (
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLInputElement && element.type === 'text') ||
    (element instanceof HTMLElement && element.isContentEditable)
  );
}

/** The focused element, inside the editor as well; undefined when it is the page as a whole. */
function focusedElement(): Element | undefined {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body
    ? undefined
    : (activeElement.shadowRoot?.activeElement ?? activeElement);
}
