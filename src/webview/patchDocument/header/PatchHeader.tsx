import * as l10n from '@vscode/l10n';
import { useEffect, useId, useState } from 'preact/hooks';
import type { PanelSettings } from '../../../protocol/panel.ts';
import type { PatchView, PersonView } from '../../../protocol/patchDocument.ts';
import { Button } from '../../common/controls.tsx';
import { IconButton } from '../../common/IconButton.tsx';
import { NotUpdatedNote } from '../../common/NotUpdatedNote.tsx';
import { readableTime } from '../../common/time.ts';
import { DocumentProse } from '../reading/DocumentProse.tsx';
import { useReading, useReadingState } from '../reading/reading.ts';
import { ChangeCount } from '../sections/ChangeCount.tsx';
import { Choose, ComparisonNote } from './ComparisonNote.tsx';
import { People } from './People.tsx';
import { SignedOutNote } from './SignedOutNote.tsx';
import { StackStatusNote } from './StackStatusNote.tsx';
import { inBackground } from '../../../util/inBackground.ts';

/** The head of a patch: its title, its authors, its size, and who has opened it. */
export function PatchHeader(props: {
  patch: PatchView;
  settings: PanelSettings;
  /** True where the page says elsewhere that there is a newer version. */
  isNewerTold?: boolean;
}) {
  const { patch, settings, isNewerTold = patch.newer !== undefined } = props;
  const { language } = settings;
  const { statistics } = patch;
  const avatars = useAvatars(patch);
  const [showsIds, setShowsIds] = useState(false);
  // On the page of a whole stack there are several of these.
  const id = useId();
  return (
    <header class="patch-header">
      <h1 dir="auto" tabIndex={-1}>
        {patch.title}
      </h1>
      <p class="facts authors">
        {patch.authors.length > 0 && <People people={patch.authors} avatars={avatars} />}
        {patch.createdAt && <time dateTime={patch.createdAt}>{readableTime(patch.createdAt, language)}</time>}
        {patch.version && <span>{l10n.t('version {0}', patch.version)}</span>}
        {statistics && <Statistics {...statistics} />}
        <IdsChip
          patch={patch}
          controls={showsIds ? `${id}-ids` : undefined}
          onToggle={() => setShowsIds(!showsIds)}
        />
      </p>
      {showsIds && (
        <p class="facts" id={`${id}-ids`}>
          <Identifiers patch={patch} />
        </p>
      )}
      <div class="reviewers">
        <Reviewers icon="pass" label={l10n.t('Signed off by')} people={patch.signedOff} avatars={avatars} />
        <Reviewers
          icon="request-changes"
          label={l10n.t('Changes requested by')}
          people={patch.rejected}
          avatars={avatars}
        />
        <Reviewers icon="eye" label={l10n.t('Opened by')} people={patch.openedBy} avatars={avatars} />
      </div>
      {patch.notUpdated && <NotUpdatedNote of={patch.notUpdated} language={language} />}
      {patch.signedOutOf !== undefined && <SignedOutNote server={patch.signedOutOf} />}
      {patch.sinceSignOff && (
        <p class="facts since-sign-off" role="status">
          <i class="codicon codicon-history" aria-hidden="true" />
          <span>
            {patch.sinceSignOff.text}{' '}
            {patch.sinceSignOff.canCompare && patch.comparison?.with.kind !== 'signedOff' && (
              <Choose baseline="signedOff" text={l10n.t('Show What Changed')} />
            )}
          </span>
        </p>
      )}
      {patch.stackStatus && !(patch.stackStatus === 'inactive' && isNewerTold) && (
        <StackStatusNote status={patch.stackStatus} />
      )}
      <ComparisonNote patch={patch} />
      {descriptionOf(patch) !== undefined && (
        <DocumentProse markdown={descriptionOf(patch) ?? ''} id={`${id}-description`} settings={settings} />
      )}
    </header>
  );
}

