import * as vscode from 'vscode';
import { stacksViewId, type PatchReference } from '../contributions.ts';
import { orderAfterDrop } from './dropOrder.ts';
import type { Node, SectionNode } from './nodes.ts';

/** Gives the sections of a patch, by their codes, another order. */
export type ReorderSections = (patch: PatchReference, codes: readonly string[]) => Promise<void>;

const type = `application/vnd.code.tree.${stacksViewId.toLowerCase()}`;

/** Dragging a section onto another one of its patch, in whose place it then stands; or onto the patch, to its top. */
export function sectionDragAndDrop(reorder: ReorderSections): vscode.TreeDragAndDropController<Node> {
  return {
    dragMimeTypes: [],
    dropMimeTypes: [type],
    handleDrag(source, transfer) {
      const sections = source.filter((node) => node.kind === 'section');
      if (sections.length > 0) {
        transfer.set(type, new vscode.DataTransferItem(sections));
      }
    },
    async handleDrop(target, transfer) {
      const dragged: unknown = transfer.get(type)?.value;
      if (target && Array.isArray(dragged)) {
        const order = orderAfterDrop(dragged as SectionNode[], target);
        if (order) {
          await reorder(order.patch, order.codes);
        }
      }
    },
  };
}
