import * as vscode from 'vscode';
import { asking } from '../../ui/asking.ts';
import { untilGone } from '../../api/errors.ts';
import { choose, type Choice } from '../../ui/choose.ts';
import { CancelledError } from '../../ui/commands.ts';
import { escapeIcons } from '../../ui/icons.ts';
import { showMessage } from '../../ui/notifications.ts';
import type { RecentChanges } from '../../ui/recentChanges.ts';
import type { Connection } from '../../session/connection.ts';
import { addKey } from './addKey.ts';
import { describeKey, describeType, identifyKey, nameOf } from './describe.ts';
import { authorizedKeysLine, knownKeys, localKeys, type KnownKey } from './knownKeys.ts';
import type { LocalKey } from './localKeys.ts';
import type { PublicKey } from './publicKey.ts';
import { inBackground } from '../../util/inBackground.ts';

type KeyChoice =
  | { kind: 'add' }
  | { kind: 'refresh' }
  | { kind: 'open'; key: KnownKey }
  | { kind: 'copy'; key: KnownKey }
  | { kind: 'delete'; key: KnownKey };

/** The SSH keys of the active account: to see, to add, to delete. */
export class SshKeys {
  readonly #connection: Connection;
  readonly #changes: RecentChanges;
  /** Keys that passed through this window: services seldom show a key again, and undoing needs it. */
  readonly #seen = new Map<string, LocalKey>();

  constructor(connection: Connection, changes: RecentChanges) {
    this.#connection = connection;
    this.#changes = changes;
  }

  /** Shows the keys until the person puts the list away. */
  async manage(): Promise<void> {
    for (;;) {
      const choice = await this.#choose(vscode.l10n.t('SSH Keys'), true);
      switch (choice.kind) {
        case 'add':
          await this.#backToList(() => this.add());
          break;
        case 'delete':
          await this.#backToList(() => this.#delete(choice.key));
          break;
        case 'copy':
          await copyFingerprint(choice.key);
          return;
        case 'open':
          if ((await this.#backToList(() => this.#open(choice.key))) === 'copied') {
            return;
          }
          break;
        case 'refresh':
          break;
      }
    }
  }

  /** Takes the person through adding a key. */
  async add(): Promise<void> {
    const added = await addKey(this.#connection);
    this.#remember(added.key);
    const { fingerprint, line } = added.key;
    this.#changes.add({
      what: vscode.l10n.t('Added SSH key "{0}".', added.name),
      before: '',
      after: line,
      undo: () => this.#remove(fingerprint),
    });
    // Not awaited: the work is done when the key is there, not when its message is put away.
    inBackground(showMessage(vscode.l10n.t('Added SSH key "{0}".', added.name)));
  }

  /** Lets the person choose a key, and deletes it. */
  async delete(): Promise<void> {
    const choice = await this.#choose(vscode.l10n.t('Delete SSH Key'), false);
    if ('key' in choice) {
      await this.#delete(choice.key);
    }
  }

