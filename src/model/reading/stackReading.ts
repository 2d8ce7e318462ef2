import type { Patch } from '../../api/types/patches.ts';
import type { PatchStack } from '../../api/types/stacks.ts';
import type { Event } from '../../util/event.ts';
import type { ReadSoFar } from './readSoFar.ts';

/** The progress of reading stacks, as the rest of the window knows it. */
export interface StackReading {
  /** Fires with the uuid of a stack of which something else is known. */
  readonly onDidChange: Event<string>;
  stateOf(ref: { stackUuid: string; changeId: string }): ReadSoFar | undefined;
  /** Has it reckoned how far a stack with these patches was read. */
  show(projectId: string, stack: PatchStack, patches: readonly Patch[]): void;
}
