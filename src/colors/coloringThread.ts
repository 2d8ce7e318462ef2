import { Worker } from 'node:worker_threads';
import type { Disposable } from '../util/disposable.ts';
import type { CodeToColor, ColoredCode } from '../util/coloring.ts';
import { inBackground } from '../util/inBackground.ts';
import type { ColoringAnswer, ColoringQuestion, ColoringStart } from './coloringWorker.ts';

/**
 * Milliseconds without a sign of life after which the thread is ended: an expression of a grammar that has met a text which it takes
 * hours for can't be stopped in any other way.
 */
const patienceMs = 10_000;

/** Milliseconds without a question after which the thread gives back its memory. */
const idleMs = 300_000;

interface Waiting {
  code: CodeToColor;
  resolve: (colored: ColoredCode | null) => void;
}

/** The thread that colors code, which is there from the first question on. */
export class ColoringThread implements Disposable {
  readonly #file: string;
  readonly #start: ColoringStart;
  readonly #patienceMs: number;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #questions = 0;

  /** @param file the file with the code of `coloringWorker.ts`. */
  constructor(file: string, start: ColoringStart, waitMs = patienceMs) {
    this.#file = file;
    this.#start = start;
    this.#patienceMs = waitMs;
  }

  /** The code with its colors; null when they are not known, or would take too long. */
  async color(code: CodeToColor, signal?: AbortSignal): Promise<ColoredCode | null> {
    signal?.throwIfAborted();
    const id = this.#questions++;
    const worker = (this.#worker ??= this.#begin());
    const cancel = (): void => worker.postMessage({ id, cancel: true } satisfies ColoringQuestion);
    signal?.addEventListener('abort', cancel);
    try {
      return await new Promise((resolve) => {
        this.#waiting.set(id, { code, resolve });
        worker.postMessage({ id, code } satisfies ColoringQuestion);
        this.#expect();
      });
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  dispose(): void {
    this.#end();
  }

  #begin(): Worker {
    const worker = new Worker(this.#file, { workerData: this.#start });
    worker.unref();
    worker.on('message', ({ id, colored = null }: ColoringAnswer) => {
      if (id !== undefined) {
        this.#waiting.get(id)?.resolve(colored);
        this.#waiting.delete(id);
      }
      this.#expect();
    });
    // As when it runs out of memory: the next question begins another one.
    const give = (): void => {
      if (this.#worker === worker) {
        this.#end();
      }
    };
    worker.on('error', give);
    worker.on('exit', give);
    return worker;
  }

  /** Waits for the next sign of life, or for the next question. */
  #expect(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), this.#waiting.size > 0 ? this.#patienceMs : idleMs);
    this.#timer.unref();
  }

  #end(): void {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    inBackground(worker?.terminate());
    for (const { resolve } of this.#waiting.values()) {
      resolve(null);
    }
    this.#waiting.clear();
  }
}
