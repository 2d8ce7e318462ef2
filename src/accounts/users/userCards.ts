import * as vscode from 'vscode';
import { isApiError } from '../../api/errors.ts';
import type { SshKey, User } from '../../api/types/users.ts';
import { isoTime } from '../../api/timestamp.ts';
import { commandId } from '../../commandTable.ts';
import { readSetting, userCardViewType } from '../../contributions.ts';
import type { KeyView, UserCardHost, UserCardPage, UserCardView } from '../../protocol/userCard.ts';
import { keptState } from '../../protocol/checked.ts';
import { userCardSchemas, userCardState } from '../../protocol/schemas/userCard.ts';
import type { PagePanel } from '../../ui/pagePanel.ts';
import { describeReason } from '../../ui/failures.ts';
import type { Log } from '../../ui/log.ts';
import { panelSettings } from '../../ui/panelHost.ts';
import { SinglePanel } from '../../ui/singlePanel.ts';
import type { Disposable } from '../../util/disposable.ts';
import { avatarAddress } from '../../session/avatars.ts';
import type { Connection } from '../../session/connection.ts';
import { authorizedKeysLine, knownKeys, localKeys, type KnownKey } from '../sshKeys/knownKeys.ts';
import { askUser, unknownUser } from './askUser.ts';
import { plainText, plainTexts } from '../../util/visibleText.ts';
import { serverName } from '../../session/serverName.ts';

/** The cards of users: one panel, which shows the user who was asked for last. */
export class UserCards implements Disposable {
  readonly #connection: Connection;
  readonly #panel: SinglePanel<UserCardHost, UserCardPage>;
  readonly #subscription: Disposable;
  #login = '';
  /** Who was found already when they were asked for. */
  #found: User | undefined;
  #keys: KnownKey[] = [];

  constructor(extensionUri: vscode.Uri, connection: Connection, log: Log) {
    this.#connection = connection;
    this.#panel = new SinglePanel<UserCardHost, UserCardPage>(extensionUri, {
      viewType: userCardViewType,
      page: 'userCard',
      title: () => this.#login,
      icon: 'account',
      schemas: userCardSchemas,
      handlers: {
        settings: () => panelSettings(),
        load: (_parameters, signal) => this.#load(signal),
        copyAuthorizedKeys: async () => {
          const lines = this.#keys.map(authorizedKeysLine).filter((line) => line !== undefined);
          await vscode.env.clipboard.writeText(lines.map((line) => `${line}\n`).join(''));
          return lines.length;
        },
        copy: async ({ text }) => {
          await vscode.env.clipboard.writeText(text);
          return null;
        },
        editProfile: () => run('editProfile'),
        manageKeys: () => run('manageSshKeys'),
      },
      log,
      options: { enableFindWidget: true },
    });
    this.#subscription = connection.onDidChangeAccount(() => this.#panel.reload());
  }

  /** Shows the card of a user; asks for the login when there is none. */
  async show(login?: string): Promise<void> {
    this.#found = login === undefined ? await askUser(this.#connection) : undefined;
    this.#login = login ?? this.#found?.login ?? '';
    await this.#panel.openAnew();
  }

  /** Fills a panel that VS Code kept over a reload of the window, if it still knows whom it showed. */
  restore(panel: PagePanel, state: unknown): void {
    const kept = keptState(userCardState, state);
    if (!kept || this.#panel.page) {
      panel.dispose();
      return;
    }
    this.#login = kept.login;
    this.#panel.restore(panel);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#panel.dispose();
  }

  async #load(signal: AbortSignal): Promise<UserCardView> {
    const login = this.#login;
    const found = this.#found;
    this.#found = undefined;
    return this.#connection.use(async (client, session) => {
      const keys = client.users.keys(login, { signal }).then(
        (list) => ({ ...list, failure: undefined }),
        (error: unknown) => ({ items: [], dropped: 0, failure: describeReason(error) }),
      );
      const user = found ?? (await this.#find(() => client.users.get(login, { signal }), session.serverUrl));
      const avatar = await avatarAddress(
        client,
        user.avatarUrl ?? user.picture,
        readSetting('markdown.loadRemoteImages'),
        signal,
      );
      const { items, dropped, failure } = await keys;
      const isSelf = user.id === session.userId || login === session.login;
      const known = await this.#knownKeys(items, isSelf);
      if (login === this.#login) {
        this.#keys = known;
        this.#panel.setTitle(plainText(user.name ?? login));
      }
      return plainTexts<UserCardView>({
        ...publicPart(user, login),
        server: serverName(session.serverUrl),
        isSelf,
        ...(avatar !== undefined && { avatar }),
        keys:
          failure === undefined
            ? {
                kind: 'shown',
                list: known.map(keyView),
                unreadable: dropped,
                copyable: known.filter(({ key }) => key).length,
              }
            : { kind: 'failed', reason: failure },
      });
    });
  }

  async #find(get: () => Promise<User>, serverUrl: string): Promise<User> {
    try {
      return await get();
    } catch (error) {
      throw isApiError(error) && error.kind === 'notFound'
        ? new Error(unknownUser(this.#login, serverUrl))
        : error;
    }
  }

  /** Only one's own keys can be among those of this computer. */
  async #knownKeys(keys: SshKey[], isSelf: boolean): Promise<KnownKey[]> {
    const isWholeList = keys.every(({ publicKey }) => publicKey !== undefined);
    return knownKeys(keys, isSelf && !isWholeList ? await localKeys() : []);
  }
}

async function run(command: 'editProfile' | 'manageSshKeys'): Promise<null> {
  await vscode.commands.executeCommand(commandId(command));
  return null;
}

function publicPart(user: User, login: string): Omit<UserCardView, 'server' | 'isSelf' | 'avatar' | 'keys'> {
  const { name, givenName, familyName, email, locale, supporter, organizations, createdAt, updatedAt } = user;
  return {
    login: user.login ?? login,
    ...(name !== undefined && { name }),
    ...(givenName !== undefined && { givenName }),
    ...(familyName !== undefined && { familyName }),
    ...(email !== undefined && { email }),
    ...(locale !== undefined && { locale }),
    supporter: supporter ?? false,
    organizations: organizations.map(({ slug, name, description }) => ({
      slug,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
    })),
    ...(createdAt !== undefined && { createdAt: isoTime(createdAt) }),
    ...(updatedAt !== undefined && { updatedAt: isoTime(updatedAt) }),
  };
}

function keyView({ fingerprint, name, createdAt, key }: KnownKey): KeyView {
  return {
    fingerprint,
    ...(name !== undefined && { name }),
    ...(createdAt !== undefined && { createdAt: isoTime(createdAt) }),
    ...(key && { type: key.type, bits: key.bits, comment: key.comment }),
    weak: key?.weakness !== undefined,
  };
}
