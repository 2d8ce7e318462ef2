/**
 * Runs inside an extension host (see workbench.ts): has VS Code show the stacks view over more than anyone has, and notes
 * what it asks of the view's provider, and what that tells it.
 */
import Module from 'node:module';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';
import type { PatchStacksExports } from '../../../src/publicApi/patchStacks.ts';
import { collectedHeap, watchTurns } from '../measure.ts';

/** The addresses, all of answers in JSON, at which the probe learns of the service and has it changed. */
export interface ServiceDesk {
  /** The number of requests that have reached the service. */
  requests: string;
  /** Renames a project that is listed. */
  rename: string;
  /** The number of projects that the service has, and of owners. */
  projects: number;
  owners: number;
}

/** The cost of one step. */
export interface Step {
  requests: number;
  /** Milliseconds of processor time of the longest turn of the event loop. */
  longestTurn: number;
}

export interface StacksViewMeasured {
  first: Step;
  /** All further pages. */
  all: Step;
  stacks: Step;
  patches: Step;
  sections: Step;
  refresh: Step;
  /** Rows that the view told VS Code to draw again in the refresh, and that VS Code asked for then. */
  redrawn: number;
  /** Bytes by which the heap has grown from the first page to all. */
  heap: number;
  /** Milliseconds of the longest turn in which VS Code shows as many rows of names alone, in as many groups. */
  namesAlone: number;
}

interface Row {
  id: string;
}

/** The view as VS Code has it, with what goes on between the two. */
interface Watched {
  view: vscode.TreeView<Row>;
  /** Rows by id, and how many times each was drawn. */
  rows: Map<string, Row>;
  below: Map<string, readonly Row[]>;
  drawn: number;
  /** Rows that were told to have changed; undefined stands for all. */
  told: (Row | undefined)[];
  /** Questions of VS Code that are not answered yet. */
  pending: number;
  lastActivity: number;
}

const id = 'patch-stacks.patch-stacks';

/** See the module. */
export default async function measureStacksView(
  api: typeof vscode,
  desk: ServiceDesk,
): Promise<StacksViewMeasured> {
  const extension = api.extensions.getExtension<PatchStacksExports>(id);
  if (!extension) {
    throw new Error('The extension is not there.');
  }
  const watched = watchView(path.join(extension.extensionPath, 'dist', path.sep));
  const countRequests = async (): Promise<number> => Number(await (await fetch(desk.requests)).text());
  // So that what VS Code loads for the first request of all, and for its start, counts for none of the steps.
  await countRequests();
  await started();
  const step = async (work: () => Promise<unknown>): Promise<Step> => {
    const before = await countRequests();
    const longestTurn = watchTurns();
    await work();
    return { longestTurn: await longestTurn(), requests: (await countRequests()) - before };
  };
  const namesAlone = await showNames(api, desk);
  let tree: Watched | undefined;
  const first = await step(async () => {
    await extension.activate();
    await api.commands.executeCommand('patchStacks.stacks.focus');
    tree = await watched;
    await settled(tree, 'project:1');
  });
  if (!tree) {
    throw new Error('There is no view.');
  }
  const { view, rows, below } = tree;
  const heapBefore = collectedHeap();
  const all = await step(async () => {
    // Out of sight: VS Code keeps something of a row each time that it is drawn, for as long as the window is open.
    await api.commands.executeCommand('workbench.view.explorer');
    for (let known = 0; known < desk.projects;) {
      await api.commands.executeCommand('patchStacks.loadMore');
      const now = (await extension.exports.getApi(1).projects()).length;
      if (now === known) {
        throw new Error(`There are only ${now} projects.`);
      }
      known = now;
    }
    await api.commands.executeCommand('patchStacks.stacks.focus');
    await settled(tree!, `project:${desk.projects}`);
  });
  const heap = collectedHeap() - heapBefore;
  const listed = [...rows.keys()].filter((row) => row.startsWith('project:')).length;
  if (listed !== desk.projects) {
    throw new Error(`There are rows for ${listed} projects.`);
  }

  const expand = async (row: Row | undefined): Promise<Row | undefined> => {
    if (!row) {
      throw new Error('A row is not there.');
    }
    await view.reveal(row, { expand: true, select: false });
    await settled(tree!);
    return below.get(row.id)?.[0];
  };
  const stacks = await step(() => expand(rows.get('project:1')));
  const stackOfMany = await expand(rows.get('project:2'));
  const patches = await step(() => expand(stackOfMany));
  const patchOfMany = await expand(await expand(rows.get('project:3')));
  const sections = await step(() => expand(patchOfMany));
  for (const [name, amount] of [
    ['project:1', 2000],
    [stackOfMany?.id, 1000],
    [patchOfMany?.id, 2000],
  ] as const) {
    const there = below.get(name ?? '')?.length;
    if (there !== amount) {
      throw new Error(`There are ${there} rows below ${name}.`);
    }
  }

  const poll = async (seconds: number): Promise<void> =>
    api.workspace
      .getConfiguration('patchStacks')
      .update('refreshInterval', seconds, api.ConfigurationTarget.Global);
  await poll(5);
  // Right after the view has asked what has changed: the next time it asks comes after the change.
  for (const before = await countRequests(); (await countRequests()) === before;) {
    await pause(20);
  }
  await settled(tree);
  tree.told = [];
  tree.drawn = 0;
  const refresh = await step(async () => {
    await fetch(desk.rename);
    while (tree!.told.length === 0) {
      await pause(20);
    }
    await settled(tree!);
  });
  await poll(0);
  const redrawn = Math.max(tree.told.length, tree.drawn);
  return { first, all, stacks, patches, sections, refresh, redrawn, heap, namesAlone };
}

