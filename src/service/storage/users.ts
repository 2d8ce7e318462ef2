import { withoutEnd } from '../../util/budget.ts';
import type { Database } from './database.ts';

/** A user as it is stored. Times are milliseconds since the epoch. */
export interface UserRow {
  id: number;
  login: string;
  name: string;
  email: string;
  given_name: string | null;
  family_name: string | null;
  locale: string;
  supporter: number;
  role: 'user' | 'admin';
  avatar_sha: string | null;
  created_at: number;
  updated_at: number;
}

export interface NewUser {
  /** Left out, it is made from the address or the name. */
  login?: string;
  name: string;
  email: string;
  role?: 'user' | 'admin';
}

/** The fields of its own that a user can change; what is left out stays. */
interface ProfileChange {
  name?: string | undefined;
  locale?: string | undefined;
  given_name?: string | undefined;
  family_name?: string | undefined;
  avatar_sha?: string | undefined;
}

/** An organization as it is stored. */
interface OrganizationRow {
  slug: string;
  name: string;
  description: string | null;
  created_at: number;
}

/** The user with this id. */
export function findUser(database: Database, id: number): UserRow | undefined {
  return database.query<UserRow>('SELECT * FROM users WHERE id = ?').get(id);
}

/** The user with this login, in any case. */
export function findUserByLogin(database: Database, login: string): UserRow | undefined {
  return database.query<UserRow>('SELECT * FROM users WHERE login = ?').get(login);
}

/** The user with this address, in any case. */
export function findUserByEmail(database: Database, email: string): UserRow | undefined {
  return database
    .query<UserRow>(`SELECT * FROM users WHERE email = ? COLLATE NOCASE AND email <> ''`)
    .get(email);
}

/** Creates a user; a login that is taken gets a number. */
export function createUser(database: Database, user: NewUser): UserRow {
  return database.transaction(() => {
    const wanted = loginFrom(user);
    let login = wanted;
    for (let number = 2; findUserByLogin(database, login); number++) {
      login = `${wanted}-${number}`;
    }
    const now = database.now();
    const { id } = database.run(
      'INSERT INTO users (login, name, email, role, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
      login,
      user.name,
      user.email,
      user.role ?? 'user',
      now,
      now,
    );
    const created = findUser(database, id);
    if (!created) {
      throw new Error('The user that was just created is gone.');
    }
    return created;
  });
}

/** Someone named in a commit: the user with that address, created on first sight; undefined without an address. */
export function userForEmail(database: Database, name: string, email: string): UserRow | undefined {
  if (email === '') {
    return undefined;
  }
  return findUserByEmail(database, email) ?? createUser(database, { name: name || email, email });
}

/** Gives a user who had no address one of their own, with all that somebody of this address has done before. */
export function adoptEmail(
  database: Database,
  { id }: UserRow,
  { name, email }: { name: string; email: string },
): UserRow | undefined {
  return database.transaction(() => {
    const before = findUserByEmail(database, email);
    if (before) {
      database.run('UPDATE patch_contributors SET user_id = ? WHERE user_id = ?', id, before.id);
      database.run('UPDATE OR IGNORE patch_marks SET user_id = ? WHERE user_id = ?', id, before.id);
      database.run('DELETE FROM users WHERE id = ?', before.id);
    }
    database.run('UPDATE users SET name = ?, email = ? WHERE id = ?', name, email, id);
    return findUser(database, id);
  });
}

/** The login in a GitHub no-reply address, else the part before the @, in the characters a login may have. */
function loginFrom({ login, name, email }: NewUser): string {
  if (login !== undefined) {
    return login;
  }
  const noReply = /^(?:\d+\+)?([^@]+)@users\.noreply\.github\.com$/i.exec(email)?.[1];
  const text = noReply ?? (email === '' ? name : (email.split('@', 1)[0] ?? ''));
  const words = text.toLowerCase().replaceAll(/[^\p{L}\p{N}._-]+/gu, '-');
  return withoutEnd(words.replace(/^[-.]+/, ''), '-.') || 'user';
}

