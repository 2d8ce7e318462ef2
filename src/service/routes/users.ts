import type { Hono } from 'hono/tiny';
import * as v from 'valibot';
import { readImage } from '../avatars.ts';
import { HttpError, invalid, notFound } from '../errors.ts';
import {
  filledLine,
  freeText,
  line,
  mediaType,
  pathParameter,
  readJson,
  readQuery,
  validate,
  viewOf,
  type RequestContext,
  type RequestEnvironment,
} from '../requests.ts';
import { parseSshPublicKey } from '../sshKeys.ts';
import type { Database } from '../storage/database.ts';
import {
  addSshKey,
  deleteSshKey,
  findSshKey,
  findUserByLogin,
  sshKeysOf,
  storeAvatar,
  updateUser,
  type UserRow,
} from '../storage/users.ts';
import { readMultipart } from '../uploads/multipart.ts';
import { ownUser, publicUser, sshKeyRecord } from '../wire.ts';

/** The largest image, in bytes. */
const largestAvatar = 5 * 1024 * 1024;

const profileSchema = v.object({
  name: v.optional(filledLine(200)),
  avatar: v.optional(v.string('must be an image in Base64')),
  locale: v.optional(v.picklist(['en', 'de'], 'must be en or de')),
  given_name: v.optional(line(200)),
  family_name: v.optional(line(200)),
});

const newKeySchema = v.object({
  name: filledLine(200),
  // A .pub file ends with its line.
  public_key: v.pipe(freeText(20_000), v.trim(), filledLine(20_000)),
});

const deletedKeySchema = v.object({ fingerprint: filledLine(200) });

/** The operations on users and SSH keys (contract §4, Users). */
export function addUserRoutes(api: Hono<RequestEnvironment>, database: Database): void {
  api.get('/user', (context) => context.json(ownUser(viewOf(database, context), context.get('accessToken'))));

  api.put('/user', async (context) => {
    const { avatar, profile } = await readProfile(context);
    const user = database.transaction(() => {
      if (avatar) {
        storeAvatar(database, avatar);
      }
      return updateUser(database, context.get('user').id, {
        ...profile,
        avatar_sha: avatar?.sha,
      });
    });
    return context.json(ownUser({ ...viewOf(database, context), user }, context.get('accessToken')));
  });

  api.post('/user/keys', async (context) => {
    const { name, public_key } = await readJson(context, newKeySchema);
    const { publicKey, fingerprint } = parseSshPublicKey(public_key);
    // Of other users' keys nothing is told.
    const existing = findSshKey(database, context.get('user').id, fingerprint);
    if (existing) {
      throw new HttpError(409, 'duplicate_key', `You've already added this key as "${existing.name}".`);
    }
    const key = addSshKey(database, { userId: context.get('user').id, name, fingerprint, publicKey });
    return context.json(sshKeyRecord(key), 201);
  });

  api.delete('/user/keys', (context) => {
    const { fingerprint } = readQuery(context, deletedKeySchema);
    // An unencoded + of the Base64 arrives as a blank.
    if (!deleteSshKey(database, context.get('user').id, fingerprint.replaceAll(' ', '+'))) {
      throw notFound(`key ${fingerprint}`);
    }
    return context.body(null, 204);
  });

  api.get('/user/:login', (context) =>
    context.json(publicUser(viewOf(database, context), requestedUser(database, context))),
  );

  api.get('/user/:login/keys', (context) =>
    context.json(sshKeysOf(database, requestedUser(database, context).id).map(sshKeyRecord)),
  );
}

function requestedUser(database: Database, context: RequestContext): UserRow {
  const login = pathParameter(context, 'login');
  const user = findUserByLogin(database, login);
  if (!user) {
    throw notFound(`user ${login}`);
  }
  return user;
}

/** The profile of the body, JSON with a Base64 image or multipart with a file. */
async function readProfile(context: RequestContext) {
  if (mediaType(context) === 'multipart/form-data') {
    const images: Uint8Array[] = [];
    const fields = await readMultipart(context, largestAvatar + 64 * 1024, (name) => {
      if (name !== 'avatar') {
        throw invalid(name, "can't be a file");
      }
      return { write: (chunk) => images.push(chunk), end: () => undefined };
    });
    const { avatar, ...profile } = validate(profileSchema, fields);
    const image = images.length > 0 ? Buffer.concat(images) : decodeImage(avatar);
    return { profile, avatar: image && readImage(image, largestAvatar) };
  }
  const { avatar, ...profile } = await readJson(context, profileSchema, largestAvatar * 2);
  const image = decodeImage(avatar);
  return { profile, avatar: image && readImage(image, largestAvatar) };
}

/** The bytes of an image in Base64, bare or as a data URL. */
function decodeImage(text: string | undefined): Buffer | undefined {
  if (text === undefined) {
    return undefined;
  }
  const base64 = text.replace(/^data:[^,]*;base64,/, '').replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64)) {
    throw invalid('avatar', 'must be an image in Base64');
  }
  return Buffer.from(base64, 'base64');
}
