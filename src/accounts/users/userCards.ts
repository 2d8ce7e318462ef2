import * as vscode from 'vscode';
import { isApiError } from '../../api/errors.ts';
import type { SshKey, User } from '../../api/types/users.ts';
import { isoTime } from '../../api/timestamp.ts';
import { commandId, userCardViewType } from '../../contributions.ts';
import type { KeyView, UserCardHost, UserCardPage, UserCardView } from '../../protocol/userCard.ts';
import { keptState } from '../../protocol/checked.ts';
import type { RpcPeer } from '../../protocol/rpc.ts';
import { userCardSchemas, userCardState } from '../../protocol/schemas/userCard.ts';
import { describeReason } from '../../ui/failures.ts';
import type { Log } from '../../ui/log.ts';
import { connectToPage, panelOptions, panelSettings, showPage } from '../../ui/panelHost.ts';
import { DisposableStore, type Disposable } from '../../util/disposable.ts';
import { avatarAddress } from '../../session/avatars.ts';
import type { Connection } from '../../session/connection.ts';
import { authorizedKeysLine, knownKeys, localKeys, type KnownKey } from '../sshKeys/knownKeys.ts';
import { askUser, unknownUser } from './askUser.ts';
import { plainText, plainTexts } from '../../util/visibleText.ts';

/** The cards of users: one panel, which shows the user who was asked for last. */
export class UserCards implements Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #connection: Connection;
  readonly #log: Log;
  readonly #subscription: Disposable;
  #open: { panel: vscode.WebviewPanel; page: RpcPeer<UserCardHost, UserCardPage> } | undefined;
  #login = '';
  /** Who was found already when they were asked for. */
  #found: User | undefined;
  #keys: KnownKey[] = [];

  constructor(extensionUri: vscode.Uri, connection: Connection, log: Log) {
    this.#log = log;
    this.#extensionUri = extensionUri;
    this.#connection = connection;
    this.#subscription = connection.onDidChangeAccount(() => this.#reload());
  }

  /** Shows the card of a user; asks for the login when there is none. */
  async show(login?: string): Promise<void> {
    this.#found = login === undefined ? await askUser(this.#connection) : undefined;
    this.#login = login ?? this.#found?.login ?? '';
    if (this.#open) {
      this.#open.panel.reveal();
      this.#reload();
      return;
    }
    const panel = vscode.window.createWebviewPanel(userCardViewType, '', vscode.ViewColumn.Active, {
      ...panelOptions(this.#extensionUri),
      enableFindWidget: true,
    });
    this.#fill(panel);
  }

  /** Fills a panel that VS Code kept over a reload of the window, if it still knows whom it showed. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = keptState(userCardState, state);
    if (!kept || this.#open) {
      panel.dispose();
      return;
    }
    this.#login = kept.login;
    this.#fill(panel);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#open?.panel.dispose();
  }

  #fill(panel: vscode.WebviewPanel): void {
    panel.title = this.#login;
    panel.webview.options = panelOptions(this.#extensionUri);
    panel.iconPath = {
      light: vscode.Uri.joinPath(this.#extensionUri, 'media', 'account-light.svg'),
      dark: vscode.Uri.joinPath(this.#extensionUri, 'media', 'account-dark.svg'),
    };
    const disposables = new DisposableStore();
    const page = disposables.add(
      connectToPage<UserCardHost, UserCardPage>(
        panel.webview,
        userCardSchemas,
        {
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
        this.#log,
      ),
    );
    this.#open = { panel, page };
    panel.onDidDispose(() => {
      disposables.dispose();
      this.#open = undefined;
    });
    showPage(panel.webview, this.#extensionUri, 'userCard');
  }

  #reload(): void {
    if (this.#open) {
      this.#open.panel.title = this.#login;
      // A hidden page is thrown away by the editor, and asks again when it is shown.
      this.#open.page.request('reload', null).catch(() => undefined);
    }
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
      const avatar = await avatarAddress(client, user.avatarUrl ?? user.picture, signal);
      const { items, dropped, failure } = await keys;
      const isSelf = user.id === session.userId || login === session.login;
      const known = await this.#knownKeys(items, isSelf);
      if (login === this.#login) {
        this.#keys = known;
        if (this.#open) {
          this.#open.panel.title = plainText(user.name ?? login);
        }
      }
      return plainTexts<UserCardView>({
        ...publicPart(user, login),
        server: new URL(session.serverUrl).host,
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
