/** Turns the sharing of a service on and off. Nothing of it is loaded, nor written, before it is turned on. */
import type { RemoteBranches } from '../util/branchBases.ts';
import { ServiceError } from './errors.ts';
import type { Sharing, SharingOptions, SharingParts, SharingStatus } from './sharing/sharing.ts';

/** See the module. */
export class SharingSwitch {
  /** Undefined for a service without a repository. */
  readonly #parts: Omit<SharingParts, 'options'> | undefined;
  #sharing: Sharing | undefined;
  /** One after the other, for two of them would write into one log. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: Omit<SharingParts, 'options'> | undefined) {
    this.#parts = parts;
  }

  /** The branches of the remote that have stacks here because somebody shares them. */
  get shown(): RemoteBranches | undefined {
    return this.#sharing?.shown;
  }

  /** The name of the remote through which is shared. */
  get remote(): string | undefined {
    return this.#sharing?.shown.remote;
  }

  /** Shares through a remote, in place of another one if any. @throws ServiceError `no_remote` or `no_identity` */
  async start(options: SharingOptions, signal?: AbortSignal): Promise<void> {
    const parts = this.#parts;
    if (!parts) {
      return;
    }
    await this.#next(async () => {
      await this.#close();
      const { Sharing } = await import('./sharing/sharing.ts');
      this.#sharing = await Sharing.start({ ...parts, options }, signal);
    });
  }

  /** Stops, and keeps everything. */
  async stop(): Promise<void> {
    await this.#next(() => this.#close());
  }

  /** Shares now. @throws ServiceError `no_remote` while it is off. */
  async run(): Promise<SharingStatus> {
    if (!this.#sharing) {
      throw new ServiceError('no_remote', 'This service was started without a remote to share through.');
    }
    return this.#sharing.run();
  }

  /** Shares for the first time, and from then on. */
  runInBackground(): void {
    this.#sharing?.runInBackground();
  }

  /** Notes that somebody has changed something here. */
  noteWrite(): void {
    this.#sharing?.noteWrite();
  }

  async #close(): Promise<void> {
    const sharing = this.#sharing;
    this.#sharing = undefined;
    await sharing?.close();
  }

  async #next(work: () => Promise<void>): Promise<void> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