/** Changes a user's own profile. */
export function updateUser(database: Database, id: number, change: ProfileChange): UserRow {
  database.run(
    `UPDATE users SET name = coalesce(?, name), locale = coalesce(?, locale), given_name = coalesce(?, given_name),
       family_name = coalesce(?, family_name), avatar_sha = coalesce(?, avatar_sha), updated_at = ? WHERE id = ?`,
    change.name ?? null,
    change.locale ?? null,
    change.given_name ?? null,
    change.family_name ?? null,
    change.avatar_sha ?? null,
    database.now(),
    id,
  );
  const user = findUser(database, id);
  if (!user) {
    throw new Error(`Couldn't find user ${id}.`);
  }
  return user;
}

/** An image of a user. */
export interface AvatarRow {
  /** SHA-256 of the bytes, in hex. */
  sha: string;
  media_type: string;
  bytes: Uint8Array;
}

/** Stores an image; the same bytes are stored once. */
export function storeAvatar(database: Database, avatar: AvatarRow): void {
  database.run(
    'INSERT INTO avatars (sha, media_type, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    avatar.sha,
    avatar.media_type,
    avatar.bytes,
  );
}

/** Reads an image back. */
export function findAvatar(database: Database, sha: string): AvatarRow | undefined {
  return database.query<AvatarRow>('SELECT * FROM avatars WHERE sha = ?').get(sha);
}

/** The organizations a user belongs to, by slug. */
export function organizationsOf(database: Database, userId: number): OrganizationRow[] {
  return database
    .query<OrganizationRow>(
      `SELECT organizations.* FROM organizations
       JOIN organization_members ON organization_slug = slug WHERE user_id = ? ORDER BY slug`,
    )
    .all(userId);
}

/** Creates an organization where there is none with that slug, and makes the users its members. */
export function ensureOrganization(
  database: Database,
  organization: { slug: string; name: string; description?: string },
  memberIds: readonly number[],
): void {
  database.transaction(() => {
    database.run(
      'INSERT INTO organizations (slug, name, description, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      organization.slug,
      organization.name,
      organization.description ?? null,
      database.now(),
    );
    for (const id of memberIds) {
      database.run(
        'INSERT INTO organization_members (organization_slug, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
        organization.slug,
        id,
      );
    }
  });
}

/** An SSH key as it is stored. */
export interface SshKeyRow {
  id: number;
  user_id: number;
  name: string;
  /** `SHA256:` and the digest in Base64 without padding, as ssh-keygen shows it. */
  fingerprint: string;
  public_key: string;
  created_at: number;
}

/** A user's SSH keys, oldest first. */
export function sshKeysOf(database: Database, userId: number): SshKeyRow[] {
  return database.query<SshKeyRow>('SELECT * FROM ssh_keys WHERE user_id = ? ORDER BY id').all(userId);
}

/** A user's key with this fingerprint. */
export function findSshKey(database: Database, userId: number, fingerprint: string): SshKeyRow | undefined {
  return database
    .query<SshKeyRow>('SELECT * FROM ssh_keys WHERE user_id = ? AND fingerprint = ?')
    .get(userId, fingerprint);
}

/** Registers a key. */
export function addSshKey(
  database: Database,
  key: { userId: number; name: string; fingerprint: string; publicKey: string },
): SshKeyRow {
  database.run(
    'INSERT INTO ssh_keys (user_id, name, fingerprint, public_key, created_at) VALUES (?, ?, ?, ?, ?)',
    key.userId,
    key.name,
    key.fingerprint,
    key.publicKey,
    database.now(),
  );
  const row = findSshKey(database, key.userId, key.fingerprint);
  if (!row) {
    throw new Error('The key that was just added is gone.');
  }
  return row;
}

/** Removes a user's key; false when the user has none with this fingerprint. */
export function deleteSshKey(database: Database, userId: number, fingerprint: string): boolean {
  return (
    database.run('DELETE FROM ssh_keys WHERE user_id = ? AND fingerprint = ?', userId, fingerprint).changes >
    0
  );
}
