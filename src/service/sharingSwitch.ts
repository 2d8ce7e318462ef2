/** Turns the sharing of a service on and off. Nothing of it is loaded, nor written, before it is turned on. */
import * as v from 'valibot';
import type { RemoteBranches } from '../util/branchBases.ts';
import { inBackground } from '../util/inBackground.ts';
import { Turns } from '../util/turns.ts';
import { ServiceError } from './errors.ts';
import { tipsSchema } from './sharing/newerTips.ts';
import { readSetting, writeSetting } from './storage/settings.ts';
import type { Sharing, SharingOptions, SharingParts, SharingStatus } from './sharing/sharing.ts';

/** The setting `shown_branches`. */
const shownBranches = v.object({
  remote: v.string(),
  branches: v.array(v.string()),
  newer: v.optional(v.object({ objects: v.string(), tips: tipsSchema })),
});

/** See the module. */
export class SharingSwitch {
  /** Undefined for a service without a repository. */
  readonly #parts: Omit<SharingParts, 'options'> | undefined;
  #sharing: Sharing | undefined;
  /** One after the other, for two of them would write into one log. */
  readonly #turns = new Turns(1);
  /** Settled once what is shared may be: until then it isn't known what patches change that were only listed. */
  #imported: Promise<unknown> = Promise.resolve();
  #isImporting = false;

  constructor(parts: Omit<SharingParts, 'options'> | undefined) {
    this.#parts = parts;
  }

  /** The branches of the remote that have stacks here because somebody shares them, also after it was stopped. */
  get shown(): RemoteBranches | undefined {
    return this.#sharing?.shown ?? this.#shownBefore();
  }

  /** The name of the remote through which is shared. */
  get remote(): string | undefined {
    return this.#sharing?.shown.remote;
  }

  #shownBefore(): RemoteBranches | undefined {
    const noted = this.#parts && readSetting(this.#parts.database, 'shown_branches');
    if (noted === undefined || noted === '') {
      return undefined;
    }
    const { remote, branches, newer } = v.parse(shownBranches, JSON.parse(noted));
    return {
      ...{ remote, branches: new Set(branches) },
      ...(newer && { newer: { ...newer, tips: new Map(newer.tips) } }),
    };
  }

  /** Shares through a remote, in place of another one if any. @throws ServiceError `no_remote` or `no_identity` */
  async start(options: SharingOptions, signal?: AbortSignal): Promise<void> {
    const parts = this.#parts;
    if (!parts) {
      return;
    }
    await this.#turns.take(async () => {
      await this.#close();
      const { Sharing } = await import('./sharing/sharing.ts');
      this.#sharing = await Sharing.start({ ...parts, options }, signal);
      if (readSetting(parts.database, 'shown_branches') !== undefined) {
        writeSetting(parts.database, 'shown_branches', '');
      }
    });
  }

  /** Stops, and keeps everything, also what others shared. */
  async stop(): Promise<void> {
    await this.#turns.take(async () => {
      const shown = this.#sharing?.shown;
      await this.#close();
      if (shown && this.#parts) {
        const { remote, branches, newer } = shown;
        const noted: v.InferInput<typeof shownBranches> = {
          ...{ remote, branches: [...branches] },
          ...(newer && { newer: { ...newer, tips: [...newer.tips] } }),
        };
        writeSetting(this.#parts.database, 'shown_branches', JSON.stringify(noted));
      }
    });
  }

  /** Ends it with the service. */
  async close(): Promise<void> {
    await this.#turns.take(() => this.#close());
  }

  /** Shares now: see `Sharing.run`. @throws ServiceError `no_remote` while it is off. */
  async run(isThorough?: boolean): Promise<SharingStatus> {
    await this.#imported;
    return this.#running().run(isThorough);
  }

  /** Shares now, and pushes all logs that the remote has no longer. @throws ServiceError `no_remote` while it is off. */
  async pushAgain(): Promise<SharingStatus> {
    return this.#running().pushAgain();
  }

  /** Takes in what another device of the person's shares. @throws ServiceError `no_remote` while it is off. */
  async addDevice(device: string): Promise<SharingStatus> {
    return this.#running().addDevice(device);
  }

  /** Shares as soon as an import has ended, and from then on; where that fails, only once somebody changes something. */
  beginAfter(importing: Promise<unknown> | undefined): void {
    this.#isImporting = importing !== undefined;
    this.#imported = Promise.resolve(importing).then(
      () => this.#sharing?.runInBackground(),
      () => undefined,
    );
    inBackground(this.#imported.then(() => (this.#isImporting = false)));
  }

  /** Notes that somebody has changed something here. */
  noteWrite(): void {
    if (!this.#isImporting) {
      this.#sharing?.noteWrite();
    }
  }

  #running(): Sharing {
    if (!this.#sharing) {
      throw new ServiceError('no_remote', 'This service was started without a remote to share through.');
    }
    return this.#sharing;
  }

  async #close(): Promise<void> {
    const sharing = this.#sharing;
    this.#sharing = undefined;
    await sharing?.close();
  }
}
