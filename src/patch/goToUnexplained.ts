/** Goes from one hunk that no prose explains to the next, through the whole stack. */
import * as vscode from 'vscode';
import type { CommandRow } from '../contributions.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import { preparedStack } from '../model/prose/stackCoverage.ts';
import { showMessage } from '../ui/notifications.ts';
import { nextUnexplained } from './nextUnexplained.ts';
import { walkStack, type WalkContext } from './walkStack.ts';
import { inBackground } from '../util/inBackground.ts';

/** See the module. @param row the stack or patch to begin at. */
export async function goToUnexplained(
  { changes, ...context }: WalkContext & { changes: PendingChanges },
  row: CommandRow | undefined,
): Promise<void> {
  const isFound = await walkStack(context, row, async ({ stack, patches }, from) =>
    nextUnexplained(await preparedStack(context.model, stack, patches, changes.shown()), from),
  );
  if (!isFound) {
    inBackground(showMessage(vscode.l10n.t('The texts explain every change in this patch stack.')));
  }
}
