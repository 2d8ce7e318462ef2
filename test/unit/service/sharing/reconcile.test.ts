import assert from 'node:assert/strict';
import { Fold } from '../../../../src/service/sharing/fold.ts';
import { Changes } from '../../../../src/service/sharing/changes.ts';
import { LocalState } from '../../../../src/service/sharing/localState.ts';
import {
  personOf,
  pathOf,
  type LoggedOperation,
  type Operation,
  type Writer,
} from '../../../../src/service/sharing/operations.ts';
import type { Emit } from '../../../../src/service/sharing/ownLog.ts';
import { People } from '../../../../src/service/sharing/people.ts';
import { SharingStore } from '../../../../src/service/sharing/store.ts';
import { Database } from '../../../../src/service/storage/database.ts';
import { findPatch, insertPatch, selectMarks, setReview } from '../../../../src/service/storage/patches.ts';
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
import { atOnce } from '../../../../src/util/inTurns.ts';
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
    this.#addPatch(this.stack, commit);
  }

  /** Adds a version before this one, of another commit. */
  addEarlier(commitSha: string, version: number): void {
    const { uuid } = createStack(this.database, {
      projectId: this.#projectId,
      branchId: 'feature',
      oplogSha: commitSha,
      title: 'feature',
      status: 'inactive',
    });
    this.#addPatch(uuid, commitSha);
    this.database.run('UPDATE patches SET version = ? WHERE stack_uuid = ?', version, uuid);
    this.database.run(
      'UPDATE stacks SET version = (SELECT min(version) - 1 FROM stacks) WHERE uuid = ?',
      uuid,
    );
    this.database.run("UPDATE stacks SET status = 'active' WHERE uuid = ?", this.stack);
  }

  /** Has the patch be another commit from now on; the one that it was is an earlier version. */
  move(commitSha: string, version: number): void {
    const { commit_sha, version: before } = this.patch;
    this.addEarlier(commit_sha, before);
    this.database.run(
      'UPDATE patches SET commit_sha = ?, version = ? WHERE stack_uuid = ?',
      commitSha,
      version,
      this.stack,
    );
  }

  #addPatch(stackUuid: string, commitSha: string): void {
    insertPatch(this.database, {
      stackUuid,
      changeId: 'I1',
      commitSha,
      patchSha: 'p1',
      title: 'One',
      messageBody: '',
      completeness: 'complete',
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
    const changes = new Changes(this.database, this.fold);
    const branches = new Set(['feature']);
    const parts = {
      database: this.database,
      store: this.store,
      fold: this.fold,
      changes,
      projectId: this.#projectId,
      writer: { person: personOf(ada.email), device: 'a'.repeat(16) },
      emit: ((operation, _of, outcome) => {
        if (this.refused.has(operation.type)) {
          outcome.withheld();
          return;
        }
        this.told.push(operation);
        if (operation.type === 'version') {
          // Of the names, what was told is what they are from then on.
          const seq = this.told.length;
          const writer: Writer = { person: personOf(ada.email), device: 'a'.repeat(16) };
          const id = `${pathOf(writer)}/${seq}`;
          this.fold.addSome([
            { operation: { id, writer, seq, clock: [1, seq], content: operation }, commit: undefined },
          ]);
        }
        outcome.shared();
      }) satisfies Emit,
      isPushed: () => true,
    };
    const people = new People({ ...parts, ownerId: this.owner.id });
    changes.begin(branches);
    people.reconcile();
    atOnce(new LocalState({ ...parts, people }).reconciling(branches));
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

  describe('about a patch with the same lines', () => {
    const earlier = 'd'.repeat(40);
    const said = { type: 'review', ...about, commit: earlier, patch: 'p1', says: 'signed_off' } as const;
    const isSignedOff = (side: Side, person: string): boolean =>
      selectMarks(side.database, { stackUuid: side.stack, patchId: side.patch.id }).some(
        ({ user_id, signed_off_at }) =>
          user_id === findUserByEmail(side.database, person)?.id && signed_off_at !== null,
      );

    it('count where an earlier commit of it only stood on another base', () => {
      const side = new Side();
      side.addEarlier(earlier, 1);
      side.hear(personOf(bob.email), { type: 'person', ...bob }, said);
      side.reconcile();
      assert.ok(isSignedOff(side, bob.email));
    });

    it("don't where these stood at another place, or where nobody knows where they stood", () => {
      for (const isKnown of [true, false]) {
        const side = new Side();
        if (isKnown) {
          side.addEarlier(earlier, 1);
          side.database.run('UPDATE patches SET version = 2 WHERE stack_uuid = ?', side.stack);
        }
        side.hear(personOf(bob.email), { type: 'person', ...bob }, said);
        side.reconcile();
        assert.ok(!isSignedOff(side, bob.email), String(isKnown));
      }
    });

    it('are the last word of each, which changes nothing when it is taken in again', () => {
      const side = new Side();
      const { patch_sha, commit_sha } = side.patch;
      const review = (patch: string, says: 'signed_off' | 'changes_requested'): Operation => ({
        ...said,
        commit: commit_sha,
        patch,
        says,
      });
      const marks = (): unknown[] =>
        selectMarks(side.database, { stackUuid: side.stack, patchId: side.patch.id }).map(
          ({ signed_off_at, changes_requested_at, signature }) => [
            signed_off_at !== null,
            changes_requested_at !== null,
            signature,
          ],
        );
      side.hear(personOf(bob.email), { type: 'person', ...bob }, review('f'.repeat(40), 'changes_requested'));
      side.hear(personOf(bob.email), review(patch_sha, 'signed_off'));
      side.reconcile();
      assert.deepEqual(marks(), [[true, false, 'unverified']]);
      const stamp = side.database.lastStamp;
      side.reconcile();
      assert.deepEqual(marks(), [[true, false, 'unverified']]);
      assert.equal(side.database.lastStamp, stamp);
      // Of this commit, but of other changes than it makes.
      side.hear(personOf(bob.email), review('0'.repeat(40), 'signed_off'));
      side.reconcile();
      assert.deepEqual(marks(), [[true, false, 'mismatch']]);
    });

    it('are told again when they are said of these at another place, and only then', () => {
      const side = new Side();
      setReview(side.database, side.patch, side.owner, true);
      side.reconcile();
      assert.ok(side.kinds().includes('review'));
      side.hear(personOf(ada.email), { type: 'person', ...ada }, { ...said, commit });
      side.move(earlier, 1);
      side.reconcile();
      assert.ok(!side.kinds().includes('review'));
      side.move('e'.repeat(40), 2);
      side.reconcile();
      assert.ok(side.kinds().includes('review'));
    });
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
