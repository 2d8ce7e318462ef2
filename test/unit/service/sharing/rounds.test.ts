/** What people save on their devices, and what rounds of sharing make of it. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { largestCount } from '../../../../src/service/sharing/clock.ts';
import type { Operation } from '../../../../src/service/sharing/operations.ts';
import {
  addSshKey,
  deleteSshKey,
  findUser,
  sshKeysOf,
  updateUser,
} from '../../../../src/service/storage/users.ts';
import type { SectionRow } from '../../../../src/service/storage/sections.ts';
import { isFull } from '../../../support/full.ts';
import { begin, commitNamed, Desk, hour, Team } from '../../../support/sharedDesk.ts';
import { sshKeys } from '../../../support/sshKeys.ts';

const email = (name: string): string => `${name}@example.com`;
const titled = (title: string): Operation => ({ type: 'stack', branch: 'feature', title });

/** Everybody has what everybody has said. */
function meet(...desks: Desk[]): void {
  for (let time = 0; time < 3; time++) {
    desks.forEach((desk) => desk.round());
  }
}

/** Rounds in which nothing is new add no operation, and write nothing. */
function assertQuiet(...desks: Desk[]): void {
  for (const desk of desks) {
    const before = desk.writes;
    assert.equal(desk.round(), 0, 'an operation was said again');
    assert.equal(desk.writes, before, 'something was written');
  }
}

