/**
 * The devices of the person whom the service runs for, whichever remote is shared through. Whoever may push to one can write there in anybody's
 * name: what another device says in theirs counts here once they have said that it's theirs.
 */
import * as v from 'valibot';
import type { Database } from '../storage/database.ts';
import { logStateSchema } from './admission.ts';
import { writerOf, type Writer } from './operations.ts';
import { SharingStore } from './store.ts';

/** See the module. */
export class OwnDevices {
  readonly #store: SharingStore;
  readonly #person: string;

  constructor(database: Database, person: string) {
    this.#store = new SharingStore(database, 'devices');
    this.#person = person;
    if (this.#store.read('own devices') === undefined) {
      this.#store.transaction(() => {
        SharingStore.spacesOf(database).forEach((space) => this.#takeOver(new SharingStore(database, space)));
        this.#store.write(1, 'own devices');
      });
    }
  }

  /** Notes that a device is the person's. */
  add(device: string): void {
    this.#store.write(1, 'own device', device);
  }

  /** True for a device that speaks for the person, and that they have not said to be theirs. */
  isStranger({ person, device }: Writer): boolean {
    return person === this.#person && this.#store.read('own device', device) === undefined;
  }

  /** Notes the devices that an earlier version knew of, which did so for each address of a remote. */
  #takeOver(before: SharingStore): void {
    before.list('own device').forEach(([device]) => this.add(device));
    const last = before.readAs(v.string(), 'device');
    if (last !== undefined) {
      this.add(last);
    }
    if (before.read('own devices') === undefined) {
      // Nobody was asked: what was taken in then was told to the person for a long time.
      before
        .listAs(logStateSchema, 'log')
        .flatMap(([log]) => writerOf(log) ?? [])
        .filter((writer) => this.isStranger(writer))
        .forEach(({ device }) => this.add(device));
    }
  }
}
