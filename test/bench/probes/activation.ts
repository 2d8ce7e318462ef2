/**
 * Runs inside an extension host (see workbench.ts): activates extensions one after the other and says what each took.
 * What VS Code itself does around it, such as telling the window, is not counted.
 */
import Module from 'node:module';
import v8 from 'node:v8';
import vm from 'node:vm';
import type * as vscode from 'vscode';

export interface Activation {
  /** Milliseconds to read and run the extension's main file. */
  load: number;
  /** Milliseconds until its activate function was done. */
  activate: number;
  /** Bytes the heap had grown by when both were done, and what was started by them had come to rest. */
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
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  const heap = async (): Promise<number> => {
    // The first collection lets go of what finalizers hold; timers of a moment ago have run before the second.
    collect();
    await new Promise((resolve) => setTimeout(resolve, 100));
    collect();
    return process.memoryUsage().heapUsed;
  };

  const results: Record<string, Activation> = {};
  for (const id of ids) {
    const extension = api.extensions.getExtension(id);
    if (extension === undefined) throw new Error(`There is no extension ${id}.`);
    if (extension.isActive) throw new Error(`${id} is active already.`);
    const before = await heap();
    const times = await timed(extension);
    results[id] = { ...times, heap: (await heap()) - before };
  }
  return results;
}

async function timed(extension: vscode.Extension<unknown>): Promise<{ load: number; activate: number }> {
  const loader = Module as unknown as Loader;
  const original = loader._load;
  let load = Number.NaN;
  let activate = Number.NaN;
  loader._load = function (request, ...rest) {
    if (!request.startsWith(extension.extensionPath)) {
      return original.call(this, request, ...rest);
    }
    loader._load = original;
    const start = performance.now();
    const main = original.call(this, request, ...rest) as Main;
    load = performance.now() - start;
    return {
      ...main,
      activate: async (context: unknown) => {
        const started = performance.now();
        const api = await main.activate(context);
        activate = performance.now() - started;
        return api;
      },
    };
  };
  try {
    await extension.activate();
  } finally {
    loader._load = original;
  }
  return { load, activate };
}
