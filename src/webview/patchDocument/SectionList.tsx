import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { GoneSection, SectionView, UnreadableSectionView } from '../../protocol/patchDocument.ts';
import type { ListPart } from '../common/listWindow.ts';
import { GoneSections } from './GoneSections.tsx';
import { DiffSection } from './diff/DiffSection.tsx';
import { useChanges, useWriting } from './writing/WritingContext.tsx';
import { useKeptPlace } from './reorder/keepPlace.ts';
import { isNew } from '../../protocol/patchWriting.ts';
import type { Writing } from './writing/writing.ts';
import { HeldElsewhere } from './sections/HeldElsewhere.tsx';
import { InsertGap } from './sections/InsertGap.tsx';
import { Note } from './sections/Note.tsx';
import { isDrawnAsAWhole } from './sections/onScreen.ts';
import { useSectionWindow } from './sections/sectionWindow.ts';
import { PendingChanges } from './sections/PendingChanges.tsx';
import { SectionFrame, type SectionSlots } from './sections/SectionFrame.tsx';
import { DragHandle, SectionActions } from './sections/SectionTools.tsx';
import type { Codes } from './reading/codes.ts';
import { useReading } from './reading/reading.ts';
import { sectionName } from './reading/sectionName.ts';
import { TextSection } from './sections/TextSection.tsx';

/** The sections in order, with a gap before the first and after each. */
export function SectionList({
  sections,
  gone,
  settings,
  isPart = false,
}: {
  sections: readonly SectionView[];
  /** Those that are gone since the version that the patch is compared with. */
  gone?: readonly GoneSection[] | undefined;
  settings: PanelSettings;
  /** True on a page that has other patches, too. */
  isPart?: boolean;
}) {
  const { writing, reordering } = useWriting();
  const { codes: ofPage } = useReading();
  useChanges(writing.onDidChange);
  const codes = sections.map(({ code }) => code);
  const kept = useKeptPlace(codes, reordering);
  const known = sections.filter(({ code }) => !isNew(code));
  const places = new Map(known.map(({ code }, index) => [code, index + 1]));
  const list = useRef<HTMLDivElement>(null);
  const whole = !isPart && isDrawnAsAWhole(sections);
  const parts = useSectionWindow({ list, sections, gone, whole, kept });
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
      <GoneSections sections={gone} after={null} settings={settings} />
      <div class="section-places" ref={list} role={whole ? undefined : 'list'}>
        {parts.map((part) => {
          const section = part.kind === 'item' ? sections[part.index] : undefined;
          if (part.kind === 'room' || !section) {
            return <FarSections key={`room ${codes[part.kind === 'room' ? part.end : 0]}`} part={part} />;
          }
          const place = places.get(section.code);
          return (
            <div
              key={section.code}
              class="section-place"
              data-part={part.index}
              // Said only when not all of them are there.
              {...(!whole && {
                role: 'listitem',
                'aria-posinset': part.index + 1,
                'aria-setsize': sections.length,
              })}
            >
              <Section
                section={section}
                settings={settings}
                slots={place === undefined ? {} : slotsOf(section, place, known.length, writing, ofPage)}
              />
              <GoneSections sections={gone} after={section.code} settings={settings} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Room for sections that are not drawn. */
function FarSections({ part }: { part: ListPart }) {
  return part.kind === 'room' ? (
    <div
      class="far-sections"
      data-part="room"
      data-first={part.start}
      data-last={part.end - 1}
      style={{ height: `${part.height}px` }}
    />
  ) : null;
}

function slotsOf(
  section: SectionView,
  place: number,
  of: number,
  writing: Writing,
  { toHost }: Codes,
): SectionSlots {
  const sectionCode = toHost(section.code);
  const said = writing.noteAt(section.code);
  const note = (
    <>
      <HeldElsewhere code={section.code} />
      {said && <Note note={said} />}
    </>
  );
  if (writing.readOnly) {
    return { note, menuContext: JSON.stringify({ sectionCode, patchStacksPart: true }) };
  }
  return {
    handle: <DragHandle section={section} place={place} of={of} />,
    actions: <SectionActions section={section} />,
    menuContext: JSON.stringify({
      sectionCode,
      patchStacksPart: true,
      patchStacksSection: section.type,
    }),
    note,
    after: <InsertGap after={section.code} name={sectionName(section)} />,
  };
}

function Section(props: { section: SectionView; settings: PanelSettings; slots: SectionSlots }) {
  const { section, settings, slots } = props;
  switch (section.type) {
    case 'text':
      return <TextSection section={section} settings={settings} slots={slots} />;
    case 'diff':
      return <DiffSection section={section} slots={slots} />;
    case 'unreadable':
      return <UnreadableSection section={section} slots={slots} />;
  }
}

function UnreadableSection({ section, slots }: { section: UnreadableSectionView; slots: SectionSlots }) {
  const text = l10n.t('Couldn\'t read section "{0}".', sectionName(section));
  return (
    <SectionFrame section={section} label={text} {...slots}>
      <p class="notice">{text}</p>
    </SectionFrame>
  );
}
