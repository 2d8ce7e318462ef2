import type { Uri } from 'vscode';
import type { PatchView, Prerender, ReadingPreferences, StackHead } from '../protocol/patchDocument.ts';
import { Beginnings } from '../ui/beginnings.ts';
import { panelSettings } from '../ui/panelHost.ts';
import type { Disposable } from '../util/disposable.ts';

/** Draws the beginnings of patch documents: see ui/beginnings.ts. */
export class PatchBeginnings implements Disposable {
  readonly #drawn: Beginnings<Parameters<Prerender>>;
  readonly #preferences: () => ReadingPreferences;

  constructor(extensionUri: Uri, preferences: () => ReadingPreferences) {
    this.#drawn = new Beginnings(extensionUri, 'patchDocument');
    this.#preferences = preferences;
  }

  get isPrepared(): boolean {
    return this.#drawn.isPrepared;
  }

  /** Makes it ready, unless it is, with a patch to try it on. */
  prepareSoon(patch: () => Promise<PatchView>): void {
    this.#drawn.prepareSoon(async () => [await patch(), await panelSettings(), this.#preferences()]);
  }

  /** The beginning of a document as HTML, safe to show; undefined while that is not prepared. */
  async draw(patch: PatchView, stack?: StackHead): Promise<string | undefined> {
    return this.#drawn.draw(patch, await panelSettings(), this.#preferences(), stack);
  }

  dispose(): void {
    this.#drawn.dispose();
  }
}
