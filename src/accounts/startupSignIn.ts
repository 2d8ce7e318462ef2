import * as vscode from 'vscode';
import { serverRoot } from '../api/server.ts';
import type { Accounts } from './accounts.ts';
import type { LocalTrialGate } from './localTrialGate.ts';
import type { StartupSignIn } from './signInFile.ts';

/**
 * The file of a sign-in at startup: whoever starts an editor that is to be signed in from the start, as *npm start*
 * does, puts JSON with `url` and `token` into a file that no one else can read, and its path into
 * `PATCH_STACKS_SIGN_IN_FILE`. The token itself stays out of the environment, which every terminal, task and program of the
 * window inherits.
 */
export function startupSignInFile(): string | undefined {
  const file = process.env['PATCH_STACKS_SIGN_IN_FILE'];
  delete process.env['PATCH_STACKS_SIGN_IN_FILE'];
  return file === '' ? undefined : file;
}

/**
 * Reads and deletes the file of a sign-in; undefined when another window has taken it already.
 *
 * @throws an error with the reason when the file can't be trusted.
 */
export async function readStartupSignIn(file: string): Promise<StartupSignIn | undefined> {
  // Not above: the extension's entry needs nothing of it.
  const { readOnce, SignInFileError } = await import('./signInFile.ts');
  return readOnce(file).catch((error: unknown) => {
    throw error instanceof SignInFileError
      ? new Error(
          vscode.l10n.t(
            "Couldn't use the session that was passed to this window, because its file is empty or readable by others. Sign in instead.",
          ),
          { cause: error },
        )
      : error;
  });
}

/**
 * Signs in with what was read; undefined when that is nothing.
 *
 * @throws what reading threw; what the client throws when the token is not valid.
 */
export async function signInAtStartup(
  accounts: Accounts,
  gate: LocalTrialGate,
  reading: Promise<StartupSignIn | undefined>,
): Promise<StartupSignIn | undefined> {
  const signIn = await reading;
  if (signIn) {
    const { url, token, folder, data } = signIn;
    if (folder === undefined || data === undefined) {
      await accounts.signInWithKnownToken({ serverUrl: serverRoot(url) }, token);
    } else if (!(await gate.join({ folder, data }))) {
      throw new Error(vscode.l10n.t('The local server stopped before it was ready.'));
    }
  }
  return signIn;
}

/** Milliseconds that rows wait for the sign-in at startup: they would be those of no one, and asked for again. */
const patienceMs = 2_000;

/** Waits until a sign-in has come to its end, whichever, but not for long. */
export async function waitForSignIn(signingIn: Promise<unknown> | undefined): Promise<void> {
  if (signingIn) {
    const tooLong = new Promise((resolve) => setTimeout(resolve, patienceMs));
    await Promise.race([signingIn.catch(() => undefined), tooLong]);
  }
}
