import type { Hono } from 'hono';
import { HttpError, notFound } from '../errors.ts';
import type { LoginGuesses } from '../loginGuesses.ts';
import { loginPagePath } from '../loginPage.ts';
import { originOf, pathParameter, type RequestEnvironment } from '../requests.ts';
import type { Database } from '../storage/database.ts';
import { createLogin, findLogin, spendLogin } from '../storage/tokens.ts';
import { ownUser, timestamp } from '../wire.ts';

/** The operations of the sign-in, the only ones that need no access token (contract §4, Login, and §5). */
export function addLoginRoutes(
  api: Hono<RequestEnvironment>,
  database: Database,
  guesses: LoginGuesses,
): void {
  api.post('/login/token', (context) => {
    const login = createLogin(database);
    if (!login) {
      throw new HttpError(
        429,
        'too_many_sign_ins',
        'Too many sign-ins are waiting: confirm or refuse one of them.',
      );
    }
    return context.json(
      {
        token: login.token,
        url: `${originOf(context)}${loginPagePath(login.browserToken)}`,
        expires: timestamp(login.expiresAt),
        browser_token: login.browserToken,
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
    guesses.check();
    const login = findLogin(database, token);
    if (!login) {
      guesses.miss();
      throw notFound('The login token');
    }
    const spent = spendLogin(database, token);
    if (!spent) {
      const ended = login.state === 'refused' || login.state === 'spent';
      throw new HttpError(
        ended ? 410 : 404,
        login.state === 'pending' ? 'login_pending' : `login_${login.state}`,
        {
          pending: 'The sign-in is not confirmed yet.',
          confirmed: 'The sign-in is not confirmed yet.',
          refused: 'The sign-in was refused.',
          spent: 'This login token has been used.',
        }[login.state],
      );
    }
    const view = { database, origin: originOf(context), user: spent.user };
    return context.json(ownUser(view, spent.accessToken));
  });
}
