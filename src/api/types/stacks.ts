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
  /** The base of the branch; not of the contract, missing where the service doesn't say. */
  base?: string;
  /** Texts about changes that the branch no longer has; not of the contract. */
  textsWithoutPatch?: TextWithoutPatch[];
}

/** A text whose patch is gone. Under these names it can be deleted as a section, and brought back by writing it again. */
export interface TextWithoutPatch {
  changeId: string;
  code: string;
  /** The patch's title when it was there. */
  patchTitle?: string;
  /** Markdown. */
  text: string;
}

/** The filter of a list of patch stacks. */
export interface StackFilter {
  branchId?: string;
  /** The service's default is `active`. */
  status?: PatchStackStatus | 'all';
}

/** Changes to a stack; fields that are left out stay as they are. */
export interface StackUpdate {
  status?: 'active' | 'closed';
  title?: string;
  description?: string;
}
