import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pages, type PageQuery } from '../../../src/api/paging.ts';

interface Item {
  id: string;
  /** Epoch milliseconds. */
  time: number;
}

/** The habits that a service may have; nothing of this is in the contract. */
interface Habits {
  inclusive: boolean;
  /** The largest page it gives. */
  cap: number;
  ignoresBefore: boolean;
  /** The way it writes timestamps. */
  write: (time: number) => string | undefined;
}

const iso = (time: number) => new Date(time).toISOString();
const usual: Habits = { inclusive: false, cap: Infinity, ignoresBefore: false, write: iso };

/** A service with these items; `tick` runs before each page. */
function service(items: Item[], habits: Partial<Habits>, tick: (request: number) => void = () => undefined) {
  const { inclusive, cap, ignoresBefore, write } = { ...usual, ...habits };
  const state = { requests: 0 };
  const list = async ({ before, since, limit }: PageQuery) => {
    tick(++state.requests);
    const below = before?.getTime() ?? Infinity;
    const above = since === undefined ? -Infinity : new Date(since).getTime();
    const found = items
      .filter(({ time }) => ignoresBefore || (inclusive ? time <= below : time < below))
      .filter(({ time }) => time >= above)
      .sort((a, b) => b.time - a.time)
      .slice(0, Math.min(limit, cap))
      .map(({ id, time }) => ({ id, updatedAt: write(time) }));
    return { items: found, dropped: 0 };
  };
  return { list, state };
}

async function readAll(
  list: (
    query: PageQuery,
  ) => Promise<{ items: { id: string; updatedAt: string | undefined }[]; dropped: number }>,
  pageSize: number,
) {
  const ids: string[] = [];
  for await (const item of pages(list, {
    pageSize,
    identify: ({ id }) => id,
    timestamp: ({ updatedAt }) => updatedAt,
  })) {
    ids.push(item.id);
  }
  return ids;
}

const start = Date.UTC(2026, 0, 1);
/** Few different times, so that many records share one. */
const times = fc.array(fc.nat({ max: 6 }), { maxLength: 120 });
const step = fc.constantFrom(1, 250, 1000, 60_000);
const make = (offsets: number[], by: number): Item[] =>
  offsets.map((offset, index) => ({ id: `p${index}`, time: start + offset * by }));
const sorted = (ids: string[]) => ids.toSorted();

describe('pages', () => {
  it('gives every record once, for any timestamps, page sizes and habits of the service', async () => {
    await fc.assert(
      fc.asyncProperty(
        times,
        step,
        fc.integer({ min: 1, max: 80 }),
        fc.record({
          inclusive: fc.boolean(),
          ignoresBefore: fc.boolean(),
          write: fc.constantFrom<Habits['write']>(iso, String, (time) => iso(time).replace('Z', '456Z')),
        }),
        async (offsets, by, pageSize, habits) => {
          const items = make(offsets, by);
          const ids = await readAll(service(items, habits).list, pageSize);
          assert.deepEqual(sorted(ids), sorted(items.map(({ id }) => id)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('gives every record once while others are added and updated', async () => {
    await fc.assert(
      fc.asyncProperty(
        times,
        step,
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.record({ at: fc.integer({ min: 1, max: 12 }), update: fc.option(fc.nat()) }), {
          maxLength: 15,
        }),
        async (offsets, by, pageSize, changes) => {
          const items = make(offsets, by);
          const before = items.map(({ id }) => id);
          let clock = start + 10 * by;
          const { list, state } = service(items, {}, (request) => {
            for (const { update } of changes.filter((change) => change.at === request)) {
              clock += by;
              const touched = update === null ? undefined : items[update % (items.length || 1)];
              if (touched) {
                touched.time = clock;
              } else {
                items.push({ id: `new${clock}`, time: clock });
              }
            }
          });
          const ids = await readAll(list, pageSize);
          assert.equal(new Set(ids).size, ids.length, 'nothing twice');
          assert.deepEqual(
            before.filter((id) => !ids.includes(id)),
            [],
            'nothing lost',
          );
          assert.ok(state.requests < 500);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('finds more records of one time than the service gives at a time, as far as it lets itself be asked', async () => {
    const items = [...make(new Array<number>(60).fill(5), 1000), { id: 'older', time: start }];
    for (const inclusive of [false, true]) {
      assert.equal((await readAll(service(items, { inclusive, cap: 60 }).list, 50)).length, 61);
      // The service hides all but 55 of them, but what lies below is found.
      assert.ok((await readAll(service(items, { inclusive, cap: 55 }).list, 50)).includes('older'));
    }
  });

  it('reads larger pages when there are no timestamps to go by', async () => {
    const items = make(
      Array.from({ length: 130 }, (_value, index) => index),
      1000,
    );
    const { list, state } = service(items, { write: () => undefined });
    assert.equal((await readAll(list, 50)).length, 130);
    assert.ok(state.requests <= 4);
  });

  it('asks once for a list that fits on a page, and keeps to the caller’s `since`', async () => {
    const items = make([1, 2, 3], 1000);
    const { list, state } = service(items, {});
    assert.deepEqual(await readAll(list, 50), ['p2', 'p1', 'p0']);
    assert.equal(state.requests, 1);
    const queries: PageQuery[] = [];
    const keep = (query: PageQuery) => {
      queries.push(query);
      return list(query);
    };
    const paging = {
      since: iso(start),
      pageSize: 2,
      identify: ({ id }: { id: string }) => id,
      timestamp: () => undefined,
    };
    for await (const item of pages(keep, paging)) {
      assert.ok(item);
    }
    assert.ok(queries.every(({ since }) => since === iso(start)));
  });

  it('counts records without identifier as part of a page', async () => {
    const items = make(
      Array.from({ length: 60 }, (_value, index) => index),
      1000,
    );
    const { list } = service(items, {});
    const lossy = async (query: PageQuery) => {
      const page = await list(query);
      const kept = page.items.filter(({ id }) => id !== 'p55');
      return { items: kept, dropped: page.items.length - kept.length };
    };
    assert.equal((await readAll(lossy, 50)).length, 59);
  });

  it('ends when the service gives ever the same page', async () => {
    const page = { items: [{ id: 'a', updatedAt: iso(start) }], dropped: 0 };
    assert.deepEqual(await readAll(async () => page, 1), ['a']);
  });
});
