import { createRequire } from 'node:module';
import * as vscode from 'vscode';
import type { PatchView, Prerender, ReadingPreferences } from '../protocol/patchDocument.ts';
import { panelSettings } from '../ui/panelHost.ts';
import type { Disposable } from '../util/disposable.ts';

/** Milliseconds after the first document in which nothing else is done. */
const quietMs = 500;

/** Drawings after which one takes a third of the first, and milliseconds between them, for others to have their turn. */
const trials = 8;
const pauseMs = 50;

/**
 * Draws the beginnings of patch documents, so that they are on screen with the page. What draws them takes a moment to load
 * and to become fast: that comes after the first document, which has to do without.
 */
export class Beginnings implements Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #preferences: () => ReadingPreferences;
  #prerender: Prerender | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(extensionUri: vscode.Uri, preferences: () => ReadingPreferences) {
    this.#extensionUri = extensionUri;
    this.#preferences = preferences;
  }

  get isPrepared(): boolean {
    return this.#prerender !== undefined;
  }

  /** Makes it ready, unless it is, with a patch to try it on. */
  prepareSoon(patch: () => Promise<PatchView>): void {
    if (!this.#prerender) {
      this.#timer ??= setTimeout(() => {
        // Without it, documents come a little later; the next one tries again.
        this.#prepare(patch).catch(() => (this.#timer = undefined));
      }, quietMs);
    }
  }

  /** The beginning of a document as HTML, safe to show; undefined while that is not prepared. */
  async draw(patch: PatchView): Promise<string | undefined> {
    return this.#prerender?.(patch, await panelSettings(), this.#preferences());
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  async #prepare(patch: () => Promise<PatchView>): Promise<void> {
    const file = vscode.Uri.joinPath(this.#extensionUri, 'dist', 'webview', 'patchDocument.mjs').fsPath;
    const { prerender } = createRequire(file)(file) as { prerender: Prerender };
    const view = await patch();
    for (let trial = 0; trial < trials; trial++) {
      prerender(view, await panelSettings(), this.#preferences());
      this.#prerender = prerender;
      await new Promise((resolve) => (this.#timer = setTimeout(resolve, pauseMs)));
    }
  }
}
