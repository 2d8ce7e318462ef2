/**
 * Waits for a row that VS Code doesn't know at the moment. It forgets rows while it draws them again; and where two redraws meet, it shows
 * rows of which it has dropped what it was told, and doesn't know them before it has asked for all of them again.
 */
import { askAgain } from '../util/askAgain.ts';
import type { Node } from './nodes.ts';

/** Drawing rows again mostly takes VS Code less than the pauses before this look. */
const lookBeforeRedraw = 4;

/**
 * See the module.
 *
 * @param look undefined while VS Code doesn't know the row.
 * @param redraw has VS Code ask for all rows again.
 * @returns undefined where it knows none in the end.
 */
export async function onceKnown(
  look: () => Promise<Node | undefined> | Node | undefined,
  redraw: () => void,
): Promise<Node | undefined> {
  for await (const turn of askAgain()) {
    const row = await look();
    if (row) {
      return row;
    }
    if (turn === lookBeforeRedraw) {
      redraw();
    }
  }
  return undefined;
}
