import { ownUser, sshKey, sshKeys, user } from '../decode/users.ts';
import { one, type List } from '../decode/values.ts';
import { path, query } from '../path.ts';
import type { Call, CallOptions } from '../call.ts';
import type { Requester } from '../request.ts';
import type { OwnUser, SshKey, User, UserUpdate } from '../types/users.ts';
import type { Uploads } from '../uploads.ts';

/** The caller's own user and keys, and what is public of others (contract §4, Users). */
export class Users {
  readonly #requester: Requester;
  readonly #uploads: Uploads;

  constructor(requester: Requester, uploads: Uploads) {
    this.#requester = requester;
    this.#uploads = uploads;
  }

  /** `GET /user`: the caller's own user. */
  me(options?: CallOptions): Promise<OwnUser> {
    return this.#requester.read(
      { operation: 'users.me', method: 'GET', repeat: 'read', path: () => path`/user` },
      ownUser,
      options,
    );
  }

  /** `PUT /user`: changes the caller's own user. */
  updateMe(update: UserUpdate, options?: CallOptions): Promise<OwnUser> {
    const { avatar, givenName, familyName, ...rest } = update;
    const fields = { ...rest, given_name: givenName, family_name: familyName };
    const call: Call = {
      operation: 'users.updateMe',
      method: 'PUT',
      repeat: 'replace',
      path: () => path`/user`,
    };
    return this.#uploads.send(call, fields, { avatar }, undefined, (filled) =>
      this.#requester.read(filled, ownUser, options),
    );
  }

  /** `POST /user/keys`: registers a public SSH key. The record is undefined when the service does not show it. */
  addKey(key: { name: string; publicKey: string }, options?: CallOptions): Promise<SshKey | undefined> {
    const json = { name: key.name, public_key: key.publicKey };
    const call: Call = {
      operation: 'users.addKey',
      method: 'POST',
      repeat: 'once',
      path: () => path`/user/keys`,
      json,
      plainText: true,
    };
    return this.#requester.readOptional(call, one(sshKey), options);
  }

  /** `DELETE /user/keys`: removes the key with this fingerprint. */
  deleteKey(fingerprint: string, options?: CallOptions): Promise<void> {
    const call: Call = {
      operation: 'users.deleteKey',
      method: 'DELETE',
      repeat: 'remove',
      path: () => path`/user/keys`,
      query: query({ fingerprint }),
    };
    return this.#requester.run(call, options);
  }

  /** `GET /user/{login}`: what is public of a user. */
  get(login: string, options?: CallOptions): Promise<User> {
    const call: Call = {
      operation: 'users.get',
      method: 'GET',
      repeat: 'read',
      path: () => path`/user/${{ login }}`,
    };
    return this.#requester.read(call, user, options);
  }

  /** `GET /user/{login}/keys`: a user's public SSH keys. */
  keys(login: string, options?: CallOptions): Promise<List<SshKey>> {
    const call: Call = {
      operation: 'users.keys',
      method: 'GET',
      repeat: 'read',
      path: () => path`/user/${{ login }}/keys`,
      plainText: true,
    };
    return this.#requester.read(call, sshKeys, options);
  }
}
