import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  admitAll,
  type LogBudget,
  checkOneSnapshot,
  forgetFold,
  type LogProblem,
} from '../../../../src/service/sharing/admission.ts';
import { HybridClock, isAfter } from '../../../../src/service/sharing/clock.ts';
import { Fold } from '../../../../src/service/sharing/fold.ts';
import {
  OfflineError,
  RefusedPushError,
  remoteAddress,
  SharedLogs,
} from '../../../../src/service/sharing/logs.ts';
import {
  clockSchema,
  encodeBatch,
  noChain,
  pathOf,
  personOf,
  type ChainEnd,
  type LoggedOperation,
  type Operation,
  type Writer,
} from '../../../../src/service/sharing/operations.ts';
import { fileOf } from '../../../../src/service/sharing/snapshots.ts';
import { SharingStore } from '../../../../src/service/sharing/store.ts';
import { Database } from '../../../../src/service/storage/database.ts';
import { GitRepository } from '../../../support/gitRepository.ts';

const start = 1_800_000_000_000;
const ref = (writer: Writer): string => `refs/patch-stacks/v1/${pathOf(writer)}`;

/** One device with its logs, and what they come to. */
class Device {
  readonly writer: Writer;
  readonly logs: SharedLogs;
  readonly database = new Database(':memory:');
  readonly store = new SharingStore(this.database, 'test');
  readonly fold = new Fold(this.store);
  readonly clock = new HybridClock(() => start);
  now = start;
  /** The logs of which there was more when it fetched last. */
  unfinished: readonly string[] = [];
  #end: ChainEnd = noChain;
  readonly #remote: string;

  private constructor(writer: Writer, logs: SharedLogs, remote: string) {
    this.writer = writer;
    this.logs = logs;
    this.#remote = remote;
  }

  static async open(name: string, folder: string, remote: string): Promise<Device> {
    const email = `${name}@example.com`;
    const logs = await SharedLogs.open(path.join(folder, name), { name, email });
    return new Device({ person: personOf(email), device: name.padEnd(16, '0') }, logs, remote);
  }

