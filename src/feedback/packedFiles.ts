/** Keeps what is packed for feedback until it is sent: there may be secrets in it, so it is in the extension's own storage. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Disposable } from '../util/disposable.ts';
import { defaultIntervalMs, Heartbeat, Heartbeats, type HeartbeatOptions } from '../util/heartbeat.ts';
import { systemCode } from '../util/systemCode.ts';

const windowsFolder = 'windows';

/** A folder for each window, which only this user can read. What a window leaves that was killed, the next one deletes. */
export class PackedFiles implements Disposable {
  readonly #folder: string;
  readonly #intervalMs: number;
  readonly #heart: Heartbeat;
  readonly #others: Heartbeats;
  readonly #ended = new AbortController();

  /** @param folder need not exist yet. */
  constructor(folder: string, options: HeartbeatOptions = {}) {
    this.#folder = folder;
    this.#intervalMs = options.intervalMs ?? defaultIntervalMs;
    this.#heart = new Heartbeat(path.join(folder, windowsFolder), options);
    this.#others = new Heartbeats(path.join(folder, windowsFolder), options);
  }

  /** The folder of this window. @throws what the file system says. */
  async folder(): Promise<string> {
    this.#heart.begin();
    const own = path.join(this.#folder, this.#heart.name);
    await mkdir(own, { recursive: true, mode: 0o700 });
    return own;
  }

  /** Deletes what windows have left that do not live any more; whether they do is clear after a few looks. */
  async sweep(): Promise<void> {
    for (;;) {
      await this.#others.look();
      const left = (await this.#folders()).filter((name) => name !== this.#heart.name);
      const dead = left.filter((name) => !this.#others.isAlive(name));
      await Promise.all(
        dead.map((name) => rm(path.join(this.#folder, name), { recursive: true, force: true })),
      );
      await this.#others.sweep((name) => left.includes(name) && !dead.includes(name));
      if (left.every((name) => this.#others.isCertain(name)) || this.#ended.signal.aborted) {
        return;
      }
      await wait(this.#intervalMs, undefined, { ref: false });
    }
  }

  dispose(): void {
    this.#ended.abort();
    this.#heart.dispose();
  }

  async #folders(): Promise<string[]> {
    try {
      return (await readdir(this.#folder)).filter((name) => name !== windowsFolder);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') {
        return [];
      }
      throw error;
    }
  }
}
