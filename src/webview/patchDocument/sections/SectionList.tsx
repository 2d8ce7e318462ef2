import * as l10n from '@vscode/l10n';
import { Fragment } from 'preact';
import type { PanelSettings } from '../../../protocol/panel.ts';
import type { PatchView, SectionView } from '../../../protocol/patchDocument.ts';
import type { Host } from '../PatchDocument.tsx';
import { DiffSection } from '../diff/DiffSection.tsx';
import { SectionFrame, type SectionSlots } from './SectionFrame.tsx';
import { TextSection } from './TextSection.tsx';

/** The sections of the patch in order, with a gap before each and after the last. */
export function SectionList({
  patch,
  settings,
  host,
}: {
  patch: PatchView;
  settings: PanelSettings;
  host: Host;
}) {
  const { sections } = patch;
  return (
    <div class="sections">
      {sections.length === 0 && <p class="notice">{l10n.t('This patch has no sections.')}</p>}
      {sections.map((section, index) => (
        <Fragment key={section.code}>
          <Gap position={index} />
          <Section section={section} settings={settings} host={host} slots={{}} />
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

function Section(props: { section: SectionView; settings: PanelSettings; host: Host; slots: SectionSlots }) {
  const { section, settings, host, slots } = props;
  switch (section.type) {
    case 'text':
      return <TextSection section={section} settings={settings} slots={slots} />;
    case 'diff':
      return <DiffSection section={section} host={host} slots={slots} />;
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
