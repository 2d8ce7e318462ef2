import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import FakeTimers from '@sinonjs/fake-timers';
import { ApiClient } from '../../../src/api/client.ts';
import { PendingChanges } from '../../../src/model/pending/pendingChanges.ts';
import { Model } from '../../../src/model/model.ts';
import { Refresher } from '../../../src/model/refresher.ts';
import { fillDataDirectory } from '../../support/manyProjects.ts';
import { serveData } from '../../support/servedData.ts';
import { amountRow, watchTurns, type Group, type Row } from '../measure.ts';

const metrics = {
  requests: 'a day: requests',
  bytes: 'a day: bytes both ways',
  stall: 'a day: longest turn of the event loop',
} as const;

const day = { hours: 8, patchesRead: 40, edits: 60 } as const;
const minutes = day.hours * 60;
/** The size of the service of a middling company. */
const amounts = { projects: 200, owners: 12, stacks: 30, patches: day.patchesRead, sections: 60 };

/**
 * A day of one window that is looked at all the time, on a simulated clock against the local service: it asks every minute
 * what has changed, as the setting has it; someone reads patches and edits sections, evenly over the day.
 */
export const group: Group = {
  async run(wanted) {
    if (!Object.values(metrics).some(wanted)) {
      return [];
    }
    const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-day-'));
    try {
      await fillDataDirectory(path.join(directory, 'data'), amounts);
      await using service = await serveData(path.join(directory, 'data'));
      const rows = await live(service.url, service.token, path.join(directory, 'pending'));
      return rows.filter(({ metric }) => wanted(metric));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};

async function live(serverUrl: string, token: string, folder: string): Promise<Row[]> {
  let requests = 0;
  const count = (): void => void (requests += 1);
  const sockets: Socket[] = [];
  const keepSocket = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  const transferred = (): number =>
    sockets.reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0);
  subscribe('undici:client:connected', keepSocket);
  subscribe('undici:request:create', count);
  await using client = new ApiClient({ serverUrl, getToken: async () => token });
  let pending = 0;
  const ask = async <T>(operation: (client: ApiClient) => Promise<T>): Promise<T> => {
    pending += 1;
    try {
      return await operation(client);
    } finally {
      pending -= 1;
    }
  };
  // So that the first request does not pay for what the client loads.
  await client.users.me();
  requests = 0;
  const before = transferred();
  const clock = FakeTimers.install({
    now: Date.now(),
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
  const model = new Model(ask);
  const pendingChanges = new PendingChanges({ ask, model });
  let read = 0;
  let edited = 0;
  let stall = 0;
  try {
    const longestTurn = watchTurns();
    await pendingChanges.activate(folder);
    const refresher = new Refresher(() => model.update());
    await model.projects();
    const [stack] = (await model.stacks('2', 'active')).value;
    if (!stack) {
      throw new Error('There is no stack.');
    }
    const patches = (await model.patchesOfStack('2', stack)).value;
    const written = { stackUuid: (await model.stacks('3', 'active')).value[0]?.uuid ?? '', projectId: '3' };
    const [patch] = (await model.stacks('3', 'active')).value[0]?.patches ?? [];
    const edit = async (): Promise<void> => {
      const address = { ...written, changeId: patch?.changeId ?? '' };
      const sections = (await model.patch(address)).value.sections ?? [];
      const texts = sections.filter((section) => section.sectionType === 'text');
      const section = texts[edited % texts.length];
      if (!section) {
        throw new Error('There is no text.');
      }
      const base = section.text ?? '';
      const subject = { kind: 'sectionText' as const, patch: address, code: section.code };
      pendingChanges.put(subject, { base, text: `${base}\nAnd line ${edited}.` }, 'A section');
      await pendingChanges.flush();
      const pending = pendingChanges.find(subject);
      if (pending) {
        await pendingChanges.send(pending.id);
      }
      if (pendingChanges.find(subject)) {
        throw new Error('An edit was not sent.');
      }
    };
    refresher.configure(60_000, true);
    for (let minute = 1; minute <= minutes; minute++) {
      await clock.tickAsync(60_000);
      // Real answers come while the simulated clock stands still.
      for (let quiet = 0; quiet < 5; quiet = pending === 0 ? quiet + 1 : 0) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (; read < (day.patchesRead * minute) / minutes; read++) {
        await model.patch({ stackUuid: stack.uuid, projectId: '2', changeId: patches[read]?.changeId ?? '' });
      }
      for (; edited < (day.edits * minute) / minutes; edited++) {
        await edit();
      }
    }
    refresher.dispose();
    await pendingChanges.close();
    clock.uninstall();
    stall = await longestTurn();
  } finally {
    clock.uninstall();
    model.dispose();
    unsubscribe('undici:client:connected', keepSocket);
    unsubscribe('undici:request:create', count);
  }
  const asked = `${minutes} looks at what has changed, ${read} patches read, ${edited} edits`;
  return [
    amountRow(metrics.requests, 'requests', [requests], { atMost: 660 }, asked),
    amountRow(metrics.bytes, 'MB', [(transferred() - before) / 2 ** 20], { atMost: 3 }, 'headers included'),
    amountRow(metrics.stall, 'ms', [stall], { atMost: 50 }, "of the processor's time"),
  ];
}
