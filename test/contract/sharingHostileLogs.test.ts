/** One bad log at the remote halts nobody: it is told once, and everything else goes on. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathOf, personOf, type Writer } from '../../src/service/sharing/operations.ts';
import { ada, grace, GitRepository } from '../support/gitRepository.ts';
import {
  brokenObjects,
  damagedRemotes,
  hostileLogs,
  markOf,
  plantLog,
  snapshots,
  strangeRefs,
  writerOfRow,
  type HostileLog,
  type Scene,
} from '../support/hostileLogs.ts';
import { RawRemote } from '../support/rawRemote.ts';
import { Teammate } from '../support/teammate.ts';

/** The bad logs that are there at once where git doesn't take them: each takes some runs of git. */
const brokenAtOnce = 6;

const logs = 'refs/patch-stacks/v1/';

/** What a round has made of a bad log. */
interface Outcome {
  told: string[];
  state: string;
  isGoodThere: boolean;
  isOwnPushed: boolean;
  isShown: boolean;
  /** What the last round has changed. */
  changed: string[];
}

/** The log of a good colleague, written as the format says. */
class GoodLog {
  readonly writer: Writer = { person: personOf(grace.email), device: '9'.repeat(16) };
  readonly #remote: RawRemote;
  readonly #now: number;
  tip: string;
  #seq = 0;

  constructor(remote: RawRemote, now: number) {
    this.#remote = remote;
    this.#now = now;
    this.tip = this.#append([], { type: 'person', name: grace.name, email: grace.email });
  }

  add(operation: object): void {
    this.tip = this.#append([this.tip], operation);
  }

  #append(parents: readonly string[], operation: object): string {
    this.#seq++;
    const line = { seq: this.#seq, clock: [this.#now + this.#seq, 0], ...operation };
    const text = `${JSON.stringify({ format: 1, ...this.writer })}\n${JSON.stringify(line)}\n`;
    const blob = this.#remote.object('blob', text);
    const commit = this.#remote.commit(this.#remote.tree(['100644', 'operations', blob]), { parents });
    this.#remote.ref(`${logs}${pathOf(this.writer)}`, commit);
    return commit;
  }
}