describe('what somebody saves', () => {
  const tooLong = 'x'.repeat(1_000_001);
  /** What can be saved here and that nobody would take, and how it is there afterwards. */
  const unshareable: Record<string, { save: (desk: Desk, code: string) => void; what: string; why: string }> =
    {
      'a text that is too long': {
        save: (desk, code) => desk.edit(code, tooLong),
        what: 'text',
        why: 'tooLong',
      },
      'a title of two lines': {
        save: (desk) => {
          desk.title = 'one\ntwo';
        },
        what: 'title',
        why: 'characters',
      },
      'a title that is too long': {
        save: (desk) => {
          desk.title = 'x'.repeat(1001);
        },
        what: 'title',
        why: 'tooLong',
      },
      'a description that is too long': {
        save: (desk) => {
          desk.description = 'x'.repeat(100_001);
        },
        what: 'description',
        why: 'tooLong',
      },
      'a name with a tab': {
        save: ({ database, owner }) => void updateUser(database, owner.id, { name: 'Ada\tL' }),
        what: 'profile',
        why: 'characters',
      },
      'a key with a name of two lines': {
        save: ({ database, owner }) => {
          const { fingerprint, line } = sshKeys.ed25519;
          addSshKey(database, { userId: owner.id, name: 'a\nb', fingerprint, publicKey: line });
        },
        what: 'key',
        why: 'characters',
      },
      'a key that was taken away and comes back with such a name': {
        save: (desk) => {
          const { database, owner } = desk;
          const { fingerprint, line } = sshKeys.ed25519;
          const publicKey = line.split(' ', 2).join(' ');
          addSshKey(database, { userId: owner.id, name: 'Key', fingerprint, publicKey });
          desk.round();
          deleteSshKey(database, owner.id, fingerprint);
          desk.round();
          addSshKey(database, { userId: owner.id, name: 'a\nb', fingerprint, publicKey });
        },
        what: 'key',
        why: 'characters',
      },
      'an order with a path that is too long': {
        save: (desk) => {
          desk.database.run(
            "UPDATE sections SET identifier = ? WHERE identifier = 'b' AND section_type = 'diff'",
            'x'.repeat(4096),
          );
          desk.turn();
        },
        what: 'order',
        why: 'tooLong',
      },
      'a review of a patch with a name that is too long': {
        save: (desk) => {
          desk.database.run('UPDATE patches SET patch_sha = ?', 'x'.repeat(201));
          desk.sign(false);
        },
        what: 'review',
        why: 'tooLong',
      },
    };

  const stateOf = (desk: Desk): unknown => [
    desk.page(),
    desk.title,
    desk.description,
    desk.reviews(),
    findUser(desk.database, desk.owner.id)?.name,
    sshKeysOf(desk.database, desk.owner.id).map(({ name }) => name),
  ];

  /** Two who have shared a text, an order, a title, a description and a review. */
  function two(): { team: Team; ada: Desk; bob: Desk; code: string } {
    const team = new Team();
    const ada = new Desk(team, 'ada');
    const bob = new Desk(team, 'bob');
    const code = ada.add('Before.');
    ada.title = 'Before';
    ada.description = 'Before.';
    ada.sign(true);
    meet(ada, bob);
    ada.turn();
    meet(ada, bob);
    team.time += 1000;
    return { team, ada, bob, code };
  }

  for (const [name, { save, what, why }] of Object.entries(unshareable)) {
    it(`stays as it is where it is ${name}, is named, and keeps nothing else back`, () => {
      const { ada, bob, code } = two();
      save(ada, code);
      const saved = stateOf(ada);
      for (let time = 0; time < 3; time++) {
        ada.round();
        bob.round();
        assert.deepEqual(stateOf(ada), saved);
        assert.deepEqual(
          ada.withheld.map((one) => [one.what, one.why]),
          [[what, why]],
        );
      }
      assertQuiet(ada, bob);
      const other = ada.add('Something else.');
      meet(ada, bob);
      assert.equal(bob.text(other), 'Something else.');
      assert.deepEqual(bob.withheld, []);
    });
  }

  it('is shared once it can be, and is not named any more', () => {
    const { ada, bob, code } = two();
    ada.edit(code, tooLong);
    ada.title = 'x'.repeat(1001);
    meet(ada, bob);
    assert.equal(bob.text(code), 'Before.');
    ada.edit(code, 'Short.');
    ada.title = 'Short';
    meet(ada, bob);
    assert.deepEqual([bob.text(code), bob.title, ada.withheld], ['Short.', 'Short', []]);
  });

  it('comes to the others in its place, also behind files whose names have tabs and ends of lines', () => {
    const team = new Team();
    team.commits = [commitNamed('c', { files: ['a\tb', 'c\nd', 'e\u0085"f'] })];
    const ada = new Desk(team, 'ada');
    const bob = new Desk(team, 'bob');
    ada.add('Why.', 1);
    ada.add('More.', 3);
    meet(ada, bob);
    const page = ['a\tb', 'Why.', 'c\nd', 'More.', 'e\u0085"f'];
    assert.deepEqual([ada.page(), bob.page()], [page, page]);
    ada.turn();
    meet(ada, bob);
    assert.deepEqual([ada.page(), bob.page()], [page.toReversed(), page.toReversed()]);
    assert.deepEqual(ada.withheld, []);
  });

  it('stays here while the remote lacks the commit that it is about, and is shared once it has that', () => {
    const { team, ada, bob, code } = two();
    const amended = [commitNamed('d', { change: team.commits[0]!.change })];
    team.unpushed.add(amended[0]!.sha);
    ada.pull(amended);
    ada.edit(code, 'Mine.');
    ada.add('More of mine.');
    ada.turn();
    ada.sign(true);
    bob.add('Of Bob.');
    meet(ada, bob);
    const said = (): string => [...team.remote.values()].flatMap(({ commits }) => commits).join('\n');
    assert.doesNotMatch(said(), /ine\.|"patch":"d"/);
    assert.equal(bob.text(code), 'Before.');
    // What comes is shown meanwhile, beside what was saved here.
    assert.ok(ada.page().includes('Of Bob.'));
    assert.deepEqual([ada.text(code), ada.reviews().signedOff], ['Mine.', [email('ada')]]);
    assert.deepEqual(ada.withheld, []);
    assertQuiet(ada, bob, ada);
    const page = ada.page();
    team.unpushed.clear();
    team.commits = amended;
    bob.pull();
    meet(ada, bob);
    assert.deepEqual([bob.page(), ada.page()], [page, page]);
    assert.deepEqual(bob.reviews().signedOff, [email('ada')]);
    assertQuiet(ada, bob);
  });

  it('is not taken back while the remote lacks its commit, by what somebody else writes there', () => {
    const { team, ada, bob, code } = two();
    const amended = [commitNamed('d', { change: team.commits[0]!.change })];
    team.unpushed.add(amended[0]!.sha);
    ada.pull(amended);
    ada.edit(code, 'Mine.');
    bob.edit(code, 'His.');
    meet(bob, ada);
    assert.equal(ada.text(code), 'Mine.');
    team.unpushed.clear();
    meet(ada, bob);
    assert.deepEqual(ada.versions(code), ['Mine.', 'His.']);
    assert.deepEqual(bob.versions(code), ['His.', 'Mine.']);
  });

  it('stays what each of two is shown who write at once, until one of them decides for both', () => {
    const { team, ada, bob, code } = two();
    const carl = new Desk(team, 'carl');
    ada.edit(code, 'Of Ada.');
    team.time += 1000;
    bob.edit(code, 'Of Bob.');
    meet(ada, bob, carl);
    assert.deepEqual(ada.versions(code), ['Of Ada.', 'Of Bob.']);
    assert.deepEqual(bob.versions(code), ['Of Bob.', 'Of Ada.']);
    assert.deepEqual(carl.versions(code), ['Of Bob.', 'Of Ada.']);
    assertQuiet(ada, bob, carl);
    // What is written into one of them decides nothing.
    carl.edit(code, 'Of Bob and Carl.');
    meet(carl, ada, bob);
    assert.deepEqual(bob.versions(code), ['Of Bob and Carl.', 'Of Ada.']);
    assert.deepEqual(ada.versions(code), ['Of Ada.', 'Of Bob and Carl.']);
    ada.decide(code, 'Of all.');
    assert.deepEqual(ada.versions(code), ['Of all.']);
    meet(ada, bob, carl);
    for (const desk of [ada, bob, carl]) {
      assert.deepEqual(desk.versions(code), ['Of all.']);
      assertQuiet(desk);
    }
  });

  it('is what somebody writes at any moment of a round, in none of which others are kept out', () => {
    for (let moment = 1, steps = Infinity; moment <= steps; moment++) {
      const { ada, bob, code } = two();
      ada.edit(code, 'Of Ada.');
      bob.edit(code, 'Of Bob.');
      bob.round();
      steps = 0;
      ada.meanwhile = () => {
        // This fails while there is a transaction.
        ada.database.run('BEGIN');
        ada.database.run('ROLLBACK');
        if (++steps === moment) {
          ada.edit(code, `${ada.text(code) ?? ''} At once.`);
        }
      };
      ada.round();
      ada.meanwhile = () => undefined;
      assert.ok(steps >= 4, String(steps));
      meet(ada, bob);
      assert.deepEqual(ada.versions(code), ['Of Ada. At once.', 'Of Bob.']);
      assert.deepEqual(bob.versions(code), ['Of Bob.', 'Of Ada. At once.']);
    }
  });

  it('is not lost where somebody writes at any moment of a round that brings another text', () => {
    for (let moment = 1, steps = Infinity; moment <= steps; moment++) {
      const { ada, bob, code } = two();
      bob.edit(code, 'Of Bob.');
      bob.round();
      steps = 0;
      ada.meanwhile = () => {
        if (++steps === moment) {
          ada.edit(code, 'At once.');
        }
      };
      ada.round();
      ada.meanwhile = () => undefined;
      meet(ada, bob);
      assert.ok(ada.versions(code).includes('At once.'), String(moment));
      assert.deepEqual(bob.versions(code).sort(), ada.versions(code).sort());
    }
  });

  it('is decided one after the other where several conflict, before anybody hears of it', () => {
    const { team, ada, bob, code } = two();
    const carl = new Desk(team, 'carl');
    meet(carl);
    ada.edit(code, 'Of Ada.');
    bob.edit(code, 'Of Bob.');
    carl.edit(code, 'Of Carl.');
    meet(ada, bob, carl);
    assert.equal(ada.versions(code).length, 3);
    ada.decide(code, 'Of Ada and one.', 1);
    ada.decide(code, 'Of all.', 1);
    meet(ada, bob, carl);
    [ada, bob, carl].forEach((desk) => assert.deepEqual(desk.versions(code), ['Of all.']));
  });

  it('is decided for all where somebody takes what they are shown as it is', () => {
    const { ada, bob, code } = two();
    ada.edit(code, 'Of Ada.');
    bob.edit(code, 'Of Bob.');
    meet(ada, bob);
    ada.decide(code, 'Of Ada.');
    meet(ada, bob);
    assert.deepEqual([ada.versions(code), bob.versions(code)], [['Of Ada.'], ['Of Ada.']]);
    assertQuiet(ada, bob);
  });

  it('stays decided while the remote lacks its commit, and through another version and a restart', () => {
    const { team, ada, bob, code } = two();
    ada.edit(code, 'Of Ada.');
    bob.edit(code, 'Of Bob.');
    meet(ada, bob);
    const amended = [commitNamed('d', { change: team.commits[0]!.change })];
    team.unpushed.add(amended[0]!.sha);
    team.commits = amended;
    ada.pull();
    ada.decide(code, 'Decided.');
    ada.round();
    ada.import();
    ada.restart();
    ada.round();
    assert.deepEqual([ada.versions(code), bob.versions(code)], [['Decided.'], ['Of Bob.', 'Of Ada.']]);
    team.unpushed.clear();
    meet(ada, bob);
    assert.deepEqual([ada.versions(code), bob.versions(code)], [['Decided.'], ['Decided.']]);
  });

  it('keeps beside it what was written while somebody decided, and that they have not seen', () => {
    const { team, ada, bob, code } = two();
    ada.edit(code, 'Of Ada.');
    bob.edit(code, 'Of Bob.');
    meet(ada, bob);
    team.time += 1000;
    ada.decide(code, 'Decided.');
    bob.edit(code, 'Of Bob, later.');
    meet(bob, ada);
    assert.deepEqual(ada.versions(code), ['Decided.', 'Of Bob, later.']);
    assert.deepEqual(bob.versions(code), ['Of Bob, later.', 'Decided.']);
  });

  it('is shared whatever clock a teammate has written with', () => {
    const counts = [0, largestCount - 1, largestCount, largestCount + 1, 2 ** 53 - 2, 2 ** 53 - 1];
    for (const count of counts) {
      const { team, ada, bob, code } = two();
      const ahead = team.time + hour - 60_000;
      team.plant(email('eve'), [{ clock: [ahead, count], content: titled('Planted') }]);
      ada.round();
      ada.edit(code, 'After.');
      ada.title = 'After';
      meet(ada, bob);
      assert.deepEqual([ada.text(code), ada.title, ada.withheld], ['After.', 'After', []], String(count));
      assert.deepEqual([bob.text(code), bob.title], ['After.', 'After'], String(count));
      assert.equal(ada.refused.size, count > largestCount ? 1 : 0, String(count));
    }
  });

  it('counts over what was said before by somebody whose clock is ahead', () => {
    const team = new Team();
    const fast = new Desk(team, 'ada', { ahead: hour / 2 });
    const bob = new Desk(team, 'bob', { ahead: -hour / 4 });
    fast.title = 'Earlier';
    meet(fast, bob);
    team.time += 1000;
    bob.title = 'Later';
    meet(bob, fast);
    assert.deepEqual([fast.title, bob.title], ['Later', 'Later']);
  });

  it('is deleted once: rounds afterwards say and write nothing', () => {
    const { ada, bob, code } = two();
    ada.remove(code);
    meet(ada, bob);
    assert.equal(bob.text(code), undefined);
    assertQuiet(ada, bob, ada);
  });

  it('is of two devices where somebody has two: each says the rest of its own', () => {
    const team = new Team();
    const one = new Desk(team, 'ada', { device: 'a' });
    const other = new Desk(team, 'ada', { device: 'b' });
    const bob = new Desk(team, 'bob');
    const codes = [one.add('One.'), other.add('Other.')] as const;
    meet(one, other, bob);
    one.edit(codes[1], 'Other, on one.');
    meet(one, other, bob);
    other.edit(codes[0], 'One, on the other.');
    meet(one, other, bob);
    for (const desk of [one, other, bob]) {
      assert.deepEqual([desk.text(codes[0]), desk.text(codes[1])], ['One, on the other.', 'Other, on one.']);
    }
    assertQuiet(one, other, bob);
  });

  it('is of the patch as it was: a sign-off of the version before is none of the one that has changed', () => {
    const team = new Team();
    const ada = new Desk(team, 'ada');
    const bob = new Desk(team, 'bob');
    meet(ada, bob);
    bob.sign(true);
    meet(bob, ada);
    assert.deepEqual(ada.reviews().signedOff, [email('bob')]);
    team.commits = [commitNamed('c', { sha: 'd'.repeat(40), patchSha: 'd' })];
    ada.pull();
    ada.round();
    // Meanwhile somebody signs what they still see.
    const carl = new Desk(team, 'carl');
    carl.pull([commitNamed('c')]);
    carl.sign(true);
    meet(carl, ada, bob);
    bob.pull();
    carl.pull();
    meet(ada, bob, carl);
    for (const desk of [ada, bob, carl]) {
      assert.deepEqual(desk.reviews(), { signedOff: [], requested: [] });
      assertQuiet(desk);
    }
    carl.sign(true);
    meet(carl, ada, bob);
    assert.deepEqual(ada.reviews().signedOff, [email('carl')]);
  });

  const kinds = [
    'text',
    'decide',
    'tooLong',
    'title',
    'longTitle',
    'turn',
    'sign',
    'add',
    'round',
    'tick',
    'amend',
    'pull',
  ] as const;
  const step = fc.record({
    kind: fc.constantFrom(...kinds, 'round', 'round', 'text', 'title'),
    who: fc.nat(4),
    which: fc.nat(2),
  });
  const clocks = fc.record({
    ahead: fc.integer({ min: -hour, max: hour - 120_000 }),
    count: fc.constantFrom(0, largestCount - 1, largestCount, largestCount + 1, 2 ** 53 - 1),
  });

  it('is never older than that, whatever anybody does, and comes to the same for all', function () {
    this.timeout(240_000);
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.option(clocks, { nil: undefined }),
        fc.array(fc.integer({ min: -hour / 2 + 60_000, max: hour / 2 - 60_000 }), {
          minLength: 3,
          maxLength: 5,
        }),
        (steps, planted, aheads) => {
          const team = new Team();
          const names = ['ada', 'ada', 'bob', 'carl', 'dora'].slice(0, aheads.length);
          const desks = names.map(
            (name, index) => new Desk(team, name, { device: String(index), ahead: aheads[index] ?? 0 }),
          );
          if (planted) {
            team.plant(email('eve'), [
              { clock: [team.time + planted.ahead, planted.count], content: titled('Planted') },
            ]);
          }
          const saved = desks.map(() => ({
            title: '',
            isKept: false,
            texts: new Map<string, { text: string; isKept: boolean }>(),
          }));
          let words = 0;
          let letters = 0;
          for (const { kind, who, which } of steps) {
            const desk = desks[who % desks.length]!;
            const mine = saved[who % desks.length]!;
            const code = desk.sections().filter(({ section_type }) => section_type === 'text')[which]?.code;
            const word = `word${words++}`;
            const write = (text: string, isKept: boolean): void => {
              if (code !== undefined) {
                desk.edit(code, text);
                mine.texts.set(code, { text, isKept });
              }
            };
            switch (kind) {
              case 'text':
                write(
                  `${mine.texts.get(code ?? '')?.isKept === true ? '' : (desk.text(code ?? '') ?? '')}\n\n${word}`,
                  false,
                );
                break;
              case 'decide':
                if (code !== undefined && mine.texts.get(code)?.isKept !== true) {
                  const text = `${desk.versions(code).join('\n\n')}\n\n${word}`;
                  desk.decide(code, text);
                  mine.texts.set(code, { text, isKept: false });
                }
                break;
              case 'tooLong':
                write('x'.repeat(1_000_001), true);
                break;
              case 'title':
                desk.title = word;
                Object.assign(mine, { title: word, isKept: false });
                break;
              case 'longTitle':
                desk.title = word.padEnd(1001, 'x');
                Object.assign(mine, { title: desk.title, isKept: true });
                break;
              case 'turn':
                desk.turn();
                break;
              case 'sign':
                desk.sign(which === 0);
                break;
              case 'add':
                mine.texts.set(desk.add(word), { text: word, isKept: false });
                break;
              case 'amend':
                letters++;
                team.commits = [
                  commitNamed('c', { sha: String(letters % 10).repeat(40), patchSha: `p${letters}` }),
                ];
                break;
              case 'pull':
                desk.pull();
                break;
              case 'tick':
                team.time += 1000 * (which + 1);
                break;
              case 'round': {
                desk.round();
                if (mine.title !== '') {
                  assert.equal(desk.title, mine.title, 'the title that was saved');
                }
                for (const [id, { text, isKept }] of mine.texts) {
                  const now = desk.text(id) ?? '';
                  if (isKept) {
                    assert.equal(now, text);
                  } else {
                    const last = text.trim().split(/\s+/).at(-1) ?? '';
                    assert.ok(now.split(/\s+/).includes(last), `${last} is in ${now}`);
                  }
                }
                if (!mine.isKept) {
                  // From now on a title of somebody else's may be later.
                  mine.title = '';
                }
                mine.texts.forEach(({ isKept }, id) => isKept || mine.texts.delete(id));
                break;
              }
            }
          }
          desks.forEach((desk) => desk.pull());
          // All that was dated ahead has its time.
          team.time += 2 * hour;
          meet(...desks);
          assertQuiet(...desks);
          const kept = new Set(
            saved.flatMap(({ texts }) => [...texts].flatMap(([id, { isKept }]) => (isKept ? id : []))),
          );
          const shown = (desk: Desk): SectionRow[] => desk.sections().filter(({ code }) => !kept.has(code));
          // Each may be shown another one of the versions that conflict.
          const pages = desks.map((desk) =>
            shown(desk).map(
              ({ code, identifier }) => desk.versions(code).sort().join('\n---\n') || identifier,
            ),
          );
          pages.forEach((page) => assert.deepEqual([...page].sort(), [...pages[0]!].sort()));
          if (kept.size === 0) {
            pages.forEach((page) => assert.deepEqual(page, pages[0]));
          }
          desks.forEach((desk) => assert.deepEqual(desk.reviews(), desks[0]!.reviews()));
          const titles = desks.flatMap((desk, index) => (saved[index]!.isKept ? [] : [desk.title]));
          assert.ok(new Set(titles).size <= 1, titles.join());
        },
      ),
      { numRuns: isFull ? 1000 : 80 },
    );
  });
});

