import * as l10n from '@vscode/l10n';
import type { PanelSettings } from '../../../protocol/panel.ts';
import type { TextSectionView } from '../../../protocol/patchDocument.ts';
import { clickedPlace, placeInSource } from '../editor/clickedPlace.ts';
import { TextEditor } from '../writing/TextEditor.tsx';
import { useWriting } from '../writing/WritingContext.tsx';
import { DocumentProse } from '../reading/DocumentProse.tsx';
import { isFolded, useReading, useReadingState } from '../reading/reading.ts';
import { ConflictNote } from './ConflictNote.tsx';
import { ChangedMessage } from './ChangedMessage.tsx';
import { ChangedProse } from './ChangedProse.tsx';
import { ComparedHeader } from './ComparedHeader.tsx';
import { SectionFrame, type SectionSlots } from './SectionFrame.tsx';
import { sectionName } from '../reading/sectionName.ts';
import { StaleNote } from './StaleNote.tsx';
import { ReadMark } from './ReadMark.tsx';

/** The author's prose, rendered. */
export function TextSection(props: {
  section: TextSectionView;
  settings: PanelSettings;
  slots: SectionSlots;
}) {
  const { section, settings, slots } = props;
  const name = sectionName(section);
  const { writing } = useWriting();
  const reading = useReading();
  const edit = writing.editOf(section.code);
  const { compared } = section;
  const folded = useReadingState((state) => isFolded(section, state)) && !edit;
  const actions = (
    <>
      {slots.actions}
      <ReadMark section={section} name={name} />
    </>
  );
  return (
    <SectionFrame
      section={section}
      label={name}
      header={
        compared && (
          <ComparedHeader
            section={section}
            folded={folded}
            onToggle={() => reading.fold(section.code, !folded)}
          />
        )
      }
      {...slots}
      actions={actions}
    >
      {/* A short cut; the keyboard has Enter on the section, and the button. One click selects, as in any text. */}
      <div
        onDblClick={(event) => {
          if (!edit && isOnText(event)) {
            const place = clickedPlace(event);
            writing.edit(section.code, place && placeInSource(section.text, place));
          }
        }}
      >
        {!folded && !edit && <ConflictNote section={section} />}
        {folded ? null : edit ? (
          <TextEditor edit={edit} writing={writing} settings={settings} />
        ) : section.text.trim() === '' ? (
          <p class="muted">{l10n.t("This section doesn't have any text yet.")}</p>
        ) : compared?.textBefore !== undefined ? (
          <ChangedProse section={section} before={compared.textBefore} settings={settings} />
        ) : (
          <DocumentProse markdown={section.text} id={section.code} settings={settings} />
        )}
        {!folded && !edit && <ChangedMessage message={section.changedMessage} />}
        {!folded && !edit && <StaleNote code={section.code} />}
      </div>
    </SectionFrame>
  );
}

/** True when a double click is meant for the text itself, and not for a link or the like in it. */
function isOnText(event: MouseEvent): boolean {
  const control = 'a, button, input, summary, label, [role="button"]';
  return !event.defaultPrevented && event.target instanceof Element && !event.target.closest(control);
}
