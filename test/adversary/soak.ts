/** An hour of a window that is left open, on a simulated clock: nothing may have gathered at its end. */
import assert from 'node:assert/strict';
import v8 from 'node:v8';
import vm from 'node:vm';
import FakeTimers from '@sinonjs/fake-timers';
import { ApiClient } from '../../src/api/client.ts';
import { Model } from '../../src/model/model.ts';
import { Refresher } from '../../src/model/refresher.ts';
import { startSyntheticService } from '../bench/syntheticService.ts';
import { Trial, type Attack } from './attack.ts';

const minutes = 60;
/** Seconds between two refreshes: ten times as often as is usual. */
const interval = 6;

export const attacks: readonly Attack[] = [
  {
    name: 'soak: an hour of refreshing, reading and failing',
    async run() {
      const trial = new Trial();
      v8.setFlagsFromString('--expose-gc');
      const collect = vm.runInNewContext('gc') as () => void;
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
          if (broken) throw new Error('no network');
          return await operation(client);
        } finally {
          pending -= 1;
        }
      });
      const listener = model.onDidChange(() => undefined);
      const refresher = new Refresher(() => model.update());
      refresher.configure(interval * 1000, true);
      /** Lets real answers come, while the simulated clock stands still. */
      const settle = async (): Promise<void> => {
        for (let quiet = 0; quiet < 5; quiet = pending === 0 ? quiet + 1 : 0) {
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const measure = (): Record<string, number> => {
        collect();
        collect();
        const resources = process.getActiveResourcesInfo();
        return {
          'handles and sockets': resources.filter((name) => name !== 'Immediate').length,
          timers: clock.countTimers(),
          listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
          'heap in MB': process.memoryUsage().heapUsed / 2 ** 20,
        };
      };

      let first: Record<string, number> | undefined;
      for (let minute = 0; minute < minutes; minute++) {
        await trial.try(`minute ${minute}`, async () => {
          // Each tenth minute is without a network.
          broken = minute % 10 === 9;
          for (let second = 0; second < 60; second += interval) {
            await clock.tickAsync(interval * 1000);
            await settle();
            const changeId = `change-${(minute * 10 + second / interval) % 5}`;
            await model.refreshPatch({ stackUuid: 'stack-0', changeId }).catch(() => undefined);
            await model.projects().catch(() => undefined);
            await model.stacks(String(second), 'active').catch(() => undefined);
            await settle();
          }
          if (minute === 8) first = measure();
        });
      }
      broken = false;
      await clock.tickAsync(interval * 1000);
      await settle();
      const last = measure();
      const { requests } = service.takeTraffic();
      await trial.try('it has refreshed all the time', () =>
        assert.ok(requests > 1000, `${requests} requests`),
      );
      for (const [what, before] of Object.entries(first ?? {})) {
        await trial.try(what, () => {
          const after = last[what] ?? Number.NaN;
          const allowed = what === 'heap in MB' ? before * 1.1 + 1 : before + 1;
          assert.ok(
            after <= allowed,
            `${before.toFixed(1)} after nine minutes, ${after.toFixed(1)} after an hour`,
          );
        });
      }
      refresher.dispose();
      listener.dispose();
      model.dispose();
      clock.uninstall();
      await client.close();
      await service.close();
      return trial;
    },
  },
];
