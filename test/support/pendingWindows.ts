/** Windows of one account that come and go, with the unsent changes that each has: nobody asks the service in them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Model } from '../../src/model/model.ts';
import { PendingChanges } from '../../src/model/pending/pendingChanges.ts';

/** See the module. */
export class PendingWindows {
  /** The folder of the account. */
  readonly directory: string;
  readonly #opened: PendingChanges[] = [];

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async begin(): Promise<PendingWindows> {
    return new PendingWindows(await mkdtemp(path.join(tmpdir(), 'patch-stacks-windows-')));
  }

  async open(): Promise<PendingChanges> {
    const ask = async (): Promise<never> => {
      throw new Error('nobody asks the service here');
    };
    const window = new PendingChanges({ ask, model: new Model(ask) });
    this.#opened.push(window);
    await window.activate(path.join(this.directory, 'account', 'pending'));
    return window;
  }

  /** Closes all windows, and deletes what they have written. */
  async end(): Promise<void> {
    await Promise.all(this.#opened.map((window) => window.close()));
    await rm(this.directory, { recursive: true, force: true });
  }
}
