import type { Contributor, Patch } from './patches.ts';

/** The states a patch stack can be in (contract §2, Patch stack). */
export type PatchStackStatus = 'active' | 'inactive' | 'closed' | 'loading';

/** A patch stack: one version of a branch published for review (contract §2, Patch stack). */
export interface PatchStack {
  /** The identifier: a stack without one is dropped. */
  uuid: string;
  branchId?: string;
  /** The timeline event the version was made from. */
  oplogSha?: string;
  title?: string;
  description?: string;
  /** One of `PatchStackStatus`, or whatever else the service said. */
  status?: string;
  version?: string;
  createdAt?: string;
  stackSize?: number;
  contributors: Contributor[];
  /** In position order, base to tip; missing when the service did not send them. */
  patches?: Patch[];
}

/** Which stacks to list. */
export interface StackFilter {
  branchId?: string;
  /** The service's default is `active`. */
  status?: PatchStackStatus | 'all';
}

/** What may be changed in a stack; what is left out stays as it is. */
export interface StackUpdate {
  status?: 'active' | 'closed';
  title?: string;
  description?: string;
}
