import { Worker } from 'node:worker_threads';
import type { Disposable } from '../util/disposable.ts';
import { inBackground } from '../util/inBackground.ts';
import { Turns } from '../util/turns.ts';
import type { FormulaAnswer, FormulaQuestion, FormulaStart } from './formulaWorker.ts';

/** Milliseconds that the formulas of a text may take: one that takes longer can't be stopped but with its thread. */
const patienceMs = 5_000;

/** Milliseconds without a question after which the thread gives back its memory. */
const idleMs = 60_000;

const mostMegabytes = 128;

/** The thread that draws formulas, which is there from the first question on. */
export class FormulaThread implements Disposable {
  readonly #file: string;
  readonly #start: FormulaStart;
  readonly #patienceMs: number;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #turns = new Turns(1);

  /** @param file the file with the code of `formulaWorker.ts`. */
  constructor(file: string, start: FormulaStart, waitMs = patienceMs) {
    this.#file = file;
    this.#start = start;
    this.#patienceMs = waitMs;
  }

  /** Draws the formulas of a text, one after the other; null for those that can't be, or not in the time for all of them. */
  draw(questions: readonly FormulaQuestion[]): Promise<(string | null)[]> {
    return this.#turns.take(() => this.#drawAll(questions));
  }

  dispose(): void {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    inBackground(worker?.terminate());
  }

  async #drawAll(questions: readonly FormulaQuestion[]): Promise<(string | null)[]> {
    clearTimeout(this.#idle);
    const drawn: (string | null)[] = [];
    const over = new AbortController();
    const timer = setTimeout(() => {
      over.abort();
      this.dispose();
    }, this.#patienceMs);
    for (const question of questions) {
      drawn.push(over.signal.aborted ? null : await this.#drawOne(question));
    }
    clearTimeout(timer);
    this.#idle = setTimeout(() => this.dispose(), idleMs);
    this.#idle.unref();
    return drawn;
  }

  #drawOne(question: FormulaQuestion): Promise<string | null> {
    const worker = (this.#worker ??= this.#begin());
    return new Promise((resolve) => {
      const end = (): void => {
        worker.off('message', answer);
        worker.off('exit', gone);
      };
      const answer = ({ drawn }: FormulaAnswer): void => {
        end();
        resolve(drawn);
      };
      const gone = (): void => {
        end();
        resolve(null);
      };
      worker.on('message', answer);
      worker.on('exit', gone);
      worker.postMessage(question);
    });
  }

  #begin(): Worker {
    const worker = new Worker(this.#file, {
      workerData: this.#start,
      resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
    });
    worker.unref();
    // As when it runs out of memory: the next question begins another one.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#worker === worker) {
        this.#worker = undefined;
      }
    });
    return worker;
  }
}