/** Shows names in groups in a tree without anything else, and says how many milliseconds the longest turn of that took. */
async function showNames(api: typeof vscode, { projects, owners }: ServiceDesk): Promise<number> {
  const namesOf = (prefix: string, count: number): string[] =>
    Array.from({ length: count }, (_value, index) => `${prefix} ${index}`);
  let [drawn, lastActivity] = [0, 0];
  const { Expanded, None } = api.TreeItemCollapsibleState;
  const view = api.window.createTreeView<string>('probe.rows', {
    treeDataProvider: {
      getChildren: (group) =>
        group === undefined
          ? namesOf('owner', owners)
          : namesOf(`${group}, project number`, projects / owners),
      getTreeItem: (name) => {
        drawn += 1;
        lastActivity = performance.now();
        return Object.assign(new api.TreeItem(name, name.includes(',') ? None : Expanded), { id: name });
      },
    },
  });
  const longestTurn = watchTurns();
  await api.commands.executeCommand('probe.rows.focus');
  while (drawn < projects + owners || performance.now() - lastActivity < 300) {
    await pause(20);
  }
  const longest = await longestTurn();
  view.dispose();
  return longest;
}

/** Resolves when the extension has made its view, with what VS Code asks of it from then on. */
function watchView(folder: string): Promise<Watched> {
  const { promise, resolve } = Promise.withResolvers<Watched>();
  const loader = Module as unknown as {
    _load: (this: unknown, request: string, parent?: { filename?: string }, ...rest: unknown[]) => unknown;
  };
  const original = loader._load;
  loader._load = function (request, parent, ...rest) {
    const loaded = original.call(this, request, parent, ...rest);
    if (request !== 'vscode' || parent?.filename?.startsWith(folder) !== true) {
      return loaded;
    }
    const api = loaded as typeof vscode;
    const createTreeView = (viewId: string, options: vscode.TreeViewOptions<Row>): vscode.TreeView<Row> => {
      loader._load = original;
      const watched = {
        rows: new Map<string, Row>(),
        below: new Map<string, readonly Row[]>(),
        drawn: 0,
        told: [],
        pending: 0,
        lastActivity: performance.now(),
      };
      const treeDataProvider = watchedProvider(options.treeDataProvider, watched);
      const view = api.window.createTreeView(viewId, { ...options, treeDataProvider });
      resolve(Object.assign(watched, { view }));
      return view;
    };
    return Object.defineProperties(
      {},
      {
        ...Object.getOwnPropertyDescriptors(api),
        window: {
          value: Object.create(api.window, { createTreeView: { value: createTreeView } }) as unknown,
          enumerable: true,
        },
      },
    );
  };
  return promise;
}

function watchedProvider(
  provider: vscode.TreeDataProvider<Row>,
  watched: Omit<Watched, 'view'>,
): vscode.TreeDataProvider<Row> {
  provider.onDidChangeTreeData?.((changed) => {
    watched.told.push(...(Array.isArray(changed) ? changed : [changed ?? undefined]));
    watched.lastActivity = performance.now();
  });
  return {
    onDidChangeTreeData: provider.onDidChangeTreeData!,
    getParent: (row) => provider.getParent?.(row),
    resolveTreeItem: (item, row, token) => provider.resolveTreeItem?.(item, row, token),
    getTreeItem: (row) => {
      watched.drawn += 1;
      watched.lastActivity = performance.now();
      return provider.getTreeItem(row);
    },
    getChildren: async (row) => {
      watched.pending += 1;
      try {
        const rows = (await provider.getChildren(row)) ?? [];
        if (row) {
          watched.below.set(row.id, rows);
        } else {
          watched.rows.delete('loadMore');
        }
        for (const one of rows) {
          watched.rows.set(one.id, one);
        }
        return rows;
      } finally {
        watched.pending -= 1;
        watched.lastActivity = performance.now();
      }
    },
  };
}

/** Waits until VS Code has asked for nothing for a while, and has a row that is named. */
async function settled(watched: Watched, row?: string): Promise<void> {
  const isQuiet = (): boolean =>
    watched.pending === 0 &&
    performance.now() - watched.lastActivity > 300 &&
    (row === undefined || watched.rows.has(row));
  while (!isQuiet()) {
    await pause(20);
  }
}

/**
 * Waits until the extensions of VS Code itself have started: no turn of the event loop was long for a while. Not longer than
 * some seconds: after ten VS Code activates what waits for its start, and that is to be measured.
 */
async function started(): Promise<void> {
  for (let look = 0, longestTurn = Infinity; longestTurn > 10 && look < 3; look++) {
    const watch = watchTurns();
    await pause(2000);
    longestTurn = await watch();
  }
}
