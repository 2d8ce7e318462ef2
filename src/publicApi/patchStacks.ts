/**
 * The interface of Patch Stacks for other extensions: the content that the person who is signed in may read, and ways to show
 * it. Types only: copy this file into your extension.
 *
 * ```ts
 * const extension = vscode.extensions.getExtension<PatchStacksExports>('patch-stacks.patch-stacks');
 * const api = (await extension?.activate())?.getApi(1);
 * ```
 */
import type * as vscode from 'vscode';

export interface PatchStacksExports {
  /** The interface in a version. Throws a `RangeError` for a version that there is not. */
  getApi(version: 1): PatchStacksApi;
}

/**
 * Version 1 of the interface. What is read comes from what the extension knows already, where that is up to date; every promise
 * rejects with an `Error` whose message can be shown when no one is signed in or the service cannot be reached.
 */
export interface PatchStacksApi {
  /** The address of the active account's server; undefined when no one is signed in. */
  readonly server: string | undefined;
  /** Fires when something that was read before may be another thing now. */
  readonly onDidChange: vscode.Event<Change>;

  /** The projects that are loaded, those with the newest activity first. */
  projects(): Promise<readonly Project[]>;
  /** The patch stacks of a project, in any state unless one is named. */
  stacks(projectId: string, status?: StackStatus): Promise<readonly Stack[]>;
  /** The patches of a stack, base to tip, without their sections. */
  patches(projectId: string, stackUuid: string): Promise<readonly Patch[]>;
  /** A patch with its sections. */
  patch(stackUuid: string, changeId: string): Promise<PatchWithSections>;

  /** Shows something: a patch or a section as a document, a project or a patch stack in the view. */
  open(target: Target): Promise<void>;
  /** Shows and selects the row of a project or of a patch stack in the view. */
  reveal(target: Target & { projectId: string }): Promise<void>;
}

/** The target to show: the innermost of what is named. A patch needs its stack, a section its patch. */
export interface Target {
  projectId?: string;
  stackUuid?: string;
  changeId?: string;
  sectionCode?: string;
}

/** A change; `all` also when another account is active. */
export type Change =
  | { kind: 'all' }
  | { kind: 'projects' }
  | { kind: 'stacks'; projectId: string }
  | { kind: 'patches'; stackUuid: string }
  | { kind: 'patch'; stackUuid: string; changeId: string };

/** The states of a patch stack. The service may know others. */
export type StackStatus = 'active' | 'inactive' | 'closed' | 'loading';

export interface Project {
  readonly id: string;
  readonly owner?: string;
  readonly slug?: string;
  readonly name?: string;
  readonly description?: string;
}

export interface Stack {
  readonly projectId: string;
  readonly uuid: string;
  readonly branch?: string;
  readonly title?: string;
  readonly description?: string;
  readonly status?: string;
  readonly version?: string;
}

export interface Patch {
  readonly stackUuid: string;
  readonly changeId: string;
  readonly commitSha?: string;
  readonly title?: string;
  readonly description?: string;
  readonly version?: string;
}

export interface PatchWithSections extends Patch {
  /** In the order in which they are to be read. */
  readonly sections: readonly Section[];
}

export interface Section {
  readonly code: string;
  /** `unknown` is what a newer service may have. */
  readonly kind: 'text' | 'diff' | 'unknown';
  readonly title?: string;
  /** The markdown of a text section. */
  readonly text?: string;
  /** The path of the file of a diff section. */
  readonly path?: string;
  /** The unified diff of a diff section. */
  readonly diff?: string;
}
