/** A round of sharing looks at what has changed alone: it has to come to the same as one that looks at everything. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { personOf, type Operation } from '../../../../src/service/sharing/operations.ts';
import { addSshKey, deleteSshKey, sshKeysOf, updateUser } from '../../../../src/service/storage/users.ts';
import { markViewed } from '../../../../src/service/storage/patches.ts';
import { begin, commitNamed, Desk, Team } from '../../../support/sharedDesk.ts';
import { sshKeys } from '../../../support/sshKeys.ts';

const tooLong = 'x'.repeat(1_000_001);

/** Looking at everything right after a round finds nothing that it has left out. */
function assertLooked(desk: Desk): void {
  const { contents, withheld } = desk;
  desk.reconcileAll();
  assert.deepEqual(desk.contents, contents, 'something was left out');
  assert.deepEqual(desk.withheld, withheld, 'something was not tried again');
}

describe('a round that looks at what has changed', () => {
  const kinds = [
    'text',
    'tooLong',
    'add',
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
    'restart',
    'tick',
    'round',
  ] as const;
  const step = fc.record({
    kind: fc.constantFrom(...kinds, 'round', 'round', 'round', 'text', 'add', 'sign'),
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
        const desks = ['ada', 'ada', 'bob'].map(
          (name, index) => new Desk(team, name, { device: String(index) }),
        );
        for (const [count, { kind, who, which }] of steps.entries()) {
          take(team, desks[who]!, kind, which, count);
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
    const code = 'a'.repeat(16);
    const early = `${personOf('eve@example.com')}/${'e'.repeat(16)}/1`;
    const text = (change: string, words: string, over: string[]): Operation => ({
      type: 'text',
      branch: 'feature',
      change,
      commit: change.slice(1).repeat(40),
      section: code,
      text: words,
      over,
      ...(over.length === 0 && { after: null }),
    });
    const ada = new Desk(team, 'ada');
    ada.round();
    team.plant('bob@example.com', [{ clock: [begin, 2], content: text('Ic', 'One, and two.\n', [early]) }]);
    team.plant('carl@example.com', [{ clock: [begin, 3], content: text('Ic', 'One.\n\nThree.\n', [early]) }]);
    ada.round();
    const before = ada.text(code, 'Ic');
    team.plant('eve@example.com', [{ clock: [begin, 1], content: text('Id', 'One.\n', []) }]);
    ada.round();
    assert.notEqual(ada.text(code, 'Ic'), before);
    assertLooked(ada);
  });

  it('looks at everything again after one that failed', () => {
    const team = new Team();
    const ada = new Desk(team, 'ada');
    const code = ada.add('One.');
    ada.round();
    ada.edit(code, 'Two.');
    const failing = new Error('no');
    const transaction = ada.store.transaction.bind(ada.store);
    ada.store.transaction = (work) =>
      transaction(() => {
        work();
        throw failing;
      });
    assert.throws(() => ada.reconcile(), failing);
    ada.store.transaction = transaction;
    ada.round();
    assertLooked(ada);
    const bob = new Desk(team, 'bob');
    bob.round();
    assert.equal(bob.text(code), 'Two.');
  });

  it('reads no patch where nothing has changed, and one where one has', () => {
    const team = new Team();
    team.commits = ['c', 'd', 'e', 'f'].map((letter) => commitNamed(letter));
    const ada = new Desk(team, 'ada');
    const code = ada.add('One.', 0, 'Id');
    ada.round();
    ada.round();
    const looked: string[] = [];
    const order = ada.fold.order.bind(ada.fold);
    ada.fold.order = (place) => {
      looked.push(place.change);
      return order(place);
    };
    ada.round();
    assert.deepEqual(looked.splice(0), []);
    ada.edit(code, 'Two.', 'Id');
    ada.round();
    assert.deepEqual([...new Set(looked)], ['Id']);
  });
});
