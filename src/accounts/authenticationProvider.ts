import * as vscode from 'vscode';
import { authenticationProviderId } from '../contributions.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import type { Session, SessionStore } from '../session/sessions.ts';

/** Puts the sessions into VS Code's Accounts menu. */
export class AuthenticationProvider implements vscode.AuthenticationProvider, Disposable {
  readonly #sessions: SessionStore;
  readonly #signIn: () => Promise<Session>;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(
    new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>(),
  );

  readonly onDidChangeSessions = this.#changed.event;

  /**
   * @param signIn takes the person through signing in; rejects when they give up.
   */
  constructor(sessions: SessionStore, signIn: () => Promise<Session>) {
    this.#sessions = sessions;
    this.#signIn = signIn;
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
    return asAuthenticationSession(await this.#signIn());
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
      label: `${session.login} (${new URL(session.serverUrl).host})`,
    },
    scopes: [],
  };
}
