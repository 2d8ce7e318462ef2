import * as l10n from '@vscode/l10n';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { BuildView, PastRelease, ReleaseView } from '../../protocol/release.ts';
import { IconButton } from '../common/IconButton.tsx';
import { Prose } from '../common/Prose.tsx';
import { readableAge, readableTime } from '../common/time.ts';

/** The releases that were created from this workspace, the newest open. */
export function PastReleases(props: {
  past: PastRelease[];
  settings: PanelSettings;
  onCopy: (text: string) => void;
}) {
  const { past, settings, onCopy } = props;
  if (past.length === 0) {
    return null;
  }
  return (
    <section class="past" aria-labelledby="past-heading">
      <h2 id="past-heading">{l10n.t('Created from this workspace')}</h2>
      {past.map(({ id, server, createdAt, release }, index) => (
        <details key={id} open={index === 0}>
          <summary>
            <strong dir="auto">{release.version}</strong>
            {release.channel !== undefined && <span class="badge">{release.channel}</span>}
            <span class="muted">{l10n.t('{0}, {1}', server, readableAge(createdAt, settings.language))}</span>
          </summary>
          <Details release={release} settings={settings} onCopy={onCopy} />
        </details>
      ))}
    </section>
  );
}

function Details(props: { release: ReleaseView; settings: PanelSettings; onCopy: (text: string) => void }) {
  const { release, settings, onCopy } = props;
  const { sha, buildVersion, releasedAt, notes, builds } = release;
  return (
    <div class="details">
      <dl>
        {sha !== undefined && (
          <>
            <dt>{l10n.t('Commit')}</dt>
            <dd>
              <code>{sha}</code>
              <IconButton icon="copy" label={l10n.t('Copy commit ID')} onClick={() => onCopy(sha)} />
            </dd>
          </>
        )}
        {buildVersion !== undefined && (
          <>
            <dt>{l10n.t('Build version')}</dt>
            <dd dir="auto">{buildVersion}</dd>
          </>
        )}
        {releasedAt !== undefined && (
          <>
            <dt>{l10n.t('Released')}</dt>
            <dd>
              <time dateTime={releasedAt}>{readableTime(releasedAt, settings.language)}</time>
            </dd>
          </>
        )}
      </dl>
      <h3>{l10n.t('Notes')}</h3>
      {notes === undefined || notes.trim() === '' ? (
        <p class="muted">{l10n.t('No release notes.')}</p>
      ) : (
        <Prose markdown={notes} settings={settings} headingsBelow={3} />
      )}
      <h3>{l10n.t('Builds')}</h3>
      {builds.length === 0 ? (
        <p class="muted">{l10n.t('No builds yet.')}</p>
      ) : (
        <Builds builds={builds} onCopy={onCopy} />
      )}
    </div>
  );
}

function Builds({ builds, onCopy }: { builds: BuildView[]; onCopy: (text: string) => void }) {
  return (
    <div class="builds">
      <table aria-label={l10n.t('Builds')}>
        <thead>
          <tr>
            <th scope="col">{l10n.t('System')}</th>
            <th scope="col">{l10n.t('Architecture')}</th>
            <th scope="col">{l10n.t('Platform')}</th>
            <th scope="col">{l10n.t('File')}</th>
          </tr>
        </thead>
        <tbody>
          {builds.map(({ os, arch, platform, file, url }, index) => (
            <tr key={index}>
              <td dir="auto">{os}</td>
              <td dir="auto">{arch}</td>
              <td dir="auto">{platform}</td>
              <td>
                <span dir="auto">
                  {url !== undefined && /^https?:\/\//i.test(url) ? (
                    <a href={url} title={url}>
                      {file ?? url}
                    </a>
                  ) : (
                    (file ?? url)
                  )}
                </span>
                {url !== undefined && (
                  <IconButton
                    icon="copy"
                    label={l10n.t('Copy the URL of {0}', file ?? url)}
                    onClick={() => onCopy(url)}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
