import * as l10n from '@vscode/l10n';
import type { PatchView } from '../../../protocol/patchDocument.ts';
import { IconButton } from '../../common/IconButton.tsx';
import { untilAnswered } from '../../common/host.ts';
import { Toolbar } from '../../common/Toolbar.tsx';
import { useWide } from '../../common/useWide.ts';
import { roomForTwo } from '../reading/room.ts';
import { useHeightKept } from '../reading/useHeightKept.ts';
import { useReading, useReadingState } from '../reading/reading.ts';
import { Rail } from './Rail.tsx';

/** The controls for the whole document, which stay in view: its place in the stack, progress, the layout of diffs. */
export function DocumentToolbar(props: {
  patch: PatchView;
  hasOutline: boolean;
  outlineShown: boolean;
  onToggleOutline: () => void;
  onFind: () => void;
}) {
  const { patch, hasOutline, outlineShown, onToggleOutline, onFind } = props;
  const { host } = useReading();
  const toolbar = useHeightKept<HTMLElement>('--toolbar-height');
  return (
    <header class="document-toolbar" role="banner" ref={toolbar}>
      <IconButton
        icon="list-tree"
        label={l10n.t('Outline')}
        expanded={outlineShown}
        disabled={!hasOutline}
        onClick={onToggleOutline}
      />
      <Rail patch={patch} />
      <Progress patch={patch} />
      <Toolbar label={l10n.t('Patch')}>
        <LayoutButtons />
        <IconButton icon="search" label={l10n.t('Find in patch')} onClick={onFind} />
        <IconButton
          icon="compare-changes"
          label={l10n.t('Compare with…')}
          pressed={patch.comparison !== undefined}
          onClick={() =>
            void host.request('compareWith', { baseline: 'choose' }, { timeoutMs: untilAnswered })
          }
        />
        <IconButton
          icon="link"
          label={l10n.t('Copy link')}
          onClick={() => void host.request('copyLink', null)}
        />
        <IconButton
          icon="diff-multiple"
          label={l10n.t('Open all changes in the diff editor')}
          onClick={() => void host.request('openChanges', {})}
        />
      </Toolbar>
    </header>
  );
}

function Progress({ patch }: { patch: PatchView }) {
  const count = patch.sections.length;
  const viewed = useReadingState(
    (state) => patch.sections.filter(({ code }) => state.viewed.has(code)).length,
  );
  if (count === 0) {
    return null;
  }
  return (
    <span class="progress" role="status">
      <progress max={count} value={viewed} aria-hidden="true" />
      <span>{l10n.t('{0} of {1} viewed', viewed, count)}</span>
    </span>
  );
}

function LayoutButtons() {
  const reading = useReading();
  const layout = useReadingState((state) => state.layout);
  const ignoreWhitespace = useReadingState((state) => state.ignoreWhitespace);
  const wrap = useReadingState((state) => state.wrap);
  const wide = useWide(roomForTwo);
  return (
    <>
      <IconButton
        icon="split-horizontal"
        label={wide ? l10n.t('Side by side') : l10n.t('Side by side (needs a wider editor)')}
        pressed={layout === 'sideBySide'}
        onClick={() => reading.prefer({ layout: layout === 'sideBySide' ? 'unified' : 'sideBySide' })}
      />
      <IconButton
        icon="whitespace"
        label={l10n.t('Ignore whitespace')}
        pressed={ignoreWhitespace}
        onClick={() => reading.prefer({ ignoreWhitespace: !ignoreWhitespace })}
      />
      <IconButton
        icon="word-wrap"
        label={l10n.t('Wrap lines')}
        pressed={wrap}
        onClick={() => reading.prefer({ wrap: !wrap })}
      />
      <IconButton
        icon="collapse-all"
        label={l10n.t('Collapse all files')}
        onClick={() => reading.foldAll(true)}
      />
      <IconButton
        icon="expand-all"
        label={l10n.t('Expand all files')}
        onClick={() => reading.foldAll(false)}
      />
    </>
  );
}