describe('a device whose clock is more than an hour ahead', () => {
  const minute = 60_000;

  it('is told so as soon as somebody has looked, until they take what it wrote', () => {
    const team = new Team();
    const fast = new Desk(team, 'ada', { ahead: 2 * hour });
    const bob = new Desk(team, 'bob');
    const carl = new Desk(team, 'carl', { ahead: -minute });
    bob.round();
    const code = fast.add('Early.');
    fast.round();
    assert.equal(fast.takenAt, undefined, 'nobody has looked');
    bob.round();
    fast.round();
    assert.equal(fast.takenAt, hour);
    meet(carl, bob, fast);
    assert.deepEqual([bob.takenAt, carl.takenAt], [undefined, undefined], 'nobody else is');
    assert.equal(bob.text(code), undefined);
    assertQuiet(bob, carl, fast);
    team.time += hour + 2 * minute;
    meet(carl, bob, fast);
    assert.equal(bob.text(code), 'Early.');
    assert.equal(fast.takenAt, undefined);
    assertQuiet(bob, carl, fast);
  });

  it('is told for as long as it goes on, and once its clock is right, from what it wrote before', () => {
    const team = new Team();
    const fast = new Desk(team, 'ada', { ahead: 5 * hour });
    const bob = new Desk(team, 'bob');
    fast.round();
    for (let count = 1; count < 4; count++) {
      meet(bob, fast);
      assert.notEqual(fast.takenAt, undefined);
      fast.title = `Title ${count}`;
      team.time += hour;
    }
    fast.ahead = 0;
    fast.round();
    // The last of it was written two hours after all began, by a clock that was five hours ahead.
    assert.equal(fast.takenAt, 6 * hour);
    team.time += 3 * hour;
    meet(bob, fast);
    assert.equal(fast.takenAt, undefined);
    assert.equal(bob.title, 'Title 3');
  });

  it("isn't told for ever where the device that it waited at has been off since", () => {
    const team = new Team();
    const fast = new Desk(team, 'ada', { ahead: 2 * hour });
    const bob = new Desk(team, 'bob');
    meet(fast, bob, fast);
    team.time += 2 * hour;
    fast.round();
    assert.equal(fast.takenAt, hour);
    team.time += minute;
    fast.round();
    assert.equal(fast.takenAt, undefined);
  });

  it("isn't one that somebody with a slow clock takes for one, where others have the same time", () => {
    const team = new Team();
    const ada = new Desk(team, 'ada');
    const bob = new Desk(team, 'bob');
    const slow = new Desk(team, 'carl', { ahead: -2 * hour });
    meet(ada, bob);
    meet(slow, ada, bob);
    assert.deepEqual([ada.takenAt, bob.takenAt, slow.takenAt], [undefined, undefined, undefined]);
  });

  it("isn't one of which somebody says so without a reason", () => {
    const team = new Team();
    const ada = new Desk(team, 'ada');
    ada.round();
    const { person, device } = ada.own.writer;
    const says = (dated: number): Operation => ({
      type: 'ahead',
      log: `${person}/${device}`,
      clock_of: dated,
    });
    for (const dated of [begin + 9 * hour, begin]) {
      team.plant(
        email('eve'),
        [{ clock: [dated - hour / 2, 0], content: says(dated) }],
        String(dated % 7).repeat(16),
      );
    }
    team.plant(email('mallory'), [{ clock: [begin - 9 * hour, 0], content: says(begin + 9 * hour) }]);
    ada.round();
    assert.equal(ada.takenAt, undefined);
  });
});

