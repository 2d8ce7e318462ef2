import * as l10n from '@vscode/l10n';
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PatchView } from '../../../protocol/patchDocument.ts';
import { IconButton } from '../../common/IconButton.tsx';
import { Toolbar } from '../../common/Toolbar.tsx';
import { useWide } from '../../common/useWide.ts';
import { useReading, useReadingState } from '../reading.ts';

/** What concerns the whole document and stays in view: its place in the stack, progress, how diffs are shown, the review. */
export function DocumentToolbar(props: {
  patch: PatchView;
  /** Whether there is anything to go to. */
  hasOutline: boolean;
  outlineShown: boolean;
  onToggleOutline: () => void;
  onFind: () => void;
  /** Stands at the end: what the person can say of the patch. */
  actions?: ComponentChildren;
}) {
  const { patch, hasOutline, outlineShown, onToggleOutline, onFind, actions } = props;
  const { host } = useReading();
  const toolbar = useHeightKept();
  return (
    <header class="document-toolbar" role="banner" ref={toolbar}>
      <Toolbar label={l10n.t('Patch')}>
        <IconButton
          icon="list-tree"
          label={l10n.t('Outline')}
          expanded={outlineShown}
          disabled={!hasOutline}
          onClick={onToggleOutline}
        />
        <Position patch={patch} />
        <Progress patch={patch} />
        <span class="toolbar-group">
          <LayoutButtons />
          <IconButton icon="search" label={l10n.t('Find in patch')} onClick={onFind} />
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
        </span>
        {actions && <span class="review-actions">{actions}</span>}
      </Toolbar>
    </header>
  );
}

/** Keeps what stands below the toolbar there, however many lines it takes. */
function useHeightKept(): RefObject<HTMLElement | null> {
  const toolbar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      const { current } = toolbar;
      const isInView = current && getComputedStyle(current).position === 'sticky';
      style.setProperty('--toolbar-height', `${isInView ? current.offsetHeight : 0}px`);
    });
    // The page as a whole, too: how high it is decides whether the toolbar stays in view.
    observer.observe(document.documentElement);
    if (toolbar.current) {
      observer.observe(toolbar.current);
    }
    return () => observer.disconnect();
  }, []);
  return toolbar;
}

function Position({ patch }: { patch: PatchView }) {
  const { host } = useReading();
  const { position } = patch;
  if (!position) {
    return <span class="stack-title" />;
  }
  return (
    <nav class="toolbar-group" aria-label={l10n.t('Patches in the stack')}>
      <span class="stack-title" title={position.stackTitle}>
        <bdi>{position.stackTitle}</bdi>
      </span>
      <span>{l10n.t('Patch {0} of {1}', position.index, position.count)}</span>
      <IconButton
        icon="arrow-up"
        label={l10n.t('Previous patch')}
        disabled={position.index <= 1}
        onApproach={() => void host.request('readAhead', { direction: 'previous' })}
        onClick={() => void host.request('openNeighbour', { direction: 'previous' })}
      />
      <IconButton
        icon="arrow-down"
        label={l10n.t('Next patch')}
        disabled={position.index >= position.count}
        onApproach={() => void host.request('readAhead', { direction: 'next' })}
        onClick={() => void host.request('openNeighbour', { direction: 'next' })}
      />
    </nav>
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
  const wide = useWide(800);
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
