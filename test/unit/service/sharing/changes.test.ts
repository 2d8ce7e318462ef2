/** A round of sharing looks at what has changed alone: it has to come to the same as one that looks at everything. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { UncheckedReview } from '../../../../src/service/sharing/fold.ts';
import { personOf, type Operation } from '../../../../src/service/sharing/operations.ts';
import { addSshKey, deleteSshKey, sshKeysOf, updateUser } from '../../../../src/service/storage/users.ts';
import { markViewed } from '../../../../src/service/storage/patches.ts';
import { begin, commitNamed, Desk, Team } from '../../../support/sharedDesk.ts';
import { sshKeys } from '../../../support/sshKeys.ts';

const code = 'a'.repeat(16);
const textOf = (change: string, text: string, over: string[]): Operation => ({
  type: 'text',
  branch: 'feature',
  change,
  commit: 'c'.repeat(40),
  section: code,
  text,
  over,
  ...(over.length === 0 && { after: null }),
});
const tooLong = 'x'.repeat(1_000_001);

/** Looking at everything right after a round finds nothing that it has left out. */
function assertLooked(desk: Desk): void {
  const { contents, withheld } = desk;
  desk.reconcileAll();
  assert.deepEqual(desk.contents, contents, 'something was left out');
  assert.deepEqual(desk.withheld, withheld, 'something was not tried again');
}

/** The changes whose patches a device looks at from now on. */
function changesLookedAt({ fold }: Desk): string[] {
  const looked: string[] = [];
  const order = fold.order.bind(fold);
  fold.order = (place) => {
    looked.push(place.change);
    return order(place);
  };
  return looked;
}

