/** The time the local service takes to import a repository, beside git's to print the same commits. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startService, type LocalService } from '../../../src/service/service.ts';
import { GitRepository } from '../../support/gitRepository.ts';
import { Random } from '../../support/random.ts';
import { amountRow, compare, type Group, type Measure, type Row } from '../measure.ts';

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

function measureGit({ directory }: GitRepository, branch: string): Measure {
  return () =>
    timed(() =>
      execFileSync('git', ['log', '-p', '--stat', `main..${branch}`], {
        cwd: directory,
        stdio: ['ignore', 'pipe', 'ignore'],
        maxBuffer: 2 ** 30,
      }),
    );
}

const size = { folders: 40, files: 25, lines: 200, changedFiles: 4, changedLines: 12 };

/**
 * Commits as the repositories of programs have them, where git has trees to walk and files to compare: a thousand files in
 * folders, of which each commit changes some lines of a few.
 */
function addProgram(repository: GitRepository, commits: number): void {
  const random = new Random(1);
  const files = new Map<string, string[]>();
  for (let file = 0; file < size.folders * size.files; file++) {
    const lines = Array.from({ length: size.lines }, (_, line) => `  const value${line} = compute(${file});`);
    files.set(`src/part${file % size.folders}/file${file}.ts`, lines);
  }
  const names = [...files.keys()];
  const commit = (branch: string, number: number, from: string, changed: readonly string[]): string => {
    const who = `Ada <ada@example.com> ${1_700_000_000 + number * 60} +0000`;
    const message = `Change ${number}\n\nWhy ${number}.\n`;
    const contents = changed.flatMap((name) => {
      const content = `${(files.get(name) ?? []).join('\n')}\n`;
      return [`M 100644 inline ${name}`, `data ${content.length}`, content];
    });
    const head = [`commit refs/heads/${branch}`, `author ${who}`, `committer ${who}`];
    return [
      ...head,
      `data ${message.length}`,
      message,
      ...(from === '' ? [] : [`from ${from}`]),
      ...contents,
    ].join('\n');
  };
  const stream = [commit('main', 0, repository.git('rev-parse', 'main'), names)];
  for (let number = 1; number <= commits; number++) {
    const changed = Array.from({ length: size.changedFiles }, () => names[random.below(names.length)] ?? '');
    for (const name of changed) {
      const lines = files.get(name) ?? [];
      for (let line = 0; line < size.changedLines; line++) {
        lines[random.below(size.lines)] = `  const changed = compute(${number}, ${line});`;
      }
    }
    stream.push(commit('topic', number, number === 1 ? 'refs/heads/main' : '', [...new Set(changed)]));
  }
  repository.gitWithInput(stream.join('\n'), 'fast-import', '--quiet');
}

async function measureImport(metric: string, commits: number, atMost: number): Promise<Row[]> {
  const repository = GitRepository.withMain();
  try {
    addProgram(repository, commits);
    return await compare(
      metric,
      'ms',
      () => withData((data) => timeStart(repository, data)),
      { 'git log -p --stat': { aim: { atMost }, measure: measureGit(repository, 'topic') } },
      rounds,
    );
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

/** The time until something of very many branches can be read, and all of it. */
async function measureManyBranches(
  wanted: (metric: string) => boolean,
  [first, all]: readonly [string, string],
): Promise<Row[]> {
  const repository = GitRepository.withMain();
  const times: { first: number; all: number }[] = [];
  try {
    for (let branch = 0; branch < 2000; branch++) {
      repository.addCommits(`topic/${branch}`, 1, 'main');
    }
    repository.switch('topic/1000');
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
  const rows = [
    amountRow(
      first,
      'ms',
      times.map((one) => one.first),
      { atMost: 1000 },
    ),
    amountRow(
      all,
      'ms',
      times.map((one) => one.all),
      { atMost: 15_000 },
    ),
  ];
  return rows.filter(({ metric }) => wanted(metric));
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
  name: 'local service',
  async run(wanted) {
    const rows: Row[] = [];
    for (const [commits, atMost] of [
      [100, 1.8],
      [1000, 1.3],
    ] as const) {
      const metric = `local service: ${commits} commits, imported`;
      if (wanted(metric)) {
        rows.push(...(await measureImport(metric, commits, atMost)));
      }
    }
    const branches = ['imported', 'again', 'after main moved'].map(
      (what) => `local service: 200 branches, ${what}`,
    );
    if (branches.some(wanted)) {
      rows.push(...(await measureBranches(wanted, branches)));
    }
    const many = ['local service: 2,000 branches, the first', 'local service: 2,000 branches, all'] as const;
    if (many.some(wanted)) {
      rows.push(...(await measureManyBranches(wanted, many)));
    }
    const long = ['the tip amended', 'asked for'].map((what) => `local service: a stack of 5,000, ${what}`);
    if (long.some(wanted)) {
      rows.push(...(await measureLong(wanted, long)));
    }
    return rows;
  },
};
