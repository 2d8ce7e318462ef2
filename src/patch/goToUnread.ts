/** Goes from one thing that the person has not read to the next, through the whole stack. */
import * as vscode from 'vscode';
import type { CommandRow } from '../contributions.ts';
import { placesOf } from '../model/reading/hunks.ts';
import type { Readings } from '../model/reading/readings.ts';
import { stackNameOf } from '../model/reading/stackName.ts';
import type { Direction } from '../protocol/patchDocument.ts';
import { showMessage } from '../ui/notifications.ts';
import { nextUnread } from './unread.ts';
import { walkStack, type WalkContext } from './walkStack.ts';
import { inBackground } from '../util/inBackground.ts';

/** See the module. @param row the stack or patch to begin at. */
export async function goToUnread(
  { readings, ...context }: WalkContext & { readings: Readings | undefined },
  row: CommandRow | undefined,
  direction: Direction,
): Promise<void> {
  if (!readings) {
    throw new Error(vscode.l10n.t('Select a patch stack or a patch.'));
  }
  const isFound = await walkStack(context, row, async ({ stack, patches }, from) => {
    const states = await readings.states(stackNameOf(stack), patches);
    const toRead = patches.map(({ changeId, sections = [] }, index) => ({
      changeId,
      codes: sections.map(({ code }) => code),
      reading: states[index],
      placesIn: (index: number) => {
        const section = sections[index];
        return section?.sectionType === 'diff' ? placesOf(section.diffPatch ?? '') : [];
      },
    }));
    return nextUnread(toRead, from, direction);
  });
  if (!isFound) {
    inBackground(showMessage(vscode.l10n.t("You've read everything in this patch stack.")));
  }
}
