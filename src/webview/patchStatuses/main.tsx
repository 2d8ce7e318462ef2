/** Who has seen each patch of a stack, signed it off or requested changes, as a table. */
import './patchStatuses.css';
import * as l10n from '@vscode/l10n';
import type {
  PatchStatusesHost,
  PatchStatusesPage,
  PatchStatusesView,
  ReviewerView,
} from '../../protocol/patchStatuses.ts';
import { connectToHost, untilAnswered } from '../common/host.ts';
import { IconButton } from '../common/IconButton.tsx';
import { Page, reload, startPage } from '../common/page.tsx';
import { PageHeading } from '../common/PageHeading.tsx';
import { SignatureNote } from '../common/SignatureNote.tsx';
import { TextButton } from '../common/TextButton.tsx';
import { inBackground } from '../../util/inBackground.ts';

let page: Page<PatchStatusesView> | undefined;

const connection = connectToHost<PatchStatusesHost, PatchStatusesPage>({
  reload,
  show: (view) => {
    page?.show(view);
    return null;
  },
});
const { peer: host, setState } = connection;

inBackground(
  startPage(
    connection,
    () => host.request('settings', null),
    () =>
      (page = new Page({
        loadingText: () => l10n.t('Loading the patch statuses…'),
        // The person may be asked to sign in again meanwhile: that takes as long as it takes.
        load: async () => {
          const view = await host.request('load', null, { timeoutMs: untilAnswered });
          setState(view.branchRef);
          return view;
        },
        view: (view) => <Statuses view={view} />,
      })),
  ),
);

function Statuses({ view }: { view: PatchStatusesView }) {
  const { title, branch, version, patches } = view;
  return (
    <main class="statuses">
      <PageHeading
        title={title}
        facts={version === undefined ? branch : l10n.t('{0}, version {1}', branch, version)}
      >
        <IconButton icon="refresh" label={l10n.t('Refresh')} onClick={() => inBackground(reload())} />
      </PageHeading>
      {patches.length === 0 ? (
        <p class="muted">{l10n.t('No patches')}</p>
      ) : (
        <table aria-label={l10n.t('Patch Statuses')}>
          <thead>
            <tr>
              <th scope="col">{l10n.t('Patch')}</th>
              <th scope="col">{l10n.t('Opened by')}</th>
              <th scope="col">{l10n.t('Signed off')}</th>
              <th scope="col">{l10n.t('Changes requested')}</th>
            </tr>
          </thead>
          <tbody>
            {patches.map(({ changeId, title: patchTitle, openedBy, signedOff, rejected }) => (
              <tr key={changeId}>
                <th scope="row" dir="auto">
                  <TextButton
                    class="link-button"
                    onPress={() => inBackground(host.request('openPatch', { changeId }))}
                  >
                    {patchTitle}
                  </TextButton>
                </th>
                <Reviewers people={openedBy} icon="eye" />
                <Reviewers people={signedOff} icon="pass" />
                <Reviewers people={rejected} icon="request-changes" />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </main>
  );
}

function Reviewers({ people, icon }: { people: ReviewerView[]; icon: string }) {
  return (
    <td>
      {people.length === 0 ? (
        <span class="muted">{l10n.t('no one')}</span>
      ) : (
        <ul>
          {people.map(({ name, isSelf, signature }, index) => (
            <li key={index} dir="auto">
              <i class={`codicon codicon-${icon}`} aria-hidden="true" />{' '}
              {isSelf ? l10n.t('{0} (you)', name) : name} <SignatureNote name={name} state={signature} />
            </li>
          ))}
        </ul>
      )}
    </td>
  );
}
