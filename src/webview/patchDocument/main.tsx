/** The patch document: one patch read as one page, its sections in order. */
import '@vscode/codicons/dist/codicon.css';
import '../common/base.css';
import '../common/highlight.css';
import './patchDocument.css';
import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { PatchDocumentHost, PatchDocumentView, PatchView } from '../../protocol/patchDocument.ts';
import { connectToHost } from '../common/host.ts';
import { App, type DocumentState } from './App.tsx';

let settings: PanelSettings;

const { peer: host, setState } = connectToHost<PatchDocumentHost, PatchDocumentView>({
  show: (patch) => {
    showPatch(patch);
    return null;
  },
  reveal: ({ code }) => {
    reveal(code);
    return null;
  },
});

function draw(state: DocumentState): void {
  render(<App state={state} settings={settings} host={host} load={load} />, document.body);
}

async function load(fresh: boolean): Promise<void> {
  draw({ kind: 'loading' });
  let patch: PatchView;
  try {
    patch = await host.request('patch', { fresh });
  } catch (error) {
    draw({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
    return;
  }
  showPatch(patch);
  const code = await host.request('sectionToReveal', null);
  if (code !== null) {
    reveal(code);
  }
}

function showPatch(patch: PatchView): void {
  setState(patch.address);
  draw({ kind: 'shown', patch });
}

function reveal(code: string): void {
  const section = document.querySelector<HTMLElement>(`[data-section="${CSS.escape(code)}"]`);
  section?.scrollIntoView({ block: 'start' });
  section?.focus({ preventScroll: true });
}

async function start(): Promise<void> {
  settings = await host.request('settings', null);
  l10n.config({ contents: settings.bundle });
  document.documentElement.lang = settings.language;
  await load(false);
}

void start();
