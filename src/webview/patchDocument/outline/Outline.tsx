import * as l10n from '@vscode/l10n';
import type { RefObject, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { SectionView } from '../../../protocol/patchDocument.ts';
import { emoji } from '../../common/emoji.ts';
import { Heights } from '../../common/listWindow.ts';
import { useStore } from '../../common/store.ts';
import { useListWindow } from '../../common/useListWindow.ts';
import { isFolded, useReading, useReadingState } from '../reading/reading.ts';
import { revealSection } from '../reading/sectionPlaces.ts';
import { ChangeCount } from '../sections/ChangeCount.tsx';
import { FileIcon } from '../sections/FileIcon.tsx';
import { outlineTitle } from './outlineTitle.ts';

/** Pixels of a row: see patchDocument.css. */
const rowHeight = 24;

/** Rows that are drawn at first, and up to which all of them are. */
const rowsAtFirst = 60;

/** The sections of the patch as a list to go to: the arrow keys walk in it, Enter goes there. */
export function Outline(props: {
  sections: readonly SectionView[];
  /** True when it lies over the document, because there is no room beside it: the person goes into it, and Escape back. */
  isOver: boolean;
  onGone: () => void;
}) {
  const { sections, isOver, onGone } = props;
  const current = useReadingState((state) => state.current) ?? sections[0]?.code;
  const list = useRef<HTMLUListElement>(null);
  const whole = sections.length <= rowsAtFirst;
  const heights = useMemo(
    () => new Heights(new Float64Array(sections.length).fill(rowHeight)),
    [sections.length],
  );
  const focused = focusedRow(list.current);
  const { parts, draw } = useListWindow({
    list,
    heights,
    atFirst: rowsAtFirst,
    // The one that Tab goes to.
    kept: [sections.findIndex(({ code }) => code === current), focused].filter((index) => index >= 0),
    whole,
    scroller: (element) => element.parentElement,
  });
  const goTo = (index: number): void => {
    if (index >= 0 && index < sections.length) {
      draw(index);
      list.current?.querySelector<HTMLElement>(`[data-part="${index}"] button`)?.focus();
    }
  };
  const giveFocusBack = useFocus(list, isOver);
  const close = (): void => {
    onGone();
    giveFocusBack();
  };
  useLayoutEffect(() => {
    const row = list.current?.querySelector('[aria-current="true"]');
    // Not while the person walks in the list themselves.
    if (row && list.current && !list.current.contains(document.activeElement)) {
      keepInView(list.current, row);
    }
  }, [current]);
  return (
    <nav
      class="outline"
      aria-label={l10n.t('Outline')}
      onKeyDown={(event) => walk(event, sections.length, goTo, close)}
    >
      <ul ref={list}>
        {parts.map((part) => {
          const section = part.kind === 'item' ? sections[part.index] : undefined;
          return part.kind === 'item' && section ? (
            <Row
              key={section.code}
              section={section}
              current={section.code === current}
              place={part.index}
              of={whole ? undefined : sections.length}
              onGone={onGone}
            />
          ) : part.kind === 'room' ? (
            <Room key={`room ${part.end}`} height={part.height} />
          ) : null;
        })}
      </ul>
    </nav>
  );
}

/** Moves the focus into the list once it lies over the document; the answer gives it back to what had it before. */
function useFocus(list: RefObject<HTMLElement | null>, isOver: boolean): () => void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isOver) {
      before.current = document.activeElement;
      list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus();
    }
  }, [isOver]);
  return () => {
    if (isOver && before.current instanceof HTMLElement) {
      before.current.focus({ preventScroll: true });
    }
  };
}

/** Takes the place of rows that are not drawn. */
function Room({ height }: { height: number }) {
  return <li role="presentation" data-part="room" style={{ height: `${height}px` }} />;
}

function Row(props: {
  section: SectionView;
  current: boolean;
  /** The index of the row, from 0. */
  place: number;
  /** The number of rows, where not all of them are drawn. */
  of: number | undefined;
  onGone: () => void;
}) {
  const { section, current, place, of, onGone } = props;
  const reading = useReading();
  const viewed = useReadingState((state) => state.viewed.has(section.code));
  const folded = useReadingState((state) => isFolded(section, state));
  // Drawn again once they have come.
  useStore(emoji, (state) => state.known);
  const { name, folder } = outlineTitle(section);
  const icon = section.type === 'text' ? 'book' : 'warning';
  const go = (): void => {
    if (section.type === 'diff' && folded && !viewed) {
      reading.fold(section.code, false);
    }
    revealSection(section.code);
    onGone();
  };
  return (
    <li data-part={place} aria-posinset={of && place + 1} aria-setsize={of}>
      <button
        type="button"
        class={viewed ? 'viewed' : undefined}
        aria-current={current ? 'true' : undefined}
        tabIndex={current ? 0 : -1}
        title={folder + name}
        onClick={go}
      >
        {section.type === 'diff' && !viewed ? (
          <FileIcon path={section.path} />
        ) : (
          <i class={`codicon codicon-${viewed ? 'check' : icon}`} aria-hidden="true" />
        )}
        <span class="outline-title">
          <bdi>{name}</bdi>
          {folder && (
            <>
              {' '}
              <bdi class="folder">{folder}</bdi>
            </>
          )}
        </span>
        {viewed && <span class="visually-hidden">{l10n.t('Viewed')}</span>}
        {section.type === 'diff' && <ChangeCount added={section.added} deleted={section.deleted} />}
      </button>
    </li>
  );
}

function walk(
  event: TargetedKeyboardEvent<HTMLElement>,
  count: number,
  goTo: (index: number) => void,
  close: () => void,
): void {
  const index = focusedRow(event.currentTarget);
  const next = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    Home: 0,
    End: count - 1,
  }[event.key];
  if (event.key === 'Escape') {
    close();
  } else if (next !== undefined && !event.altKey) {
    goTo(next);
    event.preventDefault();
  }
}

/** The row that has the focus; -1 when none of the list has it. */
function focusedRow(list: Element | null): number {
  const { activeElement = null } = typeof document === 'undefined' ? {} : document;
  const row = list?.contains(activeElement) ? activeElement?.closest<HTMLElement>('[data-part]') : undefined;
  return Number(row?.dataset['part'] ?? -1);
}

/** Scrolls the list alone: `scrollIntoView` would move the page too. */
function keepInView(list: HTMLElement, row: Element): void {
  const scroller = list.parentElement;
  if (!scroller) {
    return;
  }
  const [frame, box] = [scroller.getBoundingClientRect(), row.getBoundingClientRect()];
  if (box.top < frame.top) {
    scroller.scrollTop -= frame.top - box.top;
  } else if (box.bottom > frame.bottom) {
    scroller.scrollTop += box.bottom - frame.bottom;
  }
}
