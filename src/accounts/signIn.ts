/** Taking a person through signing in: in the browser with a login token, or with an access token they already have. */
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { ApiClient } from '../api/client.ts';
import { detectCredentialScheme } from '../api/credentials.ts';
import { isApiError, type ApiErrorKind } from '../api/errors.ts';
import type { LoginToken } from '../api/resources/login.ts';
import { parseServerRoot, serverRoot } from '../api/server.ts';
import { parseTimestamp } from '../api/timestamp.ts';
import { CancelledError } from '../ui/commands.ts';
import { insecureAddress } from '../ui/failures.ts';
import type { Log } from '../ui/log.ts';
import { clientOptions } from './clientOptions.ts';
import { DisposableStore } from '../util/disposable.ts';
import type { Session } from './sessions.ts';

/** Who has signed in to which server, with a token that the service was seen to take. */
export type SignIn = Omit<Session, 'id'>;

/** Milliseconds between two polls: at first, and at most. */
const firstPollDelay = 1_000;
const longestPollDelay = 5_000;
/** Milliseconds after which a login token is given up, whatever the service says of its end. */
const longestSignIn = 20 * 60_000;
/** Why the wait for the browser ended: the person wants to type an access token. */
const tokenInstead = Symbol('token instead');
/** Failures that may pass while the person is still on their way to the browser. */
const passingKinds: ReadonlySet<ApiErrorKind> = new Set(['connection', 'timeout', 'server', 'rateLimited']);

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
  const root = parseServerRoot(value);
  if (!root) {
    return vscode.l10n.t('This is not an address that starts with https://.');
  }
  return root.origin.startsWith('http:') && !root.loopback ? insecureAddress() : undefined;
}

/**
 * Signs in through the service's own page: opens it and waits until the person has confirmed there. Nothing needs to
 * reach this machine from the browser, so it works wherever the browser runs.
 *
 * @throws {CancelledError} when the person gives up; whatever the client throws.
 */
export async function signInInBrowser(serverUrl: string, log: Log): Promise<SignIn> {
  const ended = new AbortController();
  let page: vscode.Uri | undefined;
  const commands = new DisposableStore();
  const register = (id: string, run: () => Promise<void>): string => {
    commands.add(vscode.commands.registerCommand(id, run));
    return `command:${id}`;
  };
  // Links in the notification, since a progress notification has no buttons but *Cancel*.
  const copyLink = register('patchStacks.signIn.copyLink', async () => {
    await vscode.env.clipboard.writeText(page?.toString(true) ?? '');
  });
  const switchToToken = register('patchStacks.signIn.useToken', async () => {
    ended.abort(tokenInstead);
  });
  const title = vscode.l10n.t(
    'Confirm the sign-in in your browser. [Copy Link]({0}) · [Use an Access Token Instead]({1})',
    copyLink,
    switchToToken,
  );
  let accessToken: string | undefined;
  try {
    accessToken = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (progress, cancellation) => {
        commands.add(cancellation.onCancellationRequested(() => ended.abort()));
        await using client = new ApiClient({
          ...clientOptions(serverUrl, log),
          getToken: async () => undefined,
        });
        const loginToken = await client.login.createToken({ signal: ended.signal });
        page = confirmationPage(loginToken, serverUrl);
        if (page) {
          await vscode.env.openExternal(page);
        }
        return await pollForAccessToken(client, loginToken, ended.signal, (minutesLeft) =>
          progress.report({ message: vscode.l10n.t('Minutes left: {0}', minutesLeft) }),
        );
      },
    );
  } catch (error) {
    if (!ended.signal.aborted) {
      throw error;
    }
  } finally {
    commands.dispose();
  }
  if (accessToken !== undefined) {
    return await checkToken(serverUrl, accessToken, log);
  }
  if (ended.signal.reason === tokenInstead) {
    return signInWithToken(serverUrl, log);
  }
  throw new CancelledError();
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

/** Asks until the person has confirmed. A service that cannot be reached for a while is asked again, until the end. */
async function pollForAccessToken(
  client: ApiClient,
  loginToken: LoginToken,
  signal: AbortSignal,
  tellTimeLeft: (minutes: number) => void,
): Promise<string> {
  const said = parseTimestamp(loginToken.expires)?.getTime();
  const end = Math.min(said ?? Infinity, Date.now() + longestSignIn);
  for (let delay = firstPollDelay; Date.now() < end; delay = Math.min(delay * 1.5, longestPollDelay)) {
    tellTimeLeft(Math.ceil((end - Date.now()) / 60_000));
    await wait(delay, undefined, { signal });
    try {
      const user = await client.login.userForToken(loginToken.token, { signal });
      if (user?.accessToken) {
        return user.accessToken;
      }
    } catch (error) {
      if (!isApiError(error) || !passingKinds.has(error.kind)) {
        throw error;
      }
    }
  }
  throw new Error(vscode.l10n.t('The sign-in was not confirmed in time. Sign in again.'));
}
