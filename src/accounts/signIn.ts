/** Taking a person through signing in: in the browser with a login token, or with an access token they already have. */
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { ApiClient } from '../api/client.ts';
import { detectCredentialScheme } from '../api/credentials.ts';
import { isApiError, type ApiErrorKind } from '../api/errors.ts';
import type { LoginToken } from '../api/types/login.ts';
import { parseServerRoot, serverRoot } from '../api/server.ts';
import { CancelledError } from '../ui/commands.ts';
import { askText, type TextRemark } from '../ui/askText.ts';
import { insecureAddress } from '../ui/failures.ts';
import type { Log } from '../ui/log.ts';
import { showMessage } from '../ui/notifications.ts';
import { clientOptions, type Server } from '../session/clientOptions.ts';
import { loginWaitMs } from './loginWait.ts';
import { DisposableStore } from '../util/disposable.ts';
import type { Session } from '../session/sessions.ts';
import { serverName } from '../session/serverName.ts';

/** Who has signed in to which server, with a token that the service was seen to take. */
export type SignIn = Omit<Session, 'id'>;

/** Milliseconds between two polls: at first, and at most. */
const firstPollDelayMs = 1_000;
const longestPollDelayMs = 5_000;
/** Why the wait for the browser ended: the person wants to type an access token. */
const tokenInstead = Symbol('token instead');
/** Failures that may pass while the person is still on their way to the browser. */
const passingKinds: ReadonlySet<ApiErrorKind> = new Set(['connection', 'timeout', 'server', 'rateLimited']);

/**
 * Asks which server to sign in to. One that is not encrypted has to be agreed to, unless it is on this computer.
 *
 * @throws {CancelledError} when the person gives up.
 */
export function askServer(suggested: string | undefined): Promise<Server> {
  return askText<Server>({
    title: vscode.l10n.t('Sign In'),
    prompt: vscode.l10n.t('Server address'),
    placeholder: 'https://patches.example.com',
    value: suggested ?? '',
    check: checkAddress,
    accept: async (address) => {
      const serverUrl = serverRoot(address);
      if (!isInsecure(address)) {
        return { value: { serverUrl } };
      }
      return (await agreeToInsecure(serverUrl))
        ? { value: { serverUrl, allowInsecure: true } }
        : { problem: insecureAddress() };
    },
  });
}

function checkAddress(address: string): string | TextRemark | undefined {
  if (address.trim() === '') {
    return vscode.l10n.t('Enter the server address.');
  }
  if (!parseServerRoot(address)) {
    return vscode.l10n.t('Enter an address that starts with https://.');
  }
  return isInsecure(address) ? { text: insecureAddress(), severity: 'warning' } : undefined;
}

function isInsecure(address: string): boolean {
  const root = parseServerRoot(address);
  return root !== undefined && root.origin.startsWith('http:') && !root.loopback;
}

async function agreeToInsecure(serverUrl: string): Promise<boolean> {
  const agreed = await showMessage(
    vscode.l10n.t('Connect to {0} without encryption?', serverName(serverUrl)),
    {
      severity: 'warning',
      modal: true,
      detail: vscode.l10n.t(
        'Anyone on the network can read and change your data and steal your access token. Continue only for your own server on a network you trust. Your choice is remembered until you sign out.',
      ),
      actions: [{ title: vscode.l10n.t('Connect Anyway'), value: true }],
    },
  );
  return agreed === true;
}

/**
 * Signs in through the service's own page: opens it and waits until the person has confirmed there. Nothing needs to
 * reach this computer from the browser, so it works wherever the browser runs.
 *
 * @throws {CancelledError} when the person gives up; whatever the client throws.
 */