  /** The text of a commit that goes on from what was written last. */
  batch(...contents: (Operation | { type: 'dance' })[]): string {
    return encodeBatch(
      this.writer,
      contents.map((content): LoggedOperation => {
        this.#end = { seq: this.#end.seq + 1, clock: this.clock.next() };
        return { id: '', writer: this.writer, ...this.#end, content: content as Operation };
      }),
    );
  }

  async write(...contents: (Operation | { type: 'dance' })[]): Promise<void> {
    await this.logs.append(this.writer, this.batch(...contents), []);
    await this.logs.push(this.#remote, this.writer);
  }

  /** @param most What a log may bring. */
  async fetch(there = ['feature'], most?: LogBudget): Promise<LogProblem[]> {
    await this.logs.fetch(this.#remote);
    const { logs, store, fold, clock } = this;
    const branches = new Set(there);
    const parts = { logs, store, fold, clock, now: () => this.now, branches, most };
    const { problems, unfinished } = await admitAll({ ...parts, isStranger: () => false }, this.writer);
    this.unfinished = unfinished;
    return [...logs.setAside, ...problems];
  }

  get title(): string | undefined {
    return this.fold.stack('feature').title;
  }
}

const title = (text: string): Operation => ({ type: 'stack', branch: 'feature', title: text });

describe('the logs of devices', function () {
  // Each step is some runs of git.
  this.timeout(60_000);
  let folder: string;
  let remote: GitRepository;
  let ann: Device;
  let bob: Device;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-logs-'));
    remote = GitRepository.remote();
    ann = await Device.open('a11', folder, remote.directory);
    bob = await Device.open('b0b', folder, remote.directory);
  });

  afterEach(() => {
    remote.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Puts a commit on top of the log of Ann, whatever it says, or in the place of all of it. */
  function plant(tree: string, { to = ann.writer, instead = false } = {}): void {
    const before = instead ? [] : ['-p', remote.git('rev-parse', ref(to))];
    const commit = remote.git('commit-tree', tree, ...before, '-m', 'x');
    remote.git('update-ref', ref(to), commit);
  }

  function treeOf(content: string): string {
    const blob = remote.gitWithInput(content, 'hash-object', '-w', '--stdin');
    return remote.gitWithInput(`100644 blob ${blob}\toperations\n`, 'mktree');
  }

  it('bring what one writes to the other', async () => {
    await ann.write(title('one'));
    await ann.write(title('two'), { type: 'dance' }, title('three'));
    assert.deepEqual(await bob.fetch(), []);
    assert.equal(bob.title, 'three');
    assert.deepEqual(await bob.fetch(), []);
  });

  const budgets: Record<string, LogBudget> = {
    'have many operations': { operations: 3, bytes: Infinity },
    'are large': { operations: Infinity, bytes: 300 },
  };
  for (const [what, most] of Object.entries(budgets)) {
    it(`are taken in bit by bit where they ${what}, and then keep nobody else waiting`, () =>
      takeInParts(most));
  }

  const takeInParts = async (most: LogBudget): Promise<void> => {
    for (const text of ['one', 'two', 'three', 'four']) {
      await ann.write(title(text), { type: 'dance' });
    }
    const carl = await Device.open('ca1', folder, remote.directory);
    await carl.write({ type: 'stack', branch: 'other', title: 'Of Carl' });
    const rounds: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(await bob.fetch(['feature', 'other'], most), []);
      rounds.push([bob.title, bob.fold.stack('other').title, bob.unfinished]);
    }
    const log = pathOf(ann.writer);
    assert.deepEqual(rounds, [
      ['two', 'Of Carl', [log]],
      ['four', 'Of Carl', []],
      ['four', 'Of Carl', []],
    ]);
    // What is written here is taken in whole, for what is said next goes on from it.
    ann.database.run('DELETE FROM shared');
    await ann.fetch(['feature'], { operations: 1, bytes: 1 });
    assert.deepEqual([ann.title, ann.unfinished], ['four', []]);
  };

  it('are taken in with turns for others between, however many operations one commit has', async () => {
    const count = 20_000;
    await ann.write(...Array.from({ length: count }, (): { type: 'dance' } => ({ type: 'dance' })));
    const { fold } = bob;
    const add = fold.add.bind(fold);
    let all = 0;
    let sinceTurn = 0;
    let most = 0;
    let turn = setImmediate(function again() {
      sinceTurn = 0;
      turn = setImmediate(again);
    });
    fold.add = (operations, commit) => {
      all += operations.length;
      sinceTurn += operations.length;
      most = Math.max(most, sinceTurn);
      add(operations, commit);
    };
    assert.deepEqual(await bob.fetch(), []);
    clearImmediate(turn);
    assert.deepEqual([all, most <= 1000], [count, true], String(most));
  });

  it('have as parents what the device had seen', async () => {
    await ann.write(title('one'));
    await bob.fetch();
    const { tips } = await bob.logs.seenTips();
    const seen = [...tips.values()];
    await bob.logs.append(bob.writer, bob.batch(title('two')), seen);
    await bob.logs.append(bob.writer, bob.batch(title('three')), seen);
    await bob.logs.push(remote.directory, bob.writer);
    // The first parent is the log's own, whose first commit has none: whoever reads it gets into no other one.
    const first = remote.git('rev-parse', `${ref(bob.writer)}~1`);
    const parents = remote.git('log', '--first-parent', '--format=%P', ref(bob.writer));
    assert.equal(parents, `${first} ${seen.join(' ')}\n`);
    assert.deepEqual(await ann.fetch(), []);
    assert.equal(ann.title, 'three');
  });

  const attacks: Record<string, [RegExp, () => void]> = {
    'was rewritten': [/was rewritten/, () => plant(treeOf(ann.batch(title('evil'))), { instead: true })],
    'was taken back': [
      /was rewritten/,
      () => remote.git('update-ref', ref(ann.writer), remote.git('rev-parse', `${ref(ann.writer)}^`)),
    ],
    'has a commit in the name of another device': [
      /somebody else's name/,
      () => plant(treeOf(encodeBatch(bob.writer, []))),
    ],
    'has a commit twice': [
      /stands there twice/,
      () => plant(remote.git('rev-parse', `${ref(ann.writer)}^{tree}`)),
    ],
    'leaves an operation out': [
      /an operation is missing/,
      () => {
        ann.batch(title('left out'));
        plant(treeOf(ann.batch(title('evil'))));
      },
    ],
    'has an operation that is none': [
      /isn't written as the format says/,
      () => plant(treeOf(ann.batch({ type: 'stack', branch: 'feature', title: 'x'.repeat(1_000_000) }))),
    ],
    'has a file that is too large': [
      /it has 16777217 bytes/,
      () => plant(treeOf(' '.repeat(16 * 1024 * 1024 + 1))),
    ],
    'has no file': [/no operations/, () => plant(remote.gitWithInput('', 'mktree'))],
    'has a folder instead of a file': [
      /no operations/,
      () => {
        const inner = treeOf('');
        plant(remote.gitWithInput(`040000 tree ${inner}\toperations\n`, 'mktree'));
      },
    ],
    'has a clock that goes back': [
      /clock goes back/,
      () =>
        plant(
          treeOf(
            encodeBatch(ann.writer, [
              { id: '', writer: ann.writer, seq: 3, clock: [5, 0], content: title('evil') },
            ]),
          ),
        ),
    ],
    'is of a newer format': [/newer version/, () => plant(treeOf('{"format":2}\n'))],
  };
  for (const [name, [reason, attack]] of Object.entries(attacks)) {
    it(`are told and not taken where one ${name}, again and again, while others are`, async () => {
      await ann.write(title('one'));
      await ann.write(title('good'));
      assert.deepEqual(await bob.fetch(), []);
      attack();
      for (let time = 0; time < 2; time++) {
        const problems = await bob.fetch();
        assert.equal(problems.length, 1);
        assert.match(problems[0]!.reason, reason);
        assert.equal(problems[0]!.log, pathOf(ann.writer));
      }
      assert.equal(bob.title, 'good');
      const carl = await Device.open('ca1', folder, remote.directory);
      await carl.write({ type: 'stack', branch: 'feature', description: 'Fine.' });
      assert.equal((await bob.fetch()).length, 1);
      assert.equal(bob.fold.stack('feature').description, 'Fine.');
    });
  }

  it('are not taken in the name of somebody else, nor under a name that is none', async () => {
    await ann.write(title('one'));
    const commit = remote.git('rev-parse', ref(ann.writer));
    remote.git('update-ref', ref({ person: personOf('eve@example.com'), device: ann.writer.device }), commit);
    remote.git('update-ref', 'refs/patch-stacks/v1/eve', commit);
    const problems = await bob.fetch();
    assert.equal(problems.length, 2);
    assert.match(problems[0]!.reason, /aren't logs \(1\)/);
    assert.match(problems[1]!.reason, /somebody else's name/);
    assert.equal(bob.title, 'one');
  });

  it('wait where their clock is far ahead, and count when that time has come', async () => {
    ann.clock.see([start + 2 * 60 * 60 * 1000, 0]);
    await ann.write(title('later'));
    const [problem] = await bob.fetch();
    assert.match(problem!.reason, /far ahead/);
    assert.equal(bob.title, undefined);
    assert.deepEqual(bob.clock.last, [0, 0]);
    bob.now += 2 * 60 * 60 * 1000;
    assert.deepEqual(await bob.fetch(), []);
    assert.equal(bob.title, 'later');
  });

  it('say why the remote refuses them, and go there once it takes them', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const hook = path.join(remote.directory, '.git', 'hooks', 'pre-receive');
    mkdirSync(path.dirname(hook), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho "Not on Mondays" >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    await assert.rejects(
      ann.write(title('one')),
      (error: unknown) =>
        error instanceof RefusedPushError &&
        error.message.includes('hook declined') &&
        error.message.includes('Not on Mondays'),
    );
    rmSync(hook);
    assert.equal(await ann.logs.push(remote.directory, ann.writer), true);
    assert.equal(await ann.logs.push(remote.directory, ann.writer), false);
    assert.deepEqual(await bob.fetch(), []);
    assert.equal(bob.title, 'one');
  });

  const damages: Record<string, [RegExp, () => void]> = {
    'a commit with two authors': [
      /multipleAuthors/,
      () => {
        const tip = remote.git('rev-parse', ref(ann.writer));
        const who = 'x <x@example.com> 1 +0000';
        const lines = [`tree ${treeOf(ann.batch(title('evil')))}`, `parent ${tip}`, `author ${who}`];
        const object = `${lines.join('\n')}\nauthor ${who}\ncommitter ${who}\n\nx\n`;
        const commit = remote.gitWithInput(
          object,
          'hash-object',
          '--literally',
          '-t',
          'commit',
          '-w',
          '--stdin',
        );
        remote.git('update-ref', ref(ann.writer), commit);
      },
    ],
    'a folder .git': [
      /hasDotgit/,
      () => {
        const blob = remote.gitWithInput(ann.batch(title('evil')), 'hash-object', '-w', '--stdin');
        const inner = treeOf('');
        const entries = `040000 tree ${inner}\t.git\n100644 blob ${blob}\toperations\n`;
        plant(remote.gitWithInput(entries, 'mktree'));
      },
    ],
  };
  for (const [name, [reason, damage]] of Object.entries(damages)) {
    it(`are set aside and told where git takes no ${name}, again and again, and all others come`, async () => {
      const carl = await Device.open('ca1', folder, remote.directory);
      await ann.write(title('one'));
      assert.deepEqual(await bob.fetch(), []);
      const good = remote.git('rev-parse', ref(ann.writer));
      damage();
      for (let time = 1; time <= 4; time++) {
        await carl.write({ type: 'stack', branch: 'feature', description: `${time}.` });
        const [problem, ...others] = await bob.fetch();
        assert.deepEqual([problem?.log, others], [pathOf(ann.writer), []]);
        assert.match(problem?.reason ?? '', /^it can't be fetched: /);
        assert.match(problem?.reason ?? '', reason);
        assert.equal(bob.fold.stack('feature').description, `${time}.`);
        assert.equal(bob.title, 'one');
      }
      // One that begins by then, and one that is gone, with another in its place that has its name before the slash.
      const dora = await Device.open('d0a', folder, remote.directory);
      dora.clock.see([start + 1, 0]);
      await dora.write(title('of Dora'));
      remote.git('update-ref', '-d', ref(carl.writer));
      remote.git('update-ref', `refs/patch-stacks/v1/${carl.writer.person}`, good);
      assert.deepEqual(
        (await bob.fetch()).map(({ log }) => log),
        [pathOf(ann.writer), ''],
      );
      assert.equal(bob.title, 'of Dora');
      remote.git('update-ref', '-d', `refs/patch-stacks/v1/${carl.writer.person}`);
      // Once it is as it was, it is gone on from.
      remote.git('update-ref', ref(ann.writer), good);
      assert.deepEqual(await bob.fetch(), []);
    });
  }

  it('make place for one whose name begins with that of one that is gone, and the other way round', async () => {
    await ann.write(title('one'));
    assert.deepEqual(await bob.fetch(), []);
    const tip = remote.git('rev-parse', ref(ann.writer));
    const short = `refs/patch-stacks/v1/${ann.writer.person}`;
    remote.git('update-ref', '-d', ref(ann.writer));
    remote.git('update-ref', short, tip);
    const problems = await bob.fetch();
    assert.deepEqual(
      problems.map(({ log }) => log),
      [''],
    );
    remote.git('update-ref', '-d', short);
    remote.git('update-ref', ref(ann.writer), tip);
    await ann.write(title('two'));
    assert.deepEqual(await bob.fetch(), []);
    assert.equal(bob.title, 'two');
  });

  it('say what git says of the remote without any password that is in it', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const hook = path.join(remote.directory, '.git', 'hooks', 'pre-receive');
    mkdirSync(path.dirname(hook), { recursive: true });
    const addresses = 'https://ann:secret1@one.example/a and https://bob:secret2@two.example/b';
    writeFileSync(hook, `#!/bin/sh\necho "Not ${addresses}, ssh://carl:secret3@c.example" >&2\nexit 1\n`);
    chmodSync(hook, 0o755);
    await assert.rejects(
      ann.write(title('one')),
      (error: unknown) =>
        error instanceof RefusedPushError &&
        error.message.includes('Not https://one.example/a and https://two.example/b, ssh://c.example') &&
        !/secret|ann:|bob:|carl:/.test(error.message),
    );
  });

  it('are gone on from later than what was read in them last, also after a start', async () => {
    ann.clock.see([start + 30 * 60 * 1000, 0]);
    await ann.write(title('earlier'));
    await bob.fetch();
    assert.ok(isAfter(bob.clock.next(), ann.clock.last));
    const again = new HybridClock(() => start, bob.store.readAs(clockSchema, 'clock'));
    assert.ok(isAfter(again.next(), ann.clock.last));
  });

  it('go on where git was ended while it wrote', async () => {
    await ann.write(title('one'));
    await bob.write({ type: 'dance' });
    await ann.fetch();
    const own = path.join(folder, 'a11');
    const seenOfBob = ref(bob.writer).replace('patch-stacks/v1', 'seen/refs');
    const chain = 'objects/info/commit-graphs/commit-graph-chain';
    const pack = 'objects/pack/multi-pack-index';
    mkdirSync(path.join(own, path.dirname(chain)), { recursive: true });
    const files = [ref(ann.writer), 'HEAD', 'packed-refs', 'config', 'shallow', chain, pack, seenOfBob];
    const locks = files.map((file) => path.join(own, `${file}.lock`));
    const lock = (): void => locks.forEach((file) => writeFileSync(file, ''));
    lock();
    const batch = ann.batch(title('two'));
    await assert.rejects(ann.logs.append(ann.writer, batch, []), /cannot lock ref/);
    const again = await SharedLogs.open(own, { name: 'ann', email: 'a11@example.com' });
    assert.deepEqual(
      locks.filter((file) => existsSync(file)),
      [],
    );
    await again.append(ann.writer, batch, []);
    await again.push(remote.directory, ann.writer);
    assert.deepEqual(await bob.fetch(), []);
    assert.equal(bob.title, 'two');
    // The same while the service goes on: once it has met them.
    lock();
    await bob.write({ type: 'dance' });
    await again.fetch(remote.directory);
    assert.deepEqual([again.setAside, locks.filter((file) => existsSync(file))], [[], []]);
    lock();
    const third = ann.batch(title('three'));
    await assert.rejects(again.append(ann.writer, third, []), /cannot lock ref/);
    await again.fetch(remote.directory);
    await again.append(ann.writer, third, []);
  });

  it('say it where the remote is not there', async () => {
    const nowhere = path.join(folder, 'nowhere');
    await ann.write(title('one'));
    await ann.logs.append(ann.writer, ann.batch(title('two')), []);
    await assert.rejects(ann.logs.fetch(nowhere), OfflineError);
    await assert.rejects(ann.logs.push(nowhere, ann.writer), OfflineError);
  });

  it('are carried by nothing that runs something else', async () => {
    const trace = path.join(folder, 'trace');
    await assert.rejects(ann.logs.fetch(`ext::sh -c touch% ${trace}`), OfflineError);
    await assert.rejects(ann.logs.fetch(`--upload-pack=touch ${trace}`), OfflineError);
    assert.equal(existsSync(trace), false);
  });

  describe('over SSH', () => {
    const own = process.env;
    const address = (): string => `ssh://ann@example.com${remote.directory}`;
    const calls = (): string => {
      const file = path.join(folder, 'calls');
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    };

    /** A program that is called as ssh is, and has the other end on this computer; it notes how. */
    function sshNamed(name: string): string {
      const program = path.join(folder, 'bin', name);
      mkdirSync(path.dirname(program), { recursive: true });
      const note = `echo "${name} $*" >> "${path.join(folder, 'calls')}"`;
      writeFileSync(program, `#!/bin/sh\n${note}\nfor last; do :; done\nexec sh -c "$last"\n`);
      chmodSync(program, 0o755);
      return program;
    }

    beforeEach(() => {
      process.env = Object.fromEntries(Object.entries(own).filter(([name]) => !name.startsWith('GIT_SSH')));
    });
    afterEach(() => {
      // The same again: what is set in a copy, such as HOME, Node itself does not see.
      process.env = own;
    });

    async function carry(): Promise<void> {
      const [one, other] = [
        await Device.open('d11', folder, address()),
        await Device.open('e11', folder, address()),
      ];
      await one.write(title('far'));
      assert.deepEqual(await other.fetch(), []);
      assert.equal(other.title, 'far');
      assert.match(calls(), /ann@example\.com .*git-receive-pack/);
      assert.match(calls(), /ann@example\.com .*git-upload-pack/);
    }

    it('are carried by the ssh that there is, which asks nobody for anything', async () => {
      process.env['PATH'] = `${path.dirname(sshNamed('ssh'))}${path.delimiter}${process.env['PATH']}`;
      await carry();
      assert.match(calls(), /^ssh -oBatchMode=yes /);
    });

    it('are carried by what the person has told git to take instead', async () => {
      const program = sshNamed('own');
      process.env['GIT_SSH_COMMAND'] = `${program} -ofoo`;
      process.env['GIT_SSH_VARIANT'] = 'ssh';
      await carry();
      assert.match(calls(), /^own -ofoo /);
      assert.doesNotMatch(calls(), /BatchMode/);
    });

    it('are carried by the core.sshCommand of the person', async () => {
      const config = path.join(folder, 'gitconfig');
      writeFileSync(config, `[core]\n\tsshCommand = ${sshNamed('configured')}\n[ssh]\n\tvariant = ssh\n`);
      process.env['GIT_CONFIG_GLOBAL'] = config;
      await carry();
      assert.match(calls(), /^configured /);
      assert.doesNotMatch(calls(), /BatchMode/);
    });
  });

  it('go to the address that the repository has for its remote, and run nothing that it names', async () => {
    const clone = GitRepository.withMain('clone');
    try {
      const trace = path.join(folder, 'trace');
      for (const setting of [
        'core.sshCommand',
        'core.fsmonitor',
        'credential.helper',
        'core.askPass',
        'core.gitProxy',
      ]) {
        clone.git('config', setting, `!touch ${trace}`);
      }
      clone.git('remote', 'add', 'team', '../remote.git');
      clone.git('remote', 'add', 'far', 'git@example.com:a/b.git');
      assert.deepEqual(await remoteAddress(clone.directory, 'team'), {
        fetch: path.join(path.dirname(clone.directory), 'remote.git'),
        push: path.join(path.dirname(clone.directory), 'remote.git'),
      });
      assert.equal((await remoteAddress(clone.directory, 'far')).push, 'git@example.com:a/b.git');
      await assert.rejects(remoteAddress(clone.directory, 'nobody'), /doesn't have a remote nobody/);
      assert.equal(existsSync(trace), false);
    } finally {
      clone.remove();
    }
  });

  describe('with snapshots', () => {
    const on = (branch: string, text: string): Operation => ({ type: 'stack', branch, title: text });
    const review = (patch: string): Operation => ({
      type: 'review',
      branch: 'feature',
      change: 'I1',
      commit: 'c'.repeat(40),
      patch,
      says: 'signed_off',
    });
    const snapshot = { takesSnapshot: true };

    /** A log with two snapshots, and something behind the newer one. */
    async function writeMuch(): Promise<void> {
      const described = { ...title('one'), description: 'first' };
      await ann.write(described, on('old', 'old one'), { type: 'dance' });
      await ann.write(review('p1'));
      await ann.logs.append(ann.writer, ann.batch(title('two')), [], snapshot);
      await ann.write(on('old', 'old two'));
      await ann.logs.append(ann.writer, ann.batch(title('three')), [], snapshot);
      await ann.write(review('p2'));
    }

    const state = ({ store, fold }: Device): unknown => [
      ['stack', 'review', 'unchecked', 'device'].flatMap((kind) =>
        store.list(kind).filter(([, value]) => !JSON.stringify(value).includes('old')),
      ),
      fold.stack('feature'),
    ];

    /** Ann's newest snapshot with other contents, in a commit that goes on from it. */
    function forge(change: (files: Map<string, string>) => void): void {
      const tip = remote.git('rev-parse', ref(ann.writer));
      const files = new Map<string, string>();
      for (const line of remote.git('ls-tree', `${tip}:snapshot`).split('\n').filter(Boolean)) {
        const name = line.split('\t')[1] ?? '';
        files.set(name, `${remote.git('show', `${tip}:snapshot/${name}`)}\n`.replace(/\n+$/, '\n'));
      }
      change(files);
      const entries = [...files].map(
        ([name, text]) =>
          `100644 blob ${remote.gitWithInput(text, 'hash-object', '-w', '--stdin')}\t${name}\n`,
      );
      const folder2 = remote.gitWithInput(entries.join(''), 'mktree');
      const operations = remote.gitWithInput(ann.batch(title('four')), 'hash-object', '-w', '--stdin');
      plant(
        remote.gitWithInput(
          `100644 blob ${operations}\toperations\n040000 tree ${folder2}\tsnapshot\n`,
          'mktree',
        ),
      );
    }

    it('are read to the same by who begins with one and by who was there before, without what is over', async () => {
      await ann.write(title('zero'));
      assert.deepEqual(await bob.fetch(), []);
      await writeMuch();
      assert.deepEqual(await bob.fetch(), []);
      const carl = await Device.open('ca1', folder, remote.directory);
      assert.deepEqual(await carl.fetch(), []);
      assert.deepEqual(state(carl), state(bob));
      assert.equal(bob.fold.stack('old').title, 'old two');
      assert.equal(carl.fold.stack('old').title, undefined);
      assert.equal(await checkOneSnapshot(carl), true);
      assert.match(JSON.stringify(carl.store.list('log')), /"isChecked":true/);
    });

    it('wait where the clock of their snapshot is far ahead, and count when that time has come', async () => {
      const hours = 2 * 60 * 60 * 1000;
      ann.clock.see([start + hours, 0]);
      await writeMuch();
      const [problem] = await bob.fetch();
      assert.match(problem?.reason ?? '', /its clock is far ahead/);
      assert.equal(bob.title, undefined);
      bob.now = start + hours;
      assert.deepEqual(await bob.fetch(), []);
      assert.equal(bob.title, 'three');
    });

    it('are gone on from later than all that they say', async () => {
      ann.clock.see([start + 1000, 0]);
      await writeMuch();
      await bob.fetch();
      assert.ok(isAfter(bob.clock.next(), ann.clock.last));
    });

    it('are begun anew after a kill while they were begun', async () => {
      const place = { branch: 'feature', change: 'I1', commit: 'c'.repeat(40), section: 'a' };
      const text = (words: string, ...over: string[]): Operation => ({
        type: 'text',
        ...place,
        text: words,
        over,
      });
      const idOf = ({ writer }: Device, seq: number): string => `${pathOf(writer)}/${seq}`;
      await ann.write(text('one'), text('two', idOf(ann, 1)));
      // He has read hers.
      bob.clock.see(ann.clock.last);
      await bob.write(text('three', idOf(ann, 2)));
      for (const device of [ann, bob]) {
        await device.logs.append(device.writer, device.batch(title('later')), [], snapshot);
        await device.logs.push(remote.directory, device.writer);
      }
      const carl = await Device.open('ca1', folder, remote.directory);
      const objects = carl.logs.objects.bind(carl.logs);
      carl.logs.objects = async function* (names, signal) {
        yield* objects(names, signal);
        if (names.some((name) => name.endsWith(fileOf('feature')))) {
          throw new Error('killed');
        }
      };
      await assert.rejects(carl.fetch(), /killed/);
      assert.deepEqual(
        carl.fold.text(place, 'a', carl.writer)?.heads,
        [idOf(bob, 1)],
        'all of it was there, and not noted',
      );
      carl.logs.objects = objects;
      assert.deepEqual(await carl.fetch(), []);
      assert.deepEqual(carl.fold.text(place, 'a', carl.writer)?.heads, [idOf(bob, 1)]);
      assert.equal(carl.store.read('beginning'), undefined);
      assert.equal(carl.title, 'later');
    });

    it('are read anew where a branch is there again of which something was left out', async () => {
      await writeMuch();
      await bob.fetch();
      assert.equal(bob.fold.stack('old').title, undefined);
      assert.deepEqual(await bob.fetch(['feature', 'old']), []);
      assert.equal(bob.fold.stack('old').title, 'old two');
      assert.equal(bob.title, 'three');
    });

    it('are read anew only when nothing of them is being read any more', async () => {
      await bob.write(title('zero'));
      await writeMuch();
      forge((files) => {
        files.set(
          'head',
          (files.get('head') ?? '').replace(/"commit":"\w+"/, `"commit":"${'d'.repeat(40)}"`),
        );
      });
      const carl = await Device.open('ca1', folder, remote.directory);
      const read = carl.logs.read.bind(carl.logs);
      const steps: string[] = [];
      const { promise: isDistrusted, resolve } = Promise.withResolvers<undefined>();
      const write = carl.store.write.bind(carl.store);
      carl.store.write = (value, ...name) => {
        write(value, ...name);
        if (name[0] === 'distrusted') {
          resolve(undefined);
        }
      };
      const tipOfBob = remote.git('rev-parse', ref(bob.writer));
      carl.logs.read = async (tip, ...rest) => {
        if (tip !== tipOfBob) {
          return read(tip, ...rest);
        }
        steps.push('begun');
        await isDistrusted;
        // As many runs of git as it takes to begin anew, and more.
        for (let run = 0; run < 20; run++) {
          await carl.logs.seenTips();
        }
        const found = await read(tip, ...rest);
        steps.push('read');
        return found;
      };
      await carl.fetch();
      assert.deepEqual(steps, ['begun', 'read', 'begun', 'read']);
      assert.equal(carl.title, 'four');
    });

    const forgeries: Record<string, (files: Map<string, string>) => void> = {
      'other words': (files) => {
        files.forEach((text, name) => files.set(name, text.replace('"first"', '"FIRST"')));
      },
      'a file more': (files) => files.set('f'.repeat(40), '\n'),
      'a file less': (files) => files.delete(fileOf('feature')),
      'another end': (files) => {
        files.set('head', (files.get('head') ?? '').replace(/"seq":\d+/, '"seq":99'));
      },
      'a commit that is none': (files) => {
        files.set(
          'head',
          (files.get('head') ?? '').replace(/"commit":"\w+"/, `"commit":"${'d'.repeat(40)}"`),
        );
      },
      'a commit of another log': (files) => {
        const other = remote.git('commit-tree', treeOf(encodeBatch(bob.writer, [])), '-m', 'x');
        files.set('head', (files.get('head') ?? '').replace(/"commit":"\w+"/, `"commit":"${other}"`));
      },
      "somebody else's name": (files) => {
        files.set('head', (files.get('head') ?? '').replace(ann.writer.device, bob.writer.device));
      },
      'a file that is no text': (files) => files.set(fileOf('feature'), '\u0000'),
      'a file that is too large': (files) => {
        files.set(fileOf('feature'), (files.get(fileOf('feature')) ?? '') + '\n'.repeat(16 * 1024 * 1024));
      },
      'operations on another branch': (files) => files.set(fileOf('feature'), files.get(fileOf('old')) ?? ''),
      'an operation twice': (files) => {
        const text = files.get(fileOf('feature')) ?? '';
        files.set(fileOf('feature'), `${text}${text}`);
      },
      'an operation from after its end': (files) => {
        const lines = (files.get(fileOf('feature')) ?? '').trim().split('\n');
        const later = lines.pop()?.replace(/"clock":\[\d+/, `"clock":[${start + 1000}`);
        files.set(fileOf('feature'), [...lines, later, ''].join('\n'));
      },
    };
    /** Of these nobody needs the log to see that something is wrong. */
    const unreadable = new Set([
      'a file that is too large',
      'a file that is no text',
      'operations on another branch',
      'an operation twice',
      'an operation from after its end',
    ]);
    for (const [name, change] of Object.entries(forgeries)) {
      it(`come to what the log says where one has ${name}`, async () => {
        await ann.write(title('zero'));
        await bob.fetch();
        await writeMuch();
        forge(change);
        const before = await bob.fetch();
        const carl = await Device.open('ca1', folder, remote.directory);
        await carl.fetch();
        if (unreadable.has(name)) {
          assert.deepEqual(state(carl), state(bob), 'at once');
        }
        if (!(await checkOneSnapshot(carl))) {
          forgetFold(carl);
        }
        await carl.fetch();
        assert.deepEqual([before, state(carl)], [[], state(bob)]);
        assert.equal(carl.title, 'four');
      });
    }
  });
});
