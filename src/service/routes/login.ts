import type { Hono } from 'hono/tiny';
import { HttpError } from '../errors.ts';
import { loginPagePath } from '../loginPage.ts';
import type { Logins } from '../logins.ts';
import { originOf, pathParameter, type RequestEnvironment } from '../requests.ts';
import type { Database } from '../storage/database.ts';
import { newSecret, storeAccessToken } from '../storage/tokens.ts';
import { findUser } from '../storage/users.ts';
import { ownUser, timestamp } from '../wire.ts';

/** The operations of the sign-in, the only ones that need no access token (contract §4, Login, and §5). */
export function addLoginRoutes(api: Hono<RequestEnvironment>, database: Database, logins: Logins): void {
  api.post('/login/token', (context) => {
    const { token, name, browserToken, expiresAt } = logins.begin();
    return context.json(
      {
        token,
        url: `${originOf(context)}${loginPagePath(browserToken)}`,
        expires: timestamp(expiresAt),
        browser_token: browserToken,
        name,
      },
      201,
    );
  });

  // 404 until the person has confirmed; then the user with a new access token, once; 410 when it will never come.
  api.get('/login/user/:token', (context) => {
    const text = pathParameter(context, 'token');
    const token = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(token >= 1 && token < 2 ** 31)) {
      throw new HttpError(422, 'invalid', 'token: must be a positive int32', [
        { field: 'token', message: 'must be a positive int32' },
      ]);
    }
    const user = findUser(database, logins.spend(token));
    if (!user) {
      throw new Error('The user that this service runs for no longer exists.');
    }
    const accessToken = newSecret();
    storeAccessToken(database, user.id, accessToken);
    return context.json(ownUser({ database, origin: originOf(context), user }, accessToken));
  });
}
