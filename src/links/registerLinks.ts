import * as vscode from 'vscode';
import { attempt } from '../ui/commands.ts';
import type { WindowParts } from '../windowParts.ts';
import type { LinkContext } from './openLink.ts';
import type { Ref } from '../util/patchRef.ts';

interface LinksNeeds extends Omit<LinkContext, 'connection' | 'model'> {
  /** Waits until it is known who is signed in. */
  untilStarted: () => Promise<void>;
}

/** Deep links: following those that VS Code hands over. */
export function registerLinks(parts: WindowParts, needs: LinksNeeds) {
  const { disposables, connection, log } = parts;
  const linkContext: LinkContext = { ...parts, ...needs };
  disposables.add(
    vscode.window.registerUriHandler({
      handleUri: (uri) =>
        attempt(vscode.l10n.t('open the link'), log, async () => {
          await needs.untilStarted();
          const { openLink } = await import('./openLink.ts');
          await openLink(uri, linkContext);
        }),
    }),
  );
  return {
    /** Shows something of the active server. */
    open: async (target: Omit<Ref, 'serverUrl'>): Promise<void> => {
      const { openTarget } = await import('./openLink.ts');
      await openTarget({ ...target, serverUrl: connection.activeServer ?? '' }, linkContext);
    },
  };
}
