/** The patches of the page of a stack: each is loaded when it comes near to the screen, or when somebody asks for it. */
import type { PatchDocumentHost, PatchDocumentView, PatchView } from '../../../protocol/patchDocument.ts';
import type { RpcPeer } from '../../../protocol/rpc.ts';
import type { PatchOutline } from '../../../protocol/stackDocument.ts';
import { messageOf } from '../../../util/messageOf.ts';
import type { PatchPart } from '../patchPart.ts';
import { placesOf, showPlaces } from '../reading/sectionPlaces.ts';

/** A patch of the stack, with whoever answers for it. */
export interface Spoken {
  part: PatchPart;
  peer: RpcPeer<PatchDocumentView, PatchDocumentHost>;
}

/** A patch of the page. */
export class StackPart {
  readonly outline: PatchOutline;
  /** Why it could not be loaded. */
  failure: string | undefined;
  readonly #speak: () => Spoken;
  #spoken: Spoken | undefined;
  #loading: Promise<PatchView | undefined> | undefined;
  /** True while the extension host tells of what becomes of it. */
  #isFollowed = false;

  /** @param speak begins to speak of it with the extension host. */
  constructor(outline: PatchOutline, speak: () => Spoken) {
    this.outline = outline;
    this.#speak = speak;
  }

  get part(): PatchPart | undefined {
    return this.#spoken?.part;
  }

  /** The patch, once it is loaded. */
  get shown(): PatchView | undefined {
    return this.part?.reading && this.part.shown;
  }

  /** True while what is shown of it is as it is now. */
  get isUpToDate(): boolean {
    return this.#isFollowed && this.shown !== undefined;
  }

  get isSilent(): boolean {
    return this.#spoken?.peer.isSilent === true;
  }

  get isLoading(): boolean {
    return this.#loading !== undefined;
  }

  /** It is far from the screen: the extension host tells nothing of it any more. */
  noteFar(): void {
    this.#isFollowed = false;
  }

  /** Loads it, unless it is up to date. Undefined when that failed: `failure` says why. */
  load(isDrawn: boolean): Promise<PatchView | undefined> {
    this.#loading ??= this.#load(isDrawn).finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  close(): void {
    this.#spoken?.part.close();
    this.#spoken?.peer.dispose();
  }

  async #load(isDrawn: boolean): Promise<PatchView | undefined> {
    this.failure = undefined;
    try {
      this.#spoken ??= this.#speak();
      const { part } = this.#spoken;
      const patch = await part.load(false);
      this.#isFollowed = isDrawn;
      if (part.reading) {
        // Those who look for a section find it also while nothing of the patch is drawn.
        const sections = part.writing.parts?.writing.shown ?? patch.sections;
        showPlaces(patch.ref.changeId, {
          places: placesOf(sections, patch.comparison?.removed, part.reading.codes),
        });
      }
      return patch;
    } catch (error) {
      this.failure = messageOf(error);
      return undefined;
    }
  }
}
