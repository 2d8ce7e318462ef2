import * as l10n from '@vscode/l10n';
import { Fragment } from 'preact';
import type { PanelSettings } from '../../../protocol/panel.ts';
import type { PatchView, SectionView } from '../../../protocol/patchDocument.ts';
import { DiffSection } from '../diff/DiffSection.tsx';
import { SectionFrame, type SectionSlots } from './SectionFrame.tsx';
import { TextSection } from './TextSection.tsx';

/** Sections that are drawn before it is known what is on screen: enough to fill it. */
const sectionsAtFirst = 4;

/** The sections of the patch in order, with a gap before each and after the last. */
export function SectionList({ patch, settings }: { patch: PatchView; settings: PanelSettings }) {
  const { sections } = patch;
  return (
    <div class="sections">
      {sections.length === 0 && <p class="notice">{l10n.t('This patch has no sections.')}</p>}
      {sections.map((section, index) => (
        <Fragment key={section.code}>
          <Gap position={index} />
          <Section section={section} settings={settings} initiallyNear={index < sectionsAtFirst} slots={{}} />
        </Fragment>
      ))}
      <Gap position={sections.length} />
    </div>
  );
}

/** What stands between two sections: `position` is the place that a section inserted there would have. */
function Gap({ position }: { position: number }) {
  return <div class="gap" data-position={position} />;
}

function Section(props: {
  section: SectionView;
  settings: PanelSettings;
  initiallyNear: boolean;
  slots: SectionSlots;
}) {
  const { section, settings, initiallyNear, slots } = props;
  switch (section.type) {
    case 'text':
      return (
        <TextSection section={section} settings={settings} initiallyNear={initiallyNear} slots={slots} />
      );
    case 'diff':
      return <DiffSection section={section} initiallyNear={initiallyNear} slots={slots} />;
    case 'unreadable': {
      const text = l10n.t('The section “{0}” cannot be read.', section.title ?? section.code);
      return (
        <SectionFrame section={section} label={text} {...slots}>
          <p class="notice">{text}</p>
        </SectionFrame>
      );
    }
  }
}
