import * as l10n from '@vscode/l10n';
import type { PanelSettings } from '../../../protocol/panel.ts';
import type { SectionView, UnreadableSectionView } from '../../../protocol/patchDocument.ts';
import { DiffSection } from '../diff/DiffSection.tsx';
import { useChanges, useWriting } from '../editor/WritingContext.tsx';
import { useKeptPlace } from '../reorder/keepPlace.ts';
import { isNew } from '../editor/textEdit.ts';
import type { Writing } from '../editor/writing.ts';
import { HeldElsewhere } from './HeldElsewhere.tsx';
import { InsertGap } from './InsertGap.tsx';
import { Note } from './Note.tsx';
import { isDrawnAsAWhole, sectionsOnScreen, type Drawing } from './onScreen.ts';
import { PendingChanges } from './PendingChanges.tsx';
import { SectionFrame, usePresence, type SectionSlots } from './SectionFrame.tsx';
import { DragHandle, SectionActions } from './SectionTools.tsx';
import { sectionName } from './sectionName.ts';
import { TextSection } from './TextSection.tsx';

/** The sections in order, with a gap before the first and after each. */
export function SectionList({
  sections,
  settings,
}: {
  sections: readonly SectionView[];
  settings: PanelSettings;
}) {
  const { writing, reordering } = useWriting();
  useChanges(writing.onDidChange);
  useKeptPlace(
    sections.map(({ code }) => code),
    reordering,
  );
  const known = sections.filter(({ code }) => !isNew(code));
  const drawnAtFirst = sectionsOnScreen(sections);
  const asAWhole = isDrawnAsAWhole(sections);
  const places = new Map(known.map(({ code }, index) => [code, index + 1]));
  return (
    <div class="sections">
      <PendingChanges />
      {sections.length === 0 && (
        <p class="notice">
          {l10n.t("This patch doesn't have any sections.")}{' '}
          {!writing.readOnly && (
            <button type="button" class="link-button" onClick={() => writing.add(null)}>
              {l10n.t('Add Section')}
            </button>
          )}
        </p>
      )}
      {!writing.readOnly && <InsertGap after={null} name={undefined} />}
      {sections.map((section, index) => {
        const place = places.get(section.code);
        return (
          <Section
            key={section.code}
            section={section}
            settings={settings}
            drawing={{ atFirst: index < drawnAtFirst, asAWhole }}
            slots={place === undefined ? {} : slotsOf(section, place, known.length, writing)}
          />
        );
      })}
    </div>
  );
}

function slotsOf(section: SectionView, place: number, of: number, writing: Writing): SectionSlots {
  const said = writing.noteAt(section.code);
  const note = (
    <>
      <HeldElsewhere code={section.code} />
      {said && <Note note={said} />}
    </>
  );
  if (writing.readOnly) {
    return { note, menuContext: JSON.stringify({ sectionCode: section.code, patchStacksPart: true }) };
  }
  return {
    handle: <DragHandle section={section} place={place} of={of} />,
    actions: <SectionActions section={section} />,
    menuContext: JSON.stringify({
      sectionCode: section.code,
      patchStacksPart: true,
      patchStacksSection: section.type,
    }),
    note,
    after: <InsertGap after={section.code} name={sectionName(section)} />,
  };
}

function Section(props: {
  section: SectionView;
  settings: PanelSettings;
  drawing: Drawing;
  slots: SectionSlots;
}) {
  const { section, settings, drawing, slots } = props;
  switch (section.type) {
    case 'text':
      return <TextSection section={section} settings={settings} drawing={drawing} slots={slots} />;
    case 'diff':
      return <DiffSection section={section} drawing={drawing} slots={slots} />;
    case 'unreadable':
      return <UnreadableSection section={section} drawing={drawing} slots={slots} />;
  }
}

function UnreadableSection(props: { section: UnreadableSectionView; drawing: Drawing; slots: SectionSlots }) {
  const { section, drawing, slots } = props;
  const presence = usePresence({ drawing, lines: 1 });
  const text = l10n.t('Couldn\'t read section "{0}".', sectionName(section));
  return (
    <SectionFrame section={section} presence={presence} label={text} {...slots}>
      <p class="notice">{text}</p>
    </SectionFrame>
  );
}