  async #load(): Promise<{ keys: KnownKey[]; unreadable: number; login: string }> {
    const [listed, local] = await Promise.all([
      this.#connection.use(async (client, session) => ({
        ...(await client.users.keys(session.login)),
        login: session.login,
      })),
      localKeys(),
    ]);
    const keys = knownKeys(listed.items, [...local, ...this.#seen.values()]);
    return { keys, unreadable: listed.dropped, login: listed.login };
  }

  #choose(title: string, withActions: boolean): Promise<KeyChoice> {
    const add = vscode.l10n.t('Add SSH Key…');
    let owner = '';
    let hasKeys = false;
    return choose<KeyChoice>({
      title: () => title + owner,
      loading: vscode.l10n.t('Loading the SSH keys…'),
      placeholder: () =>
        hasKeys ? vscode.l10n.t('Select an SSH key') : vscode.l10n.t("You don't have any SSH keys yet."),
      ...(withActions && {
        buttons: [
          { iconPath: new vscode.ThemeIcon('add'), tooltip: add, value: { kind: 'add' } },
          {
            iconPath: new vscode.ThemeIcon('refresh'),
            tooltip: vscode.l10n.t('Refresh'),
            value: { kind: 'refresh' },
          },
        ],
      }),
      load: async () => {
        const { keys, unreadable, login } = await this.#load();
        owner = `: ${login}`;
        hasKeys = keys.length > 0;
        return [
          ...keys.map((key) => keyItem(key, withActions)),
          ...(unreadable > 0 ? [{ label: `$(warning) ${unreadableText(unreadable)}` }] : []),
          ...(withActions
            ? [
                { label: '', kind: vscode.QuickPickItemKind.Separator },
                { label: `$(add) ${add}`, alwaysShow: true, choice: { value: { kind: 'add' as const } } },
              ]
            : []),
        ];
      },
    });
  }

  /** Shows what can be done with a key. For the keyboard: the same is behind the buttons of the list. */
  async #open(key: KnownKey): Promise<'copied' | 'deleted'> {
    const line = authorizedKeysLine(key);
    const actions: (vscode.QuickPickItem & { run: () => Promise<'copied' | 'deleted'> })[] = [
      {
        label: `$(copy) ${vscode.l10n.t('Copy Fingerprint')}`,
        description: key.fingerprint,
        run: () => copyFingerprint(key),
      },
      ...(line === undefined
        ? []
        : [
            {
              label: `$(copy) ${vscode.l10n.t('Copy Public Key')}`,
              run: () => copyText(line, vscode.l10n.t('Copied the public key.')),
            },
          ]),
      {
        label: `$(trash) ${vscode.l10n.t('Delete…')}`,
        run: async () => {
          await this.#delete(key);
          return 'deleted';
        },
      },
    ];
    const chosen = await asking(() =>
      vscode.window.showQuickPick(actions, {
        title: nameOf(key),
        placeHolder: key.key
          ? describeType(key.key)
          : vscode.l10n.t('The server shows only the fingerprint.'),
        ignoreFocusOut: true,
      }),
    );
    if (!chosen) {
      throw new CancelledError();
    }
    return chosen.run();
  }

  /** Runs a step of the list; when the person gives it up, the list comes back. */
  async #backToList<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      if (error instanceof CancelledError) {
        return undefined;
      }
      throw error;
    }
  }

  #remove(fingerprint: string): Promise<void> {
    return untilGone(this.#connection.use((client) => client.users.deleteKey(fingerprint)));
  }

  async #delete(known: KnownKey): Promise<void> {
    const name = nameOf(known);
    const confirmed = await showMessage<boolean>(vscode.l10n.t('Delete the SSH key "{0}"?', name), {
      severity: 'warning',
      modal: true,
      detail: [
        known.fingerprint,
        vscode.l10n.t('The server will no longer accept this key.'),
        known.key
          ? ''
          : vscode.l10n.t(
              "You can't undo this here, because neither the server nor this computer can provide the key.",
            ),
      ]
        .filter((sentence) => sentence !== '')
        .join('\n\n'),
      actions: [{ title: vscode.l10n.t('Delete'), value: true }],
    });
    if (confirmed !== true) {
      throw new CancelledError();
    }
    await this.#remove(known.fingerprint);
    const { key } = known;
    this.#changes.tell({
      what: vscode.l10n.t('Deleted SSH key "{0}".', name),
      before: key?.line ?? known.fingerprint,
      after: '',
      ...(key && { undo: () => this.#addAgain(name, key) }),
    });
  }

  async #addAgain(name: string, key: PublicKey): Promise<void> {
    this.#remember(key);
    const publicKey = authorizedKeysLine({ fingerprint: key.fingerprint, key }) ?? key.line;
    await this.#connection.use((client) => client.users.addKey({ name, publicKey }));
    inBackground(showMessage(vscode.l10n.t('Restored SSH key "{0}".', name)));
  }

  #remember(key: PublicKey): void {
    this.#seen.set(key.fingerprint, { result: { key } });
  }
}

function keyItem(key: KnownKey, withActions: boolean): Choice<KeyChoice> {
  return {
    label: `$(key) ${escapeIcons(nameOf(key))}`,
    description: describeKey(key),
    detail: escapeIcons(identifyKey(key)),
    choice: { value: { kind: 'open', key } },
    ...(withActions && {
      buttons: [
        {
          iconPath: new vscode.ThemeIcon('copy'),
          tooltip: vscode.l10n.t('Copy Fingerprint'),
          value: { kind: 'copy', key },
        },
        {
          iconPath: new vscode.ThemeIcon('trash'),
          tooltip: vscode.l10n.t('Delete…'),
          value: { kind: 'delete', key },
        },
      ],
    }),
  };
}

function unreadableText(count: number): string {
  return vscode.l10n.t("{0} more couldn't be read.", count);
}

async function copyFingerprint(key: KnownKey): Promise<'copied'> {
  return copyText(key.fingerprint, vscode.l10n.t('Copied the fingerprint.'));
}

async function copyText(text: string, done: string): Promise<'copied'> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(done, 5_000);
  return 'copied';
}
