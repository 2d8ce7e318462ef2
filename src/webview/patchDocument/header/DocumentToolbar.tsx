import * as l10n from '@vscode/l10n';
import type { PatchView } from '../../../protocol/patchDocument.ts';
import { IconButton } from '../../common/IconButton.tsx';
import { untilAnswered } from '../../common/host.ts';
import { Toolbar } from '../../common/Toolbar.tsx';
import { useWide } from '../../common/useWide.ts';
import { roomForTwo } from '../reading/room.ts';
import { useHeightKept } from '../reading/useHeightKept.ts';
import { useReading, useReadingState, type Reading } from '../reading/reading.ts';
import { Rail } from './Rail.tsx';
import { inBackground } from '../../../util/inBackground.ts';

/** The controls for the whole document, which stay in view: its place in the stack, progress, the layout of diffs. */
export function DocumentToolbar(props: {
  patch: PatchView;
  hasOutline: boolean;
  outlineShown: boolean;
  onToggleOutline: () => void;
  onFind: () => void;
  /** Takes the choices for the layout of diffs and for which of them are folded; left out, they are for this patch alone. */
  layout?: LayoutChoices;
}) {
  const { patch, hasOutline, outlineShown, onToggleOutline, onFind } = props;
  const reading = useReading();
  const { host } = reading;
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
        <LayoutButtons choices={props.layout ?? reading} />
        <IconButton icon="search" label={l10n.t('Find in patch')} onClick={onFind} />
        <IconButton
          icon="compare-changes"
          label={l10n.t('Compare with…')}
          pressed={patch.comparison !== undefined}
          onClick={() =>
            inBackground(host.request('compareWith', { baseline: 'choose' }, { timeoutMs: untilAnswered }))
          }
        />
        <IconButton
          icon="link"
          label={l10n.t('Copy link')}
          onClick={() => inBackground(host.request('copyLink', null))}
        />
        <IconButton
          icon="diff-multiple"
          label={l10n.t('Open all changes in the diff editor')}
          onClick={() => inBackground(host.request('openChanges', {}))}
        />
      </Toolbar>
    </header>
  );
}

/** Not told by screen readers as it changes: it does by itself while someone reads or types. */
function Progress({ patch }: { patch: PatchView }) {
  const count = patch.sections.length;
  const read = useReadingState((state) => patch.sections.filter(({ code }) => state.read.has(code)).length);
  if (count === 0) {
    return null;
  }
  return (
    <span class="progress">
      <progress max={count} value={read} aria-hidden="true" />
      <span>{l10n.t('{0} of {1} read', read, count)}</span>
    </span>
  );
}

/** The part of reading that the buttons for the layout act on. */
export type LayoutChoices = Pick<Reading, 'prefer' | 'foldAll'>;

function LayoutButtons({ choices }: { choices: LayoutChoices }) {
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
        onClick={() => choices.prefer({ layout: layout === 'sideBySide' ? 'unified' : 'sideBySide' })}
      />
      <IconButton
        icon="whitespace"
        label={l10n.t('Ignore whitespace')}
        pressed={ignoreWhitespace}
        onClick={() => choices.prefer({ ignoreWhitespace: !ignoreWhitespace })}
      />
      <IconButton
        icon="word-wrap"
        label={l10n.t('Wrap lines')}
        pressed={wrap}
        onClick={() => choices.prefer({ wrap: !wrap })}
      />
      <IconButton
        icon="collapse-all"
        label={l10n.t('Collapse all files')}
        onClick={() => choices.foldAll(true)}
      />
      <IconButton
        icon="expand-all"
        label={l10n.t('Expand all files')}
        onClick={() => choices.foldAll(false)}
      />
    </>
  );
}
