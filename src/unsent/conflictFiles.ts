import * as vscode from 'vscode';
import { conflictScheme } from '../contributions.ts';
import type { TextConflict } from '../model/pending/failure.ts';
import type { KnownChange } from '../model/pending/pendingChange.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import type { Files } from '../ui/lazyFiles.ts';
import { openConflicts, textWithMarkers } from '../model/pending/mergeConflicts.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import type { Lazy } from '../util/lazy.ts';
import type { Side } from './decisions.ts';

const sides: readonly Side[] = ['base', 'theirs', 'mine', 'result'];

/**
 * The texts of a pending change in conflict, as files for VS Code's merge and diff editors. They lie in the change itself: what is
 * decided in the merge editor is kept with every key, and a window that was killed finds it again. Saving resolves nothing:
 * editors save by themselves, and begin with a text that nobody has chosen.
 */
export class ConflictFiles implements Files, Disposable {
  readonly #pendingChanges: Lazy<PendingChanges>;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly #left = this.#disposables.add(new Emitter<string>());
  /** The results as they were saved last, by the id of their pending change: an editor has to find what it has written. */
  readonly #saved = new Map<string, string>();

  readonly onDidChangeFile = this.#changed.event;
  /** Fires with the id of a pending change when the person has closed the merge editor with its texts. */
  readonly onDidLeave = this.#left.event;

  constructor(pendingChanges: Lazy<PendingChanges>) {
    this.#pendingChanges = pendingChanges;
    this.#disposables.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === conflictScheme && parse(document.uri).side === 'result') {
          void this.#keep(document.uri, document.getText());
        }
      }),
    );
    this.#disposables.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === conflictScheme && parse(uri).side === 'result') {
          this.#saved.delete(parse(uri).id);
        }
      }),
    );
    this.#disposables.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const id of new Set(closed.flatMap((tab) => resultIn(tab) ?? []))) {
          this.#left.fire(id);
        }
      }),
    );
  }

  /** Opens VS Code's merge editor with the three texts of a pending change. */
  async openMergeEditor(pending: KnownChange): Promise<void> {
    await vscode.commands.executeCommand('_open.mergeEditor', {
      base: fileOf(pending, 'base'),
      input1: { uri: fileOf(pending, 'theirs'), title: vscode.l10n.t('On the Server') },
      input2: { uri: fileOf(pending, 'mine'), title: vscode.l10n.t('Yours') },
      output: fileOf(pending, 'result'),
    });
  }

  /** Opens VS Code's diff editor with two of the texts of a pending change. */
  async openDiffEditor(pending: KnownChange, left: Side, right: Side, title: string): Promise<void> {
    await vscode.commands.executeCommand(
      'vscode.diff',
      fileOf(pending, left),
      fileOf(pending, right),
      title,
      {
        preview: false,
      },
    );
  }

  /** The id of the pending change whose texts the active editor shows, if any. */
  get active(): string | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab && pendingIn(tab);
  }

  /** The text that the person has come to so far; undefined when they have not begun. */
  result(pending: KnownChange): string | undefined {
    const open = vscode.workspace.textDocuments.find(
      ({ uri, isClosed }) =>
        !isClosed &&
        uri.scheme === conflictScheme &&
        parse(uri).id === pending.id &&
        parse(uri).side === 'result',
    );
    return open?.getText() ?? pending.resolution;
  }

  /**
   * Saves what the person has written last, of which VS Code tells when it cannot be.
   *
   * @returns whether it is saved.
   */
  async save(id: string): Promise<boolean> {
    const document = vscode.workspace.textDocuments.find(
      ({ uri, isDirty }) => isDirty && uri.scheme === conflictScheme && parse(uri).id === id,
    );
    return document === undefined || document.save();
  }

  /** Closes the editors with the texts of a pending change that is decided. */
  async close(id: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(
      tabs.filter((tab) => pendingIn(tab) === id && !tab.isDirty),
      true,
    );
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { pending, text, side } = await this.#find(uri);
    const size = Buffer.byteLength(text);
    const time = Date.parse(pending.changedAt);
    return {
      type: vscode.FileType.File,
      ctime: time,
      mtime: time,
      size,
      ...(side !== 'result' && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.#find(uri)).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { pending, side } = await this.#find(uri);
    if (side !== 'result') {
      throw vscode.FileSystemError.NoPermissions(uri);
    }
    const text = Buffer.from(content).toString();
    this.#saved.set(pending.id, text);
    await this.#keep(uri, text);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Keeps how far the person is. What an editor begins with is nothing that they have come to. */
  async #keep(uri: vscode.Uri, text: string): Promise<void> {
    const { conflict, pending } = await this.#find(uri);
    const isBegun = openConflicts(conflict, text) < openConflicts(conflict, conflict.base);
    (await this.#pendingChanges()).keepResolution(pending.id, isBegun ? text : undefined);
  }

  async #find(
    uri: vscode.Uri,
  ): Promise<{ pending: KnownChange; conflict: TextConflict; side: Side; text: string }> {
    const { id, side } = parse(uri);
    const pending = (await this.#pendingChanges()).get(id);
    // The kinds of changes are not loaded before there is one.
    const { conflictOf } = await import('../model/pending/pendingChange.ts');
    const conflict = pending && conflictOf(pending);
    if (!conflict || !side) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    const result = this.#saved.get(id) ?? pending.resolution;
    return { pending, conflict, side, text: textOf(conflict, result, side) };
  }
}

function fileOf({ id, title }: KnownChange, side: Side): vscode.Uri {
  const name = `${title.replaceAll(/[/\\]+/g, ' ').trim() || 'text'}.md`;
  return vscode.Uri.from({ scheme: conflictScheme, path: `/${id}/${side}/${name}` });
}

/** The pending change whose texts a tab shows: in a diff editor, a merge editor, or by themselves. */
function pendingIn({ input }: vscode.Tab): string | undefined {
  const uri = Object.values(input ?? {}).find(
    (value: unknown): value is vscode.Uri => value instanceof vscode.Uri && value.scheme === conflictScheme,
  );
  return uri && parse(uri).id;
}

/** The pending change whose conflict is resolved in a tab. */
function resultIn({ input }: vscode.Tab): string | undefined {
  const result = Object.values(input ?? {}).find(
    (value: unknown): value is vscode.Uri =>
      value instanceof vscode.Uri && value.scheme === conflictScheme && parse(value).side === 'result',
  );
  return result && parse(result).id;
}

function parse(uri: vscode.Uri): { id: string; side: Side | undefined } {
  const [, id = '', side] = uri.path.split('/');
  return { id, side: sides.find((candidate) => candidate === side) };
}

function textOf(conflict: TextConflict, result: string | undefined, side: Side): string {
  // The merge editor begins anew with a file that has such marks, and joins what it can.
  return side === 'result'
    ? (result ?? textWithMarkers(conflict, vscode.l10n.t('On the Server'), vscode.l10n.t('Yours')))
    : conflict[side];
}
