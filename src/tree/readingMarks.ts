/** Reading states for rows: reckoned in the background, of the patch stacks and patches that are on the screen. */
import { isDeepStrictEqual } from 'node:util';
import type { Patch } from '../api/types/patches.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import type { Model } from '../model/model.ts';
import type { Readings } from '../model/reading/readings.ts';
import { soFarOf, summaryOf, type ReadingSummary, type ReadSoFar } from '../model/reading/readSoFar.ts';
import type { Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import { inBackground } from '../util/inBackground.ts';
import { patchKey, type PatchRef } from '../util/patchRef.ts';
import { Turns } from '../util/turns.ts';
import type { StackName } from '../model/reading/stackName.ts';

/** The sources of reading states. */
export interface ReadingSources {
  model: () => Promise<Pick<Model, 'patchUnopened'>>;
  readings: () => Promise<Pick<Readings, 'isBegun' | 'states'> | undefined>;
}

/** Requests at once: what somebody waits for comes first. */
const mostRequests = 4;

/** Milliseconds until a stack is reckoned: rows are drawn before, and several changes are reckoned once. */
const patienceMs = 100;

/** A stack whose rows are on the screen. */
interface ShownStack {
  name: StackName;
  uuid: string;
  patches: readonly Patch[];
}

/** See the module. */
export class ReadingMarks implements Disposable {
  readonly #sources: ReadingSources;
  readonly #changed = new Emitter<string>();
  readonly #shown = new Map<string, ShownStack>();
  readonly #states = new Map<string, ReadonlyMap<string, ReadSoFar>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #stacks = new Turns(1);
  readonly #requests = new Turns(mostRequests);

  /** Fires with the uuid of a stack of which something else is known. */
  readonly onDidChange = this.#changed.event;

  constructor(sources: ReadingSources) {
    this.#sources = sources;
  }

  /** The reading state of a patch; undefined until it is known. */
  stateOf(ref: PatchRef): ReadSoFar | undefined {
    return this.#states.get(ref.stackUuid)?.get(patchKey(ref));
  }

  /** Counts a stack's patches by their reading states; undefined until it is known. */
  summaryOf(stackUuid: string): ReadingSummary | undefined {
    const states = this.#states.get(stackUuid);
    return states && summaryOf([...states.values()]);
  }

  /** Has it reckoned how far a stack was read that is shown with these patches. Old versions are nobody's to read. */
  show(projectId: string, { uuid, branchId = uuid, status }: PatchStack, patches: readonly Patch[]): void {
    if (status !== 'inactive' && patches.length > 0) {
      this.#shown.set(uuid, { name: { projectId, branchId }, uuid, patches });
      this.#reckonSoon(uuid);
    }
  }

  /** Notes that something else of a stack was read. */
  noteRead({ projectId, branchId }: StackName): void {
    for (const { name, uuid } of this.#shown.values()) {
      if (name.projectId === projectId && name.branchId === branchId) {
        this.#reckonSoon(uuid);
      }
    }
  }

  /** Has all stacks reckoned again: more is known of their contents. */
  reckonAgain(): void {
    [...this.#shown.keys()].forEach((uuid) => this.#reckonSoon(uuid));
  }

  /** Forgets all stacks: they are of another account. */
  forget(): void {
    this.#timers.forEach((timer) => clearTimeout(timer));
    this.#timers.clear();
    this.#shown.clear();
    this.#states.clear();
  }

  dispose(): void {
    this.forget();
    this.#changed.dispose();
  }

  #reckonSoon(uuid: string): void {
    if (!this.#timers.has(uuid)) {
      const reckon = (): void => {
        this.#timers.delete(uuid);
        inBackground(this.#stacks.take(() => this.#reckon(uuid)));
      };
      this.#timers.set(uuid, setTimeout(reckon, patienceMs));
    }
  }

  async #reckon(uuid: string): Promise<void> {
    const shown = this.#shown.get(uuid);
    const states = shown && (await this.#statesOf(shown).catch(() => undefined));
    // The rows may be another account's by now; those are reckoned by themselves.
    if (!states || this.#shown.get(uuid) !== shown || isSame(states, this.#states.get(uuid))) {
      return;
    }
    this.#states.set(uuid, states);
    this.#changed.fire(uuid);
  }

  async #statesOf({ name, uuid, patches }: ShownStack): Promise<Map<string, ReadSoFar> | undefined> {
    const readings = await this.#sources.readings();
    const keyOf = ({ changeId }: Patch): string => patchKey({ stackUuid: uuid, changeId });
    if (!readings) {
      return undefined;
    }
    if (!(await readings.isBegun(name))) {
      // Nothing of it need be asked for.
      return new Map(patches.map((patch) => [keyOf(patch), { state: 'unread' }]));
    }
    const model = await this.#sources.model();
    const loaded = await Promise.all(
      patches.map(({ changeId }) =>
        this.#requests.take(() => model.patchUnopened({ stackUuid: uuid, changeId }).catch(() => undefined)),
      ),
    );
    const known = loaded.filter((patch) => patch !== undefined);
    const states = await readings.states(name, known);
    return new Map(
      known.flatMap((patch, index): [string, ReadSoFar][] => {
        const reading = states[index];
        return reading ? [[keyOf(patch), soFarOf(reading)]] : [];
      }),
    );
  }
}

function isSame(
  one: ReadonlyMap<string, ReadSoFar>,
  other: ReadonlyMap<string, ReadSoFar> | undefined,
): boolean {
  return (
    one.size === other?.size && [...one].every(([key, soFar]) => isDeepStrictEqual(soFar, other.get(key)))
  );
}
