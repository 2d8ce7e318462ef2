/**
 * Runs inside an extension host (see test/bench/workbench.ts): opens and closes everything of the extension, one thing after the
 * other, each minute of a simulated clock, and says what the extension holds from time to time.
 */
import Module from 'node:module';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import v8 from 'node:v8';
import FakeTimers from '@sinonjs/fake-timers';
import type * as vscode from 'vscode';
import { leastLooks } from '../attack.ts';
import { collectedHeap } from '../../bench/measure.ts';
import type { PatchStacksExports } from '../../../src/publicApi/patchStacks.ts';

export interface Hour {
  minutes: number;
  /** True when something that gathers is kept each minute, for each thing that is counted. */
  planted: boolean;
}

export interface HourMeasured {
  opened: number;
  /** The amounts that were held, by name, at looks that are as many minutes apart: from when whatever stays for good was there. */
  looks: Record<string, number>[];
}

/** Something to open, in the words of a failure. */
type Opening = [what: string, open: () => PromiseLike<unknown>];

const id = 'patch-stacks.patch-stacks';

/** Times that each thing is opened before the first look: whatever it loads for good is there by then. */
const warmUp = 2;

/** Times that handles are counted for one measurement. */
const counts = 40;

function countHandles(): number {
  return process.getActiveResourcesInfo().filter((name) => !/Timeout|Immediate/.test(name)).length;
}

/** See the module. */
export default async function openAndClose(
  api: typeof vscode,
  { minutes, planted }: Hour,
): Promise<HourMeasured> {
  const extension = api.extensions.getExtension<PatchStacksExports>(id);
  if (!extension) {
    throw new Error('The extension is not there.');
  }
  const watched = watch(api, extension.extensionPath);
  const { clock } = watched;
  const goesOn = setInterval(() => clock.tick(tick), tick);
  try {
    await extension.activate();
    await api.commands.executeCommand('patchStacks.stacks.focus');
    const openings = await findOpenings(api, extension.exports);
    const betweenLooks = Math.floor((minutes - warmUp) / leastLooks);
    let opened = 0;
    const looks: Record<string, number>[] = [];
    for (let minute = 0; minute < minutes; minute++) {
      if (minute >= warmUp && (minute - warmUp) % betweenLooks === 0) {
        looks.push(await watched.measure());
      }
      const started = clock.now;
      for (const [what, open] of openings) {
        await open();
        await until(`minute ${minute}: ${what} is open`, () => isOpen(api) && watched.isQuiet());
        await api.commands.executeCommand('workbench.action.closeAllEditors');
        await until(`minute ${minute}: ${what} is closed`, () => !isOpen(api) && watched.panels() === 0);
        opened += 1;
      }
      if (planted) {
        watched.plant();
      }
      // In steps: what is asked for in one gets its answer before the next.
      while (clock.now < started + 60_000) {
        await clock.tickAsync(10_000);
        await pause(10);
      }
    }
    return { opened, looks };
  } finally {
    clearInterval(goesOn);
  }
}

/** Milliseconds between two ticks of the simulated clock while something is open. */
const tick = 20;

