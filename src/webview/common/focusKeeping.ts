/**
 * Keeps the focus of the keyboard within the page. Where nothing of the page has it the browser gives it to the page as a whole:
 * nobody sees it there, a screen reader says nothing, and the Tab key begins anew.
 */

/** Stops of the Tab key. */
const stops = [
  'a[href]',
  'button:not([tabindex="-1"])',
  'input:not([tabindex="-1"])',
  'select',
  'textarea',
  'summary',
  '[tabindex="0"]',
].join();

/** Presses of keys and of the mouse in the page. */
let presses = 0;
/** The last element with the focus, which may have lost it by going away. */
let last: Element | undefined;
/** The place for the focus, once the page has it and nothing of the page does. */
let home: (() => HTMLElement | undefined) | undefined;

/** Has the focus come back with the person, and go to what is nearest when what had it is taken away. */
export function keepFocus(): void {
  document.addEventListener('focusin', (event) => {
    const [target] = event.composedPath();
    last = target instanceof Element ? target : undefined;
    home = undefined;
  });
  document.addEventListener('keydown', () => (presses += 1), { capture: true });
  document.addEventListener(
    'pointerdown',
    (event) => {
      presses += 1;
      // Who presses beside everything goes there themselves.
      if (!last || !event.composedPath().includes(last)) {
        last = undefined;
        home = undefined;
      }
    },
    { capture: true },
  );
  // The browser forgets what had the focus while VS Code's own parts have it. Before anybody looks at what has it now.
  window.addEventListener('focus', goHome, { capture: true });
  new MutationObserver((records) => {
    const lost = last;
    if (lost && isNowhere()) {
      const root = lost.getRootNode();
      const inPage = root instanceof ShadowRoot ? root.host : lost;
      const removal = records.findLast(({ removedNodes }) =>
        [...removedNodes].some((node) => node.contains(inPage)),
      );
      if (removal) {
        home = () => (lost instanceof HTMLElement && lost.isConnected ? lost : placeAround(removal, lost));
        // Whoever knows a better place has given the focus to it by then.
        requestAnimationFrame(() => requestAnimationFrame(goHome));
      }
    }
  }).observe(document, { childList: true, subtree: true });
}

/**
 * Gives the focus to where a page begins: now, or when the person comes to the page. What had it before the page was drawn anew
 * has it again, by its name.
 */
export function beginWithFocus(place: () => HTMLElement | undefined = firstPlace): void {
  const before = last;
  home = () => (before && likeIt(document, before)) ?? place();
  goHome();
}

/**
 * Notes where the person is, before something that takes time and leads them elsewhere then. @returns tells whether they are still there,
 * or nowhere: those who have gone on themselves, such as to a text that they write, stay.
 */
export function stillHere(): () => boolean {
  const [before, pressed] = [document.activeElement, presses];
  return () => presses === pressed || isNowhere() || document.activeElement === before;
}

/**
 * Gives the focus to a part of the page because of an answer, not of what the person has just done. Who is in another part of VS
 * Code by then, such as a list that is open, keeps it there, and finds it here when they come back.
 */
export function giveFocus(place: HTMLElement | null | undefined, options?: FocusOptions): void {
  if (document.hasFocus()) {
    place?.focus(options);
  } else if (place) {
    home = () => place;
  }
}

/** Gives the focus to what takes the place of a part of the page that is gone, unless the person went elsewhere in the page before. */
export function giveLostFocus(place: HTMLElement | null): void {
  if (isNowhere()) {
    giveFocus(place);
  }
}

/** The name of a control, whoever it is drawn by. */
export function nameOf(element: Element): string {
  const name = element.id || (element.getAttribute('aria-label') ?? element.textContent);
  return name.trim().slice(0, 100);
}

/** The focusable element of that name in a part of the page. */
export function placeNamed(part: ParentNode, name: string): HTMLElement | undefined {
  const places = [...part.querySelectorAll<HTMLElement>(`${stops}, [tabindex]`)];
  return name === '' ? undefined : places.find((place) => nameOf(place) === name);
}

/** A form begins at its first field, a text at its title, and where there is neither there is a button. */
function firstPlace(): HTMLElement | undefined {
  const kinds = ['form :is(input, textarea, select):not([tabindex="-1"])', 'h1[tabindex]', 'button'];
  return (
    kinds.map((kind) => document.querySelector<HTMLElement>(kind)).find((place) => place !== null) ??
    undefined
  );
}

function goHome(): void {
  if (document.hasFocus() && isNowhere()) {
    const place = home ? home() : last;
    if (place instanceof HTMLElement && place.isConnected) {
      place.focus({ preventScroll: true });
    }
  }
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** The place nearest to a removal: what followed it, what stood before it, what is around it. */
function placeAround({ target, nextSibling, previousSibling }: MutationRecord, lost: Element) {
  const around: Node[] = [];
  for (let node: Node | null = target; node; node = node.parentNode) {
    around.push(node);
  }
  const near = [nextSibling, previousSibling, ...around]
    .filter((node) => node instanceof HTMLElement)
    .filter(({ isConnected }) => isConnected);
  const parent = near.find((element) => element === target);
  return (parent && likeIt(parent, lost)) ?? near.map(placeIn).find((place) => place !== undefined);
}

function placeIn(element: HTMLElement): HTMLElement | undefined {
  return element.hasAttribute('tabindex') || element.matches(stops)
    ? element
    : [...element.querySelectorAll<HTMLElement>(stops)].find((stop) => stop.checkVisibility());
}

/** The control that has taken the place of another: it is of the same kind and called the same. */
function likeIt(part: ParentNode, lost: Element): HTMLElement | undefined {
  const like = placeNamed(part, nameOf(lost));
  return like?.localName === lost.localName ? like : undefined;
}
