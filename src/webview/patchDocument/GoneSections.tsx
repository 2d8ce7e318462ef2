import * as l10n from '@vscode/l10n';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { GoneSection } from '../../protocol/patchDocument.ts';
import { plainText } from '../../util/visibleText.ts';
import { sectionTitle } from '../../util/sectionTitle.ts';
import { TextButton } from '../common/TextButton.tsx';
import { OlderDiff } from './diff/ComparedBody.tsx';
import { DocumentProse } from './reading/DocumentProse.tsx';
import { useReading, useReadingState } from './reading/reading.ts';
import { goneCode } from './reading/sectionPlaces.ts';

/** Sections that the version has which the patch is compared with, and that are gone since, where they were. */
export function GoneSections(props: {
  sections: readonly GoneSection[] | undefined;
  after: string | null;
  settings: PanelSettings;
}) {
  const { sections = [], after, settings } = props;
  const { codes } = useReading();
  const codeAt = (index: number): string => codes.toPage(goneCode(index));
  return (
    <>
      {sections.flatMap((section, index) =>
        section.after === after
          ? [<Gone key={codeAt(index)} section={section} code={codeAt(index)} settings={settings} />]
          : [],
      )}
    </>
  );
}

function Gone({ section, code, settings }: { section: GoneSection; code: string; settings: PanelSettings }) {
  const reading = useReading();
  const folded = useReadingState((state) => state.folded.get(code) ?? true);
  const name =
    section.kind === 'text' ? (sectionTitle(section.text) ?? l10n.t('Text')) : plainText(section.path);
  return (
    <section
      class="section gone"
      data-section={code}
      data-section-type="gone"
      tabIndex={-1}
      aria-label={l10n.t('Removed since then: {0}', name)}
    >
      <div class="section-header">
        <div class="section-title">
          <h2 class="file-header">
            <TextButton class="file-toggle" expanded={!folded} onPress={() => reading.fold(code, !folded)}>
              <i class={`codicon codicon-${folded ? 'chevron-right' : 'chevron-down'}`} aria-hidden="true" />
              <bdi>{name}</bdi>
            </TextButton>
            <span class="badge compared removed">{l10n.t('removed since then')}</span>
          </h2>
        </div>
      </div>
      {!folded &&
        (section.kind === 'text' ? (
          <DocumentProse markdown={section.text} id={code} settings={settings} />
        ) : (
          <OlderDiff
            section={{ type: 'diff', code, path: section.path, diffLength: 0, diffLines: 0 }}
            text={section.diff}
          />
        ))}
    </section>
  );
}
