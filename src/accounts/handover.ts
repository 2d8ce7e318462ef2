import * as vscode from 'vscode';
import type { Accounts } from './accounts.ts';
import type { HandedIn } from './signInFile.ts';

/**
 * The file of a sign-in that is handed in: whoever starts an editor that is to be signed in from the start, as *npm start*
 * does, puts JSON with `url` and `token` into a file that nobody else can read, and its path into
 * `PATCH_STACKS_SIGN_IN_FILE`. The token itself stays out of the environment, which every terminal, task and program of the
 * window inherits.
 */
export function handedInFile(): string | undefined {
  const file = process.env['PATCH_STACKS_SIGN_IN_FILE'];
  delete process.env['PATCH_STACKS_SIGN_IN_FILE'];
  return file === '' ? undefined : file;
}

/**
 * What the file of a sign-in holds; undefined when another window has taken it already. The file is gone afterwards, whatever was in
 * it.
 *
 * @throws an error with the reason when the file is not to be relied on.
 */
export async function readHandedIn(file: string): Promise<HandedIn | undefined> {
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
 * Signs in as was handed in; false when nothing was.
 *
 * @throws what reading threw; what the client throws when the token is no good.
 */
export async function takeOverSignIn(
  accounts: Accounts,
  reading: Promise<HandedIn | undefined>,
): Promise<boolean> {
  const handedIn = await reading;
  if (handedIn) {
    await accounts.signInWithKnownToken(handedIn.url, handedIn.token);
  }
  return handedIn !== undefined;
}

/** Milliseconds that rows wait for the sign-in that is handed in: they would be those of nobody, and asked for again. */
const patience = 2_000;

/** Waits until a sign-in has come to its end, whichever, but not for long. */
export async function waitForSignIn(takingOver: Promise<unknown> | undefined): Promise<void> {
  if (takingOver) {
    const tooLong = new Promise((resolve) => setTimeout(resolve, patience));
    await Promise.race([takingOver.catch(() => undefined), tooLong]);
  }
}
