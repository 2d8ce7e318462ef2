/**
 * Access tokens. Of each only its SHA-256 is stored: a copy of the database signs no one in.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from './database.ts';
import { findUser, type UserRow } from './users.ts';

/** Milliseconds that an access token lasts when no one uses it. */
export const accessTokenLifetimeMs = 30 * 24 * 60 * 60 * 1000;

/** Milliseconds between two notes of a token's use, at least: a write for each request would be slow. */
const useIntervalMs = 24 * 60 * 60 * 1000;

/** An unguessable secret, in URL-safe characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether two secrets are the same; takes the same time either way. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hash(one), hash(other));
}

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Lets a user in with this token from now on, until no one has used it for `ACCESS_TOKEN_LIFETIME`. */
export function storeAccessToken(database: Database, userId: number, token: string): void {
  const now = database.now();
  database.transaction(() => {
    database.run('DELETE FROM access_tokens WHERE expires_at <= ?', now);
    database.run(
      `INSERT INTO access_tokens (hash, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at`,
      hash(token),
      userId,
      now,
      now + accessTokenLifetimeMs,
    );
  });
}

/**
 * The user an access token belongs to, which has been used then; undefined when it is unknown, revoked or expired. Takes the
 * same time either way.
 */
export function userForAccessToken(database: Database, token: string): UserRow | undefined {
  const presented = hash(token);
  const now = database.now();
  const row = database
    .query<{ hash: Uint8Array; user_id: number; expires_at: number }>(
      'SELECT hash, user_id, expires_at FROM access_tokens WHERE hash = ? AND expires_at > ?',
    )
    .get(presented, now);
  const expected = row?.hash ?? Buffer.alloc(presented.length);
  if (!timingSafeEqual(presented, expected) || !row) {
    return undefined;
  }
  if (row.expires_at < now + accessTokenLifetimeMs - useIntervalMs) {
    database.run(
      'UPDATE access_tokens SET expires_at = ? WHERE hash = ?',
      now + accessTokenLifetimeMs,
      presented,
    );
  }
  return findUser(database, row.user_id);
}

/** Takes an access token back; false when it was not good any more. */
export function revokeAccessToken(database: Database, token: string): boolean {
  return database.run('DELETE FROM access_tokens WHERE hash = ?', hash(token)).changes > 0;
}
