import { createHash } from 'node:crypto';
import type { Organization, OwnUser, SshKey, User } from '../types/users.ts';
import { projectWithPermissions } from './projects.ts';
import { at, flag, identifier, items, list, object, record, text, type Reader } from './values.ts';
import { withoutEnd } from '../../util/budget.ts';

const organization = record<Organization>(
  {
    slug: at('slug', identifier),
    name: at('name', text),
    description: at('description', text),
    createdAt: at('created_at', text),
  },
  ['slug'],
);

const userFields = {
  id: at('id', identifier),
  login: at('login', text),
  name: at('name', text),
  email: at('email', text),
  avatarUrl: at('avatar_url', text),
  givenName: at('given_name', text),
  familyName: at('family_name', text),
  picture: at('picture', text),
  locale: at('locale', text),
  supporter: at('supporter', flag),
  organizations: at('organizations', items(organization)),
  createdAt: at('created_at', text),
  updatedAt: at('updated_at', text),
};

const userWithId = record<User>(userFields, ['id']);
const ownUserWithId = record<Omit<OwnUser, 'accessToken'>>(
  { ...userFields, role: at('role', text), projects: at('projects', items(projectWithPermissions)) },
  ['id'],
);

/** A user as anybody sees them. */
export const user: Reader<User> = (value, report) => userWithId(withId(value), report);

/** The caller's own user, with the access token as a hidden property. */
export const ownUser: Reader<OwnUser> = (value, report) => {
  const result: OwnUser | undefined = ownUserWithId(withId(value), report);
  const token = identifier(object(value)?.['access_token'], report);
  if (result !== undefined && token !== undefined) {
    // Not enumerable: a user that is logged, copied or sent to a webview must not take the credential along.
    Object.defineProperty(result, 'accessToken', { value: token });
  }
  return result;
};

/** The login stands in for an id that the service left out. */
function withId(value: unknown): unknown {
  const source = object(value);
  const id = source?.['id'];
  return source === undefined || (id !== undefined && id !== null && id !== '')
    ? value
    : { ...source, id: source['login'] };
}

const keyRecord = record<SshKey>(
  {
    fingerprint: at('fingerprint', identifier),
    id: at('id', identifier),
    name: at('name', text),
    publicKey: at('public_key', text),
    createdAt: at('created_at', text),
  },
  ['fingerprint'],
);

/** A key as a record, or as a bare public-key line, whose fingerprint is computed here. */
export const sshKey: Reader<SshKey> = (value, report) => {
  if (typeof value === 'string') {
    return keyFromLine(value);
  }
  const source = object(value);
  if (source === undefined) {
    return undefined;
  }
  const line = typeof source['public_key'] === 'string' ? source['public_key'] : source['key'];
  const computed = typeof line === 'string' ? keyFromLine(line)?.fingerprint : undefined;
  return keyRecord(
    { ...source, public_key: line, fingerprint: identifier(source['fingerprint'], report) ?? computed },
    report,
  );
};

/** Keys as a list of records or lines, or as one text with a key per line. */
export const sshKeys: Reader<{ items: SshKey[]; dropped: number }> = (value, report) => {
  const lines = typeof value === 'string' ? value.split(/\r?\n/).filter((line) => line.trim() !== '') : value;
  return list(lines, sshKey, report);
};

/** Reads `ssh-ed25519 AAAA… comment`; the fingerprint is spelled as `ssh-keygen -l` does. */
function keyFromLine(line: string): SshKey | undefined {
  const [type = '', blob = '', ...comment] = line.trim().split(/\s+/);
  const bytes = Buffer.from(blob, 'base64');
  // The key's bytes begin with the length and the text of its type.
  if (type === '' || bytes.length < 4 + type.length) {
    return undefined;
  }
  if (bytes.readUInt32BE(0) !== type.length || bytes.toString('latin1', 4, 4 + type.length) !== type) {
    return undefined;
  }
  const digest = withoutEnd(createHash('sha256').update(bytes).digest('base64'), '=');
  const key: SshKey = { fingerprint: `SHA256:${digest}`, publicKey: line.trim() };
  if (comment.length > 0) {
    key.name = comment.join(' ');
  }
  return key;
}
