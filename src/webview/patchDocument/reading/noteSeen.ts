import type { PatchView, SectionView } from '../../../protocol/patchDocument.ts';
import { Dwelling, type Glimpse } from './dwelling.ts';
import { sectionAt } from './followScroll.ts';
import { isShownWhole } from './compared.ts';
import type { Codes } from './codes.ts';
import { isFolded, type Reading } from './reading.ts';
import { lowerEdge } from './lowerEdge.ts';
import { goneCode, rootOf } from './sectionPlaces.ts';
import { inBackground } from '../../../util/inBackground.ts';

/** Milliseconds between two looks at what is on the screen. */
const lookEveryMs = 250;

/** Elements that say something of the patch as a whole. */
const wholes = ['h1', '.comparison'];

/**
 * Tells the extension host which sections were on the screen for a second, as long as the page is there; and none when all that is
 * said in a line was there: what is gone, what was moved, and what became of the patch as a whole.
 *
 * @param shown the patch, while it is drawn.
 * @returns ends it.
 */
export function noteSeen(reading: Reading, shown: () => PatchView | undefined): () => void {
  const dwelling = new Dwelling();
  const told = new WeakSet<SectionView>();
  /** Everything that the version that is shown says in lines, as far as it was not seen. */
  let inLines: { of: string; left: Set<string>; isTold: boolean } | undefined;
  /** The section that was looked at under each code, and its width: it counts as another one when either changes. */
  const looked = new Map<string, { section: SectionView; width: number }>();

  const counts = (section: SectionView): boolean =>
    !reading.isMarkedUnread(section.code) && !isFolded(section, reading.store.value) && isShownWhole(section);

  const look = (): void => {
    const patch = shown();
    if (!patch || document.visibilityState !== 'visible') {
      dwelling.lookAway();
      return;
    }
    const sections = new Map(patch.sections.map((section) => [section.code, section]));
    const of = JSON.stringify([patch.fingerprint, patch.comparison?.with]);
    if (inLines?.of !== of) {
      inLines = { of, left: saidInLines(patch, reading.codes), isTold: false };
      inLines.left.forEach((key) => dwelling.forget(key));
    }
    const { left, isTold } = inLines;
    const onScreen = [...wholesOnScreen(patch), ...sectionsOnScreen()];
    const glimpses = onScreen.flatMap(({ element, ...glimpse }) => {
      if (left.has(glimpse.key)) {
        return glimpse;
      }
      const section = sections.get(glimpse.key);
      if (!section || told.has(section) || !counts(section)) {
        return [];
      }
      const width = element.clientWidth;
      const before = looked.get(glimpse.key);
      if (before?.section !== section || before.width !== width) {
        looked.set(glimpse.key, { section, width });
        dwelling.forget(glimpse.key);
      }
      return glimpse;
    });
    const keys = dwelling.note(performance.now(), glimpses);
    const codes = keys.filter((key) => !left.delete(key));
    if (codes.length > 0) {
      inBackground(tell(patch, codes));
    }
    if (left.size === 0 && !isTold && isToldAsAWhole(patch)) {
      inLines.isTold = true;
      inBackground(tellWhole(patch));
    }
  };

  const tellWhole = async ({ fingerprint }: PatchView): Promise<void> => {
    if (!(await reading.host.request('noteSeen', { fingerprint, codes: [] }).catch(() => false))) {
      inLines = undefined;
    }
  };

  const tell = async (patch: PatchView, codes: string[]): Promise<void> => {
    const seen = patch.sections.filter(({ code }) => codes.includes(code));
    // Not again while it is on its way.
    seen.forEach((section) => told.add(section));
    const { fingerprint } = patch;
    if (await reading.host.request('noteSeen', { fingerprint, codes }).catch(() => false)) {
      reading.noteSeen(codes);
    } else {
      seen.forEach((section) => told.delete(section));
      codes.forEach((code) => dwelling.forget(code));
    }
  };

  const timer = setInterval(look, lookEveryMs);
  return () => clearInterval(timer);
}

/** True when the page shows all that became of a patch: not where it could compare, and does not. */
function isToldAsAWhole({ comparison, changedSince }: PatchView): boolean {
  return comparison
    ? comparison.with.kind === 'lastRead' && (comparison.verdict === 'changed' || comparison.isFromDiffs)
    : changedSince === undefined;
}

/** Everything in a patch of which a line is all that there is to read. */
function saidInLines({ comparison, sections }: PatchView, { toPage }: Codes): Set<string> {
  const moved = sections.filter(({ compared }) => compared?.isMoved && compared.isFolded);
  return new Set([
    ...wholes.slice(0, comparison ? 2 : 1),
    ...(comparison?.removed ?? []).map((_section, index) => toPage(goneCode(index))),
    ...moved.map(({ code }) => code),
  ]);
}

function upperEdge(): number {
  return document.querySelector('.document-toolbar')?.getBoundingClientRect().bottom ?? 0;
}

function wholesOnScreen({ ref }: PatchView): (Glimpse & { element: Element })[] {
  const [edge, end] = [upperEdge(), lowerEdge()];
  const patch = rootOf(ref.changeId);
  return wholes.flatMap((key) => {
    const element = patch?.querySelector(key);
    const place = element?.getBoundingClientRect();
    return element && place && place.bottom > edge && place.top < end
      ? [{ element, ...glimpseOf(key, place, edge, end) }]
      : [];
  });
}

function glimpseOf(key: string, place: DOMRect, edge: number, end: number): Glimpse {
  return {
    key,
    height: place.height,
    top: Math.max(0, edge - place.top),
    bottom: Math.min(place.height, end - place.top),
  };
}

/** The part of each section that is on the screen, between the toolbar and the bar at the lower edge. */
function sectionsOnScreen(): (Glimpse & { element: Element })[] {
  const [edge, end] = [upperEdge(), lowerEdge()];
  const found: (Glimpse & { element: Element })[] = [];
  const sections = document.getElementsByClassName('section');
  const first = sectionAt(edge);
  for (let at = first ? [...sections].indexOf(first) : 0; at < sections.length; at += 1) {
    const element = sections[at];
    const place = element?.getBoundingClientRect();
    if (!element || !place || place.top >= end) {
      break;
    }
    const key = element.getAttribute('data-section');
    if (key !== null && place.bottom > edge) {
      found.push({ element, ...glimpseOf(key, place, edge, end) });
    }
  }
  return found;
}
