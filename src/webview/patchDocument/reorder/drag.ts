/** Dragging sections by their handles: a line shows where they will stand, and the page scrolls at its edges. */
import { combine } from '@atlaskit/pragmatic-drag-and-drop/utils/combine';
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/set-custom-native-drag-preview';
import { pointerOutsideOfPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/pointer-outside-of-preview';
import { autoScrollWindowForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element';
import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge';
import type { Reordering } from '../writing/reordering.ts';

/** Marks what is dragged as a section of this page. */
const dragKind = 'patch-stacks.section';

/** The attribute by which a section shows the line: *top* or *bottom*. */
const lineAttribute = 'data-drop-edge';

/**
 * Makes a section one that can be dragged by its handle, and one beside which others can be dropped. The handle alone is
 * draggable for the browser, too: what stands in a draggable element cannot be selected.
 *
 * @param name says what is dragged, for the picture at the pointer.
 * @returns ends it.
 */
export function makeDraggable(parts: {
  section: HTMLElement;
  handle: HTMLElement;
  code: string;
  name: () => string;
  reordering: Reordering;
}): () => void {
  const { section, handle, code, name, reordering } = parts;
  const showLine = (edge: string | null): void => {
    if (edge === null) {
      section.removeAttribute(lineAttribute);
    } else {
      section.setAttribute(lineAttribute, edge);
    }
  };
  return combine(
    draggable({
      element: handle,
      getInitialData: () => ({ kind: dragKind, code }),
      onGenerateDragPreview: ({ nativeSetDragImage }) => {
        setCustomNativeDragPreview({
          nativeSetDragImage,
          getOffset: pointerOutsideOfPreview({ x: '12px', y: '8px' }),
          render: ({ container }) => {
            const label = document.createElement('div');
            label.className = 'drag-preview';
            label.textContent = name();
            container.append(label);
          },
        });
      },
      onDragStart: () => markMoved(reordering.movedWith(code), true),
      onDrop: () => markMoved(reordering.movedWith(code), false),
    }),
    dropTargetForElements({
      element: section,
      canDrop: ({ source }) => source.data['kind'] === dragKind,
      // The line is drawn between two sections: there, too, the last one is what is dropped beside.
      getIsSticky: () => true,
      getData: ({ input, element }) =>
        attachClosestEdge({ code }, { input, element, allowedEdges: ['top', 'bottom'] }),
      onDrag: ({ self, source }) => {
        const moved = reordering.movedWith(String(source.data['code']));
        showLine(moved.has(code) ? null : extractClosestEdge(self.data));
      },
      onDragLeave: () => showLine(null),
      onDrop: ({ self, source }) => {
        showLine(null);
        const edge = extractClosestEdge(self.data);
        const dragged = String(source.data['code']);
        if ((edge === 'top' || edge === 'bottom') && !reordering.movedWith(dragged).has(code)) {
          reordering.moveBeside(dragged, code, edge);
        }
      },
    }),
  );
}

/**
 * Has the page scroll while something is dragged to its upper or lower edge.
 *
 * @returns ends it.
 */
export function scrollWhileDragging(): () => void {
  return autoScrollWindowForElements();
}

function markMoved(codes: ReadonlySet<string>, moved: boolean): void {
  for (const code of codes) {
    document.querySelector(`[data-section="${CSS.escape(code)}"]`)?.toggleAttribute('data-dragged', moved);
  }
}
