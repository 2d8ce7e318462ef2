/**
 * Lets the windows of a computer know which of them live. A window has a name that no other ever has, and a small file of that name
 * which it touches again and again. A process of its own number proves nothing: another program may have been given that since.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Disposable } from './disposable.ts';
import { inBackground } from './inBackground.ts';
import { systemCode } from './systemCode.ts';

/** Options for the heartbeat of a window. */
export interface HeartbeatOptions {
  /** Milliseconds between two beats, and between two looks at those of others. */
  intervalMs?: number;
  /**
   * Resolves while there is a person in front of the window: an extension host may go on for hours after the window that it
   * worked for. Until it resolves the heart does not beat.
   */
  isAttended?: () => PromiseLike<unknown>;
}

/** Milliseconds between two beats. */
export const defaultIntervalMs = 1_000;

/** As many looks in a row that saw no beat mean that there will be none. */
const missesUntilDead = 5;

/** The windows of this process that have not ended: one, but for tests. */
const livingHere = new Set<string>();

/** The life of this window, as others see it. */
export class Heartbeat implements Disposable {
  /** The number of the process, for people who look, and what tells the window from all others. */
  readonly name = `${process.pid}-${randomBytes(6).toString('hex')}`;
  readonly #file: string;
  readonly #intervalMs: number;
  readonly #isAttended: () => PromiseLike<unknown>;
  #timer: NodeJS.Timeout | undefined;
  #waiting = false;

  /** @param folder where all windows show that they live; it need not exist yet. */
  constructor(
    folder: string,
    { intervalMs = defaultIntervalMs, isAttended = async () => undefined }: HeartbeatOptions = {},
  ) {
    this.#file = path.join(folder, this.name);
    this.#intervalMs = intervalMs;
    this.#isAttended = isAttended;
    livingHere.add(this.name);
  }

  get isAlive(): boolean {
    return livingHere.has(this.name);
  }

  /** Begins to beat, if it does not yet. From here on others see it; where the disk takes nothing, with one of the next beats. */
  begin(): void {
    if (!this.#timer && this.isAlive) {
      try {
        this.#show();
      } catch {
        // Its content matters more than its holder.
      }
      this.#timer = setInterval(() => inBackground(this.#beat()), this.#intervalMs);
      this.#timer.unref();
    }
  }

  /** Stops for a while: there is nothing that others would have to leave alone. */
  rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    try {
      rmSync(this.#file, { force: true });
    } catch {
      // Whoever looks sees that it is not touched any more.
    }
  }

  dispose(): void {
    livingHere.delete(this.name);
    this.rest();
  }

  #show(): void {
    mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    writeFileSync(this.#file, os.hostname(), { mode: 0o600 });
  }

  async #beat(): Promise<void> {
    if (this.#waiting) {
      return;
    }
    this.#waiting = true;
    try {
      await this.#isAttended();
      if (this.#timer) {
        const now = new Date();
        // Another window may have swept it up while this one slept.
        await utimes(this.#file, now, now).catch(() => this.#timer && this.#show());
      }
    } catch {
      // A disk that fails is tried again with the next beat.
    } finally {
      this.#waiting = false;
    }
  }
}

interface Seen {
  beat: bigint;
  computer: string;
  /** Looks in a row that saw no new beat, and when the last was counted. */
  misses: number;
  countedAt: number;
  isAlive: boolean;
  /** A beat has come since the first look. */
  hasBeaten: boolean;
}

/** Looks whether other windows live. */
export class Heartbeats {
  readonly #folder: string;
  readonly #intervalMs: number;
  readonly #seen = new Map<string, Seen>();

  constructor(folder: string, { intervalMs = defaultIntervalMs }: Pick<HeartbeatOptions, 'intervalMs'> = {}) {
    this.#folder = folder;
    this.#intervalMs = intervalMs;
  }

  /** True when a window lived at the last look. One that shows nothing doesn't live; one that may, lives until proven dead. */
  isAlive(name: string): boolean {
    return this.#seen.get(name)?.isAlive ?? false;
  }

  /** True when more looks would not tell more: a beat of the window has been seen, or it does not live. */
  isCertain(name: string): boolean {
    const seen = this.#seen.get(name);
    return !seen?.isAlive || seen.hasBeaten;
  }

  /**
   * Looks at all of them.
   *
   * @returns whether one is dead that was not, or the other way round.
   */
  async look(): Promise<boolean> {
    const names = await this.#names();
    const before = new Map([...this.#seen.keys()].map((name) => [name, this.isAlive(name)]));
    for (const name of this.#seen.keys()) {
      if (!names.includes(name)) {
        this.#seen.delete(name);
      }
    }
    await Promise.all(names.map((name) => this.#lookAt(name)));
    const all = new Set([...before.keys(), ...this.#seen.keys()]);
    return [...all].some((name) => (before.get(name) ?? false) !== this.isAlive(name));
  }

  /** Deletes what those have left of whom nothing else is left. */
  async sweep(isNeeded: (name: string) => boolean): Promise<void> {
    for (const name of [...this.#seen.keys()]) {
      if (!this.isAlive(name) && !isNeeded(name)) {
        await rm(path.join(this.#folder, name), { force: true }).catch(() => undefined);
        this.#seen.delete(name);
      }
    }
  }

  async #names(): Promise<string[]> {
    try {
      return (await readdir(this.#folder)).filter((name) => /^\d{1,10}-[0-9a-f]+$/.test(name));
    } catch (error) {
      if (systemCode(error) === 'ENOENT') {
        return [];
      }
      // A state that can't be seen now is as it was.
      return [...this.#seen.keys()];
    }
  }

  async #lookAt(name: string): Promise<void> {
    const file = path.join(this.#folder, name);
    const before = this.#seen.get(name);
    try {
      const { mtimeNs: beat } = await stat(file, { bigint: true });
      const computer = before?.computer ?? (await readFile(file, 'utf8'));
      const now = performance.now();
      let { misses, countedAt } = before ?? { misses: 0, countedAt: now };
      if (before?.beat !== beat) {
        misses = 0;
        countedAt = now;
      } else if (now - countedAt >= this.#intervalMs) {
        // Looks that follow each other faster than beats are one.
        misses += 1;
        countedAt = now;
      }
      const isAlive = misses < missesUntilDead && !isGone(name, computer);
      const hasBeaten = before !== undefined && (before.hasBeaten || before.beat !== beat);
      this.#seen.set(name, { beat, computer, misses, countedAt, isAlive, hasBeaten });
    } catch (error) {
      if (systemCode(error) === 'ENOENT') {
        this.#seen.delete(name);
      }
    }
  }
}

/** True when the process of a window has ended: then nobody need wait for its next beat. */
function isGone(name: string, computer: string): boolean {
  const id = Number.parseInt(name, 10);
  if (computer !== os.hostname()) {
    return false;
  }
  if (id === process.pid) {
    // The windows of this process are known: else it is a number from before.
    return !livingHere.has(name);
  }
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return systemCode(error) === 'ESRCH';
  }
}
