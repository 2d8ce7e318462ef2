import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import type { SectionView } from '../../../protocol/patchDocument.ts';
import { IconButton } from '../../common/IconButton.tsx';
import { useChanges, useWriting } from '../writing/WritingContext.tsx';
import { makeDraggable } from '../reorder/drag.ts';
import { sectionName } from '../reading/sectionName.ts';

/** The handle by which a section is dragged; pressing it selects the section, so that several can be moved together. */
export function DragHandle({ section, place, of }: { section: SectionView; place: number; of: number }) {
  const { reordering } = useWriting();
  useChanges(reordering.onDidChangeSelection);
  const handle = useRef<HTMLButtonElement>(null);
  const selected = reordering.isSelected(section.code);
  const name = sectionName(section);
  const label = (): string =>
    reordering.isSelected(section.code) && reordering.selectedCount > 1
      ? l10n.t('{0} sections', reordering.selectedCount)
      : name;

  useEffect(() => {
    const frame = handle.current?.closest<HTMLElement>('.section');
    if (!handle.current || !frame) {
      return;
    }
    return makeDraggable({
      section: frame,
      handle: handle.current,
      code: section.code,
      name: label,
      reordering,
    });
  }, [section.code, name, reordering]);
  useEffect(() => {
    handle.current?.closest('.section')?.toggleAttribute('data-selected', selected);
  }, [selected]);

  return (
    <button
      type="button"
      ref={handle}
      class="icon-button drag-handle"
      aria-pressed={selected}
      aria-label={l10n.t('Select {0}, section {1} of {2}', name, place, of)}
      title={l10n.t(
        'Drag, or press Alt+Up or Alt+Down, to move. Select several sections to move them together.',
      )}
      onClick={(event) => reordering.select(section.code, { range: event.shiftKey })}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          reordering.clearSelection();
        }
      }}
    >
      <i class="codicon codicon-gripper" aria-hidden="true" />
    </button>
  );
}

/** The buttons of a section: what is done most, and a menu with the rest. */
export function SectionActions({ section }: { section: SectionView }) {
  const { writing } = useWriting();
  return (
    <>
      {section.type === 'text' && (
        <IconButton icon="edit" label={l10n.t('Edit section')} onClick={() => writing.edit(section.code)} />
      )}
      <MenuButton />
    </>
  );
}

/** Opens the menu that a right click on the section opens. */
function MenuButton() {
  const button = useRef<HTMLSpanElement>(null);
  const open = (): void => {
    const place = button.current?.getBoundingClientRect();
    button.current?.dispatchEvent(
      new MouseEvent('contextmenu', {
        bubbles: true,
        cancelable: true,
        clientX: place?.left ?? 0,
        clientY: place?.bottom ?? 0,
      }),
    );
  };
  return (
    <span ref={button}>
      <IconButton icon="ellipsis" label={l10n.t('More actions')} onClick={open} />
    </span>
  );
}
