import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { StackAction, StackPageView, TypedStackFields } from '../../protocol/stackPage.ts';
import { Button } from '../common/controls.tsx';
import { IconButton } from '../common/IconButton.tsx';
import { NotUpdatedNote } from '../common/NotUpdatedNote.tsx';
import { PageHeading } from '../common/PageHeading.tsx';
import { Prose } from '../common/Prose.tsx';
import { Toolbar } from '../common/Toolbar.tsx';
import type { FormTyping } from '../common/formTyping.ts';
import { goByArrows } from './goByArrows.ts';
import type { Host } from './host.ts';
import { LostTexts } from './LostTexts.tsx';
import { PatchRow } from './PatchRow.tsx';
import { StackForm } from './StackForm.tsx';
import { VersionChanges } from './VersionChanges.tsx';
import { inBackground } from '../../util/inBackground.ts';

/** Patches that fill a screen. */
const patchesOnScreen = 40;

/** See main.tsx. */
export function StackPage(props: {
  view: StackPageView;
  settings: PanelSettings;
  host: Host;
  /** Keeps what is typed into the form; without it there is none. */
  typing?: FormTyping<TypedStackFields>;
  refresh: () => Promise<void>;
  /** Draws the first screen alone, and nothing that can be used: see prerender.tsx. */
  isBeginning?: boolean;
}) {
  const { view, settings, host, typing, refresh, isBeginning = false } = props;
  const {
    title,
    facts,
    notUpdated,
    form,
    description,
    readOnly,
    summary,
    explained,
    patches,
    lostTexts,
    versions,
  } = view;
  return (
    <main
      class={`stack-page ${isBeginning ? 'beginning' : ''}`}
      inert={isBeginning}
      aria-hidden={isBeginning || undefined}
    >
      <PageHeading title={title} facts={facts.join(' · ')}>
        <Actions host={host} refresh={refresh} isReadOnly={readOnly !== undefined} />
      </PageHeading>
      {!isBeginning && !form && <UnheardNote host={host} />}
      {notUpdated && <NotUpdatedNote of={notUpdated} language={settings.language} />}
      {form && typing ? (
        <StackForm key={form.start} form={form} settings={settings} host={host} typing={typing} />
      ) : (
        description !== undefined && (
          <Prose markdown={description} settings={settings} id="description" headingsBelow={1} />
        )
      )}
      {readOnly !== undefined && <p class="remark">{readOnly}</p>}
      <div class="summary-line">
        <p class="summary" role="status">
          {summary.join(' · ')}
        </p>
        {explained !== undefined && <p class="muted explained">{explained}</p>}
      </div>
      {/* Whoever edits has their text to save, and nothing else that stands out. */}
      {!form && <ReadOn view={view} host={host} />}
      {versions && (
        <VersionChanges
          key={view.ref.branchId ?? view.ref.stackUuid}
          versions={versions}
          settings={settings}
          host={host}
        />
      )}
      {patches.length === 0 ? (
        <p class="muted">{l10n.t('No patches')}</p>
      ) : (
        <ol class="patches" aria-label={l10n.t('Patches')} onKeyDown={goByArrows}>
          {patches.slice(0, isBeginning ? patchesOnScreen : undefined).map((patch, index) => (
            <PatchRow
              key={patch.changeId}
              patch={patch}
              number={index + 1}
              host={host}
              isReadOnly={readOnly !== undefined}
            />
          ))}
        </ol>
      )}
      <LostTexts texts={lostTexts} settings={settings} host={host} isReadOnly={readOnly !== undefined} />
    </main>
  );
}

/** Says, as long as it is so, that nobody hears what is pressed here. Where somebody writes, their form says it. */
function UnheardNote({ host }: { host: Host }) {
  const [isSilent, setIsSilent] = useState(host.isSilent);
  useEffect(() => {
    const subscription = host.onDidChangeSilence(setIsSilent);
    return () => subscription.dispose();
  }, [host]);
  return isSilent ? (
    <p class="stale" role="alert">
      <i class="codicon codicon-warning" aria-hidden="true" />
      <span>{l10n.t("VS Code's extension host isn't responding.")}</span>
    </p>
  ) : null;
}

function Actions(props: { host: Host; refresh: () => Promise<void>; isReadOnly: boolean }) {
  const { host, refresh, isReadOnly } = props;
  const run = (action: StackAction): void => inBackground(host.request('run', { action }));
  return (
    <Toolbar class="actions" label={l10n.t('Patch stack')}>
      {!isReadOnly && (
        <IconButton
          icon="check-all"
          label={l10n.t('Sign Off Unchanged Patches Again')}
          onClick={() => run('signOffUnchanged')}
        />
      )}
      <IconButton icon="edit" label={l10n.t('Edit Patch Stack')} onClick={() => run('editStack')} />
      <IconButton
        icon="checklist"
        label={l10n.t('Show Patch Statuses')}
        onClick={() => run('showPatchStatuses')}
      />
      <IconButton
        icon="book"
        label={l10n.t('Open Patch Stack as One Document')}
        onClick={() => run('openStackAsDocument')}
      />
      <IconButton
        icon="markdown"
        label={l10n.t('Open Patch Stack as Markdown')}
        onClick={() => run('openStackAsMarkdown')}
      />
      <IconButton icon="export" label={l10n.t('Export Patch Stack')} onClick={() => run('exportStack')} />
      <IconButton icon="link" label={l10n.t('Copy Link')} onClick={() => run('copyLink')} />
      <IconButton icon="refresh" label={l10n.t('Refresh')} onClick={() => inBackground(refresh())} />
    </Toolbar>
  );
}

/** The one thing to do next: to read on where there is something left. */
function ReadOn({ view: { patches }, host }: { view: StackPageView; host: Host }) {
  const left = patches.filter(({ reading }) => reading?.isLeft === true);
  const changed = left.filter(({ reading }) => reading?.isChanged === true);
  const first = (changed.length > 0 ? changed : left)[0];
  if (!first) {
    return null;
  }
  const isBegun = left.length < patches.length || changed.length > 0;
  return (
    <Button
      class="primary"
      onClick={() =>
        inBackground(
          changed.length > 0
            ? host.request('openPatch', { changeId: first.changeId })
            : host.request('run', { action: 'nextUnread' }),
        )
      }
    >
      {changed.length > 0
        ? l10n.t('Read What Changed')
        : isBegun
          ? l10n.t('Continue Reading')
          : l10n.t('Start Reading')}
    </Button>
  );
}
