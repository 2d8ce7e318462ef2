/** Taking a person through signing in: in the browser with a login token, or with an access token they already have. */
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { ApiClient } from '../api/client.ts';
import { detectCredentialScheme } from '../api/credentials.ts';
import type { LoginToken } from '../api/resources/login.ts';
import { serverRoot } from '../api/server.ts';
import { parseTimestamp } from '../api/timestamp.ts';
import { CancelledError } from '../ui/commands.ts';
import type { Log } from '../ui/log.ts';
import { showMessage } from '../ui/notifications.ts';
import { clientOptions } from './clientOptions.ts';
import type { Session } from './sessions.ts';

/** Who has signed in to which server, with a token that the service was seen to take. */
export type SignIn = Omit<Session, 'id'>;

/** Milliseconds between two polls: at first, and at most. */
const firstPollDelay = 1_000;
const longestPollDelay = 5_000;
/** Milliseconds after which a login token is given up, whatever the service says of its end. */
const longestSignIn = 20 * 60_000;

/**
 * Asks which server to sign in to.
 *
 * @throws {CancelledError} when the person gives up.
 */
export async function askServer(suggested: string | undefined): Promise<string> {
  const answer = await vscode.window.showInputBox({
    title: vscode.l10n.t('Sign In'),
    prompt: vscode.l10n.t('The address of the service'),
    placeHolder: 'https://patches.example.com',
    value: suggested ?? '',
    ignoreFocusOut: true,
    validateInput: (value) => serverProblem(value),
  });
  if (answer === undefined) {
    throw new CancelledError();
  }
  return serverRoot(answer);
}

function serverProblem(value: string): string | undefined {
  if (value.trim() === '') {
    return vscode.l10n.t('Type the address of the service.');
  }
  try {
    serverRoot(value);
    return undefined;
  } catch {
    return vscode.l10n.t('This is not an address that starts with https://.');
  }
}

/**
 * Signs in through the service's own page: opens it and waits until the person has confirmed there. Nothing needs to
 * reach this machine from the browser, so it works wherever the browser runs.
 *
 * @throws {CancelledError} when the person gives up; whatever the client throws.
 */
export async function signInInBrowser(serverUrl: string, log: Log): Promise<SignIn> {
  const outcome = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Signing in: confirm in the browser'),
      cancellable: true,
    },
    async (_progress, cancellation) => {
      const end = new AbortController();
      cancellation.onCancellationRequested(() => end.abort());
      const client = new ApiClient({ ...clientOptions(serverUrl, log), getToken: async () => undefined });
      try {
        const loginToken = await client.login.createToken({ signal: end.signal });
        const page = confirmationPage(loginToken, serverUrl);
        if (page) {
          await vscode.env.openExternal(page);
        }
        const chosen = offerOtherWays(page);
        const polled = pollForUser(client, loginToken, end.signal);
        return await Promise.race([polled, chosen]);
      } finally {
        end.abort();
        await client.close();
      }
    },
  );
  return outcome === 'token' ? signInWithToken(serverUrl, log) : checkToken(serverUrl, outcome, log);
}

/**
 * Asks for an access token and signs in with it.
 *
 * @throws {CancelledError} when the person gives up; whatever the client throws when the token is no good.
 */
export async function signInWithToken(serverUrl: string, log: Log): Promise<SignIn> {
  const token = await vscode.window.showInputBox({
    title: vscode.l10n.t('Sign In with Access Token'),
    prompt: vscode.l10n.t('Your access token for {0}', new URL(serverUrl).host),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === '' || /\s/.test(value.trim())
        ? vscode.l10n.t('Type the access token: one word, without spaces.')
        : undefined,
  });
  if (token === undefined) {
    throw new CancelledError();
  }
  return checkToken(serverUrl, token.trim(), log);
}

/**
 * Asks the service whose token this is, and in which scheme it takes it.
 *
 * @throws whatever the client throws when the token is no good.
 */
export async function checkToken(serverUrl: string, accessToken: string, log: Log): Promise<SignIn> {
  const { scheme, user } = await detectCredentialScheme(clientOptions(serverUrl, log), accessToken);
  const login = user.login ?? user.name ?? user.id;
  return { serverUrl, accessToken, credentialScheme: scheme, userId: user.id, login };
}

/** The page to confirm on, when the service named one that a browser may be sent to. */
function confirmationPage(loginToken: LoginToken, serverUrl: string): vscode.Uri | undefined {
  if (!loginToken.url || !URL.canParse(loginToken.url, serverUrl)) {
    return undefined;
  }
  const url = new URL(loginToken.url, serverUrl);
  return url.protocol === 'https:' || url.protocol === 'http:' ? vscode.Uri.parse(url.href, true) : undefined;
}

/** Offers what the progress notification cannot: copying the link, and the other way of signing in. */
async function offerOtherWays(page: vscode.Uri | undefined): Promise<'token'> {
  const token = { title: vscode.l10n.t('Use an Access Token Instead'), value: 'token' as const };
  const copy = { title: vscode.l10n.t('Copy Link'), value: 'copy' as const };
  const chosen = await showMessage(
    page
      ? vscode.l10n.t('If the browser did not open, copy the link and open it in any browser.')
      : vscode.l10n.t('The service named no page to confirm the sign-in on.'),
    { actions: page ? [copy, token] : [token] },
  );
  if (chosen === 'copy' && page) {
    await vscode.env.clipboard.writeText(page.toString(true));
  }
  if (chosen === 'token') {
    return 'token';
  }
  // The message was put away: the poll alone decides now.
  return new Promise<never>(() => undefined);
}

async function pollForUser(client: ApiClient, loginToken: LoginToken, signal: AbortSignal): Promise<string> {
  const said = loginToken.expires ? parseTimestamp(loginToken.expires)?.getTime() : undefined;
  const end = Math.min(said ?? Infinity, Date.now() + longestSignIn);
  for (let delay = firstPollDelay; Date.now() < end; delay = Math.min(delay * 1.5, longestPollDelay)) {
    try {
      await wait(delay, undefined, { signal });
    } catch {
      throw new CancelledError();
    }
    const user = await client.login.userForToken(loginToken.token, { signal });
    if (user?.accessToken) {
      return user.accessToken;
    }
  }
  throw new Error(vscode.l10n.t('The sign-in was not confirmed in time. Sign in again.'));
}
