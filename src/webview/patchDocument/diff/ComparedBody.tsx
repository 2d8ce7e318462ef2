import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { DiffSectionView } from '../../../protocol/patchDocument.ts';
import type { BothDiffsReason } from '../../../util/shownComparison.ts';
import { plainText } from '../../../util/visibleText.ts';
import { olderCode } from '../reading/compared.ts';
import { parseFileDiff } from './diff.ts';
import { DiffBody } from './DiffBody.tsx';
import { useOpenings } from './openings.ts';

/** The diff of a file, with that of the version it is compared with beside it where only both of them tell what changed. */
export function ComparedBody({
  section,
  children,
}: {
  section: DiffSectionView;
  children: ComponentChildren;
}) {
  const { both, baseLines, baseRemovals, olderPath } = section.compared ?? {};
  const moved = olderPath !== undefined && (
    <p class="notice">{l10n.t("Compared with {0}, the file's earlier name.", plainText(olderPath))}</p>
  );
  if (!both) {
    return (
      <>
        {moved}
        {(baseLines ?? baseRemovals) && (
          <p class="notice">{l10n.t('Lines marked with ~ were changed by the base, not by the author.')}</p>
        )}
        {children}
      </>
    );
  }
  return (
    <>
      {moved}
      <p class="notice">{reasonText(both.reason)}</p>
      <div class="both-diffs">
        <section aria-label={l10n.t('Then')}>
          <h3>{l10n.t('Then')}</h3>
          <OlderDiff section={section} text={both.olderDiff} />
        </section>
        <section aria-label={l10n.t('Now')}>
          <h3>{l10n.t('Now')}</h3>
          {children}
        </section>
      </div>
    </>
  );
}

/** The diff of a version that is not there any more: nothing leads from it to the file. */
export function OlderDiff({ section, text }: { section: DiffSectionView; text: string }) {
  const diff = useMemo(() => parseFileDiff(text), [text]);
  const older = useMemo((): DiffSectionView => ({ ...section, code: olderCode(section.code) }), [section]);
  const [openings, setOpenings] = useOpenings(older.code, text);
  return (
    <DiffBody section={older} text={text} diff={diff} openings={openings} onOpen={setOpenings} isOlder />
  );
}

function reasonText(reason: BothDiffsReason): string {
  switch (reason) {
    case 'conflict':
      return l10n.t('The author resolved a conflict here. Read this.');
    case 'fromDiffs':
      return l10n.t(
        "This file's contents aren't available, so only the diffs are compared. Changes of the base can't be told apart.",
      );
    case 'notAvailable':
      return l10n.t(
        "This file's contents aren't available, so what changed since can't be shown. Read both diffs.",
      );
    case 'partlyInBase':
      return l10n.t('Part of this change is in the base now. It may have been moved to an earlier patch.');
    case 'noLines':
      return l10n.t('The same lines change. What differs is the name or the mode of the file.');
    case 'untold':
      return l10n.t("What changed since can't be shown line by line. Read both.");
  }
}
