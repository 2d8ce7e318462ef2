/** Draws of a long list in the page only what is near to the screen, or in use: see listWindow.ts. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { drawNow } from './drawNow.ts';
import { forgetPlace, notePlace, restorePlace } from './stillPlace.ts';
import { partsOf, spanBetween, type Heights, type ListPart, type Span } from './listWindow.ts';

/** Pixels above and below the screen within which items are drawn: what a fast scroll passes in a few frames. */
const nearby = 1_000;

/** The same for the first frame, which is to be there soon: what is a little higher than was reckoned. */
const nearbyAtFirst = 100;

/** Milliseconds that what isn't on the screen may wait for a rest. */
const patienceMs = 100;

interface Options {
  /** Has the parts as its children; each says with `data-part` which item it is, or that it is *room*. */
  list: RefObject<HTMLElement | null>;
  /** Takes in all that is measured; others are to be given when other items are shown. */
  heights: Heights;
  /** Items that are drawn before it is known which are near. */
  atFirst: number;
  /** Items that are drawn wherever they are. */
  kept?: readonly number[];
  /** True when all of it is drawn, once the first items have been. */
  whole?: boolean;
  /** Finds what the list is scrolled in; without it, that is the page. */
  scroller?: (list: HTMLElement) => Element | null;
  /** Is told, too, how high an item is. */
  onMeasure?: (index: number, height: number) => void;
}

interface Drawn {
  near: Span;
  /** Items that are not near, and stay all the same. */
  inUse: readonly number[];
}

interface ListWindow {
  parts: readonly ListPart[];
  /** Has an item drawn at once, wherever it is, until it is neither near nor in use any more. */
  draw: (index: number) => void;
}

/**
 * The parts of a list that are to be drawn, in order. An item that has the focus, is dragged, or at which a selection begins or
 * ends stays drawn, however far it is scrolled away.
 */
export function useListWindow(options: Options): ListWindow {
  const { heights, atFirst, kept = [], whole = false } = options;
  const [drawn, setDrawn] = useState<Drawn>({ near: { start: 0, end: atFirst }, inUse: [] });
  const keptKey = kept.join();
  const parts = useMemo(
    () => partsOf(heights, drawn.near, [...kept, ...drawn.inUse]),
    [heights, drawn, keptKey],
  );
  const latest = useRef({ options, drawn });
  latest.current.options = options;
  const { look, lookAtFirst, draw, measure } = useMemo(() => {
    let wanted: number | undefined;
    const look = (around = nearby): void => {
      const found = lookAt(latest.current.options, wanted, around);
      if (found && wanted !== undefined && wanted >= found.near.start && wanted < found.near.end) {
        // Whoever has wanted it is there now.
        wanted = undefined;
      }
      if (found && !isSame(found, latest.current.drawn)) {
        latest.current.drawn = found;
        notePlace();
        setDrawn(found);
      }
    };
    return {
      look: () => look(),
      lookAtFirst: (): void => {
        const found = lookAt(latest.current.options, undefined, nearbyAtFirst);
        if (found && !isWithin(found, latest.current.drawn)) {
          look(nearbyAtFirst);
        }
      },
      draw: (index: number): void => {
        wanted = index;
        look();
        drawNow();
      },
      measure: (element: Element): void => noteHeight(latest.current.options, element),
    };
  }, []);

  useLayoutEffect(restorePlace, [parts]);
  useLayoutEffect(() => {
    // All of it, and what is merely near, is more than the first frame has time for.
    const stop = afterFrame(look);
    if (whole) {
      return stop;
    }
    lookAtFirst();
    const unfollow = follow(look);
    return () => {
      stop();
      unfollow();
    };
  }, [whole, heights]);

  useMeasuring(options.list, parts, whole, measure, look);
  return { parts, draw };
}

/** Does something once the next frame is on the screen, and after what the person does meanwhile. @returns stops it. */
function afterFrame(act: () => void): () => void {
  let idle: number | undefined;
  const frame = requestAnimationFrame(() => (idle = requestIdleCallback(act, { timeout: patienceMs })));
  return () => {
    cancelAnimationFrame(frame);
    if (idle !== undefined) {
      cancelIdleCallback(idle);
    }
  };
}

