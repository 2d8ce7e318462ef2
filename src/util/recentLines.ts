/** The last lines of something that goes on for ever, up to a size. */
export class RecentLines {
  readonly #limit: number;
  #lines: string[] = [];
  #length = 0;

  /** @param limit characters. A line that is longer than it is cut. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(line: string): void {
    const kept = line.slice(0, this.#limit - 1);
    this.#lines.push(kept);
    this.#length += kept.length + 1;
    let dropped = 0;
    while (this.#length > this.#limit) {
      this.#length -= (this.#lines[dropped]?.length ?? 0) + 1;
      dropped += 1;
    }
    if (dropped > 0) {
      this.#lines = this.#lines.slice(dropped);
    }
  }

  /** The lines, each with its end. */
  text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }
}
