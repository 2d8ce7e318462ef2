/**
 * Access tokens and login tokens. Of every secret only its SHA-256 is stored: a copy of the database signs nobody in.
 */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Database } from './database.ts';
import { findUser, type UserRow } from './users.ts';

/** How long a person has to confirm a sign-in, in milliseconds. */
export const LOGIN_LIFETIME = 20 * 60 * 1000;

/** How many sign-ins may wait at once: asking for a login token needs no credential. */
export const MAX_PENDING_LOGINS = 100;

/** Where a sign-in stands. */
export interface LoginRow {
  token: number;
  state: 'pending' | 'confirmed' | 'refused' | 'spent';
  user_id: number | null;
  expires_at: number;
}

/** An unguessable secret, in URL-safe characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Lets a user in with this token from now on. */
export function storeAccessToken(database: Database, userId: number, token: string): void {
  database.run(
    'INSERT INTO access_tokens (hash, user_id, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    hash(token),
    userId,
    database.now(),
  );
}

/** The user an access token belongs to; undefined when it is unknown or revoked. Takes the same time either way. */
export function userForAccessToken(database: Database, token: string): UserRow | undefined {
  const presented = hash(token);
  const row = database
    .query<{ hash: Uint8Array; user_id: number }>('SELECT hash, user_id FROM access_tokens WHERE hash = ?')
    .get(presented);
  const expected = row?.hash ?? Buffer.alloc(presented.length);
  return timingSafeEqual(presented, expected) && row ? findUser(database, row.user_id) : undefined;
}

/** Takes an access token back; false when it was not good any more. */
export function revokeAccessToken(database: Database, token: string): boolean {
  return database.run('DELETE FROM access_tokens WHERE hash = ?', hash(token)).changes > 0;
}

/** A sign-in that was just begun. */
export interface NewLogin {
  token: number;
  /** What the page on the service is opened with. */
  browserToken: string;
  expiresAt: number;
}

/**
 * Begins a sign-in, and forgets those that expired.
 *
 * @returns undefined when too many are waiting.
 */
export function createLogin(database: Database): NewLogin | undefined {
  return database.transaction(() => {
    const now = database.now();
    database.run('DELETE FROM login_tokens WHERE expires_at <= ?', now);
    const waiting = database
      .query<{ number: number }>(`SELECT count(*) AS number FROM login_tokens WHERE state = 'pending'`)
      .get();
    if ((waiting?.number ?? 0) >= MAX_PENDING_LOGINS) return undefined;
    const browserToken = newSecret();
    const expiresAt = now + LOGIN_LIFETIME;
    let token = randomInt(1, 2 ** 31);
    while (findLogin(database, token)) token = randomInt(1, 2 ** 31);
    database.run(
      `INSERT INTO login_tokens (token, browser_hash, state, expires_at) VALUES (?, ?, 'pending', ?)`,
      token,
      hash(browserToken),
      expiresAt,
    );
    return { token, browserToken, expiresAt };
  });
}

/** The sign-in a client polls for; undefined when unknown or expired. */
export function findLogin(database: Database, token: number): LoginRow | undefined {
  return database
    .query<LoginRow>('SELECT * FROM login_tokens WHERE token = ? AND expires_at > ?')
    .get(token, database.now());
}

/** The sign-in a page was opened for; undefined when unknown or expired. */
export function findLoginByBrowserToken(database: Database, browserToken: string): LoginRow | undefined {
  return database
    .query<LoginRow>('SELECT * FROM login_tokens WHERE browser_hash = ? AND expires_at > ?')
    .get(hash(browserToken), database.now());
}

/** What the person decided about a pending sign-in; false when it was not pending any more. */
export function decideLogin(database: Database, token: number, userId: number | undefined): boolean {
  const result = database.run(
    `UPDATE login_tokens SET state = ?, user_id = ? WHERE token = ? AND state = 'pending'`,
    userId === undefined ? 'refused' : 'confirmed',
    userId ?? null,
    token,
  );
  return result.changes > 0;
}

/** Spends a confirmed sign-in: gives its user and a new access token, exactly once. */
export function spendLogin(
  database: Database,
  token: number,
): { user: UserRow; accessToken: string } | undefined {
  return database.transaction(() => {
    const login = findLogin(database, token);
    if (login?.state !== 'confirmed' || login.user_id === null) return undefined;
    const user = findUser(database, login.user_id);
    if (!user) return undefined;
    database.run(`UPDATE login_tokens SET state = 'spent' WHERE token = ?`, token);
    const accessToken = newSecret();
    storeAccessToken(database, user.id, accessToken);
    return { user, accessToken };
  });
}
