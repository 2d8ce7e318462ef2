import * as vscode from 'vscode';
import { stacksViewId } from '../contributions.ts';
import { orderAfterDrop } from './dropOrder.ts';
import type { Node } from './nodes.ts';
import type { SectionRef } from '../util/patchRef.ts';

/** Gives the sections of a patch, by their codes, another order. */
export type ReorderSections = (patch: SectionRef, codes: readonly string[]) => Promise<void>;

const type = `application/vnd.code.tree.${stacksViewId.toLowerCase()}`;

/** Rows that can be kept from being drawn again. */
interface HeldRows {
  holdStill(): void;
  release(): void;
}

/** Dragging a section onto another one of its patch, in whose place it then stands; or onto the patch, to its top. */
export function sectionDragAndDrop(
  rows: HeldRows,
  reorder: ReorderSections,
): vscode.TreeDragAndDropController<Node> {
  return {
    dragMimeTypes: [],
    dropMimeTypes: [type],
    handleDrag(source, transfer) {
      const ids = source.flatMap(({ kind, id }) => (kind === 'section' ? [id] : []));
      if (ids.length > 0) {
        rows.holdStill();
        // It travels as text, which rows with their parents cannot be made to.
        transfer.set(type, new vscode.DataTransferItem(JSON.stringify(ids)));
      }
    },
    async handleDrop(target, transfer) {
      const ids = readIds(await transfer.get(type)?.asString());
      const order = target && orderAfterDrop(ids, target);
      rows.release();
      if (order) {
        await reorder(order.patch, order.codes);
      }
    },
  };
}

/** VS Code itself has something else by that name, when what is dragged is no section. */
function readIds(text = ''): string[] {
  const ids: unknown = text.startsWith('[') ? JSON.parse(text) : [];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}
