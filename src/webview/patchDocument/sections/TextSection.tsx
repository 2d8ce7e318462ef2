import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import type { PanelSettings } from '../../../protocol/panel.ts';
import type { TextSectionView } from '../../../protocol/patchDocument.ts';
import { useNearViewport } from '../../common/nearViewport.ts';
import { clickedPlace, placeInSource } from '../editor/clickedPlace.ts';
import { TextEditor } from '../editor/TextEditor.tsx';
import { useWriting } from '../editor/WritingContext.tsx';
import { DocumentProse } from './DocumentProse.tsx';
import { SectionFrame, type SectionSlots } from './SectionFrame.tsx';
import { sectionName } from './sectionName.ts';
import { ViewedMark } from './ViewedMark.tsx';

/** Characters of prose on a line, about. */
const lineLength = 80;

/** The author's prose, rendered once it has come near to what is on screen. */
export function TextSection(props: {
  section: TextSectionView;
  settings: PanelSettings;
  initiallyNear: boolean;
  slots: SectionSlots;
}) {
  const { section, settings, initiallyNear, slots } = props;
  const name = sectionName(section);
  const { writing } = useWriting();
  const edit = writing.editOf(section.code);
  const body = useRef<HTMLDivElement>(null);
  const near = useNearViewport(body, initiallyNear);
  const wasNear = useRef(false);
  wasNear.current ||= near;
  const actions = (
    <>
      {slots.actions}
      <ViewedMark section={section} name={name} />
    </>
  );
  return (
    <SectionFrame section={section} label={name} {...slots} actions={actions}>
      {/* A click is a short cut; the keyboard has Enter on the section, and the button. */}
      <div
        ref={body}
        class={edit ? undefined : 'editable'}
        onClick={(event) => {
          if (!edit && isClickOnText(event)) {
            const place = clickedPlace(event);
            writing.edit(section.code, place && placeInSource(section.text, place));
          }
        }}
      >
        {edit ? (
          <TextEditor edit={edit} writing={writing} settings={settings} />
        ) : section.text.trim() === '' ? (
          <p class="muted">{l10n.t('This section has no text yet.')}</p>
        ) : wasNear.current ? (
          <DocumentProse markdown={section.text} id={section.code} settings={settings} />
        ) : (
          <div class="unread" style={{ height: `calc(var(--line-height) * ${linesOf(section.text)})` }} />
        )}
      </div>
    </SectionFrame>
  );
}

/** Whether a click is meant for the text itself: not for a link in it, and not the end of selecting some words. */
function isClickOnText(event: MouseEvent): boolean {
  const target = event.target as Element;
  return (
    event.detail === 1 &&
    !event.defaultPrevented &&
    target.closest('a, button, input, summary, label') === null &&
    (document.getSelection()?.isCollapsed ?? true)
  );
}

/** Lines that prose takes on screen, about. */
export function linesOf(text: string): number {
  return text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / lineLength), 0);
}