/** Everything that opens in the place of an editor. */
async function findOpenings(api: typeof vscode, exports: PatchStacksExports): Promise<Opening[]> {
  const run = (command: string, ...args: unknown[]) =>
    api.commands.executeCommand(`patchStacks.${command}`, ...args);
  const service = exports.getApi(1);
  await until('somebody is signed in', () => service.server !== undefined);
  const [project] = await service.projects();
  const [stack] = await service.stacks(project?.id ?? '');
  const patches = await service.patches(project?.id ?? '', stack?.uuid ?? '');
  const [one, other] = patches;
  if (!project || !stack || !one || !other) {
    throw new Error('There are too few patches.');
  }
  const address = {
    serverUrl: service.server,
    projectId: project.id,
    branchId: stack.branch,
    stackUuid: stack.uuid,
  };
  const { sections } = await service.patch(stack.uuid, one.changeId);
  const text = sections.find(({ kind }) => kind === 'text');
  if (!text) {
    throw new Error('There is no text section.');
  }
  const section = { ...address, changeId: one.changeId, sectionCode: text.code };
  return [
    ['a patch', () => run('openPatch', { ...address, changeId: one.changeId })],
    ['the form for a release', () => run('createRelease')],
    ['a section as a document', () => run('editSectionInEditor', section)],
    ['the form for feedback', () => run('sendFeedback')],
    ['another patch', () => run('openPatch', { ...address, changeId: other.changeId })],
    ['the profile', () => run('editProfile')],
    ['a section that is edited in its patch', () => run('editSection', section)],
    [
      'patch statuses',
      () => run('showPatchStatuses', { projectId: project.id, stack: { branchId: stack.branch } }),
    ],
    ['the changes of a patch', () => run('openChanges', { ...address, changeId: one.changeId })],
    ['a user', () => run('showUser', 'ada')],
  ];
}

function isOpen(api: typeof vscode): boolean {
  return api.window.tabGroups.all.some(({ tabs }) => tabs.length > 0);
}

async function until(what: string, isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 30_000;
  while (!isTrue()) {
    if (performance.now() > end) {
      throw new Error(`Waited in vain until ${what}.`);
    }
    await pause(10);
  }
}

/** The counts of an extension, and its clock. */
interface Watched {
  clock: FakeTimers.Clock;
  panels: () => number;
  /** Returns true when the pages have got everything they asked for, and ask for nothing more. */
  isQuiet: () => boolean;
  /** Counts what the extension holds now. */
  measure: () => Promise<Record<string, number>>;
  /** Keeps something of each kind. */
  plant: () => void;
}

/** An object that VS Code gives, of which only this is known. */
type Member = (...args: unknown[]) => unknown;

/**
 * Gives an extension that is not loaded yet a clock of its own, which ticks when it is told, sets and maps that are counted,
 * and an API that counts who listens and what was registered and not given back.
 */
