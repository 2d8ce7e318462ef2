import { HttpError } from '../errors.ts';

/** Receives the parts of one string value. */
export interface StringSink {
  /** The next characters, with their escapes resolved. */
  write(text: string): void;
  /** The value is complete. */
  end(): void;
}

type State =
  | 'start'
  | 'name or end'
  | 'name'
  | 'in name'
  | 'colon'
  | 'value'
  | 'in value'
  | 'null'
  | 'comma or end'
  | 'end';

/** The longest property name or scalar that is collected, in characters. */
const longestToken = 1000;

/**
 * Reads a JSON object whose values are strings (or null, which counts as left out) as it comes, so that a value of
 * hundreds of megabytes is never in memory as a whole. `JSON.parse` and every streaming parser on offer hand over
 * whole strings, and V8 cannot even hold one of 512 MB.
 */
export class JsonStringsReader {
  readonly #openString: (name: string) => StringSink;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #state: State = 'start';
  /** The part of an escape that has been read, from its backslash on. */
  #escape = '';
  #name = '';
  #word = '';
  #sink: StringSink | undefined;

  /** @param openString Gives the sink for the value of a property; it may throw an HttpError to refuse it. */
  constructor(openString: (name: string) => StringSink) {
    this.#openString = openString;
  }

  /** Takes the next bytes of the body. @throws HttpError 400 when they cannot belong to such an object. */
  write(bytes: Uint8Array): void {
    this.#read(this.#decode(bytes, true));
  }

  /** The body is complete. @throws HttpError 400 when the object is not. */
  end(): void {
    this.#read(this.#decode(new Uint8Array(), false));
    if (this.#state !== 'end') {
      throw this.#malformed('it ends unexpectedly');
    }
  }

  #decode(bytes: Uint8Array, stream: boolean): string {
    try {
      return this.#decoder.decode(bytes, { stream });
    } catch {
      throw this.#malformed("it isn't UTF-8");
    }
  }

  #malformed(reason: string): HttpError {
    return new HttpError(400, 'malformed_json', `The body isn't a JSON object of strings: ${reason}.`);
  }

  #read(text: string): void {
    let index = 0;
    while (index < text.length) {
      if (this.#state === 'in name' || this.#state === 'in value') {
        index = this.#readString(text, index);
      } else {
        this.#readBetween(text.charAt(index));
        index++;
      }
    }
  }

  /** Reads up to the end of the string or of the text; gives where to go on. */
  #readString(text: string, start: number): number {
    if (this.#escape !== '') {
      this.#readEscape(text.charAt(start));
      return start + 1;
    }
    const special = /["\\\x00-\x1f]/g;
    special.lastIndex = start;
    const end = special.exec(text)?.index ?? text.length;
    if (end > start) {
      this.#append(text.slice(start, end));
    }
    const character = text.charAt(end);
    if (character === '\\') {
      this.#escape = '\\';
    } else if (character === '"') {
      this.#endString();
    } else if (character !== '') {
      throw this.#malformed('a string contains a control character');
    }
    return end + 1;
  }

  #readEscape(character: string): void {
    this.#escape += character;
    const complete = this.#escape.startsWith('\\u') ? this.#escape.length === 6 : this.#escape.length === 2;
    if (!complete) {
      return;
    }
    let value: string;
    try {
      value = String(JSON.parse(`"${this.#escape}"`));
    } catch {
      throw this.#malformed(`${this.#escape} isn't an escape sequence`);
    }
    this.#escape = '';
    this.#append(value);
  }

  #append(text: string): void {
    if (this.#state === 'in value') {
      this.#sink?.write(text);
      return;
    }
    this.#name += text;
    if (this.#name.length > longestToken) {
      throw this.#malformed('a property name is too long');
    }
  }

  #endString(): void {
    if (this.#state === 'in name') {
      this.#state = 'colon';
    } else {
      this.#sink?.end();
      this.#sink = undefined;
      this.#state = 'comma or end';
    }
  }

  #readBetween(character: string): void {
    if (this.#state === 'null') {
      this.#word += character;
      if (!'null'.startsWith(this.#word)) {
        throw this.#malformed(`the value of ${this.#name} isn't a string`);
      }
      if (this.#word === 'null') {
        this.#state = 'comma or end';
      }
      return;
    }
    if (/[ \t\r\n]/.test(character)) {
      return;
    }
    const next = this.#next(character);
    if (next === undefined) {
      throw this.#malformed(`unexpected "${character}"`);
    }
    this.#state = next;
  }

  #next(character: string): State | undefined {
    switch (this.#state) {
      case 'start':
        return character === '{' ? 'name or end' : undefined;
      case 'name or end':
        if (character === '}') {
          return 'end';
        }
        this.#name = '';
        return character === '"' ? 'in name' : undefined;
      case 'name':
        this.#name = '';
        return character === '"' ? 'in name' : undefined;
      case 'colon':
        return character === ':' ? 'value' : undefined;
      case 'value':
        if (character === 'n') {
          this.#word = 'n';
          return 'null';
        }
        if (character !== '"') {
          throw this.#malformed(`the value of ${this.#name} isn't a string`);
        }
        this.#sink = this.#openString(this.#name);
        return 'in value';
      case 'comma or end':
        return character === ',' ? 'name' : character === '}' ? 'end' : undefined;
      default:
        return undefined;
    }
  }
}
