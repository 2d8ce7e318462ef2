/** The time the local service takes to import a repository, beside git's to print the same commits. */
import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startService, type LocalService } from '../../../src/service/service.ts';
import { GitRepository } from '../../support/gitRepository.ts';
import { addHistory } from '../historyCorpus.ts';
import {
  amountRow,
  formatAmount,
  median,
  orUnmeasured,
  othersEnded,
  processorTimeOfAll,
  ratioRow,
  type Group,
  type Row,
  type Unmeasured,
} from '../measure.ts';

const rounds = { rounds: 5, warmUp: 1 };

/** Gives the milliseconds that something takes. */
async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A folder for data, deleted afterwards. */
async function withData<T>(work: (dataDirectory: string) => Promise<T>): Promise<T> {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-data-'));
  try {
    return await work(dataDirectory);
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

/** Starts a service over a repository, and ends it: what is measured is how long it takes until it is ready. */
async function timeStart({ directory }: GitRepository, dataDirectory: string): Promise<number> {
  let service: LocalService | undefined;
  const time = await timed(async () => {
    service = await startService({ dataDirectory, repository: directory });
  });
  await service?.close();
  return time;
}

/** What no import goes without: a service without a repository, and as many runs of git that do nothing, all at once. */
async function timeLeast(dataDirectory: string, runs: number): Promise<number> {
  let service: LocalService | undefined;
  const time = await timed(async () => {
    service = await startService({ dataDirectory });
    const idle = Array.from({ length: runs }, () => spawn('git', ['--version'], { stdio: 'ignore' }));
    await Promise.all(idle.map(async (git) => once(git, 'close')));
  });
  await service?.close();
  return time;
}

/** The number of processes that something starts. */
async function countProcesses(work: () => Promise<unknown>): Promise<number> {
  let started = 0;
  const count = (): void => {
    started += 1;
  };
  subscribe('child_process', count);
  try {
    await work();
  } finally {
    unsubscribe('child_process', count);
  }
  return started;
}

/** What an import is measured with. */
interface Corpus {
  /** As it stands in the table. */
  name: string;
  /** Adds it to `main` and `topic`; gives the commit at its end, by which it can be told from another one. */
  add: (repository: GitRepository) => string;
  /** As often it is imported in one measurement: what takes a moment is lost in what the system counts in. */
  times: number;
  /** The most that an import may take beside git: of time, and of the processor's time. */
  atMost: { time: number; processor: number };
}

function addTiny(commits: number): Corpus['add'] {
  return (repository) => {
    repository.addCommits('topic', commits, 'main');
    return repository.git('rev-parse', 'topic');
  };
}

const corpora: readonly Corpus[] = [
  { name: '100 tiny commits', add: addTiny(100), times: 10, atMost: { time: 2.5, processor: 8 } },
  { name: '1,000 tiny commits', add: addTiny(1000), times: 3, atMost: { time: 2.5, processor: 4.5 } },
  {
    name: 'a history of 1,000 commits',
    add: (repository) => addHistory(repository, 1000),
    times: 1,
    atMost: { time: 1.1, processor: 1.7 },
  },
];

/** Milliseconds that something takes, and those that it has of the processor with all that it starts, where the system tells. */
interface Taken {
  time: number;
  processor: number | undefined;
}

/** @param work Gives the milliseconds that count of it. */
async function takenBy(times: number, work: () => Promise<number>): Promise<Taken> {
  await othersEnded();
  const before = processorTimeOfAll();
  let time = 0;
  for (let turn = 0; turn < times; turn++) {
    time += await work();
  }
  await othersEnded();
  const after = processorTimeOfAll();
  const processor = before === undefined || after === undefined ? undefined : (after - before) / times;
  return { time: time / times, processor };
}

/** What git takes to print the commits of a branch. */
async function timeLog({ directory }: GitRepository): Promise<number> {
  return timed(async () => {
    const log = spawn('git', ['log', '-p', '--stat', 'main..topic'], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    log.stdout.resume();
    await once(log, 'close');
  });
}

/** The rows of a corpus: the time, and the processor's time, which is the same however busy the machine is. */
async function measureImport(corpus: Corpus, metric: string): Promise<(Row | Unmeasured)[]> {
  const { add, times, atMost } = corpus;
  const repository = GitRepository.withMain();
  try {
    const note = `up to ${add(repository).slice(0, 12)}.`;
    const ours: Taken[] = [];
    const git: Taken[] = [];
    const least: number[] = [];
    const runs = await countProcesses(() => withData((data) => timeStart(repository, data)));
    for (let round = -rounds.warmUp; round < rounds.rounds; round++) {
      const [one, other] = [
        await takenBy(times, () => withData((data) => timeStart(repository, data))),
        await takenBy(times, () => timeLog(repository)),
      ];
      if (round >= 0) {
        ours.push(one);
        git.push(other);
        least.push((await withData((data) => timeLeast(data, runs))) / other.time);
      }
    }
    const why =
      ` A service without a repository and ${runs} runs of git that do nothing, as many as an import has, take ` +
      `${formatAmount(median(least))} times as long as git: each keeps this process for as long as it takes to fork`;
    const row = (name: string, what: keyof Taken): Row | Unmeasured => {
      const known = (taken: readonly Taken[]): number[] => taken.flatMap((one) => one[what] ?? []);
      const reference = { name: 'git log -p --stat', measured: known(git) };
      return reference.measured.length === 0
        ? { metric: name, reason: 'Only Linux tells what other programs had of the processor.' }
        : ratioRow(
            name,
            'ms',
            known(ours),
            reference,
            { atMost: atMost[what] },
            what === 'time' ? note + why : note,
          );
    };
    return [row(metric, 'time'), row(`${metric}, processor time`, 'processor')];
  } finally {
    repository.remove();
  }
}

async function measureBranches(
  wanted: (metric: string) => boolean,
  names: readonly string[],
): Promise<Row[]> {
  const [first = '', again = '', moved = ''] = names;
  const repository = GitRepository.withMain();
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  try {
    for (let branch = 0; branch < 200; branch++) {
      repository.addCommits(`topic/${branch}`, 1, 'main');
    }
    for (let round = 0; round < rounds.rounds; round++) {
      await withData(async (data) => {
        times.get(first)?.push(await timeStart(repository, data));
        times.get(again)?.push(await timeStart(repository, data));
        repository.addCommits('main', 1, 'main');
        times.get(moved)?.push(await timeStart(repository, data));
      });
    }
  } finally {
    repository.remove();
  }
  const aims = new Map([
    [first, 2000],
    [again, 300],
    [moved, 1000],
  ]);
  return names
    .filter(wanted)
    .map((name) => amountRow(name, 'ms', times.get(name) ?? [], { atMost: aims.get(name) ?? 0 }));
}

/** A repository of which something can be read before all of it can. */
interface Large {
  /** As it stands in the table. */
  name: string;
  add: (repository: GitRepository) => void;
  /** The most milliseconds until the first stack can be read, and all of them. */
  atMost: { first: number; all?: number };
}

const largeOnes: readonly Large[] = [
  {
    name: 'a history of 1,000 commits',
    add: (repository) => {
      addHistory(repository, 1000);
    },
    // How long all of it takes is measured beside git.
    atMost: { first: 300 },
  },
  {
    name: '2,000 branches',
    add: (repository) => {
      for (let branch = 0; branch < 2000; branch++) {
        repository.addCommits(`topic/${branch}`, 1, 'main');
      }
      repository.switch('topic/1000');
    },
    atMost: { first: 1000, all: 15_000 },
  },
];

function rowsOf({ name, atMost }: Large): readonly string[] {
  return ['the first', ...(atMost.all === undefined ? [] : ['all'])].map(
    (what) => `local service: ${name}, ${what}`,
  );
}

/** The time until something of a large repository can be read, and all of it. */
async function measureLarge(wanted: (metric: string) => boolean, large: Large): Promise<Row[]> {
  const repository = GitRepository.withMain();
  const times: { first: number; all: number }[] = [];
  try {
    large.add(repository);
    for (let round = 0; round < rounds.rounds; round++) {
      await withData(async (dataDirectory) => {
        let service: LocalService | undefined;
        const options = { dataDirectory, repository: repository.directory, readyWhen: 'readable' as const };
        const untilFirst = await timed(async () => (service = await startService(options)));
        const rest = await timed(async () => service?.importing);
        times.push({ first: untilFirst, all: untilFirst + rest });
        await service?.close();
      });
    }
  } finally {
    repository.remove();
  }
  const [first = '', all = ''] = rowsOf(large);
  const row = (name: string, what: 'first' | 'all'): Row[] =>
    wanted(name)
      ? [
          amountRow(
            name,
            'ms',
            times.map((one) => one[what]),
            { atMost: large.atMost[what] ?? 0 },
          ),
        ]
      : [];
  return [...row(first, 'first'), ...(large.atMost.all === undefined ? [] : row(all, 'all'))];
}

async function measureLong(wanted: (metric: string) => boolean, names: readonly string[]): Promise<Row[]> {
  const [amended = '', asked = ''] = names;
  const repository = GitRepository.withMain();
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  try {
    repository.addCommits('topic', 5000, 'main');
    repository.switch('topic');
    await withData(async (dataDirectory) => {
      const service = await startService({ dataDirectory, repository: repository.directory });
      for (let round = 0; round < rounds.rounds; round++) {
        repository.commitFile('amended.txt', `${round}\n`, 'Tip');
        repository.amend(`Tip ${round}`);
        times.get(amended)?.push(await timed(() => service.importRepository()));
        const address = `${service.url}/patch_stack/${service.imported?.projectId}/topic`;
        const headers = { 'X-Auth-Token': service.token };
        times.get(asked)?.push(await timed(async () => (await fetch(address, { headers })).text()));
      }
      await service.close();
    });
  } finally {
    repository.remove();
  }
  const aims = new Map([
    [amended, 1000],
    [asked, 300],
  ]);
  return names
    .filter(wanted)
    .map((name) => amountRow(name, 'ms', times.get(name) ?? [], { atMost: aims.get(name) ?? 0 }));
}

/** The time the local service takes to import a repository. */
export const group: Group = {
  async run(wanted) {
    const rows: (Row | Unmeasured)[] = [];
    for (const corpus of corpora) {
      const metric = `local service: ${corpus.name}, imported`;
      if (wanted(metric) || wanted(`${metric}, processor time`)) {
        rows.push(...(await orUnmeasured(metric, () => measureImport(corpus, metric))));
      }
    }
    const branches = ['imported', 'again', 'after main moved'].map(
      (what) => `local service: 200 branches, ${what}`,
    );
    if (branches.some(wanted)) {
      rows.push(...(await orUnmeasured(branches.join(', '), () => measureBranches(wanted, branches))));
    }
    for (const large of largeOnes) {
      const names = rowsOf(large);
      if (names.some(wanted)) {
        rows.push(...(await orUnmeasured(names.join(', '), () => measureLarge(wanted, large))));
      }
    }
    const long = ['the tip amended', 'asked for'].map((what) => `local service: a stack of 5,000, ${what}`);
    if (long.some(wanted)) {
      rows.push(...(await orUnmeasured(long.join(', '), () => measureLong(wanted, long))));
    }
    return rows;
  },
};
