import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { ApiClient } from '../../../src/api/client.ts';
import { Model } from '../../../src/model/model.ts';
import type { Node } from '../../../src/tree/nodes.ts';
import type { StacksTree } from '../../../src/tree/stacksTree.ts';
import { fillDataDirectory, manyOfAll } from '../../support/manyProjects.ts';
import { silentLog } from '../../support/silentLog.ts';
import { serveData } from '../../support/servedData.ts';
import { registerVscodeStub } from '../../support/vscodeStub.ts';
import { amountRow, watchTurns, type Group, type Row } from '../measure.ts';

const metrics = {
  first: 'stacks view: requests until the first rows',
  stacks: 'stacks view: requests to expand 2,000 stacks',
  patches: 'stacks view: requests to expand 1,000 patches',
  sections: 'stacks view: requests to expand 2,000 sections',
  refresh: 'stacks view: requests of a refresh in which one project changed',
  redrawn: 'stacks view: rows drawn again after it',
  heap: 'stacks view: heap of 10,000 projects',
  stall: 'stacks view: longest turn of the event loop',
} as const;

/** The stacks view's model and rows over the local service, with more in it than anybody has. */
export const group: Group = {
  name: 'stacksView',
  async run(wanted) {
    if (!Object.values(metrics).some(wanted)) return [];
    const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-bench-'));
    try {
      await fillDataDirectory(directory);
      await using service = await serveData(directory);
      return (await measure(service)).filter(({ metric }) => wanted(metric));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};

async function measure({ url, token }: { url: string; token: string }): Promise<Row[]> {
  registerVscodeStub();
  const { StacksTree } = await import('../../../src/tree/stacksTree.ts');
  await using client = new ApiClient({ serverUrl: url, getToken: async () => token });
  // So that the first request does not pay for what the client loads.
  await client.users.get('nobody').catch(() => undefined);
  let requests = 0;
  const requestsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = requests;
    await work();
    return requests - before;
  };
  const count = (): void => void (requests += 1);
  const counted = new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'object' && member !== null ? countCalls(member, count) : member;
    },
  });
  const heapBefore = collectedHeap();
  const model = new Model((operation) => operation(counted));
  const tree = new StacksTree({
    account: { activeServer: url, session: async () => ({ id: 'ada', login: 'ada' }) },
    model: async () => model,
    workspace: { ready: async () => undefined, find: () => [] },
    filter: () => ({ status: 'active' }),
    memory: { read: () => undefined, write: () => undefined },
    log: silentLog,
  });
  let redrawn: unknown[] = [];
  tree.onDidChangeTreeData((rows) => redrawn.push(...(Array.isArray(rows) ? rows : [rows])));
  model.onDidChange((change) => void tree.takeIn(change));

  const stalls: number[] = [];
  const step = async (work: () => Promise<unknown>): Promise<number> => {
    const longestTurn = watchTurns();
    const count = await requestsOf(work);
    stalls.push(await longestTurn());
    return count;
  };
  const first = await step(() => drawn(tree));
  const stacks = await step(() => expand(tree, '1'));
  const patches = await step(() => expand(tree, '2', 1));
  await expand(tree, '3', 1);
  const sections = await step(() => expand(tree, '3', 2));

  while ((await model.projects()).value.hasMore) await model.loadMoreProjects();
  await drawn(tree);
  const { value } = await model.projects();
  if (value.items.length !== manyOfAll.projects) throw new Error(`There are ${value.items.length} projects.`);
  const heap = collectedHeap() - heapBefore;

  await client.projects.update('5000', { name: 'Renamed' });
  redrawn = [];
  const refresh = await step(() => model.update());

  return [
    amountRow(metrics.first, 'requests', [first], { atMost: 1 }),
    amountRow(metrics.stacks, 'requests', [stacks], { atMost: 1 }),
    amountRow(metrics.patches, 'requests', [patches], { atMost: 1 }),
    amountRow(metrics.sections, 'requests', [sections], { atMost: 1 }),
    amountRow(metrics.refresh, 'requests', [refresh], { atMost: 1 }),
    amountRow(metrics.redrawn, 'rows', [redrawn.length], { atMost: 1 }),
    amountRow(metrics.heap, 'MB', [heap / 2 ** 20], { atMost: 30 }),
    amountRow(metrics.stall, 'ms', [Math.max(...stalls)], { atMost: 50 }),
  ];
}

/** Draws all rows that are expanded from the start, as VS Code does. */
async function drawn(tree: StacksTree, node?: Node): Promise<Node[]> {
  const rows = await tree.getChildren(node);
  rows.forEach((row) => tree.getTreeItem(row));
  for (const row of rows.filter(({ kind }) => kind === 'owner' || kind === 'family')) await drawn(tree, row);
  return rows;
}

/** Expands a project, and so many levels below it at their first rows. */
async function expand(tree: StacksTree, projectId: string, levels = 0): Promise<void> {
  let row: Node | undefined = await tree.projectRow(projectId);
  for (let level = 0; row && level <= levels; level++) {
    [row] = await drawn(tree, row);
  }
}

/** A resource whose calls are counted; one that pages counts each page. */
function countCalls(resource: object, count: () => void): object {
  return new Proxy(resource, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        if (name !== 'iterate') count();
        // Paging calls `list`, which is counted in turn.
        return Reflect.apply(member, name === 'iterate' ? countCalls(target, count) : target, args);
      };
    },
  });
}

function collectedHeap(): number {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
