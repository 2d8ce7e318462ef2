/**
 * Draws the beginning of a stack's page in the extension host, so that it is on screen as soon as the page is there. It cannot be
 * used until the page's script has drawn all of it in its place.
 */
import { renderToString } from 'preact-render-to-string';
import * as l10n from '@vscode/l10n';
import type { PrerenderStack } from '../../protocol/stackPage.ts';
import { StackPage } from './StackPage.tsx';

const never = new Promise<never>(() => undefined);
const ask = (): Promise<never> => never;
const host = { request: ask, isSilent: false, onDidChangeSilence: () => ({ dispose: () => undefined }) };

/** See the module. */
export const prerender: PrerenderStack = (view, settings) => {
  l10n.config({ contents: settings.bundle });
  return renderToString(<StackPage view={view} settings={settings} host={host} refresh={ask} isBeginning />);
};
