/**
 * An hour of a window that is left open, on a simulated clock, and a thousand commits that the local service follows: nothing may have
 * gathered at the end.
 */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import FakeTimers from '@sinonjs/fake-timers';
import { ApiClient } from '../../src/api/client.ts';
import { Model } from '../../src/model/model.ts';
import { Refresher } from '../../src/model/refresher.ts';
import { collectedHeap } from '../bench/measure.ts';
import { startSyntheticService } from '../bench/syntheticService.ts';
import { GitRepository } from '../support/gitRepository.ts';
import { RunningService } from '../support/runningService.ts';
import { leastLooks, Trial, type Attack } from './attack.ts';

/** Seconds between two refreshes: ten times as often as is usual. */
const intervalSeconds = 6;

/** The minute of the first look: what is loaded for good is there by then. */
const settledAfter = 8;

/** Minutes after which what gathers is noticed. */
const noticedAfter = 20;

/** Something that gathers, planted once a minute; what it holds is given back at the end. */
type Plant = (model: Model) => void;

async function soak(minutes: number, plant?: Plant): Promise<Trial> {
  const trial = new Trial();
  const service = await startSyntheticService({ projects: 60 });
  const clock = FakeTimers.install({
    now: Date.now(),
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
  const client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
  let broken = false;
  let pending = 0;
  const model = new Model(async (operation) => {
    pending += 1;
    try {
      if (broken) {
        throw new Error('no network');
      }
      return await operation(client);
    } finally {
      pending -= 1;
    }
  });
  const listeners = countListeners(model);
  const listener = model.onDidChange(() => undefined);
  const refresher = new Refresher(() => model.update());
  refresher.configure(intervalSeconds * 1000, true);
  /** Lets real answers come, while the simulated clock stands still. */
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 5; quiet = pending === 0 ? quiet + 1 : 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const measure = (): Record<string, number> => {
    const heap = collectedHeap();
    const resources = process.getActiveResourcesInfo();
    return {
      'handles and sockets': resources.filter((name) => name !== 'Immediate').length,
      timers: clock.countTimers(),
      listeners:
        listeners() + process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
      'heap in MB': heap / 2 ** 20,
    };
  };

  const looks: Record<string, number>[] = [];
  const betweenLooks = Math.floor((minutes - settledAfter) / leastLooks);
  for (let minute = 0; minute < minutes; minute++) {
    await trial.try(`minute ${minute}`, async () => {
      // Each tenth minute is without a network.
      broken = minute % 10 === 9;
      for (let second = 0; second < 60; second += intervalSeconds) {
        await clock.tickAsync(intervalSeconds * 1000);
        await settle();
        const changeId = `change-${(minute * 10 + second / intervalSeconds) % 5}`;
        await model.refreshPatch({ stackUuid: 'stack-0', changeId }).catch(() => undefined);
        await model.projects().catch(() => undefined);
        await model.stacks(String(second), 'active').catch(() => undefined);
        await settle();
      }
      plant?.(model);
      if (minute >= settledAfter && (minute - settledAfter) % betweenLooks === 0) {
        looks.push(measure());
      }
    });
  }
  broken = false;
  await clock.tickAsync(intervalSeconds * 1000);
  await settle();
  const { requests } = service.takeTraffic();
  await trial.try('it has refreshed all the time', () =>
    assert.ok(requests > minutes * 16, `${requests} requests`),
  );
  await trial.isFlat(looks);
  refresher.dispose();
  listener.dispose();
  model.dispose();
  clock.uninstall();
  await client.close();
  await service.close();
  return trial;
}

/** Counts who listens to the model from now on. */
function countListeners(model: Model): () => number {
  let count = 0;
  const subscribe = model.onDidChange;
  const counted: typeof subscribe = (listener) => {
    const subscription = subscribe(listener);
    count += 1;
    return {
      dispose: () => {
        count -= 1;
        subscription.dispose();
      },
    };
  };
  Object.defineProperty(model, 'onDidChange', { value: counted });
  return () => count;
}

/** Things that a window could forget to give back, by the name that the soak has to report. */
function leaks(given: (() => void)[]): Record<string, Plant> {
  const kept: unknown[] = [];
  return {
    listeners: (model) => void model.onDidChange(() => undefined),
    timers: () => {
      const timer = setInterval(() => undefined, 1000);
      given.push(() => clearInterval(timer));
    },
    'handles and sockets': () => {
      const server = createServer().listen(0, '127.0.0.1');
      given.push(() => server.close());
    },
    'heap in MB': () => void kept.push(Array.from({ length: 50_000 }, () => ({}))),
  };
}

/** Commits that are made before the service gets to look: it follows those of all of them at once. */
const commitsAtOnce = 10;

/** Follows as many commits, in as many looks as they make; the first fifth is for what is loaded for good. */
async function followCommits(commits: number): Promise<Trial> {
  const trial = new Trial();
  const repository = GitRepository.withMain();
  repository.branch('topic');
  repository.commitFile('0.txt', '0\n', 'Commit 0');
  const news = new EventEmitter();
  const running = await RunningService.start({
    repository: repository.directory,
    onFollowed: () => news.emit('followed'),
  });
  const project = String(running.service.imported?.projectId);
  const served = async (): Promise<number> =>
    (await running.call('GET', `/patch_stack/${project}/topic`)).body.stack_size;
  const betweenLooks = Math.floor((commits * 0.8) / (leastLooks + 1));
  const looks: Record<string, number>[] = [];
  for (let made = 1, nextLook = commits / 5; made < commits;) {
    await trial.try(`commit ${made}`, async () => {
      const heard = once(news, 'followed');
      for (const end = made + commitsAtOnce; made < end; made++) {
        repository.commitFile(`${made % 100}.txt`, `${made}\n`, `Commit ${made}`);
      }
      // A look that had begun before may have seen some of them only.
      for (await heard; (await served()) < made;) {
        await once(news, 'followed');
      }
    });
    if (made >= nextLook) {
      nextLook += betweenLooks;
      looks.push({
        'handles and sockets': process.getActiveResourcesInfo().filter((name) => name !== 'Immediate').length,
        ...openFiles(),
        'heap in MB': collectedHeap() / 2 ** 20,
      });
    }
  }
  await trial.isFlat(looks);
  await running.stop();
  repository.remove();
  return trial;
}

/** What this process has open, and the folders that it watches: no list of Node.js has those that don't keep it from ending. */
function openFiles(): Record<string, number> {
  if (process.platform !== 'linux') {
    return {};
  }
  const infos = readdirSync('/proc/self/fdinfo').map((file) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${file}`, 'utf8');
    } catch {
      // That of the list itself is closed by now.
      return '';
    }
  });
  return {
    'open files': infos.length,
    'watched folders': infos.join('').match(/^inotify /gm)?.length ?? 0,
  };
}

export const attacks: readonly Attack[] = [
  {
    name: 'soak: refreshing, reading and failing',
    onlyInFull: true,
    run: () => soak(60),
  },
  {
    name: 'soak: a thousand commits that are followed',
    onlyInFull: true,
    run: () => followCommits(1000),
  },
  {
    name: 'soak: notices what is planted',
    onlyInFull: true,
    async run() {
      const trial = new Trial();
      const given: (() => void)[] = [];
      for (const [what, plant] of Object.entries(leaks(given))) {
        const { failures } = await soak(noticedAfter, plant);
        given.splice(0).forEach((giveBack) => giveBack());
        await trial.try(what, () =>
          assert.ok(
            failures.some((failure) => failure.startsWith(`${what}:`)),
            `it went unnoticed (${failures.join('; ')})`,
          ),
        );
      }
      return trial;
    },
  },
];
