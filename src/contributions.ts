/**
 * Everything package.json contributes by name: commands with what they take, settings with their types, views and
 * context keys. Declared once here, so that leaving one out or misspelling one does not compile.
 */
import * as vscode from 'vscode';
import type { Project } from './api/types/projects.ts';
import type { PatchStack } from './api/types/stacks.ts';
import type { PlaceKind } from './model/atHand.ts';
import type { Platform } from './util/keyLabel.ts';
import type { SectionRef } from './util/patchRef.ts';

/** Prefix of every command, setting and context key. */
const prefix = 'patchStacks';

/** The tree view of projects, patch stacks, patches and sections. */
export const stacksViewId = 'patchStacks.stacks';

/** The webview panel that shows a patch as one document. */
export const patchDocumentViewType = 'patchStacks.patchDocument';

/** The scheme of the files that text sections are for VS Code. */
export const sectionScheme = 'patch-stacks';

/** The scheme of the files that whole patch stacks are for VS Code. */
export const stackScheme = 'patch-stacks-stack';

/** The scheme of the files that the texts of a conflict are for VS Code. */
export const conflictScheme = 'patch-stacks-conflict';

/** The scheme of the read-only documents that the diff editor shows for files which no repository has. */
export const diffScheme = 'patch-stacks-diff';

/** The webview panel with the form for one's own profile. */
export const profileViewType = 'patchStacks.profile';

/** The webview panel with the card of a user. */
export const userCardViewType = 'patchStacks.userCard';

/** The webview panel with the page of a patch stack. */
export const stackPageViewType = 'patchStacks.stackPage';

/** The webview panel with the table of a stack's patch statuses. */
export const patchStatusesViewType = 'patchStacks.patchStatuses';

/** The webview panel with the form for a release. */
export const releaseViewType = 'patchStacks.release';

/** The webview panel with the form for feedback. */
export const feedbackViewType = 'patchStacks.feedback';

/** The authentication provider, as the Accounts menu knows it. */
export const authenticationProviderId = 'patchStacks';

export interface TreeRow {
  kind: string;
  id: string;
}

/** A line of a file in the workspace, or a commit. */
export interface FilePlace {
  /** Left out for the commit as a whole. */
  path?: string | undefined;
  /** One-based. */
  line?: number | undefined;
  /** The commit that the line is one of, by which the repository is found. */
  commitSha?: string | undefined;
}

/** The argument that the row of a project hands to a command; also to one that then asks for something of the project. */
export interface ProjectRow {
  project: Project;
}

export interface StackRow {
  projectId: string;
  stack: PatchStack;
}

/**
 * The argument of a command for its subject. A section comes from its row in the stacks view, or from the menu of the patch
 * document, which knows nothing else. From the palette and by keys there is nothing: then it is what has the focus.
 */
export type CommandRow = ProjectRow | StackRow | Partial<SectionRef>;

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
  /** Selects the row of the document that the person turns to. */
  autoReveal: boolean;
  'markdown.loadRemoteImages': boolean;
  /** The branch that others of a repository are compared with; empty for the one that each of them left. */
  base: string;
  /** The text that a section may begin with, where the project has none. */
  sectionTemplate: string;
  /** Megabytes. */
  keptVersionsLimit: number;
  /** Shares reviews as a branch, also where the host of the remote takes other refs. */
  shareAsBranch: boolean;
}

/** The id under which VS Code knows a setting. */
export function settingId(name: keyof Settings): string {
  return `${prefix}.${name}`;
}

/** Reads a setting, of a folder where it may differ from folder to folder; its default stands in package.json. */
export function readSetting<K extends keyof Settings>(name: K, folder?: vscode.Uri): Settings[K] {
  const value: unknown = vscode.workspace.getConfiguration(prefix, folder).get(name);
  return value as Settings[K];
}

/** The parts of package.json that the extension itself reads. */
interface Manifest {
  version: string;
  contributes: {
    commands: { command: string; title: string | { value: string } }[];
    languageModelTools: { name: string }[];
    keybindings: ({ command: string; key: string; when: string } & Partial<Record<Platform, string>>)[];
  };
}

/** The extension's package.json, with its titles in the window's language. */
export function manifestOf(extension: vscode.Extension<unknown>): Manifest {
  return extension.packageJSON as Manifest;
}

/** The state of the stacks view; see the welcome content in package.json. */
export type StacksState =
  | 'loading'
  | 'ready'
  /** There are no projects. */
  | 'empty'
  /** There are projects, but none that the filter lets through. */
  | 'noMatch'
  /** Nothing is known, for the service cannot be reached. */
  | 'offline'
  /** Nothing is known, for the session has expired. */
  | 'expired'
  /** Nothing is known, for the service has a fault of its own or is asked too often. */
  | 'busy'
  /** Nothing is known, for what answers is not the service. */
  | 'wrongServer'
  | 'failed';

/** The deeds that the walkthrough shows, as far as each is told from a context key of its own. */
export const deeds = ['read', 'readChanges', 'sectionText', 'sectionOrder', 'signOff'] as const;
export type Deed = (typeof deeds)[number];

/** Context keys, on which menus and welcome content depend. */
interface ContextKeys extends Record<`done.${Deed}`, true> {
  /** True while somebody is signed in to the active server; unset until it is known. */
  signedIn: boolean;
  /** Nobody is signed in here, but somebody is to another server or account. */
  signedInElsewhere: boolean;
  stacksState: StacksState;
  hasMoreProjects: boolean;
  /** Set by the window again and again, to see that it answers: nobody reads it. */
  attended: boolean;
  /** The kind of thing that the person works on; empty when it is nothing of the service. */
  atHand: PlaceKind | '';
  /** True when the next click on a row reuses the tab of the patch document that was looked at last. */
  documentIsPreview: boolean;
  /** True while the page of a patch document has the focus, which doesn't follow from its being the active tab. */
  documentFocus: boolean;
  sectionFocus: boolean;
  typingFocus: boolean;
  /**
   * The state of the sharing of the local service's project; `elsewhere` where the active server is one of this computer that was not started by
   * this window, and empty where it is none of either.
   */
  sharing: 'off' | 'on' | 'elsewhere' | '';
}

/** Sets a context key for `when` clauses. */
export async function setContext<K extends keyof ContextKeys>(name: K, value: ContextKeys[K]): Promise<void> {
  await vscode.commands.executeCommand('setContext', `${prefix}.${name}`, value);
}
