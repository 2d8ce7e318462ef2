/**
 * The devices of the person whom the service runs for. Whoever may push to the remote can write there in anybody's name: what another device says
 * in theirs counts here once they have said that it's theirs.
 */
import { logStateSchema } from './admission.ts';
import { writerOf, type Writer } from './operations.ts';
import type { SharingStore } from './store.ts';

/** See the module. */
export class OwnDevices {
  readonly #store: SharingStore;
  readonly #person: string;

  constructor(store: SharingStore, person: string) {
    this.#store = store;
    this.#person = person;
    if (store.read('own devices') === undefined) {
      // What an earlier version has taken in was told to the person for a long time.
      store
        .listAs(logStateSchema, 'log')
        .flatMap(([log]) => writerOf(log) ?? [])
        .filter((writer) => this.isStranger(writer))
        .forEach(({ device }) => this.add(device));
      store.write(1, 'own devices');
    }
  }

  /** Those that the person has said to be theirs, and those that were this one. */
  get all(): string[] {
    return this.#store.list('own device').map(([device]) => device);
  }

  /** Notes that a device is the person's. */
  add(device: string): void {
    this.#store.write(1, 'own device', device);
  }

  /** True for a device that speaks for the person, and that they have not said to be theirs. */
  isStranger({ person, device }: Writer): boolean {
    return person === this.#person && this.#store.read('own device', device) === undefined;
  }
}
