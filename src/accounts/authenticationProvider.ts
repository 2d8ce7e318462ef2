import * as vscode from 'vscode';
import { authenticationProviderId } from '../contributions.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import type { Accounts } from './accounts.ts';
import type { Session, SessionStore } from '../session/sessions.ts';
import { serverName } from '../session/serverName.ts';

/** Puts the sessions into VS Code's Accounts menu. */
export class AuthenticationProvider implements vscode.AuthenticationProvider, Disposable {
  readonly #sessions: SessionStore;
  readonly #accounts: Accounts;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(
    new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>(),
  );

  readonly onDidChangeSessions = this.#changed.event;

  constructor(sessions: SessionStore, accounts: Accounts) {
    this.#sessions = sessions;
    this.#accounts = accounts;
    this.#disposables.add(
      sessions.onDidChange(({ added, removed }) =>
        this.#changed.fire({
          added: added.map(asAuthenticationSession),
          removed: removed.map(asAuthenticationSession),
          changed: [],
        }),
      ),
    );
    this.#disposables.add(
      vscode.authentication.registerAuthenticationProvider(authenticationProviderId, 'Patch Stacks', this, {
        supportsMultipleAccounts: true,
      }),
    );
  }

  async getSessions(
    _scopes: readonly string[] | undefined,
    options: vscode.AuthenticationProviderSessionOptions,
  ): Promise<vscode.AuthenticationSession[]> {
    const sessions = (await this.#sessions.list()).map(asAuthenticationSession);
    const { account } = options;
    return account ? sessions.filter((session) => session.account.id === account.id) : sessions;
  }

  async createSession(): Promise<vscode.AuthenticationSession> {
    return asAuthenticationSession(await this.#accounts.signIn('browser'));
  }

  async removeSession(sessionId: string): Promise<void> {
    await this.#sessions.remove(sessionId);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

function asAuthenticationSession(session: Session): vscode.AuthenticationSession {
  return {
    id: session.id,
    accessToken: session.accessToken,
    account: {
      id: `${session.serverUrl}#${session.userId}`,
      label: `${session.login} (${serverName(session.serverUrl)})`,
    },
    scopes: [],
  };
}
