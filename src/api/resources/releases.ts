import { release } from '../decode/releases.ts';
import { path } from '../path.ts';
import type { Call, CallOptions } from '../call.ts';
import type { Requester } from '../request.ts';
import type { Release, ReleaseCreation } from '../types/releases.ts';

/** Releases (contract §4, Releases). */
export class Releases {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** `POST /releases`: creates a release build record. */
  create(creation: ReleaseCreation, options?: CallOptions): Promise<Release> {
    const { version, sha, channel } = creation;
    const call: Call = {
      operation: 'releases.create',
      method: 'POST',
      repeat: 'once',
      path: () => path`/releases`,
      json: { version, sha, channel },
    };
    return this.#requester.read(call, release, options);
  }
}
