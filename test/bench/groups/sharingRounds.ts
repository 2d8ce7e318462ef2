/** What a round of sharing costs a service whose team has written much: where nothing is new, with one more operation, and the first. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SharedLogs } from '../../../src/service/sharing/logs.ts';
import { encodeBatch, pathOf, type LoggedOperation } from '../../../src/service/sharing/operations.ts';
import { GitRepository } from '../../support/gitRepository.ts';
import { RunningService } from '../../support/runningService.ts';
import { amountRow, processorTime, type Group, type Row } from '../measure.ts';
import { commitOf, makeBranches, operationsOf, team, writerOf, type Patch } from '../sharingTeam.ts';

/** What each of the team has written, and how much of it comes in one commit. */
const written = { operations: 1000, perCommit: 100 };
const rounds = 25;

const of = '10,000 operations, 50 branches × 4 patches';
const names = {
  idle: `sharing: a round in which nothing is new, ${of}`,
  more: `sharing: a round with one more operation, ${of}`,
  first: `sharing: the first round, ${of}`,
};

/** Writes everybody's logs into the remote. @returns What the first one writes next. */
function makeLogs(remote: GitRepository, patches: readonly Patch[]): Generator<LoggedOperation> {
  let first: Generator<LoggedOperation> | undefined;
  for (let person = 0; person < team.people; person++) {
    const writer = writerOf(person);
    const operations = operationsOf(person, patches);
    const stream: string[] = [];
    for (let count = 0; count < written.operations; count += written.perCommit) {
      const batch = Array.from(
        { length: written.perCommit },
        () => operations.next().value as LoggedOperation,
      );
      stream.push(commitOf(writer, batch));
    }
    execFileSync('git', ['fast-import', '--quiet'], {
      cwd: remote.directory,
      input: `${stream.join('\n')}\n`,
    });
    first ??= operations;
  }
  return first!;
}

async function measureAll(wanted: (metric: string) => boolean, folder: string): Promise<Row[]> {
  const remote = GitRepository.withMain('remote');
  const clone = GitRepository.withMain('clone');
  const running = await RunningService.start({ repository: clone.directory });
  try {
    const patches = makeBranches(remote);
    const next = makeLogs(remote, patches);
    clone.git('remote', 'add', 'origin', remote.directory);
    clone.git('fetch', '--quiet', 'origin');
    const { service } = running;
    // Loaded before: of the package it's one file, whose types nobody has to take out.
    await import('../../../src/service/sharing/sharing.ts');
    const measure = async (work: () => Promise<unknown>): Promise<number> => {
      const before = processorTime();
      await work();
      return processorTime() - before;
    };
    const first = await measure(async () => {
      await service.startSharing({ remote: 'origin', everySeconds: 86_400 });
      const { problems } = await service.shareNow();
      if (problems.length > 0) {
        throw new Error(`Something wasn't taken: ${JSON.stringify(problems[0])}`);
      }
    });
    // What the first one has said is known, and each round has held one snapshot against its log.
    for (let round = 0; round < 3; round++) {
      await service.shareNow();
    }
    // Nobody has written in the clone within these seconds, as in most rounds.
    clone.age();
    const idle: number[] = [];
    const more: number[] = [];
    const logs = await SharedLogs.open(path.join(folder, 'writer'), { name: '0', email: '0@example.com' });
    const writer = writerOf(0);
    const ref = `refs/patch-stacks/v1/${pathOf(writer)}`;
    execFileSync('git', ['fetch', '--quiet', remote.directory, `${ref}:${ref}`], {
      cwd: path.join(folder, 'writer'),
    });
    for (let round = 0; round < rounds; round++) {
      idle.push(await measure(async () => service.shareNow(false)));
      await logs.append(writer, encodeBatch(writer, [next.next().value as LoggedOperation]), []);
      await logs.push(remote.directory, writer);
      more.push(await measure(async () => service.shareNow(false)));
    }
    const row = (name: keyof typeof names, measured: readonly number[], atMost: number): Row[] =>
      wanted(names[name]) ? [amountRow(names[name], 'ms of processor time', measured, { atMost })] : [];
    return [...row('idle', idle, 10), ...row('more', more, 20), ...row('first', [first], 1000)];
  } finally {
    await running.stop();
    remote.remove();
    clone.remove();
  }
}

/** The processor time that rounds of sharing take. */
export const group: Group = {
  async run(wanted) {
    if (!Object.values(names).some(wanted)) {
      return [];
    }
    const folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-rounds-'));
    try {
      return await measureAll(wanted, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
