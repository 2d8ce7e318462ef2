import type * as vscode from 'vscode';
import type { AtHand } from './model/atHand.ts';
import type { Model } from './model/model.ts';
import type { PendingChanges } from './model/pending/pendingChanges.ts';
import type { AccountFolders } from './session/accountFolders.ts';
import type { Connection } from './session/connection.ts';
import type { SessionStore } from './session/sessions.ts';
import type { Deeds } from './ui/deeds.ts';
import type { Log } from './ui/log.ts';
import type { RecentChanges } from './ui/recentChanges.ts';
import type { TextFiles } from './ui/textFiles.ts';
import type { DisposableStore } from './util/disposable.ts';
import type { Lazy } from './util/lazy.ts';

/** What a window makes once, and gives to each of its features, which know nothing of each other. */
export interface WindowParts {
  /** What VS Code says of the extension: where it lies, and where it may keep what. */
  readonly context: vscode.ExtensionContext;
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
  readonly model: Lazy<Model>;
  readonly pendingChanges: Lazy<PendingChanges>;
}
