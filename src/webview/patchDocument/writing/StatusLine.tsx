import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SectionView } from '../../../protocol/patchDocument.ts';
import { sectionTitle } from '../../../util/sectionTitle.ts';
import { IconButton } from '../../common/IconButton.tsx';
import { Problem } from '../../common/Problem.tsx';
import { SilenceNote } from '../../common/SilenceNote.tsx';
import { bringIntoView } from '../reading/bringIntoView.ts';
import { lowerEdge } from '../reading/lowerEdge.ts';
import { revealSection } from '../reading/sectionPlaces.ts';
import { sectionName } from '../reading/sectionName.ts';
import type { TextEdit } from './textEdit.ts';
import { readableKey } from '../editor/markShortcuts.ts';
import { useChanges, useWriting } from './WritingContext.tsx';
import type { Writing } from './writing.ts';

/**
 * Says below the toolbar, where VS Code's own messages don't cover it, what was changed last, with *Undo*, and which texts the
 * service did not take, as long as the place is out of view where that is said.
 *
 * @param props.saysSilence True unless that no one answers is said elsewhere on the page.
 * @param props.children what else is to be said there.
 */
export function StatusLine({
  saysSilence = true,
  children,
}: {
  saysSilence?: boolean;
  children?: ComponentChildren;
}) {
  const { writing } = useWriting();
  useChanges(writing.onDidChange);
  const { refused, writesInView } = useEditsInView(writing);
  const { lastChange, silence, unseen } = writing;
  return (
    <div class="status-line" role="status">
      {children}
      {silence && saysSilence && !writesInView && (
        // Else it is said in the editor. The page announces it itself, wherever it is shown.
        <div aria-live="off">
          <SilenceNote {...silence} />
        </div>
      )}
      {refused.map((edit) => (
        <Problem key={edit.key} text={`“${titleOf(edit)}”: ${edit.status.refusal?.text ?? ''}`}>
          <button type="button" class="link-button" onClick={() => show(edit)}>
            {l10n.t('Show')}
          </button>
        </Problem>
      ))}
      <UnseenNote sections={unseen} writing={writing} />
      {lastChange && (
        <div class="writing-note" key={lastChange.number}>
          <span>{lastChange.text}</span>
          {lastChange.undoable && (
            <button
              type="button"
              class="link-button"
              aria-keyshortcuts="Control+Z"
              title={l10n.t('Undo ({0})', readableKey('Mod-z'))}
              onClick={() => writing.undoLastChange()}
            >
              {l10n.t('Undo')}
            </button>
          )}
          <IconButton icon="close" label={l10n.t('Dismiss')} onClick={() => writing.dismissLastChange()} />
        </div>
      )}
    </div>
  );
}

/** Names of sections that are told; of more it is said how many. */
const mostNames = 3;

/** The name of a section; of a file without its folders, for which there is no room. */
function shortName(section: SectionView): string {
  const name = sectionName(section);
  return section.type === 'diff' ? name.slice(name.lastIndexOf('/') + 1) : name;
}

/** Says which sections are unread, after the person wanted to sign off. */
function UnseenNote({ sections, writing }: { sections: readonly SectionView[]; writing: Writing }) {
  const [first] = sections;
  if (!first) {
    return null;
  }
  const named = sections.slice(0, mostNames).map((section) => `"${shortName(section)}"`);
  const more = sections.length - named.length;
  const names = new Intl.ListFormat(document.documentElement.lang).format(
    more > 0 ? [...named, l10n.t('{0} more', more)] : named,
  );
  return (
    <div class="writing-note unseen-note">
      <i class="codicon codicon-eye-closed" aria-hidden="true" />
      <span>
        {sections.length === 1
          ? l10n.t("Not signed off: you haven't read the section {0}.", names)
          : l10n.t("Not signed off: you haven't read {0} sections: {1}.", sections.length, names)}
      </span>
      <button type="button" class="link-button" onClick={() => revealSection(first.code)}>
        {l10n.t('Show')}
      </button>
      <button type="button" class="link-button" onClick={() => writing.signOffAnyway()}>
        {l10n.t('Sign Off Anyway')}
      </button>
      <IconButton icon="close" label={l10n.t('Dismiss')} onClick={() => writing.dismissUnseen()} />
    </div>
  );
}

/** The texts that the service did not take, of whose editor nothing is to be seen, and whether what any says below it is. */
function useEditsInView(writing: Writing): { refused: TextEdit[]; writesInView: boolean } {
  const [outOfView, setOutOfView] = useState<TextEdit[]>([]);
  const [writesInView, setWritesInView] = useState(false);
  const { edits } = writing;
  useEffect(() => {
    const look = (): void => {
      const refused = writing.edits.filter((edit) => edit.status.refusal && !isInView(edit));
      setOutOfView((before) =>
        before.length === refused.length && before.every((edit, index) => edit === refused[index])
          ? before
          : refused,
      );
      setWritesInView(writing.edits.some(isFootInView));
    };
    look();
    const subscriptions = edits.map((edit) => edit.onDidChange(look));
    // Scrolling does not bubble: it is caught wherever it is.
    addEventListener('scroll', look, { capture: true, passive: true });
    addEventListener('resize', look);
    // A new size of the window lays out the page again later.
    const sizes = new ResizeObserver(look);
    sizes.observe(document.body);
    return () => {
      sizes.disconnect();
      subscriptions.forEach((subscription) => subscription.dispose());
      removeEventListener('scroll', look, { capture: true });
      removeEventListener('resize', look);
    };
  }, [writing, edits.map(({ key }) => key).join()]);
  return { refused: outOfView, writesInView };
}

function placeOf({ key }: TextEdit): Element | null {
  return document.querySelector(`[data-section="${CSS.escape(key)}"]`);
}

function isInView(edit: TextEdit): boolean {
  const { top = 0, bottom = 0 } = placeOf(edit)?.getBoundingClientRect() ?? {};
  // A strip of it has no room for what is said there.
  return bottom > 80 && top < lowerEdge() - 80;
}

/** True when the status below a text can be seen: it stays at the lower edge of the window while the text goes on. */
function isFootInView(edit: TextEdit): boolean {
  const foot = placeOf(edit)?.querySelector('.editor-foot');
  const { top = 0, bottom = 0 } = foot?.getBoundingClientRect() ?? {};
  return bottom > 80 && top < lowerEdge() - 30;
}

function show(edit: TextEdit): void {
  const place = placeOf(edit);
  if (place) {
    bringIntoView(place, 'center');
  }
  edit.focus();
}

function titleOf({ text, base }: TextEdit): string {
  return sectionTitle(text) ?? sectionTitle(base) ?? l10n.t('Text');
}
