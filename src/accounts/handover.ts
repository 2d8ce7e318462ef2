import type { Accounts } from './accounts.ts';

/**
 * A sign-in that the environment hands in: whoever starts an editor that is to be signed in from the start, as *npm start*
 * does, sets `PATCH_STACKS_SIGN_IN` to JSON with `url` and `token`. It is taken out of the environment, so that no other
 * process inherits the token.
 */
export function handedInSignIn(): string | undefined {
  const handedIn = process.env['PATCH_STACKS_SIGN_IN'];
  delete process.env['PATCH_STACKS_SIGN_IN'];
  return handedIn === '' ? undefined : handedIn;
}

/**
 * Signs in as was handed in.
 *
 * @throws what the client throws when the token is no good.
 */
export async function takeOverSignIn(accounts: Accounts, handedIn: string): Promise<void> {
  const { url, token } = JSON.parse(handedIn) as { url: string; token: string };
  await accounts.signInWithKnownToken(url, token);
}

/** Milliseconds that rows wait for the sign-in that is handed in: they would be those of nobody, and asked for again. */
const patience = 2_000;

/** Waits until a sign-in has come to its end, whichever, but not for long. */
export async function waitForSignIn(takingOver: Promise<void> | undefined): Promise<void> {
  if (takingOver) {
    const tooLong = new Promise((resolve) => setTimeout(resolve, patience));
    await Promise.race([takingOver.catch(() => undefined), tooLong]);
  }
}
