import { Emitter } from '../../../util/event.ts';
import { inBackground } from '../../../util/inBackground.ts';
import type { ProseImage } from '../../../util/proseImage.ts';
import type { PatchDocumentHost, PatchDocumentView } from '../../../protocol/patchDocument.ts';
import type { RpcPeer } from '../../../protocol/rpc.ts';

/** The panel in the extension host, as far as it is asked for images. */
type Host = RpcPeer<PatchDocumentView, PatchDocumentHost>;

/** Images that are asked for at once. */
const mostAsked = 40;

/** Images of the repository at the version that is shown: asked for when a text that shows them is drawn. */
export class RepositoryImages {
  readonly #host: Pick<Host, 'request'>;
  readonly #changed = new Emitter<null>();
  /** All that were asked for, or are about to be. */
  readonly #wanted = new Set<string>();
  /** Those that are about to be. */
  #waiting: string[] = [];
  /** Another one for each version that is shown. */
  #version = 0;
  #known: ReadonlyMap<string, ProseImage> = new Map();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Fires when more of them are there. */
  readonly onDidChange = this.#changed.event;

  constructor(host: Pick<Host, 'request'>) {
    this.#host = host;
  }

  /** Those that are there: another object when there are more. */
  get known(): ReadonlyMap<string, ProseImage> {
    return this.#known;
  }

  /** Forgets them: another version is shown. */
  clear(): void {
    this.#version += 1;
    this.#known = new Map();
    this.#wanted.clear();
    this.#waiting = [];
  }

  /** Asks for an image, unless that was done. */
  want(path: string): void {
    if (!this.#wanted.has(path)) {
      this.#wanted.add(path);
      this.#waiting.push(path);
      this.#timer ??= setTimeout(() => inBackground(this.#ask()));
    }
  }

  async #ask(): Promise<void> {
    this.#timer = undefined;
    const version = this.#version;
    const wanted = this.#waiting.splice(0);
    for (let start = 0; start < wanted.length; start += mostAsked) {
      const paths = wanted.slice(start, start + mostAsked);
      const images = await this.#host.request('images', { paths }).catch(() => undefined);
      if (this.#version !== version) {
        return;
      }
      if (images) {
        // Others may have come meanwhile: with each key, the path of an image that is written is another one.
        this.#known = new Map([...this.#known, ...Object.entries(images)]);
        this.#changed.fire(null);
      } else {
        // They are asked for when they are drawn the next time.
        paths.forEach((path) => this.#wanted.delete(path));
      }
    }
  }
}
