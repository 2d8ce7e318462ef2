/** The time until what a team has shared is known here: of years of fifty people, and of one more operation. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { admitAll } from '../../../src/service/sharing/admission.ts';
import { HybridClock } from '../../../src/service/sharing/clock.ts';
import { Fold } from '../../../src/service/sharing/fold.ts';
import { SharedLogs } from '../../../src/service/sharing/logs.ts';
import {
  encodeBatch,
  pathOf,
  personOf,
  type LoggedOperation,
  type Operation,
  type Writer,
} from '../../../src/service/sharing/operations.ts';
import { SharingStore } from '../../../src/service/sharing/store.ts';
import { Database } from '../../../src/service/storage/database.ts';
import { amountRow, formatAmount, median, type Group, type Row } from '../measure.ts';

const team = { people: 50, operations: 10_000, perCommit: 100, branches: 200, patchesPerBranch: 5 };
const start = 1_700_000_000_000;
const rounds = 5;

const names = {
  begun: 'sharing: 50 × 10,000 operations, begun with the 10 of 200 branches that there still are',
  all: 'sharing: 50 × 10,000 operations, all from nothing',
  more: 'sharing: one more operation of 500,000',
  size: 'sharing: one more operation, fetched',
};

const writerOf = (person: number): Writer => ({
  person: personOf(`${person}@example.com`),
  device: person.toString(16).padStart(16, '0'),
});
const branchOf = (index: number): string => `topic/${index}`;
const hexadecimal = (number: number, length: number): string => number.toString(16).padStart(length, '0');

/** Operations as people write them: texts that go on from each other, and words on patches. They go from branch to branch. */
function* operationsOf(person: number): Generator<LoggedOperation> {
  const writer = writerOf(person);
  const heads = new Map<string, string>();
  for (let seq = 1; seq <= team.operations; seq++) {
    const index = Math.floor(((seq - 1) * team.branches) / team.operations);
    const branch = branchOf(index);
    const patch = index * team.patchesPerBranch + (seq % team.patchesPerBranch);
    const place = { branch, change: `I${hexadecimal(patch, 40)}`, commit: hexadecimal(patch, 40) };
    const id = `${pathOf(writer)}/${seq}`;
    const section = hexadecimal(person * 1000 + (seq % 20), 16);
    const before = heads.get(`${patch} ${section}`);
    const contents: Operation[] = [
      {
        type: 'text',
        ...place,
        section,
        text: `Why ${person} did this: ${'some words, '.repeat(10)}${seq}.`,
        over: before === undefined ? [] : [before],
        ...(before === undefined && { after: null }),
      },
      { type: 'review', ...place, patch: hexadecimal(seq, 40), says: 'signed_off' },
    ];
    const content = seq % 4 === 3 ? contents[1] : contents[0];
    if (content?.type === 'text') {
      heads.set(`${patch} ${section}`, id);
    }
    yield { id, writer, seq, clock: [start + seq * team.people + person, 0], content };
  }
}

/** A repository with the logs of the whole team, each with a snapshot. */
async function makeTeam(folder: string): Promise<{ logs: SharedLogs; directory: string }> {
  const directory = path.join(folder, 'remote');
  const logs = await SharedLogs.open(directory, { name: 'Team', email: 'team@example.com' });
  for (let person = 0; person < team.people; person++) {
    const writer = writerOf(person);
    const operations = [...operationsOf(person)];
    const stream: string[] = [];
    for (let from = 0; from < team.operations - 1; from += team.perCommit) {
      const text = encodeBatch(
        writer,
        operations.slice(from, Math.min(from + team.perCommit, team.operations - 1)),
      );
      stream.push(
        `commit refs/patch-stacks/v1/${pathOf(writer)}`,
        `committer Team <team@example.com> ${start / 1000} +0000`,
        'data 1\nx',
        `M 100644 inline operations\ndata ${Buffer.byteLength(text)}\n${text}`,
      );
    }
    execFileSync('git', ['fast-import', '--quiet'], { cwd: directory, input: `${stream.join('\n')}\n` });
    logs.lookAnew();
    await logs.append(writer, encodeBatch(writer, operations.slice(-1)), [], { takesSnapshot: true });
  }
  return { logs, directory };
}

/** A computer that takes part, and has nothing yet but the logs as they were fetched. */
class Computer {
  readonly logs: SharedLogs;
  readonly #database: Database;
  readonly #store: SharingStore;
  readonly #fold: Fold;
  readonly #clock = new HybridClock(() => Date.now());

  constructor(logs: SharedLogs, file: string) {
    this.logs = logs;
    this.#database = new Database(file);
    this.#store = new SharingStore(this.#database, 'team');
    this.#fold = new Fold(this.#store);
  }

