/** What a month of a team costs a service that shares with it from its first day: the rounds, and the room on the disk. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathOf, type LoggedOperation } from '../../../src/service/sharing/operations.ts';
import { GitRepository } from '../../support/gitRepository.ts';
import { RunningService } from '../../support/runningService.ts';
import { amountRow, processorTime, sizeOfFolder, type Group, type Row } from '../measure.ts';
import { commitOf, makeBranches, operationsOf, team, writerOf } from '../sharingTeam.ts';

/** Each hour, everybody pushes what they have written in it: one operation every twelve minutes. */
const month = { days: 22, hours: 8, anHour: 5 };
const hours = month.days * month.hours;
const operations = hours * team.people * month.anHour;

const of = `a month of ${team.people} people, ${operations.toLocaleString('en')} operations`;
const names = {
  round: `sharing: ${of}: a round with what came in an hour`,
  logs: `sharing: ${of}: on the disk for each, in the logs`,
  database: `sharing: ${of}: on the disk for each, in the database`,
};

/** The bytes on the disk, of a service that is stopped: what its database still has in its log is put away by then. */
interface Sizes {
  logs: number;
  database: number;
}

function sizesOf(dataDirectory: string): Sizes {
  const logs = sizeOfFolder(path.join(dataDirectory, 'sharing'));
  return { logs, database: sizeOfFolder(dataDirectory) - logs };
}

/** Starts a service that shares the clone's branches, once it has taken in what there is. */
async function startSharing(clone: GitRepository, dataDirectory?: string): Promise<RunningService> {
  const running = await RunningService.start({
    repository: clone.directory,
    ...(dataDirectory !== undefined && { dataDirectory }),
  });
  await running.service.startSharing({ remote: 'origin', everySeconds: 86_400 });
  await running.service.shareNow();
  clone.age();
  return running;
}

/** Has everybody push what they write in an hour, and the service take it in. @returns The processor time that it takes. */
async function passHour(
  { service }: RunningService,
  remote: GitRepository,
  people: readonly Generator<LoggedOperation>[],
  isFirst: boolean,
): Promise<number> {
  const commits = people.map((all, person) => {
    const writer = writerOf(person);
    const batch = Array.from({ length: month.anHour }, () => all.next().value as LoggedOperation);
    return commitOf(writer, batch, isFirst ? undefined : `refs/patch-stacks/v1/${pathOf(writer)}^0`);
  });
  execFileSync('git', ['fast-import', '--quiet'], {
    cwd: remote.directory,
    input: `${commits.join('\n')}\n`,
  });
  const before = processorTime();
  const { problems } = await service.shareNow();
  const took = processorTime() - before;
  if (problems.length > 0) {
    throw new Error(`Something wasn't taken: ${JSON.stringify(problems[0])}`);
  }
  return took;
}

async function measureAll(wanted: (metric: string) => boolean): Promise<Row[]> {
  const remote = GitRepository.withMain('remote');
  const clone = GitRepository.withMain('clone');
  let running: RunningService | undefined;
  try {
    const patches = makeBranches(remote);
    clone.git('remote', 'add', 'origin', remote.directory);
    clone.git('fetch', '--quiet', 'origin');
    running = await startSharing(clone);
    const { dataDirectory } = running;
    await running.stop({ keepData: true });
    const before = sizesOf(dataDirectory);
    running = await startSharing(clone, dataDirectory);
    const people = Array.from({ length: team.people }, (_, person) => operationsOf(person, patches));
    const rounds: number[] = [];
    for (let hour = 0; hour < hours; hour++) {
      rounds.push(await passHour(running, remote, people, hour === 0));
    }
    await running.stop({ keepData: true });
    const after = sizesOf(dataDirectory);
    const row = (
      name: keyof typeof names,
      unit: string,
      measured: readonly number[],
      atMost: number,
    ): Row[] => (wanted(names[name]) ? [amountRow(names[name], unit, measured, { atMost })] : []);
    return [
      ...row('round', 'ms of processor time', rounds, 100),
      ...row('logs', 'bytes', [(after.logs - before.logs) / operations], 512),
      ...row('database', 'bytes', [(after.database - before.database) / operations], 1024),
    ];
  } finally {
    await running?.stop();
    remote.remove();
    clone.remove();
  }
}

/** A month of a team that shares its reviews. */
export const group: Group = {
  run: async (wanted) => (Object.values(names).some(wanted) ? measureAll(wanted) : []),
};
