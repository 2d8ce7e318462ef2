import type { CommandHandlers } from '../commandTable.ts';
import { releaseViewType } from '../contributions.ts';
import { restorePanels } from '../ui/pagePanel.ts';
import { lazy } from '../util/lazy.ts';
import type { WindowParts } from '../windowParts.ts';
import type { ReleasePanel } from './releasePanel.ts';

/** Releases: the form that creates one. */
export function registerReleases(parts: WindowParts) {
  const { context, disposables, connection, pendingChanges, changes, colors, log } = parts;
  const releasePanel = lazy(async (): Promise<ReleasePanel> => {
    const { ReleasePanel } = await import('./releasePanel.ts');
    const { PastReleases } = await import('./pastReleases.ts');
    return disposables.add(
      new ReleasePanel({
        extensionUri: context.extensionUri,
        connection,
        past: new PastReleases(parts.workspaceMemory),
        pendingChanges: await pendingChanges(),
        changes,
        colors,
        log,
      }),
    );
  });
  disposables.add(
    restorePanels(releaseViewType, async (panel) => (await releasePanel()).panel.restore(panel)),
  );
  return {
    commands: {
      createRelease: async () => (await releasePanel()).panel.open(),
    } satisfies Partial<CommandHandlers>,
  };
}
