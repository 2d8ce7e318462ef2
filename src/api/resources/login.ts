import { loginToken } from '../decode/login.ts';
import { ownUser } from '../decode/users.ts';
import type { Reader } from '../decode/values.ts';
import { path } from '../path.ts';
import type { Call, CallOptions } from '../call.ts';
import type { Requester } from '../request.ts';
import { parseTimestamp } from '../timestamp.ts';
import type { LoginToken } from '../types/login.ts';
import type { OwnUser } from '../types/users.ts';

/** Signing in through the browser (contract §4 Login, §5). */
export class Login {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** `POST /login/token`: makes an expiring token. */
  async createToken(options?: CallOptions): Promise<LoginToken> {
    const call: Call = {
      operation: 'login.createToken',
      method: 'POST',
      repeat: 'once',
      path: () => path`/login/token`,
      plainText: true,
    };
    const { value, answeredAt } = await this.#requester.readDated(call, loginToken, options);
    const expires = parseTimestamp(value.expires);
    return expires && answeredAt ? { ...value, lifetimeMs: expires.getTime() - answeredAt.getTime() } : value;
  }

  /**
   * `GET /login/user/{token}`: the user who confirmed the token, with their access token. Undefined when nobody has
   * yet, which services say in many ways: 202, 204, 401, 403, 404, or an empty body.
   */
  async userForToken(token: string, options?: CallOptions): Promise<OwnUser | undefined> {
    const call: Call = {
      operation: 'login.userForToken',
      method: 'GET',
      repeat: 'read',
      path: () => path`/login/user/${{ token }}`,
      secrets: [token],
      notYet: [202, 204, 401, 403, 404],
    };
    const found = await this.#requester.read(call, notYetOr(ownUser), options);
    return found === 'not yet' ? undefined : found;
  }
}

function notYetOr(read: Reader<OwnUser>): Reader<OwnUser | 'not yet'> {
  return (value, report) =>
    value === undefined || value === null || value === '' ? 'not yet' : read(value, report);
}
