import * as l10n from '@vscode/l10n';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { PatchDocumentHost, PatchDocumentView, PatchView } from '../../protocol/patchDocument.ts';
import type { RpcPeer } from '../../protocol/rpc.ts';
import { DiffSection } from './DiffSection.tsx';
import { PatchHeader } from './PatchHeader.tsx';
import { TextSection } from './TextSection.tsx';

/** What the page shows. */
export type DocumentState =
  { kind: 'loading' } | { kind: 'failed'; reason: string } | { kind: 'shown'; patch: PatchView };

/** The panel in the extension host, as the components see it. */
export type Host = RpcPeer<PatchDocumentView, PatchDocumentHost>;

/** The whole page. */
export function App(props: {
  state: DocumentState;
  settings: PanelSettings;
  host: Host;
  load: (fresh: boolean) => Promise<void>;
}) {
  const { state, settings, host, load } = props;
  switch (state.kind) {
    case 'loading':
      return (
        <main class="notice" aria-busy="true">
          <p role="status">{l10n.t('Loading the patch…')}</p>
        </main>
      );
    case 'failed':
      return (
        <main class="notice">
          <p role="alert">{state.reason}</p>
          <button type="button" class="primary" onClick={() => void load(true)}>
            {l10n.t('Retry')}
          </button>
        </main>
      );
    case 'shown':
      return (
        <PatchDocument
          key={state.patch.address.changeId}
          patch={state.patch}
          settings={settings}
          host={host}
        />
      );
  }
}

function PatchDocument({ patch, settings, host }: { patch: PatchView; settings: PanelSettings; host: Host }) {
  return (
    <main data-patch={patch.address.changeId}>
      <PatchHeader patch={patch} language={settings.language} host={host} />
      {patch.sections.length === 0 && <p class="notice">{l10n.t('This patch has no sections.')}</p>}
      {patch.sections.map((section) => {
        switch (section.type) {
          case 'text':
            return <TextSection key={section.code} section={section} settings={settings} />;
          case 'diff':
            return <DiffSection key={section.code} section={section} host={host} />;
          case 'unreadable':
            return (
              <section key={section.code} data-section-type="unreadable" class="notice">
                <p>{l10n.t('The section “{0}” cannot be read.', section.title ?? section.code)}</p>
              </section>
            );
        }
      })}
    </main>
  );
}
