/** Where the person is in the document, kept with the page's state: a tab that was hidden comes back as it was left. */
import type { PatchDocumentState, PatchView } from '../../protocol/patchDocument.ts';
import { bringIntoView } from './bringIntoView.ts';
import { sectionAt } from './outline/followScroll.ts';

/** The section at the top of the window, and how far its top is above that, in pixels. */
interface SavedPlace {
  changeId: string;
  code: string;
  offset: number;
}

/** Milliseconds between two notes of the place. */
const pause = 250;

/** See the module. */
export class Place {
  readonly #before: SavedPlace | undefined;
  readonly #setState: (state: object) => void;
  #address: PatchDocumentState | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param state what the page kept when it was last shown. */
  constructor(state: unknown, setState: (state: object) => void) {
    this.#before = (state as { place?: SavedPlace } | undefined)?.place;
    this.#setState = setState;
    document.addEventListener('scroll', () => (this.#timer ??= setTimeout(() => this.#note(), pause)), {
      passive: true,
    });
  }

  /** Takes in the patch that is shown now; another one is shown from its start. */
  begin({ address }: PatchView): void {
    const before = this.#address ?? (this.#before && { changeId: this.#before.changeId });
    if (before && before.changeId !== address.changeId) {
      window.scrollTo({ top: 0 });
    }
    this.#address = address;
    this.#setState(
      this.#before?.changeId === address.changeId ? { ...address, place: this.#before } : address,
    );
  }

  /** Goes back to where the person was. */
  restore(): void {
    const { changeId, code, offset } = this.#before ?? {};
    if (code !== undefined && changeId === this.#address?.changeId) {
      const section = document.querySelector(`[data-section="${CSS.escape(code)}"]`);
      if (section) {
        bringIntoView(section, 'start', offset);
      }
    }
  }

  #note(): void {
    this.#timer = undefined;
    const first = sectionAt(0);
    const code = first?.getAttribute('data-section') ?? undefined;
    if (this.#address && first && code !== undefined) {
      const offset = Math.max(0, -first.getBoundingClientRect().top);
      this.#setState({ ...this.#address, place: { changeId: this.#address.changeId, code, offset } });
    }
  }
}
