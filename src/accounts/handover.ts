import type { Connection } from './connection.ts';
import type { SessionStore } from './sessions.ts';
import type { Log } from '../ui/log.ts';

/**
 * Takes over a sign-in that the environment hands in: whoever starts an editor that is to be signed in from the start, as
 * *npm start* does, sets `PATCH_STACKS_SIGN_IN` to JSON with `url` and `token`. It is taken out of the environment, so
 * that no other process inherits the token.
 *
 * @returns whether there was one.
 */
export async function takeOverSignIn(
  connection: Connection,
  sessions: SessionStore,
  log: Log,
): Promise<boolean> {
  const handedIn = process.env['PATCH_STACKS_SIGN_IN'];
  delete process.env['PATCH_STACKS_SIGN_IN'];
  if (!handedIn) {
    return false;
  }
  const { url, token } = JSON.parse(handedIn) as { url: string; token: string };
  const [{ serverRoot }, { checkToken }] = await Promise.all([
    import('../api/server.ts'),
    import('./signIn.ts'),
  ]);
  const serverUrl = serverRoot(url);
  await sessions.save(await checkToken(serverUrl, token, log));
  await connection.setActiveServer(serverUrl);
  return true;
}
