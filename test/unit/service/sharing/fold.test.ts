import assert from 'node:assert/strict';
import fc from 'fast-check';
import { HybridClock } from '../../../../src/service/sharing/clock.ts';
import { Fold, type FoldStore, type SharedText } from '../../../../src/service/sharing/fold.ts';
import {
  decodeBatch,
  encodeBatch,
  noChain,
  pathOf,
  personOf,
  type ChainEnd,
  type LoggedOperation,
  type Operation,
  type Writer,
} from '../../../../src/service/sharing/operations.ts';
import { atOnce } from '../../../../src/util/inTurns.ts';

/** The fold's store, in memory. */
class Memory implements FoldStore {
  readonly values = new Map<string, string>();
  get = (key: string): unknown => JSON.parse(this.values.get(key) ?? 'null') ?? undefined;
  set = (key: string, value: object | number): void => void this.values.set(key, JSON.stringify(value));
  delete = (key: string): void => void this.values.delete(key);
  keys = (prefix: string): string[] => [...this.values.keys()].filter((key) => key.startsWith(prefix)).sort();
  entries = (prefix: string): [string, unknown][] =>
    this.keys(prefix).map((key): [string, unknown] => [key, this.get(key)]);
}

const commit = 'c'.repeat(40);
const place = { branch: 'feature', change: 'I1', commit };
const sections = ['message', 'a', 'b'];
/** Who has written nothing, and sees the latest version of each text. */
const nobody: Writer = { person: '', device: '' };

/** One device of one person: what it has seen, and the log that it writes. */
class Replica {
  readonly memory = new Memory();
  readonly fold = new Fold(this.memory);
  readonly clock: HybridClock;
  readonly writer: Writer;
  /** The commits of its own ref. */
  readonly own: string[] = [];
  #end: ChainEnd = noChain;
  /** The positions up to which it has read the refs of others. */
  readonly #read = new Map<string, { commits: number; end: ChainEnd }>();

  constructor(index: number, now: () => number) {
    // The first two are one person's.
    this.writer = {
      person: personOf(`${Math.max(1, index)}@example.com`),
      device: String(index).padStart(16, '0'),
    };
    this.clock = new HybridClock(now);
  }

  write(...contents: Operation[]): void {
    const operations = contents.map((content): LoggedOperation => {
      const seq = this.#end.seq + 1;
      const clock = this.clock.next();
      this.#end = { seq, clock };
      return { id: `${pathOf(this.writer)}/${seq}`, writer: this.writer, seq, clock, content };
    });
    this.fold.add(operations);
    this.own.push(encodeBatch(this.writer, operations));
  }

  /** Takes in what is new in the ref of another one, or all of it once more. */
  take(other: Replica, commits: readonly string[], again = false): void {
    const path = pathOf(other.writer);
    const before = again ? undefined : this.#read.get(path);
    let end = before?.end ?? noChain;
    for (const text of commits.slice(before?.commits ?? 0)) {
      const batch = decodeBatch(Buffer.from(text), other.writer, end);
      assert.ok('operations' in batch, JSON.stringify(batch));
      batch.operations.forEach(({ clock }) => this.clock.see(clock));
      this.fold.add(batch.operations);
      end = batch.end;
    }
    this.#read.set(path, { commits: commits.length, end });
  }

  shared(section: string): SharedText | undefined {
    return this.fold.text(place, section, this.writer);
  }

  text(section: string): string | null | undefined {
    return this.shared(section)?.text;
  }

  /** The whole state that it comes to, byte for byte. */
  get bytes(): string {
    const texts = sections.map((section) => [section, this.fold.text(place, section, nobody)]);
    return JSON.stringify([[...this.memory.values].sort(([one], [other]) => (one < other ? -1 : 1)), texts]);
  }
}

type Step =
  | { kind: 'write'; who: number; what: number; section: number; line: number }
  | { kind: 'push'; who: number }
  | { kind: 'fetch'; who: number; turned: boolean; again: boolean }
  | { kind: 'tick'; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      who: fc.nat(4),
      what: fc.nat(9),
      section: fc.nat(2),
      line: fc.nat(6),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('push' as const), who: fc.nat(4) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('fetch' as const),
      who: fc.nat(4),
      turned: fc.boolean(),
      again: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('tick' as const), ms: fc.nat(3) }) },
);

