/** The people who share: each is the user of the service who has their address, and tells their own profile and keys. */
import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../storage/database.ts';
import {
  addSshKey,
  deleteSshKey,
  findSshKey,
  findUser,
  sshKeysOf,
  updateUser,
  userForEmail,
  type UserRow,
} from '../storage/users.ts';
import { addProjectMember } from '../storage/projects.ts';
import { HttpError } from '../errors.ts';
import { parseSshPublicKey } from '../sshKeys.ts';
import type { Fold, SharedPerson } from './fold.ts';
import { personOf } from './operations.ts';
import type { Emit } from './ownLog.ts';
import type { SharingStore } from './store.ts';

interface Parts {
  database: Database;
  store: SharingStore;
  fold: Fold;
  /** The user whom the service runs for. */
  ownerId: number;
  projectId: number;
  emit: Emit;
}

/** See the module. */
export class People {
  readonly #parts: Parts;
  readonly #users = new Map<string, UserRow>();
  /** The fingerprints of keys of which can't be shared that they are there, or gone. */
  readonly #withheldKeys = new Set<string>();
  #isProfileWithheld = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get ownId(): number {
    return this.#parts.ownerId;
  }

  /** The person whom the service runs for. */
  get ownPerson(): string {
    const { database, ownerId } = this.#parts;
    return personOf(findUser(database, ownerId)?.email ?? '');
  }

  /** The user that a person is; undefined for one who has not said who they are. */
  userOf(person: string): UserRow | undefined {
    return this.#users.get(person);
  }

  /** Tells what has changed in the own profile and keys, and takes in those of others. */
  reconcile(): void {
    this.#tell();
    for (const { person, described } of this.#parts.fold.people()) {
      this.#take(person, described);
    }
  }

  #tell(): void {
    const { database, store, ownerId, emit } = this.#parts;
    const owner = findUser(database, ownerId);
    if (!owner) {
      return;
    }
    const { name, email, given_name, family_name } = owner;
    const described: SharedPerson = {
      name,
      email,
      ...(given_name !== null && { given_name }),
      ...(family_name !== null && { family_name }),
    };
    if (!isDeepStrictEqual(store.read('shadow person'), described)) {
      emit({ type: 'person', ...described }, name, {
        shared: () => store.write(described, 'shadow person'),
        withheld: () => {
          this.#isProfileWithheld = true;
        },
      });
    }
    const keys = new Map(sshKeysOf(database, ownerId).map((key) => [key.fingerprint, key]));
    const told = new Map(store.list('shadow key'));
    const tellKey = (fingerprint: string, keyName: string, key: string | null): void =>
      emit({ type: 'key', fingerprint, name: keyName, key }, keyName, {
        shared: () => store.write(key ?? '', 'shadow key', fingerprint),
        withheld: () => this.#withheldKeys.add(fingerprint),
      });
    for (const [fingerprint, { name: keyName, public_key }] of keys) {
      if (told.get(fingerprint) !== public_key) {
        tellKey(fingerprint, keyName, public_key);
      }
    }
    for (const [fingerprint, key] of told) {
      if (key !== '' && !keys.has(fingerprint)) {
        tellKey(fingerprint, fingerprint, null);
      }
    }
  }

  #take(person: string, described: SharedPerson): void {
    const { database, store, fold, ownerId, projectId } = this.#parts;
    const user = userForEmail(database, described.name, described.email);
    // The address was held against the name of the ref already: nobody describes somebody else.
    if (!user || personOf(user.email) !== person) {
      return;
    }
    this.#users.set(person, user);
    const isOwner = user.id === ownerId;
    const isKept = isOwner && this.#isProfileWithheld;
    const { name, given_name, family_name } = described;
    const isSame =
      user.name === name &&
      (given_name === undefined || user.given_name === given_name) &&
      (family_name === undefined || user.family_name === family_name);
    if (!isSame && !isKept) {
      updateUser(database, user.id, { name, given_name, family_name });
    }
    addProjectMember(database, projectId, user.id);
    const keys = fold
      .keysOf(person)
      .filter(({ fingerprint }) => !(isOwner && this.#withheldKeys.has(fingerprint)));
    for (const { fingerprint, name: keyName, key } of keys) {
      const existing = findSshKey(database, user.id, fingerprint);
      if (key === null && existing) {
        deleteSshKey(database, user.id, fingerprint);
      } else if (key !== null && !existing && isKey(key, fingerprint)) {
        addSshKey(database, { userId: user.id, name: keyName, fingerprint, publicKey: key });
      }
      if (isOwner) {
        store.write(key ?? '', 'shadow key', fingerprint);
      }
    }
    if (isOwner) {
      store.write(described, 'shadow person');
    }
  }
}

function isKey(key: string, fingerprint: string): boolean {
  try {
    const parsed = parseSshPublicKey(key);
    return parsed.publicKey === key && parsed.fingerprint === fingerprint;
  } catch (error) {
    if (error instanceof HttpError) {
      return false;
    }
    throw error;
  }
}
