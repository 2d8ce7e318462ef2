import * as vscode from 'vscode';
import { asking } from '../ui/asking.ts';
import { attempt, CancelledError, runCommand } from '../ui/commands.ts';
import { describeStorageFailure } from '../ui/failures.ts';
import { unsentCount } from '../ui/labels.ts';
import type { Log } from '../ui/log.ts';
import { showMessage } from '../ui/notifications.ts';
import type { AccountFolders } from '../session/accountFolders.ts';
import type { Server } from '../session/clientOptions.ts';
import type { Connection } from '../session/connection.ts';
import type { Session, SessionStore } from '../session/sessions.ts';
import type { SignIn } from './signIn.ts';
import { inBackground } from '../util/inBackground.ts';
import { serverName, serverPlace } from '../session/serverName.ts';

type SignInMethod = 'browser' | 'token';

export interface AccountsContext {
  connection: Connection;
  sessions: SessionStore;
  folders: AccountFolders;
  /** Forgets what is typed in this window, because it is about to be deleted. */
  forgetPending: (session: Session) => Promise<void>;
  log: Log;
}

/** Signs people in and out, and switches between their accounts. */
export class Accounts {
  readonly #context: AccountsContext;
  readonly #connection: Connection;
  readonly #sessions: SessionStore;

  constructor(context: AccountsContext) {
    this.#context = context;
    this.#connection = context.connection;
    this.#sessions = context.sessions;
  }

  /**
   * Takes the person through signing in and makes their account the active one.
   *
   * @param known the server to sign in to; without it the person is asked.
   * @throws {CancelledError} when they give up; what the client throws.
   */
  async signIn(method: SignInMethod, known?: Server): Promise<Session> {
    const flow = await import('./signIn.ts');
    const server = known ?? (await flow.askServer(this.#connection.suggestedServer));
    const signIn = method === 'token' ? flow.signInWithToken : flow.signInInBrowser;
    return this.#connection.whileSigningIn(async () => {
      const session = await this.#save(await signIn(server, this.#context.log));
      await this.#connection.activate(session);
      return session;
    });
  }

  /**
   * Signs in with a token that is already at hand; one that is kept is not asked for again.
   *
   * @throws what the client throws when the token is not valid.
   */
  async signInWithKnownToken(server: Server, token: string): Promise<Session> {
    const kept = (await this.#sessions.list()).find(
      (session) =>
        session.serverUrl === server.serverUrl &&
        session.address === server.address &&
        session.accessToken === token,
    );
    const session = kept ?? (await this.#signInWithNewToken(server, token));
    await this.#connection.activate(session);
    return session;
  }

  async #signInWithNewToken(server: Server, token: string): Promise<Session> {
    const { checkToken } = await import('./signIn.ts');
    return this.#save(await checkToken(server, token, this.#context.log));
  }

