/** The patch document: one patch read as one page, its sections in order. */
import '@vscode/codicons/dist/codicon.css';
import '../common/base.css';
import '../common/highlight.css';
import '../common/prose.css';
import './patchDocument.css';
import * as l10n from '@vscode/l10n';
import type { PatchDocumentHost, PatchDocumentView, PatchView } from '../../protocol/patchDocument.ts';
import { connectToHost, untilAnswered } from '../common/host.ts';
import { Page, startPage } from '../common/page.tsx';
import { PatchDocument } from './PatchDocument.tsx';

let page: Page<PatchView> | undefined;
let loadedBefore = false;

const { peer: host, setState } = connectToHost<PatchDocumentHost, PatchDocumentView>({
  show: (patch) => {
    setState(patch.address);
    page?.show(patch);
    return null;
  },
  reveal: ({ code }) => {
    reveal(code);
    return null;
  },
});

/** Loads the patch; once it has failed or been shown, whatever is known of it is not good enough. */
async function load(): Promise<PatchView> {
  const fresh = loadedBefore;
  loadedBefore = true;
  // The person may be asked to sign in again meanwhile: that takes as long as it takes.
  const patch = await host.request('patch', { fresh }, { timeout: untilAnswered });
  setState(patch.address);
  return patch;
}

function reveal(code: string): void {
  const section = document.querySelector<HTMLElement>(`[data-section="${CSS.escape(code)}"]`);
  section?.scrollIntoView({ block: 'start' });
  section?.focus({ preventScroll: true });
}

async function start(): Promise<void> {
  await startPage(host.request('settings', null), (settings) => {
    page = new Page({
      loadingText: () => l10n.t('Loading the patch…'),
      load,
      view: (patch) => (
        <PatchDocument key={patch.address.changeId} patch={patch} settings={settings} host={host} />
      ),
    });
    return page;
  });
  const code = await host.request('sectionToReveal', null);
  if (code !== null) {
    reveal(code);
  }
}

void start();