  /** Takes in what is new. @returns The milliseconds that it took. */
  async admit(branches: ReadonlySet<string>): Promise<number> {
    const before = performance.now();
    const { problems } = await admitAll(
      {
        logs: this.logs,
        store: this.#store,
        fold: this.#fold,
        clock: this.#clock,
        now: () => Date.now(),
        branches,
        isStranger: () => false,
        most: { operations: Infinity, bytes: Infinity },
      },
      { person: personOf('me@example.com'), device: 'f'.repeat(16) },
    );
    const took = performance.now() - before;
    if (problems.length > 0) {
      throw new Error(`Something wasn't taken: ${JSON.stringify(problems.slice(0, 3))}`);
    }
    return took;
  }

  close(): void {
    this.#database.close();
  }
}

function removeDatabase(file: string): void {
  [file, `${file}-wal`, `${file}-shm`].forEach((part) => rmSync(part, { force: true }));
}

/** Writes the rows of a database that shares once more, and does nothing else. @returns The milliseconds that it took. */
function writeBare(from: string, to: string): number {
  removeDatabase(to);
  const source = new DatabaseSync(from, { readOnly: true });
  const database = new DatabaseSync(to);
  try {
    const { sql } = source.prepare(`SELECT sql FROM sqlite_master WHERE name = 'shared'`).get() as {
      sql: string;
    };
    const rows = source.prepare('SELECT space, key, value FROM shared').all() as Record<string, string>[];
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${sql}`);
    const insert = database.prepare('INSERT INTO shared (space, key, value) VALUES (?, ?, ?)');
    const before = performance.now();
    database.exec('BEGIN');
    for (const { space = '', key = '', value = '' } of rows) {
      insert.run(space, key, value);
    }
    database.exec('COMMIT');
    return performance.now() - before;
  } finally {
    source.close();
    database.close();
  }
}

/** Why all of it takes so long, with figures. */
function bareNote(bare: readonly number[]): string {
  return (
    `SQLite alone takes ${formatAmount(median(bare))} ms to write the rows that come of it in one transaction; ` +
    'whoever begins to share takes in only the branches that there still are'
  );
}

async function measureAll(wanted: (metric: string) => boolean, folder: string): Promise<Row[]> {
  const remote = await makeTeam(folder);
  const logs = await SharedLogs.open(path.join(folder, 'here'), { name: 'Me', email: 'me@example.com' });
  await logs.fetch(remote.directory);
  const all = new Set(Array.from({ length: team.branches }, (_, index) => branchOf(index)));
  const alive = new Set([...all].slice(-10));
  const times: Record<keyof typeof names, number[]> = { begun: [], all: [], more: [], size: [] };
  const bare: number[] = [];
  const file = path.join(folder, 'here.sqlite');
  const fresh = (): Computer => {
    removeDatabase(file);
    return new Computer(logs, file);
  };
  for (let round = 0; round < rounds; round++) {
    for (const [name, branches] of [
      ['begun', alive],
      ['all', all],
    ] as const) {
      if (wanted(names[name])) {
        const computer = fresh();
        times[name].push(await computer.admit(branches));
        computer.close();
        if (name === 'all') {
          bare.push(writeBare(file, path.join(folder, 'bare.sqlite')));
        }
      }
    }
  }
  if (wanted(names.more) || wanted(names.size)) {
    const computer = fresh();
    await computer.admit(alive);
    const writer = writerOf(0);
    const ref = `refs/patch-stacks/v1/${pathOf(writer)}`;
    for (let round = 0; round < rounds; round++) {
      const seq = team.operations + 1 + round;
      const [like] = operationsOf(0);
      const operation: LoggedOperation = { ...like!, seq, clock: [Date.now(), round] };
      await remote.logs.append(writer, encodeBatch(writer, [operation]), []);
      const pack = execFileSync('git', ['pack-objects', '--revs', '--thin', '--stdout', '--quiet'], {
        cwd: remote.directory,
        input: `${ref}\n^${ref}~1\n`,
      });
      times.size.push(pack.length);
      await logs.fetch(remote.directory);
      times.more.push(await computer.admit(alive));
    }
    computer.close();
  }
  const row = (name: keyof typeof names, unit: string, atMost: number, note?: string): Row[] =>
    wanted(names[name]) ? [amountRow(names[name], unit, times[name], { atMost }, note)] : [];
  return [
    ...row('begun', 'ms', 2000),
    ...row('all', 'ms', 2000, bare.length > 0 ? bareNote(bare) : undefined),
    ...row('more', 'ms', 20),
    ...row('size', 'bytes', 4096),
  ];
}

/** The time that sharing takes on a computer whose team has shared for years. */
export const group: Group = {
  async run(wanted) {
    if (!Object.values(names).some(wanted)) {
      return [];
    }
    const folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-sharing-'));
    try {
      return await measureAll(wanted, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