/** A text with the lines of several, each of them once. */
function linesOfAll(texts: readonly string[]): string {
  return [...new Set(texts.flatMap((text) => text.split('\n')))].join('\n');
}

/** People at work on one patch, and a remote that has what they pushed. */
class World {
  #time = 1_000_000;
  readonly replicas: Replica[];
  readonly #remote = new Map<Replica, number>();
  /** The words that were ever written into each section, which stand nowhere else. */
  readonly words = new Map<string, string[]>();
  readonly deleted = new Set<string>();
  #written = 0;

  constructor(count: number) {
    this.replicas = Array.from(
      { length: count },
      // Each computer has another time.
      (_, index) => new Replica(index, () => this.#time + index * 1000),
    );
  }

  run(step: Step): void {
    if (step.kind === 'tick') {
      this.#time += step.ms;
      return;
    }
    const replica = this.replicas[step.who % this.replicas.length]!;
    if (step.kind === 'push') {
      this.#remote.set(replica, replica.own.length);
    } else if (step.kind === 'fetch') {
      this.fetch(replica, step);
    } else {
      replica.write(this.#operation(replica, step));
    }
  }

  fetch(replica: Replica, { turned, again }: { turned: boolean; again: boolean }): void {
    const others = this.replicas.filter((other) => other !== replica);
    for (const other of turned ? others.reverse() : others) {
      replica.take(other, other.own.slice(0, this.#remote.get(other) ?? 0), again);
    }
  }

  meet(): void {
    for (const replica of this.replicas) {
      this.#remote.set(replica, replica.own.length);
    }
    this.replicas.forEach((replica, index) => this.fetch(replica, { turned: index % 2 === 1, again: false }));
  }

  /** One of them decides between all versions. */
  decide(): void {
    const [one] = this.replicas as [Replica];
    for (const [section] of sections.entries()) {
      one.write(this.#operation(one, { kind: 'write', who: 0, what: 5, section, line: 0 }));
    }
    this.meet();
  }

  #operation(replica: Replica, { what, section, line }: Extract<Step, { kind: 'write' }>): Operation {
    const word = `word${this.#written++}`;
    const name = sections[section]!;
    const { text, heads, others } = replica.shared(name) ?? { text: null, heads: [], others: [] };
    switch (what) {
      case 5:
        // Somebody decides between the versions.
        return {
          type: 'text',
          ...place,
          section: name,
          text: linesOfAll([text ?? '', ...others.map((other) => other.text)]),
          over: [...heads, ...others.flatMap((other) => other.heads)],
        };
      case 0:
        return { type: 'order', ...place, order: line % 2 === 0 ? sections : sections.toReversed() };
      case 1:
        return {
          type: 'review',
          ...place,
          patch: `p${section}`,
          says: line % 2 === 0 ? 'signed_off' : 'changes_requested',
        };
      case 2:
        return { type: 'stack', branch: place.branch, title: word };
      case 3:
        return { type: 'version', branch: place.branch, changes: [{ change: word, commit }] };
      default: {
        if (what === 4 && line === 0 && text !== null) {
          this.deleted.add(name);
          return { type: 'text', ...place, section: name, text: null, over: heads };
        }
        this.words.set(name, [...(this.words.get(name) ?? []), word]);
        const lines = (text ?? 'one\ntwo\nthree\nfour\nfive').split('\n');
        lines.splice(Math.min(line, lines.length), 0, word);
        return { type: 'text', ...place, section: name, text: lines.join('\n'), over: heads, after: null };
      }
    }
  }
}

describe('the fold of what people share', () => {
  it('comes to the same for everybody, whatever came when, and loses nothing', function () {
    this.timeout(120_000);
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 5 }), fc.array(step, { maxLength: 60 }), (count, steps) => {
        const world = new World(count);
        steps.forEach((each) => world.run(each));
        world.meet();
        const [first, ...others] = world.replicas.map(({ bytes }) => bytes);
        others.forEach((other) => assert.equal(other, first));
        for (const [section, words] of world.words) {
          const { text = null, others = [] } = world.replicas[0]!.shared(section) ?? {};
          const versions = [text ?? '', ...others.map((other) => other.text)].map((one) => one.split(/\s+/));
          for (const word of words) {
            const counts = versions.map((version) => version.filter((one) => one === word).length);
            assert.ok(Math.max(...counts) <= 1, `${word} is doubled`);
            assert.ok(Math.max(...counts) === 1 || world.deleted.has(section), `${word} is lost`);
          }
          assert.ok(!versions.flat().some((one) => /^(<{7}|\|{7}|={7}|>{7})/.test(one)), 'a mark');
        }
        world.decide();
        for (const section of sections) {
          const all = world.replicas.map((replica) => replica.shared(section));
          all.forEach((shared) => assert.deepEqual(shared, all[0]));
          assert.deepEqual(all[0]?.others ?? [], []);
        }
      }),
      { numRuns: 1000 },
    );
  });

  const write = (replica: Replica, text: string, base?: string): void => {
    const { heads } = replica.shared('a') ?? { heads: [] };
    replica.write({ type: 'text', ...place, section: 'a', text, over: heads, base });
  };

  /** Writes a text in the place of all versions. */
  const decide = (replica: Replica, text: string): void => {
    const { heads, others } = replica.shared('a') ?? { heads: [], others: [] };
    const over = [...heads, ...others.flatMap((other) => other.heads)];
    replica.write({ type: 'text', ...place, section: 'a', text, over });
  };

  /** Two who have the same text, and one whose clock is an hour behind. */
  const two = (): [World, Replica, Replica] => {
    const world = new World(2);
    const [slow, fast] = world.replicas as [Replica, Replica];
    write(fast, 'one\ntwo\nthree\n');
    world.meet();
    return [world, slow, fast];
  };

  it('joins what two people changed at once in different places', () => {
    const [world, one, other] = two();
    write(one, 'ONE\ntwo\nthree\n');
    write(other, 'one\ntwo\nTHREE\n');
    world.meet();
    assert.equal(one.text('a'), 'ONE\ntwo\nTHREE\n');
  });

  it('joins on the text that both began with where nobody had shared one', () => {
    const world = new World(2);
    const [one, other] = world.replicas as [Replica, Replica];
    write(one, 'ONE\ntwo\nthree\n', 'one\ntwo\nthree\n');
    write(other, 'one\ntwo\nTHREE\n', 'one\ntwo\nthree\n');
    world.meet();
    assert.equal(other.text('a'), 'ONE\ntwo\nTHREE\n');
  });

  /** The text that a replica is shown, and those that conflict with it. */
  const seen = (one: Replica): string[] => {
    const { text, others = [] } = one.shared('a') ?? {};
    return [text ?? '', ...others.map((other) => other.text)];
  };

  it('has both where they conflict, each shown their own, and then what somebody decides', () => {
    const [world, slow, fast] = two();
    write(fast, 'one\nlater\nthree\n');
    write(slow, 'one\nearlier\nthree\n');
    write(slow, 'one\nearlier!\nthree\n');
    world.run({ kind: 'tick', ms: 1 });
    write(fast, 'one\nlater!\nthree\n');
    world.meet();
    assert.deepEqual(seen(slow), ['one\nearlier!\nthree\n', 'one\nlater!\nthree\n']);
    assert.deepEqual(seen(fast), ['one\nlater!\nthree\n', 'one\nearlier!\nthree\n']);
    const { person, others = [] } = slow.shared('a') ?? {};
    assert.equal(person, slow.writer.person);
    assert.deepEqual(
      others.map((other) => [other.before, other.person]),
      [['one\ntwo\nthree\n', fast.writer.person]],
    );
    // Whoever goes on with their own decides nothing.
    write(slow, 'one\nearlier!!\nthree\n');
    world.meet();
    assert.deepEqual(seen(fast), ['one\nlater!\nthree\n', 'one\nearlier!!\nthree\n']);
    decide(slow, 'one\nboth\nthree\n');
    world.meet();
    assert.deepEqual([seen(slow), seen(fast)], [['one\nboth\nthree\n'], ['one\nboth\nthree\n']]);
  });

  it('shows whoever has none of the versions the latest, and their own to both devices of one person', () => {
    const world = new World(4);
    // The first two are one person's.
    const [phone, desk, bob, carl] = world.replicas as [Replica, Replica, Replica, Replica];
    write(carl, 'one\ntwo\nthree\n');
    world.meet();
    write(desk, 'one\nADA\nthree\n');
    write(bob, 'one\nBOB\nthree\n');
    world.meet();
    assert.equal(seen(carl)[0], 'one\nBOB\nthree\n');
    assert.equal(seen(phone)[0], 'one\nADA\nthree\n');
    write(carl, 'one\nBOB AND CARL\nthree\n');
    world.meet();
    assert.deepEqual(seen(bob), ['one\nBOB AND CARL\nthree\n', 'one\nADA\nthree\n']);
  });

  it('joins what it can of several, and keeps what was written after a decision beside it', () => {
    const world = new World(4);
    const [one, another, third, fourth] = world.replicas.toReversed() as [Replica, Replica, Replica, Replica];
    write(one, 'one\ntwo\nthree\nfour\nfive\n');
    world.meet();
    write(one, 'ONE\ntwo\nthree\nfour\nfive\n');
    write(another, 'one\ntwo\nthree\nfour\nFIVE\n');
    write(third, 'other\ntwo\nthree\nfour\nfive\n');
    world.meet();
    assert.deepEqual(seen(one), ['ONE\ntwo\nthree\nfour\nFIVE\n', 'other\ntwo\nthree\nfour\nfive\n']);
    decide(fourth, 'decided\ntwo\nthree\nfour\nFIVE\n');
    write(third, 'meanwhile\ntwo\nthree\nfour\nfive\n');
    world.meet();
    assert.deepEqual(seen(one), ['decided\ntwo\nthree\nfour\nFIVE\n', 'meanwhile\ntwo\nthree\nfour\nfive\n']);
  });

  it('takes for what two were made of what conflicting ones before them were made of', () => {
    const [world, slow, fast] = two();
    write(slow, 'one\nslow\nthree\n');
    write(fast, 'one\nfast\nthree\n');
    world.meet();
    // Both decide at once, in other ways.
    decide(slow, 'one\nSLOW\nthree\n');
    decide(fast, 'one\nFAST\nthree\n');
    world.meet();
    assert.deepEqual(slow.shared('a')?.others[0]?.before, 'one\ntwo\nthree\n');
    assert.deepEqual(seen(slow), ['one\nSLOW\nthree\n', 'one\nFAST\nthree\n']);
  });

  it('merges only so many characters of a text, and keeps what is left beside it', () => {
    const world = new World(8);
    const replicas = world.replicas.slice(1);
    const lines = replicas.map((_, index) => `${String(index)}${'x'.repeat(140_000)}\n`);
    write(replicas[0]!, lines.join(''));
    world.meet();
    replicas.forEach((replica, index) => write(replica, lines.with(index, `changed${index}\n`).join('')));
    world.meet();
    const versions = seen(replicas[0]!);
    assert.ok(versions.length > 1 && versions.length < replicas.length, String(versions.length));
    const changed = versions.join('').match(/changed\d/g);
    assert.deepEqual(
      changed?.sort(),
      replicas.map((_, index) => `changed${index}`),
    );
  });

  it('joins what conflicts ahead, in a step for each two at least, and has it at hand then', () => {
    const world = new World(8);
    const replicas = world.replicas.slice(1);
    write(replicas[0]!, 'Before.');
    world.meet();
    replicas.forEach((replica, index) => write(replica, `Of ${String(index)}.`));
    world.meet();
    const { fold, memory, writer } = replicas[0]!;
    const expected = new Fold(memory).texts(place, writer);
    let steps = 0;
    const joining = fold.joining(place, writer);
    while (joining.next().done !== true) {
      steps++;
    }
    assert.ok(steps >= (replicas.length * (replicas.length - 1)) / 2, String(steps));
    const read: string[] = [];
    const { get } = memory;
    memory.get = (key) => {
      read.push(key);
      return get(key);
    };
    assert.deepEqual(fold.texts(place, writer), expected);
    assert.deepEqual(fold.text(place, 'a', writer), expected.get('a'));
    assert.deepEqual(
      read.filter((key) => key.startsWith('["op"')),
      [],
    );
    // Another version, and what was missing, count at once.
    memory.get = get;
    write(replicas[0]!, 'Something else.');
    assert.equal(fold.text(place, 'a', writer)?.text, 'Something else.');
    assert.deepEqual(fold.texts(place, writer), new Fold(memory).texts(place, writer));
  });

  it('joins anew what was joined ahead once that has come which it was written over', () => {
    const world = new World(4);
    const [base, one, other, reader] = world.replicas as [Replica, Replica, Replica, Replica];
    base.write({ type: 'text', ...place, section: 'b', text: 'one\ntwo\nthree\n', over: [] });
    const over = [`${pathOf(base.writer)}/1`];
    one.write({ type: 'text', ...place, section: 'a', text: 'ONE\ntwo\nthree\n', over });
    other.write({ type: 'text', ...place, section: 'a', text: 'one\ntwo\nTHREE\n', over });
    [one, other].forEach((each) => reader.take(each, each.own));
    atOnce(reader.fold.joining(place, reader.writer));
    assert.equal(reader.shared('a')?.others.length, 1);
    reader.take(base, base.own);
    assert.equal(reader.text('a'), 'ONE\ntwo\nTHREE\n');
  });

  it('keeps what somebody wrote while another one deleted it', () => {
    const [world, one, other] = two();
    const { heads = [] } = one.shared('a') ?? {};
    one.write({ type: 'text', ...place, section: 'a', text: null, over: heads });
    assert.equal(one.text('a'), null);
    write(other, 'one\ntwo\nthree\nfour\n');
    world.meet();
    assert.equal(one.text('a'), 'one\ntwo\nthree\nfour\n');
  });

  it('joins on nothing where somebody deleted what was there before', () => {
    const [world, one, other] = two();
    const heads = (): string[] => one.shared('a')?.heads ?? [];
    one.write({ type: 'text', ...place, section: 'a', text: null, over: heads() });
    world.meet();
    write(one, 'one\ntwo\nthree\nfour\n');
    write(other, 'zero\none\ntwo\nthree\n');
    world.meet();
    assert.deepEqual(
      [seen(one), one.shared('a')?.others[0]?.before],
      [['one\ntwo\nthree\nfour\n', 'zero\none\ntwo\nthree\n'], ''],
    );
  });

  it('lets what was said knowing of another saying count, whatever the clocks say', () => {
    const [world, slow, fast] = two();
    const title = (text: string): Operation => ({ type: 'stack', branch: place.branch, title: text });
    fast.write(title('first'));
    world.meet();
    slow.write(title('second'));
    world.meet();
    assert.deepEqual(
      [slow, fast].map(({ fold }) => fold.stack(place.branch)),
      [{ title: 'second' }, { title: 'second' }],
    );
  });

  it('lets a device have one version of a text, whatever it says that it replaces', () => {
    const world = new World(1);
    const [one] = world.replicas as [Replica];
    for (const text of ['one\n', 'two\n']) {
      one.write({ type: 'text', ...place, section: 'a', text, over: [] });
    }
    assert.equal(one.text('a'), 'two\n');
  });

  it('lets nobody replace what is written after it, whatever its writer says to have read', () => {
    for (const isSeen of [true, false]) {
      const [world, ann, mallory] = two();
      const guessed = Array.from({ length: 20 }, (_none, index) => `${pathOf(ann.writer)}/${index + 1}`);
      const over = [...(mallory.fold.text(place, 'a', nobody)?.heads ?? []), ...guessed];
      mallory.write({ type: 'text', ...place, section: 'a', text: 'one\ntwo\nthree\nfour\n', over });
      if (isSeen) {
        ann.take(mallory, mallory.own);
      } else {
        ann.clock.see(mallory.clock.last);
      }
      write(ann, 'ONE\ntwo\nthree\n');
      world.meet();
      const text = isSeen ? 'ONE\ntwo\nthree\n' : 'ONE\ntwo\nthree\nfour\n';
      assert.deepEqual([ann.text('a'), mallory.text('a')], [text, text], `seen: ${isSeen}`);
      assert.equal(ann.bytes, mallory.bytes);
    }
  });

  it('adds nothing twice', () => {
    const [, slow, fast] = two();
    write(slow, 'four\n');
    const before = slow.bytes;
    slow.take(fast, fast.own, true);
    assert.equal(slow.bytes, before);
  });
});
