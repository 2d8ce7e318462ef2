import * as vscode from 'vscode';
import { untilGone } from '../../api/errors.ts';
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

type Choice =
  | { kind: 'add' }
  | { kind: 'refresh' }
  | { kind: 'open'; key: KnownKey }
  | { kind: 'copy'; key: KnownKey }
  | { kind: 'delete'; key: KnownKey };

interface KeyItem extends vscode.QuickPickItem {
  choice?: Choice;
}

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
    void showMessage(vscode.l10n.t('Added SSH key "{0}".', added.name));
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

  /** Shows the list at once and fills it when the keys are there. */
  async #choose(title: string, withActions: boolean): Promise<Choice> {
    const pick = vscode.window.createQuickPick<KeyItem>();
    const add = { iconPath: new vscode.ThemeIcon('add'), tooltip: vscode.l10n.t('Add SSH Key…') };
    const refresh = { iconPath: new vscode.ThemeIcon('refresh'), tooltip: vscode.l10n.t('Refresh') };
    const copy = { iconPath: new vscode.ThemeIcon('copy'), tooltip: vscode.l10n.t('Copy Fingerprint') };
    const remove = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Delete…') };
    pick.title = title;
    pick.placeholder = vscode.l10n.t('Loading the SSH keys…');
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.ignoreFocusOut = true;
    pick.busy = true;
    const chosen = Promise.withResolvers<Choice>();
    pick.onDidHide(() => chosen.reject(new CancelledError()));
    pick.onDidAccept(() => {
      const choice = pick.selectedItems[0]?.choice;
      if (choice) {
        chosen.resolve(choice);
      }
    });
    pick.onDidTriggerButton((button) => chosen.resolve({ kind: button === add ? 'add' : 'refresh' }));
    pick.onDidTriggerItemButton(({ item, button }) => {
      if (item.choice && 'key' in item.choice) {
        chosen.resolve({ kind: button === copy ? 'copy' : 'delete', key: item.choice.key });
      }
    });
    pick.show();
    const load = async (): Promise<void> => {
      const { keys, unreadable, login } = await this.#load();
      pick.title = `${title}: ${login}`;
      pick.busy = false;
      pick.placeholder =
        keys.length === 0
          ? vscode.l10n.t("You don't have any SSH keys yet.")
          : vscode.l10n.t('Select an SSH key');
      if (withActions) {
        pick.buttons = [add, refresh];
      }
      pick.items = [
        ...keys.map((key) => keyItem(key, withActions ? [copy, remove] : [])),
        ...(unreadable > 0 ? [{ label: `$(warning) ${unreadableText(unreadable)}` }] : []),
        ...(withActions
          ? [
              { label: '', kind: vscode.QuickPickItemKind.Separator },
              { label: `$(add) ${add.tooltip}`, alwaysShow: true, choice: { kind: 'add' as const } },
            ]
          : []),
      ];
    };
    load().catch((error: unknown) =>
      chosen.reject(error instanceof Error ? error : new Error(String(error))),
    );
    try {
      return await chosen.promise;
    } finally {
      pick.dispose();
    }
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
    const chosen = await vscode.window.showQuickPick(actions, {
      title: nameOf(key),
      placeHolder: key.key ? describeType(key.key) : vscode.l10n.t('The server shows only the fingerprint.'),
      ignoreFocusOut: true,
    });
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
    void showMessage(vscode.l10n.t('Restored SSH key "{0}".', name));
  }

  #remember(key: PublicKey): void {
    this.#seen.set(key.fingerprint, { result: { key } });
  }
}

function keyItem(key: KnownKey, buttons: vscode.QuickInputButton[]): KeyItem {
  return {
    label: `$(key) ${escapeIcons(nameOf(key))}`,
    description: describeKey(key),
    detail: escapeIcons(identifyKey(key)),
    choice: { kind: 'open', key },
    buttons,
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
