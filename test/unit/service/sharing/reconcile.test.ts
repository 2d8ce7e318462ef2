import assert from 'node:assert/strict';
import { Fold } from '../../../../src/service/sharing/fold.ts';
import { LocalState } from '../../../../src/service/sharing/localState.ts';
import {
  personOf,
  pathOf,
  type LoggedOperation,
  type Operation,
  type Writer,
} from '../../../../src/service/sharing/operations.ts';
import { People } from '../../../../src/service/sharing/people.ts';
import { SharingStore } from '../../../../src/service/sharing/store.ts';
import { Database } from '../../../../src/service/storage/database.ts';
import { findPatch, insertPatch, setReview } from '../../../../src/service/storage/patches.ts';
import { createProject } from '../../../../src/service/storage/projects.ts';
import { createStack, updateStack } from '../../../../src/service/storage/stacks.ts';
import {
  addSshKey,
  createUser,
  deleteSshKey,
  findUserByEmail,
  sshKeysOf,
  type UserRow,
} from '../../../../src/service/storage/users.ts';
import { sshKeys } from '../../../support/sshKeys.ts';

const ada = { name: 'Ada', email: 'ada@example.com' };
const bob = { name: 'Bob', email: 'bob@example.com' };
const commit = 'c'.repeat(40);
const about = { branch: 'feature', change: 'I1', commit };

/** The service of Ada, with a stack of one patch, and what is shared of it. */
class Side {
  readonly database = new Database(':memory:');
  readonly store = new SharingStore(this.database, 'test');
  readonly fold = new Fold(this.store);
  readonly owner: UserRow = createUser(this.database, ada);
  readonly stack: string;
  /** All that was told. */
  readonly told: Operation[] = [];
  /** The kinds of operations that nobody would take. */
  readonly refused = new Set<string>();
  readonly #projectId: number;
  #seq = 0;

  constructor() {
    this.#projectId = createProject(this.database, { owner: 'ada', slug: 'p', name: 'p' }, [
      this.owner.id,
    ]).id;
    this.stack = createStack(this.database, {
      projectId: this.#projectId,
      branchId: 'feature',
      oplogSha: commit,
      title: 'feature',
      status: 'active',
    }).uuid;
    insertPatch(this.database, {
      stackUuid: this.stack,
      changeId: 'I1',
      commitSha: commit,
      patchSha: 'p1',
      title: 'One',
      messageBody: '',
      isIncomplete: false,
      authorKey: 'a',
      position: 0,
      createdAt: 0,
      fileCount: 0,
      lines: 0,
      deletions: 0,
      contributors: [],
    });
  }

  get patch() {
    const patch = findPatch(this.database, this.stack, 'I1');
    assert.ok(patch);
    return patch;
  }

  /** Takes in what a device says, in the order in which it says it. */
  hear(person: string, ...contents: Operation[]): void {
    const writer: Writer = { person, device: 'd'.repeat(16) };
    const logged = contents.map((content): LoggedOperation => {
      const seq = ++this.#seq;
      return { id: `${pathOf(writer)}/${seq}`, writer, seq, clock: [seq, 0], content };
    });
    this.fold.add(logged);
  }

  reconcile(): People {
    const parts = {
      database: this.database,
      store: this.store,
      fold: this.fold,
      projectId: this.#projectId,
      emit: (operation: Operation): boolean => {
        if (this.refused.has(operation.type)) {
          return false;
        }
        this.told.push(operation);
        return true;
      },
    };
    const people = new People({ ...parts, ownerId: this.owner.id });
    people.reconcile();
    new LocalState({ ...parts, people }).reconcile(['feature']);
    return people;
  }

  kinds(): string[] {
    return this.told.splice(0).map(({ type }) => type);
  }
}

describe('what is shared and what is here', () => {
  it('are not those of somebody who describes another one', () => {
    const side = new Side();
    side.hear(personOf('eve@example.com'), { type: 'person', ...bob });
    side.hear(personOf('carl@example.com'), { type: 'person', name: 'Carl', email: 'carl@example.com' });
    const people = side.reconcile();
    assert.equal(people.userOf(personOf('eve@example.com')), undefined);
    assert.equal(people.userOf(personOf('carl@example.com'))?.name, 'Carl');
  });

  it('have the keys of others that are what they are called', () => {
    const side = new Side();
    const bare = (line: string): string => line.split(' ', 2).join(' ');
    const { ed25519, rsa, ecdsa256 } = sshKeys;
    side.hear(
      personOf(bob.email),
      { type: 'person', ...bob },
      { type: 'key', name: 'Right', fingerprint: ed25519.fingerprint, key: bare(ed25519.line) },
      { type: 'key', name: 'Another', fingerprint: rsa.fingerprint, key: bare(ed25519.line) },
      {
        type: 'key',
        name: 'Said more',
        fingerprint: ecdsa256.fingerprint,
        key: `${bare(ecdsa256.line)} more`,
      },
      { type: 'key', name: 'None', fingerprint: 'SHA256:none', key: 'none' },
    );
    side.reconcile();
    const user = findUserByEmail(side.database, bob.email);
    assert.ok(user);
    assert.deepEqual(
      sshKeysOf(side.database, user.id).map(({ name }) => name),
      ['Right'],
    );
  });

  it('are the same once somebody has said something on another computer of theirs: it is not told again', () => {
    const side = new Side();
    side.reconcile();
    side.kinds();
    side.hear(
      personOf(ada.email),
      { type: 'person', ...ada },
      { type: 'review', ...about, patch: 'p1', says: 'signed_off' },
    );
    side.reconcile();
    side.reconcile();
    assert.ok(!side.kinds().includes('review'));
  });

  it('are told again what could not be told', () => {
    const side = new Side();
    const { fingerprint, line } = sshKeys.ed25519;
    addSshKey(side.database, { userId: side.owner.id, name: 'Key', fingerprint, publicKey: line });
    updateStack(side.database, side.stack, { title: 'A title' });
    setReview(side.database, side.patch, side.owner, true);
    const all = ['person', 'key', 'version', 'stack', 'review'];
    all.forEach((kind) => side.refused.add(kind));
    side.reconcile();
    assert.deepEqual(side.kinds(), []);
    side.refused.clear();
    side.reconcile();
    assert.deepEqual(side.kinds(), all);
    deleteSshKey(side.database, side.owner.id, fingerprint);
    side.refused.add('key');
    side.reconcile();
    side.kinds();
    side.refused.clear();
    side.reconcile();
    assert.ok(side.kinds().includes('key'));
  });
});
