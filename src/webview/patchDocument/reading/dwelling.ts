/** Tells what was on the screen for a second, all of it: a long section in parts. */

/** The part of something that is on the screen, in pixels from its upper edge. */
export interface Glimpse {
  key: string;
  height: number;
  top: number;
  bottom: number;
}

interface Span {
  top: number;
  bottom: number;
}

/** Milliseconds that something is on the screen before it counts as seen. */
const seenAfterMs = 1_000;

/** Pixels that may be missing: edges are not read. */
const tolerance = 4;

/** See the module. */
export class Dwelling {
  /** The glimpses of the last second or so, the oldest first. */
  readonly #glimpses = new Map<string, { at: number; span: Span }[]>();
  readonly #seen = new Map<string, Span[]>();

  /**
   * Notes what is on the screen now.
   *
   * @param now in milliseconds, from wherever.
   * @returns the keys of what was all seen by now.
   */
  note(now: number, glimpses: readonly Glimpse[]): string[] {
    const isHere = new Set(glimpses.map(({ key }) => key));
    for (const key of [...this.#glimpses.keys()].filter((known) => !isHere.has(known))) {
      this.#glimpses.delete(key);
    }
    return glimpses.flatMap(({ key, height, top, bottom }) => {
      const before = this.#glimpses.get(key) ?? [];
      const all = [...before, { at: now, span: { top, bottom } }];
      // One from a second ago or earlier is needed, and no more.
      const first = all.findLastIndex(({ at }) => at <= now - seenAfterMs);
      const lately = all.slice(Math.max(0, first));
      this.#glimpses.set(key, lately);
      if (first >= 0) {
        const spans = lately.map(({ span }) => span);
        this.#add(key, {
          top: Math.max(...spans.map((span) => span.top)),
          bottom: Math.min(...spans.map((span) => span.bottom)),
        });
      }
      return this.#isAllSeen(key, height) ? key : [];
    });
  }

  /** Begins anew with something: it is another one now, or was not looked at. */
  forget(key: string): void {
    this.#glimpses.delete(key);
    this.#seen.delete(key);
  }

  /** Notes that nothing is on the screen any longer. */
  lookAway(): void {
    this.#glimpses.clear();
  }

  #add(key: string, span: Span): void {
    if (span.bottom <= span.top) {
      return;
    }
    const apart: Span[] = [];
    let joined = span;
    for (const other of this.#seen.get(key) ?? []) {
      if (other.bottom < joined.top - tolerance || other.top > joined.bottom + tolerance) {
        apart.push(other);
      } else {
        joined = { top: Math.min(joined.top, other.top), bottom: Math.max(joined.bottom, other.bottom) };
      }
    }
    this.#seen.set(key, [...apart, joined]);
  }

  #isAllSeen(key: string, height: number): boolean {
    return (this.#seen.get(key) ?? []).some(
      ({ top, bottom }) => top <= tolerance && bottom >= height - tolerance,
    );
  }
}
