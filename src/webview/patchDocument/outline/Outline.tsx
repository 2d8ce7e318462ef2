import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { SectionView } from '../../../protocol/patchDocument.ts';
import { isFolded, revealSection, useReading, useReadingState } from '../reading.ts';
import { ChangeCount } from '../sections/ChangeCount.tsx';
import { outlineTitle } from './outlineTitle.ts';

/** The sections of the patch as a list to go to: the arrow keys walk in it, Enter goes there. */
export function Outline(props: {
  sections: readonly SectionView[];
  /** Whether it lies over the document, because there is no room beside it: the person goes into it, and Escape back. */
  isOver: boolean;
  onGone: () => void;
}) {
  const { sections, isOver, onGone } = props;
  const current = useReadingState((state) => state.current) ?? sections[0]?.code;
  const list = useRef<HTMLUListElement>(null);
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isOver) {
      before.current = document.activeElement;
      list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus();
    }
  }, [isOver]);
  const close = (): void => {
    onGone();
    if (isOver && before.current instanceof HTMLElement) {
      before.current.focus({ preventScroll: true });
    }
  };
  useLayoutEffect(() => {
    const row = list.current?.querySelector('[aria-current="true"]');
    // Not while the person walks in the list themselves.
    if (row && list.current && !list.current.contains(document.activeElement)) {
      keepInView(list.current, row);
    }
  }, [current]);
  return (
    <nav class="outline" aria-label={l10n.t('Outline')} onKeyDown={(event) => walk(event, close)}>
      <ul ref={list}>
        {sections.map((section) => (
          <Row key={section.code} section={section} current={section.code === current} onGone={onGone} />
        ))}
      </ul>
    </nav>
  );
}

function Row(props: { section: SectionView; current: boolean; onGone: () => void }) {
  const { section, current, onGone } = props;
  const reading = useReading();
  const viewed = useReadingState((state) => state.viewed.has(section.code));
  const folded = useReadingState((state) => isFolded(section, state));
  const { name, folder } = outlineTitle(section);
  const icon = { text: 'book', diff: 'file-code', unreadable: 'warning' }[section.type];
  const go = (): void => {
    if (section.type === 'diff' && folded && !viewed) {
      reading.fold(section.code, false);
    }
    revealSection(section.code);
    onGone();
  };
  return (
    <li>
      <button
        type="button"
        class={viewed ? 'viewed' : undefined}
        aria-current={current ? 'true' : undefined}
        tabIndex={current ? 0 : -1}
        title={folder + name}
        onClick={go}
      >
        <i class={`codicon codicon-${viewed ? 'check' : icon}`} aria-hidden="true" />
        <span class="outline-title">
          <bdi>{name}</bdi>
          {folder && <bdi class="folder">{folder}</bdi>}
        </span>
        {viewed && <span class="visually-hidden">{l10n.t('Viewed')}</span>}
        {section.type === 'diff' && <ChangeCount added={section.added} deleted={section.deleted} />}
      </button>
    </li>
  );
}

function walk(event: KeyboardEvent, close: () => void): void {
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll('button')];
  const index = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const next = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    Home: 0,
    End: buttons.length - 1,
  }[event.key];
  if (event.key === 'Escape') {
    close();
  } else if (next !== undefined && !event.altKey) {
    buttons[next]?.focus();
    event.preventDefault();
  }
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
