/**
 * Runs inside an extension host (see workbench.ts): activates extensions one after the other and says what each took.
 * VS Code's own work around it, such as telling the window, is not counted, nor is that of other extensions meanwhile.
 */
import Module from 'node:module';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { collectedHeap, watchTurns } from '../measure.ts';

export interface Activation {
  /** Milliseconds to read and run the extension's main file. */
  load: number;
  /** The same for its activate function. */
  activate: number;
  /** The same for the turn of the event loop that it asked for to do the rest. */
  after: number;
  /** Bytes the heap had grown by after all of it. */
  heap: number;
}

interface Loader {
  _load: (this: unknown, request: string, ...rest: unknown[]) => unknown;
}

interface Main {
  activate(context: unknown): unknown;
}

/** The extensions are activated in the order of their ids. */
export default async function measureActivation(
  api: typeof vscode,
  ids: readonly string[],
): Promise<Record<string, Activation>> {
  const results: Record<string, Activation> = {};
  // Not in the middle of VS Code's own start, which is as long as many times what is measured.
  for (let look = 0, longestTurn = Infinity; longestTurn > 5 && look < 6; look++) {
    const watch = watchTurns();
    await pause(300);
    longestTurn = await watch();
  }
  for (const id of ids) {
    const extension = api.extensions.getExtension(id);
    if (extension === undefined) {
      throw new Error(`There is no extension ${id}.`);
    }
    if (extension.isActive) {
      throw new Error(`${id} is active already.`);
    }
    results[id] = await measure(extension);
  }
  return results;
}

async function measure(extension: vscode.Extension<unknown>): Promise<Activation> {
  const loader = Module as unknown as Loader;
  const original = loader._load;
  const { promise, resolve } = Promise.withResolvers<Activation>();
  // The folder of a clone holds VS Code's own extensions, too, of which some start at the same time.
  const { main: entry } = extension.packageJSON as { main: string };
  const mainFile = path.join(extension.extensionPath, entry);
  loader._load = function (request, ...rest) {
    if (!request.startsWith(mainFile)) {
      return original.call(this, request, ...rest);
    }
    loader._load = original;
    const before = collectedHeap();
    const start = performance.now();
    const main = original.call(this, request, ...rest) as Main;
    const load = performance.now() - start;
    const activate = (context: unknown): unknown => {
      let turn = 0;
      // Work that the extension leaves for a turn of its own comes between these two.
      setImmediate(() => (turn = performance.now()));
      const started = performance.now();
      const exported = main.activate(context);
      const activated = performance.now() - started;
      setImmediate(() => {
        resolve({
          load,
          activate: activated,
          after: performance.now() - turn,
          heap: collectedHeap() - before,
        });
      });
      return exported;
    };
    return { ...main, activate };
  };
  try {
    await extension.activate();
  } finally {
    loader._load = original;
  }
  return promise;
}
