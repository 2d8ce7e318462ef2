import type * as vscode from 'vscode';
import type { Colors } from './colors/colors.ts';
import type { AtHand } from './model/atHand.ts';
import type { Model } from './model/model.ts';
import type { Readings } from './model/reading/readings.ts';
import type { PendingChanges } from './model/pending/pendingChanges.ts';
import type { AccountFolders } from './session/accountFolders.ts';
import type { Connection } from './session/connection.ts';
import type { SessionStore } from './session/sessions.ts';
import type { Deeds } from './ui/deeds.ts';
import type { Log } from './ui/log.ts';
import type { OrderedMemento } from './ui/orderedMemento.ts';
import type { RecentChanges } from './ui/recentChanges.ts';
import type { TextFiles } from './ui/textFiles.ts';
import type { DisposableStore } from './util/disposable.ts';
import type { Lazy } from './util/lazy.ts';
import type { ContentSources } from './git/contentSources.ts';
import type { CompareStacks, CompareVersions, DecideSignOffs } from './git/versionComparison.ts';
import type { WorkspaceRepositories } from './git/workspaceRepositories.ts';

/** The objects that a window creates once and gives to each of its features, which know nothing of each other. */
export interface WindowParts {
  /** VS Code's context of the extension: its folder, and the places where it may keep things. */
  readonly context: Omit<vscode.ExtensionContext, 'globalState' | 'workspaceState'>;
  /** What is kept for all windows, and what for this workspace alone: the only ones that anybody writes to. */
  readonly memory: OrderedMemento;
  readonly workspaceMemory: OrderedMemento;
  /** Whatever ends with the window. */
  readonly disposables: DisposableStore;
  readonly log: Log;
  readonly sessions: SessionStore;
  readonly connection: Connection;
  readonly folders: AccountFolders;
  readonly atHand: AtHand;
  readonly changes: RecentChanges;
  readonly deeds: Deeds;
  readonly texts: Lazy<TextFiles>;
  /** Code in the colors of VS Code's own editor. */
  readonly colors: Lazy<Colors>;
  readonly model: Lazy<Model>;
  /** The active account's readings; undefined when nobody is signed in. */
  readonly readings: () => Promise<Readings | undefined>;
  /** Compares two versions of a patch, with the contents that the workspace's git has of their files. */
  readonly compareVersions: CompareVersions;
  /** The repositories that are open in the window. */
  readonly repositories: WorkspaceRepositories;
  /** The same as sources of what is compared. */
  readonly contentSources: ContentSources;
  /** Decides, by the same, which patches of a stack may be signed off again. */
  readonly decideSignOffs: DecideSignOffs;
  /** Tells, by the same, what became of the patches of a stack between two of its versions. */
  readonly compareStacks: CompareStacks;
  readonly pendingChanges: Lazy<PendingChanges>;
}
