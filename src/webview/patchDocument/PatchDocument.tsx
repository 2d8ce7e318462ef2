import type { PanelSettings } from '../../protocol/panel.ts';
import type { PatchDocumentHost, PatchDocumentView, PatchView } from '../../protocol/patchDocument.ts';
import type { RpcPeer } from '../../protocol/rpc.ts';
import { PatchHeader } from './header/PatchHeader.tsx';
import { SectionList } from './sections/SectionList.tsx';

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
      <SectionList patch={patch} settings={settings} host={host} />
    </main>
  );
}
