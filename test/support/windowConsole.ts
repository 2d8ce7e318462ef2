/** What a window or a page writes to its console, and the errors of ours in it, each with all that explains it. */
import { existsSync } from 'node:fs';
import type { TestTimes } from './underWay.ts';

/** A line of the console, as the browser tells it. */
export interface ConsoleLine {
  readonly type: string;
  readonly text: string;
  /** The file that wrote it. */
  readonly url: string;
  /** When it was written, in milliseconds since 1970: it may be read later. */
  readonly at: number;
}

/** What was thrown in a page, or in a frame of it, and not caught. */
export interface Thrown {
  readonly text: string;
  /** Empty when it is no error. */
  readonly stack: string;
  /** The file that threw it; empty when nobody knows. */
  readonly url: string;
  /** When it was heard of, in milliseconds since 1970. */
  readonly at: number;
}

export interface OwnError {
  readonly text: string;
  readonly at: number;
  /** True for one of the extension host: the window has it from there. */
  readonly isOfHost: boolean;
  /** What the console had said until then. */
  readonly before: readonly string[];
  stack?: string;
  /** The file of a picture of the window. */
  picture?: string;
}

const linesBefore = 8;

export class WindowConsole {
  /** All lines, each with its type. */
  readonly lines: string[] = [];
  /** Errors of our own that nobody expects: of a page of ours, or of our part of the extension host. */
  readonly errors: OwnError[] = [];
  readonly #expected: RegExp | undefined;

  constructor(expected?: RegExp) {
    this.#expected = expected;
  }

  /** Takes in a line; returns the error of ours that it is. */
  take({ type, text, url, at }: ConsoleLine): OwnError | undefined {
    const before = this.lines.slice(-linesBefore);
    this.lines.push(`${type}: ${text}`);
    const last = this.errors.at(-1);
    const isOfHost = text.includes('[patch-stacks.patch-stacks]');
    const isOurs = url.includes('.vscode-cdn.net/') || isOfHost;
    if (isOfPageThatIsGone(text, url)) {
      // A page that stays without its script stays empty: its tests say so.
      return undefined;
    }
    if ((type === 'error' && isOurs) || text.includes('Content Security Policy')) {
      // The text alone does not say what could not be loaded.
      const said = text.startsWith('Failed to load') ? `${text}: ${url}` : text;
      if (this.#expected?.test(said) === true) {
        return undefined;
      }
      const error = { text: said, at, isOfHost, before };
      this.errors.push(error);
      return error;
    }
    if (last !== undefined && last.stack === undefined && isStackOf(text, last.text)) {
      if (isOfVsCode(framesOf(text))) {
        this.errors.pop();
      } else {
        last.stack = text;
      }
    }
    return undefined;
  }

  /** Takes in what was not caught; returns the error of ours that it is, as is all that is not of VS Code itself. */
  takeThrown({ text, stack, url, at }: Thrown): OwnError | undefined {
    const before = this.lines.slice(-linesBefore);
    this.lines.push(`not caught: ${text}`);
    const places = [...(url === '' ? [] : [url]), ...framesOf(stack)];
    if ((places.length > 0 && isOfVsCode(places)) || this.#expected?.test(text) === true) {
      return undefined;
    }
    const error = {
      text: `Not caught: ${text}`,
      at,
      isOfHost: false,
      before,
      ...(stack !== '' && { stack }),
    };
    this.errors.push(error);
    return error;
  }
}

/** All that is known of an error, as lines. */
export function describeError(error: OwnError, times: TestTimes): string {
  const { text, stack, isOfHost, picture, before } = error;
  const [last, ...earlier] = times
    .at(error.at, isOfHost)
    .map(({ title }) => title)
    .toReversed();
  return [
    text,
    `  in the test: ${[last ?? 'none', ...earlier].join('\n  or, a second before: ')}`,
    ...(picture === undefined ? [] : [`  a picture: ${picture}`]),
    ...(stack === undefined ? [] : [indent(stack)]),
    ...(before.length === 0
      ? []
      : ['  the console before it:', ...before.map((line) => indent(indent(inShort(line))))]),
  ].join('\n');
}

/** The beginning of a line of the console: VS Code writes some stacks several times, and long ones. */
export function inShort(line: string): string {
  return line.split('\n', 4).join('\n').slice(0, 500);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

/** Returns true when a line is the stack of an error of the extension host, which VS Code writes on the next line. */
function isStackOf(text: string, error: string): boolean {
  const [, message] = /^\[patch-stacks\.patch-stacks\](.*)/.exec(error) ?? [];
  return message !== undefined && text.includes(message) && framesOf(text).length > 0;
}

/**
 * Returns true when none of these places, such as the frames of a stack, is ours. VS Code takes everything that happens in a file
 * below an extension's folder for that extension's; in a clone, VS Code's own files are there. Its `fake.html` is a page of ours.
 */
function isOfVsCode(places: readonly string[]): boolean {
  const ofVsCode = /[\\/]code-server-|\(node:| node:|\/out\/vs\/(?!.*\/fake\.html)/;
  return places.every((place) => ofVsCode.test(place));
}

function framesOf(text: string): string[] {
  return text.split('\n').filter((line) => /^\s+at .*[\\/]/.test(line));
}

/**
 * True when a file that is there was said not to be found: so VS Code's service worker answers a page that was closed, or
 * given another content, while the file was on its way.
 */
function isOfPageThatIsGone(text: string, url: string): boolean {
  return (
    text.startsWith('Failed to load resource') &&
    text.includes('404') &&
    new URL(url).hostname.includes('.vscode-resource.') &&
    existsSync(decodeURIComponent(new URL(url).pathname))
  );
}
