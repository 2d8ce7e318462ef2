import { ApiClient } from '../../../src/api/client.ts';
import { Model } from '../../../src/model/model.ts';
import { collectedHeap, growthRow, processorTime, type Aim, type Group, type Row } from '../measure.ts';
import { startSyntheticService, type Size, type SyntheticService } from '../syntheticService.ts';

/** The work that is done at each size, and the growth that its cost may show. */
interface Scale {
  what: string;
  sizes: readonly number[];
  service: (size: number) => Size;
  read: (model: Model) => Promise<unknown>;
  aim: Aim;
}

const linear: Aim = { atMost: 1.1 };
const lazy: Aim = { atMost: 0.1 };
const address = { stackUuid: 'stack-0', changeId: 'change-0' };

const scales: readonly Scale[] = [
  {
    what: 'the first rows of so many projects',
    sizes: [10, 100, 1000, 10_000, 100_000],
    // Below a page the cost is that of the rows themselves.
    service: (projects) => ({ projects: Math.max(projects, 51) }),
    read: (model) => model.projects(),
    aim: lazy,
  },
  {
    what: 'a stack of so many patches',
    sizes: [10, 100, 1000, 10_000],
    service: (patches) => ({ patches, stacks: 1 }),
    read: (model) => model.stacks('0', 'active'),
    aim: linear,
  },
  {
    what: 'a patch of so many sections',
    sizes: [10, 100, 1000, 5000],
    service: (sections) => ({ sections }),
    read: (model) => model.patch(address),
    aim: linear,
  },
  {
    what: 'a text of so many characters',
    sizes: [1000, 10_000, 100_000, 1_000_000, 5_000_000],
    service: (text) => ({ sections: 1, text }),
    read: (model) => model.patch(address),
    aim: linear,
  },
];

const rounds = 5;

/**
 * The growth of the client's and the model's cost. Time is the processor's; the service is in the same process, but has each
 * answer ready after the first round. Below half a millisecond and 100 KB there is only noise.
 */
export const group: Group = {
  async run(wanted) {
    const rows: Row[] = [];
    const service = await startSyntheticService();
    for (const scale of scales) {
      const time = `scaling: ${scale.what}, time`;
      const heap = `scaling: ${scale.what}, heap`;
      if (!wanted(time) && !wanted(heap)) {
        continue;
      }
      const times = new Map<number, number[]>();
      const heaps = new Map<number, number[]>();
      for (const size of scale.sizes) {
        service.resize(scale.service(size));
        const measured = [];
        for (let round = -2; round < rounds; round++) {
          const one = await measure(service, scale.read);
          if (round >= 0) {
            measured.push(one);
          }
        }
        times.set(
          size,
          measured.map((one) => one.time),
        );
        heaps.set(
          size,
          measured.map((one) => one.heap),
        );
      }
      if (wanted(time)) {
        rows.push(growthRow(time, 'ms', times, scale.aim, { floor: 0.5 }));
      }
      if (wanted(heap)) {
        rows.push(growthRow(heap, 'KB', heaps, scale.aim, { floor: 100 }));
      }
    }
    await service.close();
    return rows;
  },
};

/** Reads once with a new client and model. */
async function measure(
  service: SyntheticService,
  read: (model: Model) => Promise<unknown>,
): Promise<{ time: number; heap: number }> {
  await using client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
  const model = new Model((operation) => operation(client));
  // Connects, and loads what is loaded once.
  await client.users.me();
  const before = collectedHeap();
  const start = processorTime();
  const kept = await read(model);
  const time = processorTime() - start;
  const heap = Math.max(0, collectedHeap() - before) / 1024;
  model.dispose();
  return kept === undefined ? { time: Number.NaN, heap } : { time, heap };
}
