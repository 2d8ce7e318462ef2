import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import type { PanelSettings } from '../../../protocol/panel.ts';
import type { TextSectionView } from '../../../protocol/patchDocument.ts';
import { useNearViewport } from '../../common/nearViewport.ts';
import { DocumentProse } from './DocumentProse.tsx';
import { SectionFrame, type SectionSlots } from './SectionFrame.tsx';
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
  const name = section.title ?? l10n.t('Text');
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
      <div ref={body}>
        {section.text.trim() === '' ? (
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

function linesOf(text: string): number {
  return text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / lineLength), 0);
}
