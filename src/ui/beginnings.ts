import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Disposable } from '../util/disposable.ts';

/** Milliseconds that the beginning of a page has to be there in: about what VS Code takes to make room for the page. */
const patienceMs = 80;

/** Milliseconds after the first page in which nothing else is done. */
const quietMs = 500;

/** Drawings after which one takes a tenth of the first, and milliseconds between them, for others to have their turn. */
const trials = 8;
const pauseMs = 50;

/**
 * Draws the beginnings of pages in the extension host, so that they are on screen with the page: with the `prerender` of a file of
 * dist/webview, which takes `Parts`. What draws them takes a moment to load and to become fast: that comes after the first page,
 * which has to do without.
 */
export class Beginnings<Parts extends unknown[]> implements Disposable {
  readonly #file: string;
  #prerender: ((...parts: Parts) => string) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(extensionUri: vscode.Uri, page: string) {
    this.#file = vscode.Uri.joinPath(extensionUri, 'dist', 'webview', `${page}.mjs`).fsPath;
  }

  get isPrepared(): boolean {
    return this.#prerender !== undefined;
  }

  /** Makes it ready, unless it is, with something to try it on. */
  prepareSoon(sample: () => Promise<Parts>): void {
    if (!this.#prerender) {
      this.#timer ??= setTimeout(() => {
        // Without it, pages come a little later; the next one tries again.
        this.#prepare(sample).catch(() => (this.#timer = undefined));
      }, quietMs);
    }
  }

  /** The beginning of a page as HTML, safe to show; undefined while that is not prepared. */
  draw(...parts: Parts): string | undefined {
    return this.#prerender?.(...parts);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  async #prepare(sample: () => Promise<Parts>): Promise<void> {
    const { prerender } = createRequire(this.#file)(this.#file) as {
      prerender: (...parts: Parts) => string;
    };
    const parts = await sample();
    for (let trial = 0; trial < trials; trial++) {
      prerender(...parts);
      this.#prerender = prerender;
      await new Promise((resolve) => (this.#timer = setTimeout(resolve, pauseMs)));
    }
  }
}

/** A beginning, if it is there before the page would have to wait for it. */
export async function ifInTime(beginning: Promise<string | undefined>): Promise<string | undefined> {
  // The page asks again, and says what went wrong.
  return Promise.race([beginning.catch(() => undefined), pause(patienceMs, undefined)]);
}
