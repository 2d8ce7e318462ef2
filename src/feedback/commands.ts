import * as vscode from 'vscode';
import type { CommandHandlers } from '../commandTable.ts';
import { feedbackViewType } from '../contributions.ts';
import { restorePanels } from '../ui/pagePanel.ts';
import { lazy } from '../util/lazy.ts';
import type { WindowParts } from '../windowParts.ts';
import type { FeedbackPanel } from './feedbackPanel.ts';
import type { PackedFiles } from './packedFiles.ts';

/** Feedback: the form that sends it, and what is packed for it. */
export function registerFeedback(parts: WindowParts) {
  const { context, disposables, connection, sessions, pendingChanges, changes, colors, log } = parts;
  const packedFiles = lazy(async (): Promise<PackedFiles> => {
    const { PackedFiles } = await import('./packedFiles.ts');
    return disposables.add(new PackedFiles(vscode.Uri.joinPath(context.globalStorageUri, 'feedback').fsPath));
  });
  const feedbackPanel = lazy(async (): Promise<FeedbackPanel> => {
    const { FeedbackPanel } = await import('./feedbackPanel.ts');
    return disposables.add(
      new FeedbackPanel({
        extension: context.extension,
        connection,
        sessions,
        packed: await packedFiles(),
        pendingChanges: await pendingChanges(),
        changes,
        colors,
        log,
      }),
    );
  });
  disposables.add(
    restorePanels(feedbackViewType, async (panel) => (await feedbackPanel()).panel.restore(panel)),
  );
  return {
    /** Deletes what a window that was killed has left of packed attachments. A failure is written to the log. */
    sweep: async (): Promise<void> => {
      try {
        await (await packedFiles()).sweep();
      } catch (error) {
        log.warn(`Old attachments of feedback could not be deleted: ${String(error)}`);
      }
    },
    commands: {
      sendFeedback: async () => (await feedbackPanel()).panel.open(),
    } satisfies Partial<CommandHandlers>,
  };
}