describe('service: bad logs at the remote', function () {
  this.timeout(240_000);
  let remote: GitRepository;
  let ann: Teammate;
  let good: GoodLog;
  let scene: Scene;
  /** That of a section which Ann writes again and again. */
  let text = 'The same.';
  let words = 0;
  let rows = 0;

  before(async () => {
    remote = GitRepository.remote();
    ann = new Teammate('ann', remote.directory, ada);
    ann.pushFeature(['a.txt', 'a\n', 'First']);
    await ann.start();
    await add(text);
    await ann.share();
    const raw = new RawRemote(path.join(remote.directory, '.git'));
    const now = Date.now();
    good = new GoodLog(raw, now - 1000);
    await ann.share();
    const { change_id, sections } = await ann.patch();
    const { patches } = await ann.stack();
    const commit = (patches[0] as unknown as { commit_sha: string }).commit_sha;
    const section = sections.find(({ data }) => data === text)?.code ?? '';
    const said = ownSaid().split('\n');
    const line = said.find((one) => one.includes(`"section":"${section}"`)) ?? '';
    const { seq } = JSON.parse(line) as { seq: number };
    const own = ownRef().slice(logs.length);
    scene = {
      remote: raw,
      now,
      place: { branch: 'feature', change: change_id, commit },
      file: sections.find(({ identifier }) => identifier === 'a.txt')?.code ?? '',
      text: { section, id: `${own}/${seq}` },
      own,
      colleague: pathOf(good.writer),
      colleagueTip: good.tip,
    };
  });

  after(async () => {
    await ann.remove();
    remote.remove();
  });

  const add = async (text: string): Promise<void> => {
    await ann.call('POST', `${(await ann.patch()).path}/section`, { type: 'text', text });
  };
  const ownRef = (): string =>
    remote.git('for-each-ref', '--format=%(refname)', `${logs}${personOf(ada.email)}`);
  /** All lines of Ann's log at the remote. */
  const ownSaid = (): string =>
    remote
      .git('rev-list', '--first-parent', ownRef())
      .split('\n')
      .map((sha) => remote.git('show', `${sha}:operations`))
      .join('\n');
  /** All that the service has noted. */
  const noted = (): string[] => {
    const database = new DatabaseSync(path.join(ann.running.dataDirectory, 'patch-stacks.sqlite'), {
      readOnly: true,
    });
    try {
      const tables = ['stacks', 'patches', 'sections', 'patch_marks', 'users', 'ssh_keys', 'shared'];
      return tables.flatMap((table) =>
        database
          .prepare(`SELECT * FROM ${table}`)
          .all()
          .map((row) => `${table} ${JSON.stringify(row)}`),
      );
    } finally {
      database.close();
    }
  };
  const files = (): string[] =>
    readdirSync(path.join(ann.running.dataDirectory, 'sharing'), { recursive: true }).map(String).sort();

  /** What anybody sees who looks, in the names of whom. */
  const seen = async (): Promise<string> => {
    const { text } = await ann.call('GET', (await ann.patch()).path);
    const keys = await ann.call('GET', '/user/ada/keys');
    return [JSON.stringify(await ann.stack()), text, keys.text].join('\n');
  };

  /** Shares with these logs there, until a round has nothing to do; @param mostRounds With the first one. */
  const share = async (some: readonly [number, HostileLog][], mostRounds: number): Promise<Outcome[]> => {
    some.forEach(([index, row]) => plantLog(row, index, scene));
    const word = `${++words}.`;
    good.add({
      type: 'text',
      ...scene.place,
      section: String(words).padStart(16, '0'),
      text: `Of Grace ${word}`,
      over: [],
      after: null,
    });
    await ann.call('PATCH', await ann.section(text), { text: `Of Ann ${word}` });
    text = `Of Ann ${word}`;
    const first = await ann.share();
    const page = await ann.page();
    const said = ownSaid();
    const isGoodThere = page.includes(`Of Grace ${word}`) && page.includes(text);
    let last = first;
    const state = (): string[] => [...noted(), ...files(), remote.git('rev-parse', ownRef())];
    let before = new Set(state());
    let changed: string[] = [];
    do {
      last = await ann.share();
      const now = state();
      changed = now.filter((line) => !before.has(line)).map((line) => line.slice(0, 200));
      before = new Set(now);
    } while (changed.length > 0 && --mostRounds > 1);
    const everything = `${await seen()}${ownSaid()}`;
    return some.map(([index]) => ({
      told: last.problems.filter(({ log }) => log === pathOf(writerOfRow(index))).map(({ reason }) => reason),
      state: `${first.state} ${first.waiting}, ${last.state} ${last.waiting}`,
      isGoodThere,
      isOwnPushed: said.includes(`Of Ann ${word}`),
      isShown: everything.includes(markOf(index)),
      changed,
    }));
  };

  /** Tries rows, so many at once. */
  const tryAll = (
    title: string,
    all: readonly HostileLog[],
    { atOnce = all.length, mostRounds = 2, isGone = false },
  ): void => {
    describe(title, () => {
      const outcomes: Outcome[] = [];
      const from = rows;
      rows += all.length;

      before(async () => {
        for (let count = 0; count < all.length; count += atOnce) {
          const some = [...all.entries()]
            .slice(count, count + atOnce)
            .map(([index, row]): [number, HostileLog] => [from + index, row]);
          outcomes.push(...(await share(some, mostRounds)));
          if (isGone) {
            some.forEach(([index]) =>
              rmSync(path.join(remote.directory, '.git', logs, pathOf(writerOfRow(index)))),
            );
          }
        }
      });

      for (const [index, { name, told, isTakenFirst = false }] of all.entries()) {
        it(`${name}: ${told ? 'is told, and' : ''} keeps nobody back`, () => {
          const { told: reasons, ...outcome } = outcomes[index]!;
          assert.deepEqual(outcome, {
            state: 'shared 0, shared 0',
            isGoodThere: true,
            isOwnPushed: true,
            isShown: isTakenFirst,
            changed: [],
          });
          assert.equal(reasons.length, told ? 1 : 0, reasons.join());
          if (told) {
            assert.match(reasons[0]!, told);
            assert.doesNotMatch(reasons[0]!, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
            assert.ok(reasons[0]!.length < 500);
          }
        });
      }
    });
  };

  tryAll('with snapshots that are not theirs', snapshots, { mostRounds: snapshots.length + 3 });
  tryAll('that git takes', hostileLogs, {});
  tryAll('that git does not take', brokenObjects, { atOnce: brokenAtOnce, isGone: true });

  describe('that leave the remote damaged, so that it takes nothing', () => {
    for (const row of damagedRemotes) {
      it(`${row.name}: is told, and all is pushed once it is gone`, async () => {
        const index = rows++;
        const [outcome] = await share([[index, row]], 2);
        rmSync(path.join(remote.directory, '.git', logs, pathOf(writerOfRow(index))));
        const { state, isGoodThere, changed, isShown } = outcome!;
        assert.deepEqual(
          { state, isGoodThere, changed, isShown },
          { state: 'refused 1, refused 1', isGoodThere: true, changed: [], isShown: false },
        );
        assert.deepEqual((await ann.share()).state, 'shared');
        assert.match(ownSaid(), new RegExp(`Of Ann ${words}\\.`));
      });
    }
  });

  describe('under names that are none', () => {
    it('are counted, and run nothing', async () => {
      const tip = good.tip;
      strangeRefs.forEach((name) => scene.remote.ref(`${logs}${name}`, tip));
      await add('Of Ann, at last.');
      const { state, problems, reason } = await ann.share();
      assert.equal(state, 'shared', reason);
      assert.match(ownSaid(), /Of Ann, at last\./);
      const [strange] = problems.filter(({ log }) => log === '');
      assert.match(strange?.reason ?? '', /^some refs aren't logs \(\d+\)$/);
      assert.ok(!existsSync(path.join(ann.clone.directory, 'evil')));
    });
  });
});
