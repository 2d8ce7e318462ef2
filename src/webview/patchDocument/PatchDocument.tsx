import { useEffect, useState } from 'preact/hooks';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { PatchView } from '../../protocol/patchDocument.ts';
import { useStore } from '../common/store.ts';
import { useWide } from '../common/useWide.ts';
import { FinishBar } from './finish/FinishBar.tsx';
import { FindBar } from './find/FindBar.tsx';
import type { Finding } from './find/finding.ts';
import { DocumentToolbar } from './header/DocumentToolbar.tsx';
import { useChanges, useWriting } from './writing/WritingContext.tsx';
import { PatchHeader } from './header/PatchHeader.tsx';
import { Outline } from './outline/Outline.tsx';
import { useFollowScroll } from './reading/followScroll.ts';
import { ReadingContext, type Reading } from './reading/reading.ts';
import { roomForOutline } from './reading/room.ts';
import { SectionList } from './SectionList.tsx';

/** A patch as a document: its header, then its sections in order, with their outline beside them. */
export function PatchDocument(props: {
  patch: PatchView;
  settings: PanelSettings;
  reading: Reading;
  finding: Finding;
}) {
  const { patch, settings, reading, finding } = props;
  const layout = useStore(reading.store, (state) => state.layout);
  const rooms = { unified: useWide(roomForOutline.unified), sideBySide: useWide(roomForOutline.sideBySide) };
  const wide = rooms[layout];
  const [wanted, setWanted] = useState<boolean>();
  // An outline that was chosen where there is room would cover the text where there is none.
  useEffect(() => setWanted(undefined), [wide]);
  useFollowScroll(reading, patch);
  const { writing, reordering } = useWriting();
  useChanges(writing.onDidChange);
  const sections = writing.shown;
  reordering.setShown(sections);
  const hasOutline = sections.length > 0;
  const outlineShown = hasOutline && (wanted ?? wide);
  return (
    <ReadingContext.Provider value={reading}>
      <div class={`document ${wide ? 'wide' : 'narrow'}`} data-patch={patch.ref.changeId}>
        <DocumentToolbar
          patch={patch}
          hasOutline={hasOutline}
          outlineShown={outlineShown}
          onToggleOutline={() => setWanted(!outlineShown)}
          onFind={() => finding.open()}
        />
        <FindBar finding={finding} />
        {outlineShown && (
          <Outline
            sections={sections}
            isOver={!wide}
            onGone={() => {
              if (!wide) {
                setWanted(false);
              }
            }}
          />
        )}
        <main>
          <PatchHeader patch={patch} settings={settings} />
          <SectionList sections={sections} gone={patch.comparison?.removed} settings={settings} />
        </main>
        <FinishBar patch={patch} />
      </div>
    </ReadingContext.Provider>
  );
}
