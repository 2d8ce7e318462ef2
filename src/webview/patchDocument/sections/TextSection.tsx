import * as l10n from '@vscode/l10n';
import type { PanelSettings } from '../../../protocol/panel.ts';
import type { TextSectionView } from '../../../protocol/patchDocument.ts';
import { clickedPlace, placeInSource } from '../editor/clickedPlace.ts';
import { TextEditor } from '../editor/TextEditor.tsx';
import { useWriting } from '../editor/WritingContext.tsx';
import { DocumentProse } from './DocumentProse.tsx';
import { linesOf } from './lines.ts';
import type { Drawing } from './onScreen.ts';
import { SectionFrame, usePresence, type SectionSlots } from './SectionFrame.tsx';
import { sectionName } from './sectionName.ts';
import { ViewedMark } from './ViewedMark.tsx';

/** The author's prose, rendered while it is near to what is on screen. */
export function TextSection(props: {
  section: TextSectionView;
  settings: PanelSettings;
  drawing: Drawing;
  slots: SectionSlots;
}) {
  const { section, settings, drawing, slots } = props;
  const name = sectionName(section);
  const { writing } = useWriting();
  const edit = writing.editOf(section.code);
  const presence = usePresence({
    drawing,
    needed: edit !== undefined,
    lines: linesOf(section.text),
  });
  const actions = (
    <>
      {slots.actions}
      <ViewedMark section={section} name={name} />
    </>
  );
  return (
    <SectionFrame section={section} presence={presence} label={name} {...slots} actions={actions}>
      {/* A short cut; the keyboard has Enter on the section, and the button. One click selects, as in any text. */}
      <div
        onDblClick={(event) => {
          if (!edit && isOnText(event)) {
            const place = clickedPlace(event);
            writing.edit(section.code, place && placeInSource(section.text, place));
          }
        }}
      >
        {edit ? (
          <TextEditor edit={edit} writing={writing} settings={settings} />
        ) : section.text.trim() === '' ? (
          <p class="muted">{l10n.t("This section doesn't have any text yet.")}</p>
        ) : (
          <DocumentProse markdown={section.text} id={section.code} settings={settings} />
        )}
      </div>
    </SectionFrame>
  );
}

/** Whether a double click is meant for the text itself, and not for a link or the like in it. */
function isOnText(event: MouseEvent): boolean {
  const target = event.target as Element;
  return (
    !event.defaultPrevented && target.closest('a, button, input, summary, label, [role="button"]') === null
  );
}
