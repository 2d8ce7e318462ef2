import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { RpcPeer } from '../../protocol/rpc.ts';
import type { KeyView, UserCardHost, UserCardPage, UserCardView } from '../../protocol/userCard.ts';
import { Avatar } from '../common/Avatar.tsx';
import { IconButton } from '../common/IconButton.tsx';
import { Problem } from '../common/Problem.tsx';
import { readableAge, readableTime } from '../common/time.ts';
import { Button } from '../common/controls.tsx';
import { inBackground } from '../../util/inBackground.ts';

/** The panel in the extension host, as the components see it. */
type Host = RpcPeer<UserCardPage, UserCardHost>;

/** The card itself. */
export function Card({ user, language, host }: { user: UserCardView; language: string; host: Host }) {
  const name = user.name ?? user.login;
  return (
    <main class="form" data-user={user.login}>
      <header class="person">
        <Avatar name={name} source={user.avatar} size="large" />
        <div>
          <h1 dir="auto" tabIndex={-1}>
            {name}
          </h1>
          <p class="muted">
            {l10n.t('{0} on {1}', user.login, user.server)}
            {user.isSelf && <span class="badge">{l10n.t('You')}</span>}
            {user.supporter && <span class="badge">{l10n.t('Supporter')}</span>}
          </p>
        </div>
        {user.isSelf && (
          <button
            type="button"
            class="secondary"
            onClick={() => inBackground(host.request('editProfile', null))}
          >
            {l10n.t('Edit Profile')}
          </button>
        )}
      </header>
      <dl class="user-facts">
        <Fact label={l10n.t('Given name')} value={user.givenName} />
        <Fact label={l10n.t('Family name')} value={user.familyName} />
        <Fact label={l10n.t('Email')} value={user.email} />
        <Fact label={l10n.t('Language')} value={user.locale && languageName(user.locale, language)} />
        <Fact
          label={l10n.t('Member since')}
          value={user.createdAt && readableTime(user.createdAt, language)}
        />
        <Fact
          label={l10n.t('Last changed')}
          value={user.updatedAt && readableTime(user.updatedAt, language)}
        />
      </dl>
      <section aria-labelledby="organizations">
        <h2 id="organizations">{l10n.t('Organizations')}</h2>
        {user.organizations.length === 0 && <p class="muted">{l10n.t('No organizations')}</p>}
        <ul class="plain-list">
          {user.organizations.map(({ slug, name, description }) => (
            <li key={slug}>
              <strong dir="auto">{name ?? slug}</strong>{' '}
              {name !== undefined && <span class="muted">{slug}</span>}
              {description !== undefined && description !== '' && <p dir="auto">{description}</p>}
            </li>
          ))}
        </ul>
      </section>
      <Keys user={user} language={language} host={host} />
    </main>
  );
}

function Fact({ label, value }: { label: string; value: string | undefined }) {
  return value === undefined || value === '' ? null : (
    <>
      <dt>{label}</dt>
      <dd dir="auto">{value}</dd>
    </>
  );
}

function Keys({ user, language, host }: { user: UserCardView; language: string; host: Host }) {
  const { keys, isSelf } = user;
  const [status, setStatus] = useState('');
  async function copyAll(): Promise<void> {
    const count = await host.request('copyAuthorizedKeys', null);
    setStatus(count === 1 ? l10n.t('Copied 1 key.') : l10n.t('Copied {0} keys.', count));
  }
  async function copyFingerprint(fingerprint: string): Promise<void> {
    await host.request('copy', { text: fingerprint });
    setStatus(l10n.t('Copied the fingerprint.'));
  }
  return (
    <section aria-labelledby="keys">
      <h2 id="keys">{l10n.t('SSH keys')}</h2>
      {keys.kind === 'failed' ? (
        <Problem text={l10n.t("Couldn't load the SSH keys: {0}", keys.reason)} />
      ) : (
        <>
          {keys.list.length === 0 && keys.unreadable === 0 && <p class="muted">{l10n.t('No SSH keys')}</p>}
          <ul class="plain-list">
            {keys.list.map((key) => (
              <Key
                key={key.fingerprint}
                sshKey={key}
                language={language}
                copy={() => inBackground(copyFingerprint(key.fingerprint))}
              />
            ))}
          </ul>
          {keys.unreadable > 0 && (
            <p class="muted">{l10n.t("{0} more couldn't be read.", keys.unreadable)}</p>
          )}
          {keys.list.length > 0 && keys.copyable < keys.list.length && (
            <p class="muted" id="not-copyable">
              {notCopyable(keys.copyable, keys.list.length)}
            </p>
          )}
          <div class="form-actions">
            {keys.list.length > 0 && (
              <Button
                class="primary"
                disabled={keys.copyable === 0}
                aria-describedby={keys.copyable < keys.list.length ? 'not-copyable' : undefined}
                onClick={() => inBackground(copyAll())}
              >
                {l10n.t('Copy as authorized_keys')}
              </Button>
            )}
            {isSelf && (
              <button
                type="button"
                class="secondary"
                onClick={() => inBackground(host.request('manageKeys', null))}
              >
                {l10n.t('Manage SSH Keys')}
              </button>
            )}
            <span role="status" class="muted">
              {status}
            </span>
          </div>
        </>
      )}
    </section>
  );
}

function Key({ sshKey, language, copy }: { sshKey: KeyView; language: string; copy: () => void }) {
  const { fingerprint, name, type, bits, comment, createdAt, weak } = sshKey;
  return (
    <li class="ssh-key" data-fingerprint={fingerprint}>
      <i class="codicon codicon-key" aria-hidden="true" />
      <div>
        <strong dir="auto">{name ?? comment ?? fingerprint}</strong>
        <p class="muted">
          {type === undefined ? l10n.t('unknown type') : l10n.t('{0}, {1} bits', type, bits ?? '?')}
          {weak && <span class="weak"> · {l10n.t('weak')}</span>}
          {comment !== undefined && comment !== '' && comment !== name && <> · {comment}</>}
          {createdAt !== undefined && (
            <>
              {' · '}
              <time dateTime={createdAt} title={readableTime(createdAt, language)}>
                {l10n.t('added {0}', readableAge(createdAt, language))}
              </time>
            </>
          )}
        </p>
        <p>
          <code>{fingerprint}</code>
        </p>
      </div>
      <IconButton
        icon="copy"
        label={l10n.t('Copy the fingerprint of {0}', name ?? fingerprint)}
        onClick={copy}
      />
    </li>
  );
}

function notCopyable(copyable: number, count: number): string {
  if (copyable === 0) {
    return l10n.t("The server shows only fingerprints, so the keys can't be copied as authorized_keys.");
  }
  return l10n.t(
    'Keys that can be copied: {1} of {0}. The server shows only the fingerprints of the others.',
    count,
    copyable,
  );
}

function languageName(locale: string, language: string): string {
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}
