/** The time from a commit until the local service has it by itself, and what following a repository takes while nothing comes. */
import { channel } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { GitRepository } from '../../support/gitRepository.ts';
import { RunningService } from '../../support/runningService.ts';
import { amountRow, ratioRow, type Group, type Row } from '../measure.ts';

const names = {
  served: 'following: a commit, until it is served',
  cost: 'following: a commit, processor time',
  rest: 'following: at rest, of a processor',
  started: 'following: at rest, processes started',
};

const rounds = 10;
const warmUp = 1;
const restRounds = 3;
const restSeconds = 5;

/** A repository with a branch of ten commits, whose service is told of what follows. */
async function startOver(
  onFollowed?: () => void,
): Promise<{ repository: GitRepository; running: RunningService }> {
  const repository = GitRepository.withMain();
  repository.addCommits('topic', 10, 'main');
  repository.switch('topic');
  const running = await RunningService.start({
    repository: repository.directory,
    ...(onFollowed && { onFollowed }),
  });
  return { repository, running };
}

/** What some work takes. */
interface Cost {
  /** Until it is done. */
  milliseconds: number;
  /** Milliseconds of a processor, without what git takes. */
  processor: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { milliseconds: performance.now() - start, processor: (user + system) / 1000 };
}

/** A commit that is followed, in turns with one that nobody follows and an import of what is unchanged. */
async function measureCommits(
  wanted: (metric: string) => boolean,
  followed: GitRepository,
  news: EventEmitter,
): Promise<Row[]> {
  const other = await startOver();
  const unread = GitRepository.withMain();
  let number = 0;
  const commit = (repository: GitRepository): unknown =>
    repository.commitFile('commit.txt', `${(number += 1)}\n`, `Commit ${number}`);
  const ours: Cost[] = [];
  const references: Cost[] = [];
  try {
    for (let round = -warmUp; round < rounds; round++) {
      const served = await costOf(async () => {
        const heard = once(news, 'followed');
        commit(followed);
        await heard;
      });
      const unchanged = await costOf(async () => {
        commit(unread);
        await other.running.service.importRepository();
      });
      if (round >= 0) {
        ours.push(served);
        references.push(unchanged);
      }
    }
  } finally {
    await other.running.stop();
    other.repository.remove();
    unread.remove();
  }
  const name = 'a commit, and importing what is unchanged';
  const all = (costs: readonly Cost[], of: keyof Cost): number[] => costs.map((cost) => cost[of]);
  const measured = all(references, 'processor');
  return [
    amountRow(names.served, 'ms', all(ours, 'milliseconds'), { atMost: 1000 }),
    ratioRow(names.cost, 'ms', all(ours, 'processor'), { name, measured }, { atMost: 4 }),
  ].filter(({ metric }) => wanted(metric));
}

async function measureRest(wanted: (metric: string) => boolean): Promise<Row[]> {
  let processes = 0;
  const count = (): unknown => (processes += 1);
  const shares: number[] = [];
  const started: number[] = [];
  channel('child_process').subscribe(count);
  try {
    for (let round = -warmUp; round < restRounds; round++) {
      processes = 0;
      const before = process.cpuUsage();
      await setTimeout(restSeconds * 1000);
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) {
        shares.push((user + system) / 1e4 / restSeconds);
        started.push(processes);
      }
    }
  } finally {
    channel('child_process').unsubscribe(count);
  }
  return [
    amountRow(names.rest, '%', shares, { atMost: 0.1 }),
    amountRow(names.started, '', started, { atMost: 0 }),
  ].filter(({ metric }) => wanted(metric));
}

/** The time that following takes, and its cost. */
export const group: Group = {
  async run(wanted) {
    if (!Object.values(names).some(wanted)) {
      return [];
    }
    const news = new EventEmitter();
    const { repository, running } = await startOver(() => news.emit('followed'));
    try {
      return [
        ...(wanted(names.served) || wanted(names.cost) ? await measureCommits(wanted, repository, news) : []),
        ...(wanted(names.rest) || wanted(names.started) ? await measureRest(wanted) : []),
      ];
    } finally {
      await running.stop();
      repository.remove();
    }
  },
};