  /** Keeps a sign-in, and says when it can be kept for this window only. */
  async #save(signedIn: SignIn): Promise<Session> {
    const session = await this.#sessions.save(signedIn);
    const reason = this.#sessions.unsavedReason(session.id);
    if (reason !== undefined) {
      const text = vscode.l10n.t(
        "You're signed in as {0}, but only in this window. Couldn't save your session on this computer ({1}).",
        session.login,
        describeStorageFailure(reason),
      );
      this.#context.log.error(text);
      inBackground(showMessage(text, { severity: 'warning' }));
    }
    return session;
  }

  /**
   * Asks the person to sign in again to an account whose token has expired or was revoked.
   *
   * @throws {CancelledError} when they do not want to.
   */
  async signInAgain(session: Session): Promise<Session> {
    const method = await showMessage<SignInMethod>(
      vscode.l10n.t('Your session on {0} has expired.', serverName(session.serverUrl)),
      {
        severity: 'warning',
        modal: true,
        detail: vscode.l10n.t('Sign in as {0} to continue.', session.login),
        actions: [
          { title: vscode.l10n.t('Sign In Again'), value: 'browser' },
          { title: vscode.l10n.t('Use an Access Token'), value: 'token' },
        ],
      },
    );
    if (!method) {
      throw new CancelledError();
    }
    return this.signIn(method, session);
  }

  /** Signs out of the active account, or of one that the person chooses when there are several. */
  async signOut(): Promise<void> {
    const sessions = await this.#sessions.list();
    const active = await this.#connection.session();
    const session =
      sessions.length > 1
        ? (
            await this.#pick(
              sortedBy(sessions, ({ id }) => id !== active?.id),
              vscode.l10n.t('Sign out of…'),
            )
          ).session
        : sessions.at(0);
    if (!session) {
      return;
    }
    const unsent = await this.#context.folders.pendingCount(session);
    const choice = await showMessage<'keep' | 'delete'>(
      vscode.l10n.t('Sign out of {0} as {1}?', serverName(session.serverUrl), session.login),
      {
        modal: true,
        detail: [
          vscode.l10n.t('Your access token will be deleted from this computer.'),
          unsent === undefined
            ? vscode.l10n.t("Couldn't check for unsent changes.")
            : unsent === 0
              ? ''
              : `${unsentCount(unsent)}.`,
          vscode.l10n.t('Downloaded data and unsent changes can stay for the next time you sign in.'),
        ]
          .filter((sentence) => sentence !== '')
          .join(' '),
        actions: [
          { title: vscode.l10n.t('Sign Out'), value: 'keep' },
          { title: vscode.l10n.t('Sign Out and Delete Local Data'), value: 'delete' },
        ],
      },
    );
    if (!choice) {
      throw new CancelledError();
    }
    if (choice === 'delete') {
      await this.#context.forgetPending(session);
    }
    await this.#sessions.remove(session.id);
    if (choice === 'delete') {
      await this.#context.folders.delete(session);
    }
    if (session.id === active?.id) {
      // Not awaited: signing out ends here, not when its message is put away.
      inBackground(this.#offerOthers(session));
    }
  }

  /** The account of a server, if there is one. */
  async at(serverUrl: string): Promise<Session | undefined> {
    return (await this.#sessions.list()).find((candidate) => candidate.serverUrl === serverUrl);
  }

  /** Makes an account of a server the active one; false when nobody is signed in there. */
  async switchTo(serverUrl: string): Promise<boolean> {
    const session = await this.at(serverUrl);
    if (session) {
      await this.#activate(session);
    }
    return session !== undefined;
  }

  /** Signs in to a server that the person has worked with, or switches to it. */
  async reach(serverUrl: string): Promise<void> {
    if (!(await this.switchTo(serverUrl))) {
      await this.signIn('browser', { serverUrl });
    }
  }

  /** Lets the person choose another account or server. */
  async switchServer(): Promise<void> {
    const active = await this.#connection.session();
    const { session } = await this.#pick(
      sortedBy(await this.#sessions.list(), ({ id }) => id === active?.id),
      vscode.l10n.t('Switch to…'),
      vscode.l10n.t('Sign in to another server or account…'),
    );
    if (session) {
      await this.#activate(session);
    } else {
      await this.signIn('browser');
    }
  }

  /** Makes an account the active one, and says so: what is on the screen is another server's from now on. */
  async #activate(session: Session): Promise<void> {
    await this.#connection.activate(session);
    inBackground(
      showMessage(vscode.l10n.t('Switched to {0} as {1}.', serverName(session.serverUrl), session.login)),
    );
  }

  /** After the active account is left: says where the person is still signed in, and offers to go on there. */
  async #offerOthers({ serverUrl }: Session): Promise<void> {
    const [other, ...more] = await this.#sessions.list();
    if (!other) {
      return;
    }
    const left = serverName(serverUrl);
    const switching = await showMessage(
      more.length === 0
        ? vscode.l10n.t(
            "Signed out of {0}. You're still signed in to {1} as {2}.",
            left,
            serverName(other.serverUrl),
            other.login,
          )
        : vscode.l10n.t("Signed out of {0}. You're still signed in to other servers.", left),
      { actions: [{ title: vscode.l10n.t('Switch Server'), value: true }] },
    );
    if (switching) {
      await (more.length === 0
        ? attempt(vscode.l10n.t('switch servers'), this.#context.log, () => this.#activate(other))
        : runCommand('switchServer'));
    }
  }

  async #pick(sessions: Session[], placeHolder: string, other?: string): Promise<{ session?: Session }> {
    const active = await this.#connection.session();
    const items: (vscode.QuickPickItem & { session?: Session })[] = sessions.map((session) => ({
      label: `$(account) ${session.login}`,
      description: serverPlace(session.serverUrl),
      ...(session.id === active?.id && { detail: vscode.l10n.t('Active in this window') }),
      session,
    }));
    if (other !== undefined) {
      items.push({ label: `$(add) ${other}` });
    }
    const chosen = await asking(() =>
      vscode.window.showQuickPick(items, { placeHolder, ignoreFocusOut: true }),
    );
    if (!chosen) {
      throw new CancelledError();
    }
    return chosen;
  }
}

/** The same, with those first for which `isLater` is false. */
function sortedBy(sessions: readonly Session[], isLater: (session: Session) => boolean): Session[] {
  return sessions.toSorted((a, b) => Number(isLater(a)) - Number(isLater(b)));
}
