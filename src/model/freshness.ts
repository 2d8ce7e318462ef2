import type { Disposable } from '../util/disposable.ts';
import { inBackground } from '../util/inBackground.ts';
import { pause } from '../util/pause.ts';
import { Refresher } from './refresher.ts';

/** Something on the screen that is to be as it is on the service: all projects, as in the stacks view, or what is in one of them. */
export type Shown = 'projects' | { projectId: string };

/** Somebody who shows something. */
export interface Watching extends Disposable {
  /** Is called when what is shown may be something else: it came to the front, or is hidden. */
  note: () => void;
}

interface FreshnessParts {
  /** Asks what has changed in that; it rejects when that fails, and has told whom it concerns. */
  look: (shown: readonly Shown[]) => Promise<void>;
  /**
   * Waits for something new.
   *
   * @param after the mark that came last; without one, it comes at once.
   * @returns the mark of now; undefined for a service that hasn't said that it tells of anything.
   */
  nextMark: (after: string | undefined, signal: AbortSignal) => Promise<string | undefined>;
}

/** Milliseconds after news: what comes together is looked at together. */
const settleMs = 150;

/** Milliseconds until a service is asked again that has ended, at first and at most. */
const shortestWaitMs = 1_000;
const longestWaitMs = 30_000;

/**
 * Keeps what is on the screen as it is on the service, and asks for nothing else: whoever shows something says so. A service that
 * tells of changes is followed while something is shown; any other is asked at an interval while the person is at the window.
 */
export class Freshness implements Disposable {
  readonly #parts: FreshnessParts;
  readonly #refresher: Refresher;
  readonly #shows = new Set<() => Shown | undefined>();
  #intervalMs = 0;
  #isAtWindow = false;
  /** True once the service has said that it tells of changes. */
  #tells = false;
  #mark: string | undefined;
  /** Ends the following; undefined while nobody does. */
  #following: AbortController | undefined;
  /** True while the service that is followed answers: then nobody asks. */
  #isTold = false;

  constructor(parts: FreshnessParts) {
    this.#parts = parts;
    this.#refresher = new Refresher(() => parts.look(this.#shown));
  }

  /** Begins to keep something fresh. @param shows what of it is on the screen at the moment. */
  watch(shows: () => Shown | undefined): Watching {
    this.#shows.add(shows);
    this.#note();
    return {
      note: () => this.#note(),
      dispose: () => {
        this.#shows.delete(shows);
        this.#note();
      },
    };
  }

  /**
   * Says how often to ask a service that tells nothing, and whether the person is at the window.
   *
   * @param intervalMs milliseconds; 0 never asks.
   */
  configure(intervalMs: number, isAtWindow: boolean): void {
    this.#intervalMs = intervalMs;
    this.#isAtWindow = isAtWindow;
    this.#note();
  }

  /** Waits a whole interval from now on: someone has just loaded everything by another way. */
  restart(): void {
    this.#refresher.restart();
  }

  /**
   * Notes that the service has answered.
   *
   * @param tells whether it says by now that it tells of changes: a local service that was started again has to say so anew.
   */
  noteAnswer(tells: boolean): void {
    if (this.#tells !== tells) {
      this.#tells = tells;
      this.#note();
    }
  }

  /** Forgets the service: another account is active. */
  reset(): void {
    this.#end();
    this.#tells = false;
    this.#mark = undefined;
    this.#note();
  }

  dispose(): void {
    this.#shows.clear();
    this.#end();
    this.#refresher.dispose();
  }

  get #shown(): Shown[] {
    return [...this.#shows].flatMap((shows) => shows() ?? []);
  }

  #note(): void {
    const isShown = this.#shown.length > 0;
    if (!isShown) {
      this.#end();
    } else if (this.#tells) {
      this.#begin();
    }
    this.#refresher.configure(this.#intervalMs, isShown && this.#isAtWindow && !this.#isTold);
  }

  #begin(): void {
    if (!this.#following) {
      this.#following = new AbortController();
      inBackground(this.#follow(this.#following.signal));
    }
  }

  #end(): void {
    this.#following?.abort();
    this.#following = undefined;
    this.#isTold = false;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    let waitMs = shortestWaitMs;
    while (!signal.aborted) {
      try {
        await this.#takeNews(signal);
        waitMs = shortestWaitMs;
      } catch {
        this.#noteTold(signal, false);
        await pause(waitMs, signal);
        waitMs = Math.min(2 * waitMs, longestWaitMs);
      }
    }
  }

  /** Waits for news once, and looks at what is new. */
  async #takeNews(signal: AbortSignal): Promise<void> {
    const before = this.#mark;
    const mark = await this.#parts.nextMark(before, signal);
    if (mark === undefined) {
      this.#noteSilent(signal);
      return;
    }
    this.#noteTold(signal, true);
    if (mark !== before) {
      // The first time, too: something may have come after what is shown was read.
      await pause(settleMs, signal);
      await this.#lookUnless(signal);
    }
    // Only now: what could not be looked at is news still.
    this.#noteMark(signal, mark);
  }

  async #lookUnless(ended: AbortSignal): Promise<void> {
    if (!ended.aborted) {
      await this.#parts.look(this.#shown);
    }
  }

  #noteMark(ended: AbortSignal, mark: string): void {
    if (!ended.aborted) {
      this.#mark = mark;
    }
  }

  #noteSilent(ended: AbortSignal): void {
    if (!ended.aborted) {
      this.#tells = false;
      this.#end();
      this.#note();
    }
  }

  #noteTold(ended: AbortSignal, isTold: boolean): void {
    if (!ended.aborted && this.#isTold !== isTold) {
      this.#isTold = isTold;
      this.#note();
    }
  }
}

/** Has what is in the project of a place be kept fresh, while that is on the screen, and on the server that the window is signed in to. */
export function watchPlace(
  freshness: Freshness,
  connection: { readonly activeServer: string | undefined },
  shown: () => { serverUrl?: string | undefined; projectId?: string | undefined } | undefined,
): Watching {
  return freshness.watch(() => {
    const { serverUrl, projectId } = shown() ?? {};
    return projectId !== undefined && serverUrl === connection.activeServer ? { projectId } : undefined;
  });
}
