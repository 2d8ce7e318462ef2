const noBytes = Buffer.alloc(0);

/** Reads a stream of bytes piece by piece, each up to a separator. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #buffer: Buffer = noBytes;
  #offset = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The piece up to the next separator, which is consumed but not included, if it has arrived already. */
  take(separator: number): Buffer | undefined {
    const end = this.#buffer.indexOf(separator, this.#offset);
    if (end === -1) {
      return undefined;
    }
    const piece = this.#buffer.subarray(this.#offset, end);
    this.#offset = end + 1;
    return piece;
  }

  /**
   * The piece up to the next separator, waiting for it; the rest where the stream ends without one; undefined at the
   * end of the stream.
   */
  async next(separator: number): Promise<Buffer | undefined> {
    // A piece can be a line of many megabytes: its parts are joined once, at its end.
    const parts: Buffer[] = [];
    for (;;) {
      const piece = this.take(separator);
      if (piece) {
        return parts.length === 0 ? piece : Buffer.concat([...parts, piece]);
      }
      if (this.#offset < this.#buffer.length) {
        parts.push(this.#buffer.subarray(this.#offset));
      }
      this.#offset = this.#buffer.length;
      if (!(await this.#fill())) {
        return parts.length === 0 ? undefined : Buffer.concat(parts);
      }
    }
  }

  /**
   * The next pieces that have arrived whole, together and with their separators: as many as are wanted.
   *
   * @param isWanted Is told the first byte of each piece, in order, until one isn't wanted.
   */
  takeWhile(separator: number, isWanted: (first: number) => boolean): Buffer {
    const buffer = this.#buffer;
    const start = this.#offset;
    // By hand: they are short, and each call of a search costs as much as looking at many bytes.
    for (let end = start; end < buffer.length; end++) {
      if (buffer[end] === separator) {
        if (!isWanted(buffer[this.#offset] ?? separator)) {
          break;
        }
        this.#offset = end + 1;
      }
    }
    return buffer.subarray(start, this.#offset);
  }

  /** The next line as ASCII, without its end; undefined where the stream ends before that. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const line = this.take(0x0a);
      if (line) {
        return line.toString('latin1');
      }
      if (!(await this.#fill())) {
        return undefined;
      }
    }
  }

  /** As many bytes, which are consumed; undefined where there are fewer. */
  async bytes(count: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for (let missing = count; ;) {
      const part = this.#buffer.subarray(this.#offset, this.#offset + missing);
      this.#offset += part.length;
      parts.push(part);
      missing -= part.length;
      if (missing === 0) {
        return parts.length === 1 ? part : Buffer.concat(parts);
      }
      if (!(await this.#fill())) {
        return undefined;
      }
    }
  }

  /** The next bytes as ASCII, left where they are; fewer than asked for at the end of the stream. */
  async peek(length: number): Promise<string> {
    while (this.#buffer.length - this.#offset < length) {
      if (!(await this.#fill())) {
        break;
      }
    }
    return this.#buffer.toString('latin1', this.#offset, this.#offset + length);
  }

  async #fill(): Promise<boolean> {
    const result = await this.#source.next();
    if (result.done) {
      return false;
    }
    const rest = this.#buffer.subarray(this.#offset);
    this.#buffer = rest.length === 0 ? result.value : Buffer.concat([rest, result.value]);
    this.#offset = 0;
    return true;
  }
}
