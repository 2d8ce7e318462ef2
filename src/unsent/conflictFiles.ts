import * as vscode from 'vscode';
import { conflictScheme } from '../contributions.ts';
import type { KnownDraft, TextConflict } from '../model/pending/pendingChange.ts';
import type { Drafts } from '../model/pending/pendingChanges.ts';
import type { Files } from '../ui/lazyFiles.ts';
import { openConflicts, textWithMarkers } from '../model/pending/mergeConflicts.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import type { Lazy } from '../util/lazy.ts';
import { conflictOf } from './conflictOf.ts';
import type { Side } from './decisions.ts';

const sides: readonly Side[] = ['base', 'theirs', 'mine', 'result'];

/**
 * The texts of a draft in conflict, as files for VS Code's merge and diff editors. They lie in the draft itself: what is
 * decided in the merge editor is kept with every key, and a window that was killed finds it again. Saving resolves nothing:
 * editors save by themselves, and begin with a text that nobody has chosen.
 */
export class ConflictFiles implements Files, Disposable {
  readonly #drafts: Lazy<Drafts>;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly #left = this.#disposables.add(new Emitter<string>());
  /** The results as they were saved last, by the id of their draft: an editor has to find what it has written. */
  readonly #saved = new Map<string, string>();

  readonly onDidChangeFile = this.#changed.event;
  /** Fires with the id of a draft when the person has closed the merge editor with its texts. */
  readonly onDidLeave = this.#left.event;

  constructor(drafts: Lazy<Drafts>) {
    this.#drafts = drafts;
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

  /** Opens VS Code's merge editor with the three texts of a draft. */
  async openMergeEditor(draft: KnownDraft): Promise<void> {
    await vscode.commands.executeCommand('_open.mergeEditor', {
      base: fileOf(draft, 'base'),
      input1: { uri: fileOf(draft, 'theirs'), title: vscode.l10n.t('On the Service') },
      input2: { uri: fileOf(draft, 'mine'), title: vscode.l10n.t('Yours') },
      output: fileOf(draft, 'result'),
    });
  }

  /** Opens VS Code's diff editor with two of the texts of a draft. */
  async openDiffEditor(draft: KnownDraft, left: Side, right: Side, title: string): Promise<void> {
    await vscode.commands.executeCommand('vscode.diff', fileOf(draft, left), fileOf(draft, right), title, {
      preview: false,
    });
  }

  /** The id of the draft whose texts the active editor shows, if any. */
  get active(): string | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab && draftIn(tab);
  }

  /** The text that the person has come to so far; undefined when they have not begun. */
  result(draft: KnownDraft): string | undefined {
    const open = vscode.workspace.textDocuments.find(
      ({ uri, isClosed }) =>
        !isClosed &&
        uri.scheme === conflictScheme &&
        parse(uri).id === draft.id &&
        parse(uri).side === 'result',
    );
    return open?.getText() ?? draft.resolution;
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

  /** Closes the editors with the texts of a draft that is decided. */
  async close(id: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(
      tabs.filter((tab) => draftIn(tab) === id && !tab.isDirty),
      true,
    );
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { draft, text, side } = await this.#find(uri);
    const size = Buffer.byteLength(text);
    const time = Date.parse(draft.changedAt);
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
    const { draft, side } = await this.#find(uri);
    if (side !== 'result') {
      throw vscode.FileSystemError.NoPermissions(uri);
    }
    const text = Buffer.from(content).toString();
    this.#saved.set(draft.id, text);
    await this.#keep(uri, text);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Keeps how far the person is. What an editor begins with is nothing that they have come to. */
  async #keep(uri: vscode.Uri, text: string): Promise<void> {
    const { conflict, draft } = await this.#find(uri);
    const isBegun = openConflicts(conflict, text) < openConflicts(conflict, conflict.base);
    (await this.#drafts()).keepResolution(draft.id, isBegun ? text : undefined);
  }

  async #find(
    uri: vscode.Uri,
  ): Promise<{ draft: KnownDraft; conflict: TextConflict; side: Side; text: string }> {
    const { id, side } = parse(uri);
    const draft = (await this.#drafts()).list().find((candidate) => candidate.id === id);
    const conflict = draft && conflictOf(draft);
    if (!conflict || !side) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    const result = this.#saved.get(id) ?? draft.resolution;
    return { draft, conflict, side, text: textOf(conflict, result, side) };
  }
}

function fileOf({ id, title }: KnownDraft, side: Side): vscode.Uri {
  const name = `${title.replaceAll(/[/\\]+/g, ' ').trim() || 'text'}.md`;
  return vscode.Uri.from({ scheme: conflictScheme, path: `/${id}/${side}/${name}` });
}

/** The draft whose texts a tab shows: in a diff editor, a merge editor, or by themselves. */
function draftIn({ input }: vscode.Tab): string | undefined {
  const uri = Object.values(input ?? {}).find(
    (value: unknown): value is vscode.Uri => value instanceof vscode.Uri && value.scheme === conflictScheme,
  );
  return uri && parse(uri).id;
}

/** The draft whose conflict is resolved in a tab. */
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
    ? (result ?? textWithMarkers(conflict, vscode.l10n.t('On the Service'), vscode.l10n.t('Yours')))
    : conflict[side];
}
