import * as l10n from '@vscode/l10n';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DiffSectionView } from '../../../protocol/patchDocument.ts';
import {
  foldedReason,
  isFolded,
  useReading,
  useReadingState,
  type FoldedReason,
} from '../reading/reading.ts';
import { SectionFrame, type SectionSlots } from '../sections/SectionFrame.tsx';
import { sectionName } from '../reading/sectionName.ts';
import { ReadMark } from '../sections/ReadMark.tsx';
import { ComparedBody } from './ComparedBody.tsx';
import { DiffBody } from './DiffBody.tsx';
import { FileActions } from './FileActions.tsx';
import { FileHeader } from './FileHeader.tsx';
import { parseFileDiff } from './diff.ts';
import { useOpenings } from './openings.ts';
import { messageOf } from '../../../util/messageOf.ts';

/** One changed file: its header, and its diff when it is unfolded. */
export function DiffSection({ section, slots }: { section: DiffSectionView; slots: SectionSlots }) {
  const reading = useReading();
  const folded = useReadingState((state) => isFolded(section, state));
  const { text, failure } = useDiffText(section, !folded);
  const diff = useMemo(() => (text ? parseFileDiff(text) : undefined), [text]);
  const [openings, open] = useOpenings(section.code, text);

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
      <ReadMark section={section} name={sectionName(section)} />
    </>
  );
  return (
    <SectionFrame section={section} label={sectionName(section)} header={header} {...slots} actions={actions}>
      <div>
        {failure !== undefined && (
          <p class="notice" role="alert">
            {failure}
          </p>
        )}
        {folded && <FoldedNote section={section} />}
        {!folded &&
          failure === undefined &&
          (text === undefined ? (
            <Unread section={section} />
          ) : (
            <ComparedBody section={section}>
              <DiffBody section={section} text={text} diff={diff} openings={openings} onOpen={open} />
            </ComparedBody>
          ))}
      </div>
    </SectionFrame>
  );
}

/** Why a file isn't unfolded that the person hasn't read, and the button that unfolds it. */
function FoldedNote({ section }: { section: DiffSectionView }) {
  const reading = useReading();
  const isTicked = useReadingState(({ ticked }) => ticked.has(section.code));
  const reason = useReadingState((state) => foldedReason(section, state));
  if (reason === undefined || isTicked || section.compared?.isFolded) {
    return null;
  }
  const texts: Record<FoldedReason, string> = {
    lock: l10n.t('A package manager wrote this file.'),
    generated: l10n.t('This file is generated.'),
    deleted: l10n.t('This file was deleted.'),
    huge: l10n.t('This diff is large.'),
  };
  return (
    <p class="notice folded-note">
      {texts[reason]}{' '}
      <button type="button" class="link-button" onClick={() => reading.fold(section.code, false)}>
        {l10n.t('Show Changes')}
      </button>
    </p>
  );
}

/** Diffs that did not come with the document, and were asked for. */
const texts = new WeakMap<DiffSectionView, string>();

/** The text of the section's diff: it came with the document, or is asked for when it is wanted. */
function useDiffText(section: DiffSectionView, wanted: boolean): { text?: string; failure?: string } {
  const { host } = useReading();
  const [loaded, setLoaded] = useState(() => {
    const text = texts.get(section);
    return text === undefined ? undefined : { section, text };
  });
  const [failure, setFailure] = useState<string>();
  const missing = section.diff === undefined && loaded?.section !== section;
  useEffect(() => {
    setFailure(undefined);
    if (!wanted || !missing) {
      return;
    }
    const controller = new AbortController();
    host.request('diff', { code: section.code }, { signal: controller.signal }).then(
      (text) => {
        texts.set(section, text);
        setLoaded({ section, text });
      },
      (error: unknown) => {
        if (!controller.signal.aborted) {
          setFailure(messageOf(error));
        }
      },
    );
    return () => controller.abort();
  }, [section, wanted, missing]);
  // Read anew, a section that was sent with its diff need not be: what is shown stays, with the focus that is in it.
  const shown = useRef<string>(undefined);
  const text = section.diff ?? loaded?.text ?? shown.current;
  shown.current = text;
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
