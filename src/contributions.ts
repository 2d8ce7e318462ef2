/**
 * Everything package.json contributes by name: commands with what they take, settings with their types, views and
 * context keys. Declared once here, so that leaving one out or misspelling one does not compile.
 */
import * as vscode from 'vscode';
import type { Project } from './api/types/projects.ts';
import type { PatchStack } from './api/types/stacks.ts';
import type { PlaceKind } from './model/atHand.ts';
import type { DiffLine } from './protocol/patchDocument.ts';

/** Prefix of every command, setting and context key. */
const prefix = 'patchStacks';

/** The tree view of projects, patch stacks, patches and sections. */
export const stacksViewId = 'patchStacks.stacks';

/** The webview panel that shows a patch as one document. */
export const patchDocumentViewType = 'patchStacks.patchDocument';

/** The scheme of the files that text sections are for VS Code. */
export const sectionScheme = 'patch-stacks';

/** The scheme of the files that the texts of a conflict are for VS Code. */
export const conflictScheme = 'patch-stacks-conflict';

/** The scheme of the read-only documents that the diff editor shows for files which no repository has. */
export const diffScheme = 'patch-stacks-diff';

/** The webview panel with the form for one's own profile. */
export const profileViewType = 'patchStacks.profile';

/** The webview panel with the card of a user. */
export const userCardViewType = 'patchStacks.userCard';

/** The webview panel with the table of a stack's patch statuses. */
export const patchStatusesViewType = 'patchStacks.patchStatuses';

/** The webview panel with the form for a release. */
export const releaseViewType = 'patchStacks.release';

/** The webview panel with the form for feedback. */
export const feedbackViewType = 'patchStacks.feedback';

/** The authentication provider, as the Accounts menu knows it. */
export const authenticationProviderId = 'patchStacks';

/** Where a patch is: enough to load it and to find its neighbours in the stack. */
export interface PatchReference {
  serverUrl: string;
  projectId?: string | undefined;
  branchId?: string | undefined;
  stackUuid: string;
  changeId: string;
  /** The section to scroll to. */
  sectionCode?: string | undefined;
  /** The line of its diff. */
  line?: DiffLine | undefined;
}

/** What every row of the stacks view has. */
export interface TreeRow {
  kind: string;
  id: string;
}

/** A line of a file in the workspace. */
export interface FilePlace {
  path: string;
  /** One-based. */
  line?: number | undefined;
  /** A commit by which the repository is found. */
  commitSha?: string | undefined;
}

/** What the row of a project hands to a command; also to one that then asks for something of the project. */
export interface ProjectRow {
  project: Project;
}

/** What the row of a patch stack hands to a command. */
export interface StackRow {
  projectId: string;
  stack: PatchStack;
}

/**
 * What names a section for a command: the row of the stacks view, or the menu of the patch document, which knows only the
 * section. From the palette and by keys there is nothing: then it is the section that has the focus.
 */
export type SectionRow = Partial<PatchReference>;

/** The states a list of patch stacks can be filtered by. */
export const statusFilters = ['active', 'inactive', 'closed', 'loading', 'all'] as const;
export type StatusFilter = (typeof statusFilters)[number];

/** The settings of the extension with their types. */
export interface Settings {
  serverUrl: string;
  requestTimeout: number;
  /** Seconds; 0 is off. */
  refreshInterval: number;
  defaultStatusFilter: StatusFilter;
  /** Whether the stacks view selects the row of the document that the person turns to. */
  autoReveal: boolean;
  'markdown.loadRemoteImages': boolean;
}

/** The id under which VS Code knows a setting. */
export function settingId(name: keyof Settings): string {
  return `${prefix}.${name}`;
}

/** Reads a setting; its default stands in package.json. */
export function readSetting<K extends keyof Settings>(name: K): Settings[K] {
  const value: unknown = vscode.workspace.getConfiguration(prefix).get(name);
  return value as Settings[K];
}

/** What the stacks view has to show; see the welcome content in package.json. */
export type StacksState =
  | 'loading'
  | 'ready'
  /** There are no projects. */
  | 'empty'
  /** There are projects, but none that the filter lets through. */
  | 'noMatch'
  /** Nothing is known, for the service cannot be reached. */
  | 'offline'
  /** Nothing is known, for the sign-in is no longer good. */
  | 'expired'
  /** Nothing is known, for the service has a fault of its own or is asked too often. */
  | 'busy'
  /** Nothing is known, for what answers is not the service. */
  | 'wrongServer'
  | 'failed';

/** What the walkthrough shows how to do, as far as it is told from a context key of its own. */
export const deeds = ['read', 'sectionText', 'sectionOrder', 'signOff'] as const;
export type Deed = (typeof deeds)[number];

/** Context keys, on which menus and welcome content depend. */
export interface ContextKeys extends Record<`done.${Deed}`, true> {
  /** Whether somebody is signed in to the active server; unset until it is known. */
  signedIn: boolean;
  /** Nobody is signed in here, but somebody is to another server or account. */
  signedInElsewhere: boolean;
  /** What the stacks view has to show. */
  stacksState: StacksState;
  /** Whether the list of projects goes on. */
  hasMoreProjects: boolean;
  /** Set by the window again and again, to see that it answers: nobody reads it. */
  attended: boolean;
  /** What kind of thing the person works on; empty when it is nothing of the service. */
  atHand: PlaceKind | '';
  /** Whether the next click on a row reuses the tab of the patch document that was looked at last. */
  documentIsPreview: boolean;
  /** Whether the page of a patch document has the focus: that it is the active tab does not say so. */
  documentFocus: boolean;
  /** Whether a section of it has the focus. */
  sectionFocus: boolean;
  /** Whether something of it has the focus that takes text. */
  typingFocus: boolean;
}

/** Sets a context key for `when` clauses. */
export async function setContext<K extends keyof ContextKeys>(name: K, value: ContextKeys[K]): Promise<void> {
  await vscode.commands.executeCommand('setContext', `${prefix}.${name}`, value);
}