/** Has each item measured that is drawn, and again when its size changes. */
function useMeasuring(
  list: Options['list'],
  parts: readonly ListPart[],
  whole: boolean,
  measure: (element: Element) => void,
  look: () => void,
): void {
  const observing = useRef<{ observer: ResizeObserver; elements: Set<Element> }>(undefined);
  useLayoutEffect(() => () => observing.current?.observer.disconnect(), []);
  useLayoutEffect(() => {
    if (whole) {
      return;
    }
    observing.current ??= {
      observer: new ResizeObserver((entries) => {
        entries.forEach(({ target }) => measure(target));
        requestAnimationFrame(look);
      }),
      elements: new Set(),
    };
    const { observer, elements } = observing.current;
    const now = new Set<Element>(partsIn(list.current).filter((element) => indexOf(element) !== undefined));
    for (const element of elements) {
      if (!now.has(element)) {
        observer.unobserve(element);
        elements.delete(element);
      }
    }
    for (const element of now) {
      if (elements.has(element)) {
        // It may have become another item.
        measure(element);
      } else {
        observer.observe(element);
        elements.add(element);
      }
    }
  }, [parts, whole]);
}

/** @param around pixels above and below the screen. */
function lookAt(options: Options, wanted: number | undefined, around: number): Drawn | undefined {
  const { list, heights, whole = false, scroller } = options;
  const { current } = list;
  const parts = partsIn(current);
  const [first] = parts;
  if (!current || !first) {
    return undefined;
  }
  if (whole) {
    return { near: { start: 0, end: heights.count }, inUse: [] };
  }
  const view = scroller?.(current)?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
  if (view.bottom <= view.top) {
    // A page that is hidden has no height: what is drawn stays.
    return undefined;
  }
  const { top } = first.getBoundingClientRect();
  const near = spanBetween(heights, view.top - top - around, view.bottom - top + around);
  const isNear = (index: number): boolean => index >= near.start && index < near.end;
  const inUse = parts.flatMap((element) => {
    const index = indexOf(element);
    return index !== undefined && !isNear(index) && isInUse(element) ? [index] : [];
  });
  if (wanted !== undefined && !isNear(wanted) && !inUse.includes(wanted)) {
    inUse.push(wanted);
  }
  return { near, inUse };
}

function isSame(a: Drawn, b: Drawn): boolean {
  return a.near.start === b.near.start && a.near.end === b.near.end && a.inUse.join() === b.inUse.join();
}

function isWithin({ near, inUse }: Drawn, drawn: Drawn): boolean {
  const isDrawn = (index: number): boolean => index >= drawn.near.start && index < drawn.near.end;
  return (
    (near.start >= near.end || (isDrawn(near.start) && isDrawn(near.end - 1))) &&
    inUse.every((index) => isDrawn(index) || drawn.inUse.includes(index))
  );
}

function partsIn(list: Element | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>(':scope > [data-part]') ?? [])];
}

/** The index of the item that an element draws; undefined for room. */
function indexOf(element: Element): number | undefined {
  const index = Number(element.getAttribute('data-part') ?? Number.NaN);
  return Number.isNaN(index) ? undefined : index;
}

function noteHeight({ heights, onMeasure }: Options, element: Element): void {
  const index = indexOf(element);
  if (index !== undefined && element.isConnected) {
    const { height } = element.getBoundingClientRect();
    heights.measure(index, height);
    onMeasure?.(index, height);
  }
}

/** True when an element's content must stay though it is far: the focus, an end of what is selected, what is being dragged. */
function isInUse(element: Element): boolean {
  const selection = document.getSelection();
  const hasEnd = (node: Node | null): boolean => node !== null && element.contains(node);
  return (
    element.contains(document.activeElement) ||
    element.querySelector('[data-dragged]') !== null ||
    (selection !== null &&
      !selection.isCollapsed &&
      (hasEnd(selection.anchorNode) || hasEnd(selection.focusNode)))
  );
}

/** Called whenever something is scrolled or has another size. */
const lookers = new Set<() => void>();

function lookAll(): void {
  forgetPlace();
  for (const look of lookers) {
    look();
  }
}

function follow(look: () => void): () => void {
  if (lookers.size === 0) {
    // Scrolling does not bubble: it is caught wherever it is.
    addEventListener('scroll', lookAll, { capture: true, passive: true });
    addEventListener('resize', lookAll);
  }
  lookers.add(look);
  return () => {
    lookers.delete(look);
    if (lookers.size === 0) {
      removeEventListener('scroll', lookAll, { capture: true });
      removeEventListener('resize', lookAll);
    }
  };
}
