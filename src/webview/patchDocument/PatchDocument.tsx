import * as l10n from '@vscode/l10n';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { PatchDocumentHost, PatchDocumentView, PatchView } from '../../protocol/patchDocument.ts';
import type { RpcPeer } from '../../protocol/rpc.ts';
import { DiffSection } from './DiffSection.tsx';
import { PatchHeader } from './PatchHeader.tsx';
import { TextSection } from './TextSection.tsx';

/** The panel in the extension host, as the components see it. */
export type Host = RpcPeer<PatchDocumentView, PatchDocumentHost>;

/** A patch as a document: its header, then its sections in order. */
export function PatchDocument({
  patch,
  settings,
  host,
}: {
  patch: PatchView;
  settings: PanelSettings;
  host: Host;
}) {
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