describe('the names of commits among those who share them', () => {
  const named = (...changes: { change: string; commit: string }[]): Operation => ({
    type: 'version',
    branch: 'feature',
    changes,
  });
  const [c, d] = [commitNamed('c'), commitNamed('d')];

  function team(...commits: Parameters<Desk['pull']>[0] & object): Team {
    const made = new Team();
    made.commits = [...commits];
    return made;
  }

  it('are those of the author, whoever says another one, and however early', () => {
    for (const early of [1, begin]) {
      const shared = team(c, d);
      shared.plant(email('eve'), [{ clock: [early, 0], content: named({ change: 'evil', commit: c.sha }) }]);
      const bob = new Desk(shared, 'bob');
      const ada = new Desk(shared, 'ada');
      const code = ada.add('Why.', 0, c.change);
      bob.round();
      meet(ada, bob);
      assert.equal(bob.text(code, c.change), 'Why.');
      const changes = [ada, bob].map(({ fold }) =>
        [c, d].map(({ change }) => fold.sections({ branch: 'feature', change }).length),
      );
      assert.deepEqual(changes, [
        [1, 0],
        [1, 0],
      ]);
      assertQuiet(ada, bob);
    }
  });

  it('are those that were said first where the author says nothing, but for clocks from before the commit', () => {
    const shared = team({ ...c, author: email('nobody') });
    const bob = new Desk(shared, 'bob');
    const code = bob.add('Why.');
    bob.round();
    const before = bob.fold.sections({ branch: 'feature', change: c.change });
    shared.plant(email('eve'), [
      { clock: [begin - 1, 0], content: named({ change: 'evil', commit: c.sha }) },
    ]);
    shared.plant(email('carl'), [
      { clock: [begin + 1, 0], content: named({ change: 'late', commit: c.sha }) },
    ]);
    assert.equal(bob.round(), 0);
    assert.deepEqual(before, [code]);
    bob.edit(code, 'Why not.');
    const ada = new Desk(shared, 'ada');
    meet(bob, ada);
    assert.equal(ada.text(code), 'Why not.');
    assert.deepEqual(ada.fold.sections({ branch: 'feature', change: 'evil' }), []);
  });

  it('are never the same for two commits of a stack, and nobody says anything of that for ever', () => {
    const both = [
      { change: 'one', commit: c.sha },
      { change: 'one', commit: d.sha },
    ];
    const plants = [
      [named(...both)],
      [named({ change: d.change, commit: c.sha }, { change: c.change, commit: d.sha })],
      [named({ change: d.sha, commit: c.sha })],
      [named(...both), named({ change: d.change, commit: c.sha }, { change: d.change, commit: d.sha })],
    ];
    for (const [index, contents] of plants.entries()) {
      for (const author of ['ada', 'nobody']) {
        const shared = team({ ...c, author: email(author) }, { ...d, author: email(author) });
        shared.plant(
          email('eve'),
          contents.map((content, count) => ({ clock: [begin, count] as const, content })),
        );
        const desks = [new Desk(shared, 'ada'), new Desk(shared, 'bob')];
        const [ada, bob] = desks as [Desk, Desk];
        bob.add('Of c.', 0, c.change);
        ada.add('Of d.', 0, d.change);
        meet(...desks);
        assertQuiet(...desks);
        for (const desk of desks) {
          assert.deepEqual(
            [desk.page(c.change), desk.page(d.change)],
            [
              ['Of c.', 'a', 'b'],
              ['Of d.', 'a', 'b'],
            ],
            `${index}, ${author}`,
          );
        }
      }
    }
  });

  it('are those of the commit that it is, where a patch becomes another one at any moment of a round', () => {
    const before = { ...c, author: email('nobody') };
    const after = commitNamed('e', { change: c.change, author: email('nobody') });
    for (let moment = 1, steps = Infinity; moment <= steps; moment++) {
      const shared = team(before);
      shared.plant(email('carl'), [
        { clock: [begin + 1, 0], content: named({ change: 'elsewhere', commit: after.sha }) },
      ]);
      const ada = new Desk(shared, 'ada');
      ada.add('Why.');
      steps = 0;
      ada.meanwhile = () => {
        if (++steps === moment) {
          ada.pull([after]);
        }
      };
      ada.round();
      ada.meanwhile = () => undefined;
      ada.round();
      const texts = ada.said.filter((operation) => operation.type === 'text');
      assert.ok(texts.length > 0);
      assert.deepEqual(
        texts.filter(({ commit, change }) => commit === after.sha && change !== 'elsewhere'),
        [],
        `${moment} of ${steps}`,
      );
    }
  });

  it('may be any: a change with a name that is too long is called by its commit', () => {
    const shared = team({ ...c, change: 'I'.repeat(1001) });
    const desks = [new Desk(shared, 'ada'), new Desk(shared, 'bob')];
    const [ada, bob] = desks as [Desk, Desk];
    const code = ada.add('Why.');
    meet(...desks);
    assert.equal(bob.text(code), 'Why.');
    assert.deepEqual(ada.withheld, []);
    assertQuiet(...desks);
  });

  it('are not those of other commits, which may have no other', () => {
    const shared = team(
      { ...c, author: email('nobody') },
      { ...d, author: email('nobody'), change: 'I'.repeat(1001) },
    );
    shared.plant(email('eve'), [{ clock: [begin, 0], content: named({ change: d.sha, commit: c.sha }) }]);
    const desks = [new Desk(shared, 'ada'), new Desk(shared, 'bob')];
    const [ada, bob] = desks as [Desk, Desk];
    ada.add('Of c.', 0, c.change);
    meet(...desks);
    assert.deepEqual(bob.page(c.change), ['Of c.', 'a', 'b']);
    assert.deepEqual(bob.page('I'.repeat(1001)), ['a', 'b']);
    assertQuiet(...desks);
  });

  it('come to the same for all, whatever was said when', function () {
    this.timeout(120_000);
    const names = ['Ic', 'Id', 'one', 'c'.repeat(40), 'd'.repeat(40)];
    const saying = fc.record({
      who: fc.constantFrom('ada', 'eve', 'mallory'),
      clock: fc.tuple(fc.integer({ min: begin - 3, max: begin + 3 }), fc.nat(2)),
      changes: fc.array(
        fc.record({ change: fc.constantFrom(...names), commit: fc.constantFrom(c.sha, d.sha) }),
        { minLength: 1, maxLength: 3 },
      ),
    });
    fc.assert(
      fc.property(fc.array(saying, { maxLength: 5 }), fc.boolean(), (sayings, isFirst) => {
        const shared = team(c, d);
        const desks = [new Desk(shared, 'ada'), new Desk(shared, 'bob')];
        const [ada, bob] = desks as [Desk, Desk];
        if (isFirst) {
          meet(...desks);
        }
        sayings.forEach(({ who, clock, changes }, index) =>
          shared.plant(email(who), [{ clock, content: named(...changes) }], String(index).repeat(16)),
        );
        bob.add('Of c.', 0, c.change);
        ada.add('Of d.', 0, d.change);
        meet(...desks);
        assertQuiet(...desks);
        assert.deepEqual(ada.page(c.change), ['Of c.', 'a', 'b']);
        assert.deepEqual([bob.page(c.change), bob.page(d.change)], [ada.page(c.change), ada.page(d.change)]);
      }),
      { numRuns: 100 },
    );
  });
});