/** The service's description of the patch, unless the first text section says the same. */
function descriptionOf({ description, sections }: PatchView): string | undefined {
  const text = description?.trim() ?? '';
  const repeated = sections.some((section) => section.type === 'text' && section.text.trim() === text);
  return text === '' || repeated ? undefined : text;
}

/** The pictures of everyone in the header, once they have come; their initials stand there until then. */
function useAvatars(patch: PatchView): ReadonlyMap<string, string> {
  const { host } = useReading();
  const [avatars, setAvatars] = useState<ReadonlyMap<string, string>>(new Map());
  const wanted = [...patch.authors, ...patch.signedOff, ...patch.rejected, ...patch.openedBy]
    .flatMap(({ avatar }) => avatar ?? [])
    .join('\n');
  useEffect(() => {
    if (wanted === '') {
      return;
    }
    const controller = new AbortController();
    host.request('avatars', null, { signal: controller.signal }).then(
      (found) => setAvatars(new Map(Object.entries(found))),
      () => undefined, // Their initials stay.
    );
    return () => controller.abort();
  }, [wanted]);
  return avatars;
}

/** One id, which tells versions apart; all of them, to be copied, are behind it. */
function IdsChip(props: {
  patch: PatchView;
  /** The element that has all ids, while it is there. */
  controls: string | undefined;
  onToggle: () => void;
}) {
  const { patch, controls, onToggle } = props;
  const shown = controls !== undefined;
  const id = shortened(patch.commitSha ?? patch.ref.changeId);
  return (
    <Button
      class="ids-chip"
      title={l10n.t('Change and commit IDs')}
      aria-label={`${id}, ${l10n.t('Change and commit IDs')}`}
      aria-expanded={shown}
      aria-controls={controls}
      onClick={onToggle}
    >
      <i
        class={`codicon codicon-${patch.commitSha === undefined ? 'key' : 'git-commit'}`}
        aria-hidden="true"
      />
      <code>{id}</code>
      <i class={`codicon codicon-${shown ? 'chevron-up' : 'chevron-down'}`} aria-hidden="true" />
    </Button>
  );
}

function Identifiers({ patch }: { patch: PatchView }) {
  const { host } = useReading();
  const inWorkspace = useReadingState((state) => state.commitInWorkspace);
  const { commitSha, ref } = patch;
  return (
    <>
      <span class="identifier">
        <span>{l10n.t('Change')}</span> <code title={ref.changeId}>{shortened(ref.changeId)}</code>
        <IconButton
          icon="copy"
          label={l10n.t('Copy change ID')}
          onClick={() => inBackground(host.request('copy', { text: ref.changeId }))}
        />
      </span>
      {commitSha && (
        <span class="identifier">
          <span>{l10n.t('Commit')}</span> <code title={commitSha}>{shortened(commitSha)}</code>
          <IconButton
            icon="copy"
            label={l10n.t('Copy commit ID')}
            onClick={() => inBackground(host.request('copy', { text: commitSha }))}
          />
          {inWorkspace && (
            <IconButton
              icon="git-commit"
              label={l10n.t('Open commit')}
              onClick={() => inBackground(host.request('openCommit', null))}
            />
          )}
        </span>
      )}
    </>
  );
}

function Statistics({ files, added, deleted }: NonNullable<PatchView['statistics']>) {
  return (
    <span class="statistics">
      {files !== undefined && <span>{files === 1 ? l10n.t('1 file') : l10n.t('{0} files', files)}</span>}
      <ChangeCount added={added} deleted={deleted} />
    </span>
  );
}

function Reviewers(props: {
  icon: string;
  label: string;
  people: readonly PersonView[];
  avatars: ReadonlyMap<string, string>;
}) {
  const { icon, label, people, avatars } = props;
  if (people.length === 0) {
    return null;
  }
  return (
    <p class="facts">
      <i class={`codicon codicon-${icon}`} aria-hidden="true" />
      <span>{label}</span> <People people={people} avatars={avatars} />
    </p>
  );
}

/** An id that is told from others by its start; the whole of it is in its tooltip and behind its copy button. */
function shortened(id: string): string {
  return id.length > 12 ? id.slice(0, 10) : id;
}