describe('a round that looks at what has changed', () => {
  const kinds = [
    'text',
    'tooLong',
    'add',
    'decide',
    'remove',
    'turn',
    'sign',
    'view',
    'title',
    'longTitle',
    'description',
    'name',
    'longName',
    'key',
    'amend',
    'move',
    'grow',
    'pull',
    'import',
    'rename',
    'restart',
    'tick',
    'round',
  ] as const;
  const step = fc.record({
    kind: fc.constantFrom(...kinds, 'round', 'text', 'add', 'sign'),
    then: fc.constantFrom('nothing', 'round', 'tell'),
    who: fc.nat(2),
    which: fc.nat(2),
  });

  /** Does one thing at a device. */
  function take(team: Team, desk: Desk, kind: (typeof kinds)[number], which: number, count: number): void {
    const { database, owner } = desk;
    // A device that hasn't pulled yet has fewer patches.
    const changes = team.commits.map(({ change }) => change).filter((change) => desk.has(change));
    const change = changes[which % changes.length];
    const texts = desk.sections(change).filter(({ section_type }) => section_type === 'text');
    const code = texts[count % Math.max(1, texts.length)]?.code;
    const rewrite = (more: { patchSha?: string }): void => {
      const sha = count.toString(16).padStart(40, '0');
      team.commits = team.commits.map((commit) =>
        commit.change === change ? { ...commit, sha, ...more } : commit,
      );
    };
    const { fingerprint, line } = sshKeys.ed25519;
    const publicKey = line.split(' ', 2).join(' ');
    const deeds: Record<(typeof kinds)[number], () => unknown> = {
      text: () => code !== undefined && desk.edit(code, `${desk.text(code, change)} ${count}`, change),
      tooLong: () => code !== undefined && desk.edit(code, tooLong, change),
      add: () => desk.add(`word${count}`, which, change),
      decide: () => code !== undefined && desk.decide(code, `Decided ${count}.`, Infinity, change),
      remove: () => code !== undefined && desk.remove(code, change),
      turn: () => desk.turn(change),
      sign: () => desk.sign(count % 2 === 0, change),
      view: () => markViewed(database, desk.patch(change), owner),
      title: () => (desk.title = `Title ${count}`),
      longTitle: () => (desk.title = 'x'.repeat(1001)),
      description: () => (desk.description = `Why ${count}.`),
      name: () => updateUser(database, owner.id, { name: `Name ${count}` }),
      longName: () => updateUser(database, owner.id, { name: 'x\ty' }),
      key: () =>
        sshKeysOf(database, owner.id).length > 0
          ? deleteSshKey(database, owner.id, fingerprint)
          : addSshKey(database, { userId: owner.id, name: 'Key', fingerprint, publicKey }),
      amend: () => rewrite({ patchSha: `p${count}` }),
      move: () => rewrite({}),
      grow: () => {
        team.commits = [...team.commits, commitNamed('cdef'[team.commits.length] ?? 'c')].slice(0, 4);
      },
      pull: () => desk.pull(),
      import: () => desk.import(),
      rename: () => {
        const changes = team.commits.slice(which).map(({ sha }) => ({ change: `name${which}`, commit: sha }));
        const version: Operation = { type: 'version', branch: 'feature', changes: changes.slice(0, 1) };
        const text = textOf(`name${which}`, `Named ${count}.`, []);
        const contents = changes.length === 0 ? [] : count % 3 === 0 ? [version, text] : [version];
        team.plant(
          `${['eve', 'ada'][count % 2]}@example.com`,
          contents.map((content, index) => ({ clock: [begin, index], content })),
          count.toString(16).padStart(16, 'f'),
        );
      },
      restart: () => desk.restart(),
      tick: () => (team.time += 1000 * (which + 1)),
      round: () => {
        desk.round();
        assertLooked(desk);
      },
    };
    deeds[kind]();
  }

  it('comes to the same as one that looks at everything, whatever was done', function () {
    this.timeout(240_000);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const team = new Team();
        team.commits = [commitNamed('c', { author: 'nobody@example.com' })];
        const desks = ['ada', 'ada', 'bob'].map(
          (name, index) => new Desk(team, name, { device: String(index) }),
        );
        for (const [count, { kind, then, who, which }] of steps.entries()) {
          const desk = desks[who]!;
          take(team, desk, kind, which, count);
          if (then !== 'nothing') {
            desk[then]();
            assertLooked(desk);
          }
        }
        for (let time = 0; time < 3; time++) {
          desks.forEach((desk) => {
            desk.pull();
            desk.round();
            assertLooked(desk);
          });
        }
      }),
      { numRuns: 150 },
    );
  });

  it('sees that a text is another one once what it was written over has come, wherever that was', () => {
    const team = new Team();
    team.commits = [commitNamed('c'), commitNamed('d')];
    const early = `${personOf('eve@example.com')}/${'e'.repeat(16)}/1`;
    const ada = new Desk(team, 'ada');
    ada.round();
    team.plant('bob@example.com', [{ clock: [begin, 2], content: textOf('Ic', 'One!\n\nTwo.\n', [early]) }]);
    team.plant('carl@example.com', [{ clock: [begin, 3], content: textOf('Ic', 'One.\n\nTwo!\n', [early]) }]);
    ada.round();
    ada.round();
    assert.deepEqual(ada.versions(code, 'Ic'), ['One.\n\nTwo!\n', 'One!\n\nTwo.\n']);
    team.plant('eve@example.com', [{ clock: [begin, 1], content: textOf('Id', 'One.\n\nTwo.\n', []) }]);
    ada.round();
    assert.deepEqual(ada.versions(code, 'Ic'), ['One!\n\nTwo!\n']);
    assertLooked(ada);
  });

  it('sees that a sign-off is one of this patch once a commit of it has come on another branch', () => {
    const team = new Team();
    const earlier = team.commits[0]!;
    const bob = new Desk(team, 'bob');
    bob.sign(true);
    bob.round();
    team.commits = [{ ...earlier, sha: 'd'.repeat(40) }];
    const ada = new Desk(team, 'ada');
    ada.round();
    ada.round();
    assert.deepEqual(ada.reviews().signedOff, []);
    ada.showElsewhere(earlier);
    ada.round();
    assert.deepEqual(ada.reviews().signedOff, ['bob@example.com']);
  });

  it('sees what was done to a version while it was loading, and other rounds were over', () => {
    const ada = new Desk(new Team(), 'ada');
    const id = ada.add('One.');
    ada.round();
    ada.import(() => {
      ada.edit(id, 'Two.');
      ada.round();
      ada.round();
    });
    ada.round();
    assertLooked(ada);
  });

  it('sees what somebody writes while the texts of another patch are joined', () => {
    const team = new Team();
    team.commits = ['c', 'd'].map((letter) => commitNamed(letter));
    const ada = new Desk(team, 'ada');
    const bob = new Desk(team, 'bob');
    const code = ada.add('One.', 0, 'Id');
    ada.round();
    bob.round();
    ada.edit(code, 'Two.', 'Id');
    bob.edit(code, 'Three.', 'Id');
    ada.round();
    bob.round();
    ada.edit(code, 'Four.', 'Id');
    ada.edit(ada.add('Before.', 0, 'Ic'), 'Seen.', 'Ic');
    ada.round();
    let written: string | undefined;
    bob.fetch();
    bob.meanwhile = () => {
      written ??= bob.add('Meanwhile.', 0, 'Ic');
    };
    bob.reconcile();
    bob.meanwhile = () => undefined;
    assert.ok(written);
    bob.round();
    ada.round();
    assert.equal(ada.text(written, 'Ic'), 'Meanwhile.');
  });

  it('sees what is written into any table, whoever writes it', () => {
    const team = new Team();
    const ada = new Desk(team, 'ada');
    const id = ada.add('One.');
    ada.sign(true);
    ada.round();
    const { database, owner } = ada;
    const patch = ada.patch();
    const { fingerprint, line } = sshKeys.ed25519;
    const writes: [sql: string, ...parameters: (string | number)[]][] = [
      ["UPDATE sections SET text = 'Two.' WHERE code = ?", id],
      ['UPDATE patch_marks SET changes_requested_at = signed_off_at, signed_off_at = NULL'],
      ['DELETE FROM sections WHERE code = ?', id],
      ["UPDATE stacks SET title = 'Title', title_written = 1"],
      ["UPDATE users SET name = 'Other' WHERE id = ?", owner.id],
      [
        "INSERT INTO ssh_keys (user_id, name, fingerprint, public_key, created_at) VALUES (?, 'Key', ?, ?, 0)",
        owner.id,
        fingerprint,
        line,
      ],
      ['DELETE FROM ssh_keys'],
      ['UPDATE patches SET commit_sha = ? WHERE id = ?', 'd'.repeat(40), patch.id],
    ];
    for (const [sql, ...parameters] of writes) {
      ada.round();
      assert.equal(ada.round(), 0);
      database.run(sql, ...parameters);
      assert.notEqual(ada.round(), 0, sql);
      assertLooked(ada);
    }
  });

  it('sees that a patch has another name, under which nothing was said', () => {
    const team = new Team();
    team.commits = [commitNamed('c', { author: 'nobody@example.com' })];
    const ada = new Desk(team, 'ada');
    const id = ada.add('One.');
    ada.round();
    ada.round();
    const changes = [{ change: 'other', commit: 'c'.repeat(40) }];
    const version: Operation = { type: 'version', branch: 'feature', changes };
    team.plant('eve@example.com', [{ clock: [begin, 0], content: version }]);
    ada.round();
    assert.deepEqual(ada.fold.sections({ branch: 'feature', change: 'other' }), [id]);
    assertLooked(ada);
  });

  it('sees that a review is signed another way', () => {
    const ada = new Desk(new Team(), 'ada');
    const reviews: UncheckedReview[] = [];
    const sign = ada.fold.sign.bind(ada.fold);
    ada.fold.sign = (review, signature) => {
      reviews.push(review as UncheckedReview);
      sign(review, signature);
    };
    ada.sign(true);
    ada.round();
    ada.round();
    reviews.forEach((review) => sign(review, 'bad'));
    ada.round();
    assertLooked(ada);
    assert.equal(
      ada.database.query<{ signature: string }>('SELECT signature FROM patch_marks').get()?.signature,
      'mismatch',
    );
  });

  it('knows the branches of which somebody has come to share a version', () => {
    const ada = new Desk(new Team(), 'ada');
    assert.deepEqual([...ada.fold.branches()], []);
    ada.round();
    assert.deepEqual([...ada.fold.branches()], ['feature']);
  });

  it('makes whoever shares a member of the project again', () => {
    const ada = new Desk(new Team(), 'ada');
    const members = (): unknown => ada.database.query('SELECT * FROM project_members').all();
    ada.round();
    ada.round();
    const before = members();
    ada.database.run('DELETE FROM project_members');
    ada.round();
    assert.deepEqual(members(), before);
  });

  it('looks at everything again after one that failed', () => {
    const team = new Team();
    const ada = new Desk(team, 'ada');
    const id = ada.add('One.');
    ada.round();
    const bob = new Desk(team, 'bob');
    bob.round();
    bob.edit(id, 'Two.');
    bob.round();
    ada.round();
    ada.round();
    bob.edit(id, 'Three.');
    bob.round();
    ada.fetch();
    const failing = new Error('no');
    const transaction = ada.store.transaction.bind(ada.store);
    ada.store.transaction = (work) =>
      transaction(() => {
        work();
        throw failing;
      });
    assert.throws(() => ada.reconcile(), failing);
    ada.store.transaction = transaction;
    ada.tell();
    assert.equal(ada.text(id), 'Three.');
    assertLooked(ada);
  });

  it('reads no patch where nothing has changed, and one where one has', () => {
    const team = new Team();
    team.commits = ['c', 'd', 'e', 'f'].map((letter) => commitNamed(letter));
    const ada = new Desk(team, 'ada');
    const code = ada.add('One.', 0, 'Id');
    ada.round();
    ada.round();
    const looked = changesLookedAt(ada);
    ada.round();
    assert.deepEqual(looked.splice(0), []);
    ada.edit(code, 'Two.', 'Id');
    ada.round();
    assert.deepEqual([...new Set(looked)], ['Id']);
  });

  it('reads no patch again because it has written there what others said', () => {
    const team = new Team();
    const ada = new Desk(team, 'ada');
    const bob = new Desk(team, 'bob');
    ada.round();
    bob.round();
    bob.reconcile();
    const code = ada.add('One.', 0);
    ada.sign(true);
    ada.title = 'A title';
    ada.round();
    const looked = changesLookedAt(bob);
    bob.round();
    assert.equal(bob.text(code), 'One.');
    assert.notEqual(looked.splice(0).length, 0);
    bob.reconcile();
    assert.deepEqual(looked, []);
  });
});