export async function signInInBrowser(server: Server, log: Log): Promise<SignIn> {
  const ended = new AbortController();
  let page: vscode.Uri | undefined;
  const commands = new DisposableStore();
  const register = (id: string, run: () => Promise<void>): string => {
    commands.add(vscode.commands.registerCommand(id, run));
    return `command:${id}`;
  };
  // Links in the notification, since a progress notification has no buttons but *Cancel*.
  const copyLink = register('patchStacks.signIn.copyLink', async () => {
    if (page) {
      // As the browser reaches it, which may be on another computer than this program.
      await vscode.env.clipboard.writeText((await vscode.env.asExternalUri(page)).toString(true));
    }
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
          ...clientOptions(server, log),
          getToken: async () => undefined,
        });
        const loginToken = await client.login.createToken({ signal: ended.signal });
        page = confirmationPage(loginToken, server.serverUrl);
        if (page) {
          await vscode.env.openExternal(page);
        }
        const name = nameOf(loginToken);
        return await pollForAccessToken(client, loginToken, ended.signal, (minutesLeft) =>
          progress.report({
            message:
              name === undefined
                ? vscode.l10n.t('Minutes left: {0}', minutesLeft)
                : vscode.l10n.t('The page says "{0}". Minutes left: {1}', name, minutesLeft),
          }),
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
    return await checkToken(server, accessToken, log);
  }
  if (ended.signal.reason === tokenInstead) {
    return signInWithToken(server, log);
  }
  throw new CancelledError();
}

/**
 * Asks for an access token and signs in with it.
 *
 * A token that is not valid is said to be so where it was typed.
 *
 * @throws {CancelledError} when the person gives up.
 */
export function signInWithToken(server: Server, log: Log): Promise<SignIn> {
  return askText<SignIn>({
    title: vscode.l10n.t('Sign In with Access Token'),
    prompt: vscode.l10n.t('Your access token for {0}', serverName(server.serverUrl)),
    password: true,
    check: (token) =>
      token.trim() === '' || /\s/.test(token.trim())
        ? vscode.l10n.t('Enter an access token without spaces.')
        : undefined,
    accept: async (token) => {
      try {
        return { value: await checkToken(server, token.trim(), log) };
      } catch (error) {
        if (isApiError(error) && (error.kind === 'unauthorized' || error.kind === 'forbidden')) {
          return { problem: vscode.l10n.t("That access token isn't valid. Check it and try again.") };
        }
        throw error;
      }
    },
  });
}

/**
 * Asks the service whose token this is, and in which scheme it takes it.
 *
 * @throws whatever the client throws when the token is not valid.
 */
export async function checkToken(server: Server, accessToken: string, log: Log): Promise<SignIn> {
  const { scheme, user } = await detectCredentialScheme(clientOptions(server, log), accessToken);
  const login = user.login ?? user.name ?? user.id;
  return {
    serverUrl: server.serverUrl,
    ...(server.address !== undefined && { address: server.address }),
    ...(server.allowInsecure && { allowInsecure: true }),
    accessToken,
    credentialScheme: scheme,
    userId: user.id,
    login,
  };
}

/** The page to confirm on, when the service named one that a browser may be sent to. */
function confirmationPage(loginToken: LoginToken, serverUrl: string): vscode.Uri | undefined {
  if (!loginToken.url || !URL.canParse(loginToken.url, serverUrl)) {
    return undefined;
  }
  const url = new URL(loginToken.url, serverUrl);
  return url.protocol === 'https:' || url.protocol === 'http:' ? vscode.Uri.parse(url.href, true) : undefined;
}

/** What the page calls the sign-in; undefined where the service says something that is no name. */
function nameOf({ name }: LoginToken): string | undefined {
  return name !== undefined && /^[0-9A-Za-z]{1,20}$/.test(name) ? name : undefined;
}

/** Asks until the person has confirmed. A service that cannot be reached for a while is asked again, until the end. */
async function pollForAccessToken(
  client: ApiClient,
  loginToken: LoginToken,
  signal: AbortSignal,
  tellTimeLeft: (minutes: number) => void,
): Promise<string> {
  // Measured here: the clock of the service, and any setting of this computer's, do not matter.
  const end = performance.now() + loginWaitMs(loginToken);
  for (
    let delayMs = firstPollDelayMs;
    performance.now() < end;
    delayMs = Math.min(delayMs * 1.5, longestPollDelayMs)
  ) {
    tellTimeLeft(Math.ceil((end - performance.now()) / 60_000));
    await wait(delayMs, undefined, { signal });
    try {
      const user = await client.login.userForToken(loginToken.token, { signal });
      if (user?.accessToken) {
        return user.accessToken;
      }
    } catch (error) {
      if (isApiError(error) && error.status === 410) {
        throw new Error(vscode.l10n.t('Sign-in was denied. Try again.'), {
          cause: error,
        });
      }
      if (!isApiError(error) || !passingKinds.has(error.kind)) {
        throw error;
      }
    }
  }
  throw new Error(vscode.l10n.t('Sign-in timed out. Try again.'));
}