function watch(api: typeof vscode, extensionPath: string): Watched {
  const clock = FakeTimers.createClock(Date.now());
  const collections = new Set<WeakRef<Set<unknown> | Map<unknown, unknown>>>();
  class CountedSet extends Set<unknown> {
    constructor(values?: Iterable<unknown>) {
      super(values);
      collections.add(new WeakRef(this));
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Set;
    }
  }
  class CountedMap extends Map<unknown, unknown> {
    constructor(entries?: Iterable<[unknown, unknown]>) {
      super(entries);
      collections.add(new WeakRef(this));
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Map;
    }
  }
  const { setTimeout, clearTimeout, setInterval, clearInterval, Date: ClockDate } = clock;
  const globals = {
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    Date: ClockDate,
    Set: CountedSet,
    Map: CountedMap,
  };
  const key = Symbol.for('patch-stacks-soak');
  Object.assign(globalThis, { [key]: globals });
  const prelude = `"use strict";const {${Object.keys(globals).join()}}=globalThis[Symbol.for("${key.description}")];`;

  const live = { listeners: 0, registrations: 0, panels: 0 };
  let lastMessage = 0;
  let open = 0;
  let lastPanel: vscode.WebviewPanel | undefined;
  const counted = (what: keyof typeof live, given: vscode.Disposable): vscode.Disposable => {
    live[what] += 1;
    let isThere = true;
    const dispose = given.dispose.bind(given);
    const counting = () => {
      live[what] -= isThere ? 1 : 0;
      isThere = false;
      dispose();
    };
    // A frozen object is made once for a window.
    if (Object.isExtensible(given)) {
      Object.defineProperty(given, 'dispose', { value: counting });
    }
    return given;
  };
  const createPanel = (...args: Parameters<typeof api.window.createWebviewPanel>): vscode.WebviewPanel => {
    const panel = api.window.createWebviewPanel(...args);
    live.panels += 1;
    panel.onDidDispose(() => (live.panels -= 1));
    const { webview } = panel;
    const post = webview.postMessage.bind(webview);
    webview.onDidReceiveMessage((message: { rpc?: string }) => {
      lastMessage = performance.now();
      open += message.rpc === 'request' ? 1 : 0;
    });
    Object.defineProperty(webview, 'postMessage', {
      value: (message: { rpc?: string }) => {
        lastMessage = performance.now();
        open -= message.rpc === 'result' || message.rpc === 'error' ? 1 : 0;
        return post(message);
      },
    });
    lastMessage = Infinity;
    open = 0;
    lastPanel = panel;
    return panel;
  };
  const countedMember = (name: string, member: Member): Member => {
    if (name === 'createWebviewPanel') {
      return createPanel as Member;
    }
    const what = name.startsWith('on') ? 'listeners' : 'registrations';
    return (...args) => counted(what, member(...args) as vscode.Disposable);
  };
  const countedNamespace = (namespace: Record<string, unknown>): object =>
    Object.create(
      namespace,
      Object.fromEntries(
        Object.keys(namespace)
          .filter((name) => /^(on(Did|Will)|create|register)[A-Z]/.test(name))
          .map((name) => [name, { value: countedMember(name, namespace[name] as Member), enumerable: true }]),
      ),
    ) as object;
  const countedApi = Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(api),
      ...Object.fromEntries(
        (
          ['window', 'workspace', 'commands', 'languages', 'authentication', 'extensions', 'env'] as const
        ).map((name) => [
          name,
          { value: countedNamespace(api[name] as unknown as Record<string, unknown>), enumerable: true },
        ]),
      ),
    },
  );

  const loader = Module as unknown as {
    _load: (this: unknown, request: string, parent?: { filename?: string }, ...rest: unknown[]) => unknown;
    prototype: {
      _compile: (this: unknown, content: string, filename: string, ...rest: unknown[]) => unknown;
    };
  };
  const { _load: load, prototype } = loader;
  const { _compile: compile } = prototype;
  // A clone holds VS Code's own extensions, too, which keep timers and handles of theirs.
  const own = path.join(extensionPath, 'dist', path.sep);
  const isOurs = (file: string | undefined): boolean => file?.startsWith(own) === true;
  loader._load = function (request, parent, ...rest) {
    return request === 'vscode' && isOurs(parent?.filename)
      ? countedApi
      : load.call(this, request, parent, ...rest);
  };
  prototype._compile = function (content, filename, ...rest) {
    return compile.call(this, isOurs(filename) ? prelude + content : content, filename, ...rest);
  };

  const kept: unknown[] = [];
  return {
    clock,
    panels: () => live.panels,
    isQuiet: () => live.panels === 0 || (open <= 0 && performance.now() - lastMessage > 60),
    measure: async () => {
      // VS Code's own extensions begin and end processes and requests of theirs: what is held for good is there in each look.
      let handles = Infinity;
      for (let count = 0; count < counts; count++) {
        handles = Math.min(handles, countHandles());
        await pause(50);
      }
      const heap = collectedHeap();
      const sizes = [...collections].map((one) => one.deref()?.size ?? 0);
      return {
        listeners: live.listeners,
        registrations: live.registrations,
        'entries of sets and maps': sizes.reduce((sum, size) => sum + size, 0),
        'panels in memory': lastPanel ? v8.queryObjects(lastPanel.constructor, { format: 'count' }) : 0,
        timers: clock.countTimers(),
        'handles and sockets': handles,
        'heap in MB': heap / 2 ** 20,
      };
    },
    plant: () => {
      const { window, languages } = countedApi as typeof vscode;
      window.onDidChangeActiveTextEditor(() => undefined);
      languages.createDiagnosticCollection();
      setInterval(() => undefined, 1000);
      createServer().listen(0, '127.0.0.1');
      kept.push(
        lastPanel,
        new CountedSet([lastPanel]),
        Array.from({ length: 50_000 }, () => ({})),
      );
    },
  };
}
