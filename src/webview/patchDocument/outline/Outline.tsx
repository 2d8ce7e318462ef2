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

/** The patches of a document with several: the sections of one of them follow it. */
export interface OutlinedPatches {
  all: readonly { changeId: string; title: string }[];
  /** The one that is read now. */
  current: string;
  onGo: (changeId: string) => void;
}

type OutlineRow = SectionView | OutlinedPatches['all'][number];

/** The sections of the patch as a list to go to: the arrow keys walk in it, Enter goes there. */
export function Outline(props: {
  sections: readonly SectionView[];
  /** Left out where the sections are all there is. */
  patches?: OutlinedPatches;
  /** True when it lies over the document, because there is no room beside it: the person goes into it, and Escape back. */
  isOver: boolean;
  onGone: () => void;
}) {
  const { patches, isOver, onGone } = props;
  const rows = rowsOf(props.sections, patches);
  const section = useReadingState((state) => state.current);
  const current = rows.find((row) => keyOf(row) === section)
    ? section
    : keyOf(rows.find(isCurrent(patches)) ?? rows[0]);
  const list = useRef<HTMLUListElement>(null);
  const whole = rows.length <= rowsAtFirst;
  const heights = useMemo(() => new Heights(new Float64Array(rows.length).fill(rowHeight)), [rows.length]);
  const focused = focusedRow(list.current);
  const { parts, draw } = useListWindow({
    list,
    heights,
    atFirst: rowsAtFirst,
    // The one that Tab goes to.
    kept: [rows.findIndex((row) => keyOf(row) === current), focused].filter((index) => index >= 0),
    whole,
    scroller: (element) => element.parentElement,
  });
  const goTo = (index: number): void => {
    if (index >= 0 && index < rows.length) {
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
      onKeyDown={(event) => walk(event, rows.length, goTo, close)}
    >
      <ul ref={list}>
        {parts.map((part) => {
          const row = part.kind === 'item' ? rows[part.index] : undefined;
          if (part.kind === 'item' && row) {
            const common = {
              current: keyOf(row) === current,
              place: part.index,
              of: whole ? undefined : rows.length,
            };
            return 'code' in row ? (
              <Row key={row.code} section={row} {...common} isInner={patches !== undefined} onGone={onGone} />
            ) : (
              <PatchRow
                key={row.changeId}
                title={row.title}
                {...common}
                onGo={() => {
                  patches?.onGo(row.changeId);
                  onGone();
                }}
              />
            );
          }
          return part.kind === 'room' ? <Room key={`room ${part.end}`} height={part.height} /> : null;
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

function rowsOf(sections: readonly SectionView[], patches: OutlinedPatches | undefined): OutlineRow[] {
  return patches
    ? patches.all.flatMap((patch) => [patch, ...(patch.changeId === patches.current ? sections : [])])
    : [...sections];
}

function keyOf(row: OutlineRow | undefined): string | undefined {
  return row && ('code' in row ? row.code : row.changeId);
}

function isCurrent(patches: OutlinedPatches | undefined): (row: OutlineRow) => boolean {
  return (row) => 'changeId' in row && row.changeId === patches?.current;
}

/** Takes the place of rows that are not drawn. */
function Room({ height }: { height: number }) {
  return <li role="presentation" data-part="room" style={{ height: `${height}px` }} />;
}

function PatchRow(props: {
  title: string;
  current: boolean;
  place: number;
  of: number | undefined;
  onGo: () => void;
}) {
  const { title, current, place, of, onGo } = props;
  return (
    <li data-part={place} aria-posinset={of && place + 1} aria-setsize={of}>
      <button
        type="button"
        class="outline-patch"
        aria-current={current ? 'true' : undefined}
        tabIndex={current ? 0 : -1}
        title={title}
        onClick={onGo}
      >
        <i class="codicon codicon-git-commit" aria-hidden="true" />
        <span class="outline-title">
          <bdi>{title}</bdi>
        </span>
      </button>
    </li>
  );
}

function Row(props: {
  section: SectionView;
  /** True for one below its patch. */
  isInner: boolean;
  current: boolean;
  /** The index of the row, from 0. */
  place: number;
  /** The number of rows, where not all of them are drawn. */
  of: number | undefined;
  onGone: () => void;
}) {
  const { section, current, place, of, isInner, onGone } = props;
  const reading = useReading();
  const isRead = useReadingState((state) => state.read.has(section.code));
  const isTicked = useReadingState((state) => state.ticked.has(section.code));
  const folded = useReadingState((state) => isFolded(section, state));
  // Drawn again once they have come.
  useStore(emoji, (state) => state.known);
  const { name, folder } = outlineTitle(section);
  const icon = section.type === 'text' ? 'book' : 'warning';
  const go = (): void => {
    if (section.type === 'diff' && folded && !isTicked) {
      reading.fold(section.code, false);
    }
    revealSection(section.code);
    onGone();
  };
  return (
    <li data-part={place} aria-posinset={of && place + 1} aria-setsize={of}>
      <button
        type="button"
        class={`${isInner ? 'inner' : ''} ${isRead ? 'read' : ''}`.trim() || undefined}
        aria-current={current ? 'true' : undefined}
        tabIndex={current ? 0 : -1}
        title={folder + name}
        onClick={go}
      >
        {section.type === 'diff' && !isRead ? (
          <FileIcon path={section.path} />
        ) : (
          <i class={`codicon codicon-${isRead ? 'check' : icon}`} aria-hidden="true" />
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
        {isRead && <span class="visually-hidden">{l10n.t('read')}</span>}
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
