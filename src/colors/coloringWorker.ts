/** Colors code in a thread of its own; see `Colors`. */
import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import oniguruma from 'vscode-oniguruma';
import type { CodeToColor, ColoredCode } from '../util/coloring.ts';
import { inBackground } from '../util/inBackground.ts';
import { Colorer, type Coloring, type ColorSettings } from './colorer.ts';
import type { Contributed } from './contributed.ts';

/** The surroundings of the thread, which stay as they are. */
export interface ColoringStart {
  contributed: Contributed;
  settings: ColorSettings;
  /** The packed file with the engine of the grammars' expressions. */
  engine: string;
}

export type ColoringQuestion = { id: number; code: CodeToColor } | { id: number; cancel: true };

/** Without a result, it is a sign of life. */
export interface ColoringAnswer {
  id?: number;
  colored?: ColoredCode | null;
}

/** Milliseconds for one piece of work, before it is looked at what else is wanted. */
const sliceMs = 15;

/** Milliseconds of work between signs of life. */
const beatMs = 500;

const { contributed, settings, engine } = workerData as ColoringStart;

async function loadEngine(): Promise<typeof oniguruma> {
  await oniguruma.loadWASM(await promisify(brotliDecompress)(await readFile(engine)));
  return oniguruma;
}

const colorer = new Colorer(
  { contributed, onigLib: loadEngine(), read: (file) => readFile(file, 'utf8') },
  settings,
);

/** Begun last, done first: that is what somebody looks at. */
const open: { id: number; coloring: Coloring }[] = [];
let isWorking = false;
/** Those of which the grammar is loaded, and those of them that nobody waits for any more. */
const starting = new Set<number>();
const canceled = new Set<number>();

async function work(): Promise<void> {
  let beat = performance.now();
  for (let current = open.at(-1); current; current = open.at(-1)) {
    const { id, coloring } = current;
    if (coloring.goOn(sliceMs)) {
      open.splice(open.indexOf(current), 1);
      answer({ id, colored: coloring.result });
    } else if (performance.now() - beat > beatMs) {
      beat = performance.now();
      answer({});
    }
    await nextTurn();
  }
}

function answer(message: ColoringAnswer): void {
  parentPort?.postMessage(message);
}

async function take({ id, code }: { id: number; code: CodeToColor }): Promise<void> {
  // A theme or grammar that can't be read is one without colors.
  starting.add(id);
  const coloring = await colorer.begin(code).catch(() => undefined);
  starting.delete(id);
  if (!coloring || canceled.delete(id)) {
    answer({ id, colored: null });
    return;
  }
  open.push({ id, coloring });
  if (!isWorking) {
    isWorking = true;
    await work();
    isWorking = false;
  }
}

parentPort?.on('message', (question: ColoringQuestion) => {
  if (!('cancel' in question)) {
    inBackground(take(question));
    return;
  }
  const index = open.findIndex(({ id }) => id === question.id);
  if (index >= 0) {
    open.splice(index, 1);
    answer({ id: question.id, colored: null });
  } else if (starting.has(question.id)) {
    canceled.add(question.id);
  }
});
