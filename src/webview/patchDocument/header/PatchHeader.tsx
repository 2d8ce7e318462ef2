import * as l10n from '@vscode/l10n';
import type { PatchView, PersonView } from '../../../protocol/patchDocument.ts';
import { IconButton } from '../../common/IconButton.tsx';
import { readableTime } from '../../common/time.ts';
import type { Host } from '../PatchDocument.tsx';

/** What the patch is: its title, who wrote it, how large it is, who has seen it, where it stands in its stack. */
export function PatchHeader({ patch, language, host }: { patch: PatchView; language: string; host: Host }) {
  const { statistics, position } = patch;
  return (
    <header class="patch-header">
      {position && (
        <nav aria-label={l10n.t('Patches of the stack')}>
          <span class="stack-title">{position.stackTitle}</span>
          <span>{l10n.t('Patch {0} of {1}', position.index, position.count)}</span>
          <IconButton
            icon="arrow-up"
            label={l10n.t('Previous patch')}
            disabled={position.index <= 1}
            onClick={() => void host.request('openNeighbour', { direction: 'previous' })}
          />
          <IconButton
            icon="arrow-down"
            label={l10n.t('Next patch')}
            disabled={position.index >= position.count}
            onClick={() => void host.request('openNeighbour', { direction: 'next' })}
          />
        </nav>
      )}
      <h1 dir="auto">{patch.title}</h1>
      <p class="facts">
        {patch.authors.length > 0 && <People class="authors" people={patch.authors} host={host} />}
        {patch.createdAt && <time dateTime={patch.createdAt}>{readableTime(patch.createdAt, language)}</time>}
        {patch.version && <span>{l10n.t('version {0}', patch.version)}</span>}
        {statistics && <Statistics {...statistics} />}
      </p>
      <p class="facts">
        <span class="identifier">
          <span>{l10n.t('Change')}</span>{' '}
          <code title={patch.address.changeId}>{shortened(patch.address.changeId)}</code>
          <IconButton
            icon="copy"
            label={l10n.t('Copy change id')}
            onClick={() => void host.request('copy', { text: patch.address.changeId })}
          />
        </span>
        {patch.commitSha && (
          <span class="identifier">
            <span>{l10n.t('Commit')}</span> <code title={patch.commitSha}>{shortened(patch.commitSha)}</code>
            <IconButton
              icon="copy"
              label={l10n.t('Copy commit id')}
              onClick={() => void host.request('copy', { text: patch.commitSha ?? '' })}
            />
          </span>
        )}
      </p>
      <Reviewers icon="pass" label={l10n.t('Signed off by')} people={patch.signedOff} host={host} />
      <Reviewers icon="error" label={l10n.t('Rejected by')} people={patch.rejected} host={host} />
      <Reviewers icon="eye" label={l10n.t('Viewed by')} people={patch.viewed} host={host} />
      {patch.asOf && (
        <p class="stale" role="status">
          {l10n.t('The service cannot be reached: this is as of {0}.', readableTime(patch.asOf, language))}
        </p>
      )}
    </header>
  );
}

function Statistics({ files, added, deleted }: NonNullable<PatchView['statistics']>) {
  return (
    <span class="statistics">
      {files !== undefined && <span>{files === 1 ? l10n.t('1 file') : l10n.t('{0} files', files)}</span>}
      {added !== undefined && (
        <span class="added" aria-label={l10n.t('{0} lines added', added)}>
          +{added}
        </span>
      )}
      {deleted !== undefined && (
        <span class="deleted" aria-label={l10n.t('{0} lines deleted', deleted)}>
          −{deleted}
        </span>
      )}
    </span>
  );
}

function Reviewers(props: { icon: string; label: string; people: PersonView[]; host: Host }) {
  const { icon, label, people, host } = props;
  if (people.length === 0) {
    return null;
  }
  return (
    <p class="facts">
      <i class={`codicon codicon-${icon}`} aria-hidden="true" />
      <span>
        {label} <People people={people} host={host} />
      </span>
    </p>
  );
}

/** An id that is told from others by its start; the whole of it is in its tooltip and behind its copy button. */
function shortened(id: string): string {
  return id.length > 12 ? id.slice(0, 10) : id;
}

/** Names, each of which shows its user when the service has one by that login. */
function People(props: { people: PersonView[]; host: Host; class?: string }) {
  const { people, host } = props;
  return (
    <span class={props.class}>
      {people.map(({ name, login }, index) => (
        <>
          {index > 0 && ', '}
          {login === undefined ? (
            <bdi>{name}</bdi>
          ) : (
            <button
              type="button"
              class="link-button"
              title={l10n.t('Show {0}', login)}
              onClick={() => void host.request('showUser', { login })}
            >
              <bdi>{name}</bdi>
            </button>
          )}
        </>
      ))}
    </span>
  );
}
