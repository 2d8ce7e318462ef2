import * as l10n from '@vscode/l10n';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { DiffSectionView } from '../../../protocol/patchDocument.ts';
import { isFolded, useReading, useReadingState } from '../reading.ts';
import { SectionFrame, usePresence, type SectionSlots } from '../sections/SectionFrame.tsx';
import type { Drawing } from '../sections/onScreen.ts';
import { sectionName } from '../sections/sectionName.ts';
import { ViewedMark } from '../sections/ViewedMark.tsx';
import type { Opening } from './arrange.ts';
import { DiffBody } from './DiffBody.tsx';
import { FileActions } from './FileActions.tsx';
import { FileHeader } from './FileHeader.tsx';
import { parseFileDiff } from './diff.ts';

const noOpenings: ReadonlyMap<number, Opening> = new Map();

/** Lines that a file's header is high, about. */
const headerLines = 2;

/** One changed file: its header, and its diff when it is unfolded. */
export function DiffSection(props: { section: DiffSectionView; drawing: Drawing; slots: SectionSlots }) {
  const { section, drawing, slots } = props;
  const reading = useReading();
  const folded = useReadingState((state) => isFolded(section, state));
  const aimedAt = useReadingState((state) => state.target?.code === section.code);
  const presence = usePresence({
    drawing,
    needed: aimedAt,
    lines: headerLines + (folded ? 0 : Math.max(1, section.diffLines)),
  });
  const { drawn } = presence;
  const { text, failure } = useDiffText(section, drawn && !folded);
  const diff = useMemo(() => (drawn && text ? parseFileDiff(text) : undefined), [drawn, text]);
  const [opened, setOpened] = useState<{ text: string; openings: ReadonlyMap<number, Opening> }>();

  const header = (
    <FileHeader
      section={section}
      diff={diff}
      folded={folded}
      onToggle={() => reading.fold(section.code, !folded)}
    />
  );
  const actions = (
    <>
      {slots.actions}
      <FileActions section={section} />
      <ViewedMark section={section} name={sectionName(section)} />
    </>
  );
  return (
    <SectionFrame
      section={section}
      presence={presence}
      label={sectionName(section)}
      header={header}
      {...slots}
      actions={actions}
    >
      <div>
        {failure !== undefined && (
          <p class="notice" role="alert">
            {failure}
          </p>
        )}
        {!folded &&
          failure === undefined &&
          (text === undefined ? (
            <Unread section={section} />
          ) : (
            <DiffBody
              section={section}
              text={text}
              diff={diff}
              openings={opened?.text === text ? opened.openings : noOpenings}
              onOpen={(openings) => setOpened({ text, openings })}
            />
          ))}
      </div>
    </SectionFrame>
  );
}

/** The text of the section's diff: it came with the document, or is asked for when it is wanted. */
function useDiffText(section: DiffSectionView, wanted: boolean): { text?: string; failure?: string } {
  const { host } = useReading();
  const [loaded, setLoaded] = useState<{ section: DiffSectionView; text: string }>();
  const [failure, setFailure] = useState<string>();
  const missing = section.diff === undefined && loaded?.section !== section;
  useEffect(() => {
    setFailure(undefined);
    if (!wanted || !missing) {
      return;
    }
    const controller = new AbortController();
    host.request('diff', { code: section.code }, { signal: controller.signal }).then(
      (text) => setLoaded({ section, text }),
      (error: unknown) => {
        if (!controller.signal.aborted) {
          setFailure(error instanceof Error ? error.message : String(error));
        }
      },
    );
    return () => controller.abort();
  }, [section, wanted, missing]);
  const text = section.diff ?? loaded?.text;
  return { ...(text !== undefined && { text }), ...(failure !== undefined && { failure }) };
}

/** As high as the diff will be, about, so that what is below stays where it is. */
function Unread({ section }: { section: DiffSectionView }) {
  const height = `calc(var(--line-height) * ${Math.max(1, section.diffLines)})`;
  return (
    <div class="unread" style={{ height }} role="status">
      {l10n.t('Loading the diff…')}
    </div>
  );
}
