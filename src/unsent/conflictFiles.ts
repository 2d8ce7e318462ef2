import * as vscode from 'vscode';
import type { EditorFile } from '../commandTable.ts';
import { conflictScheme } from '../contributions.ts';
import type { ConflictDetails, TextConflict } from '../model/pending/failure.ts';
import type { KnownChange } from '../model/pending/pendingChange.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import { tabInFront } from '../ui/inFront.ts';
import type { Files } from '../ui/lazyFiles.ts';
import { onceSaved, savedSoon, saveDocument } from '../ui/saveDocument.ts';
import { openConflicts, textWithMarkers } from '../model/pending/mergeConflicts.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import { inBackground } from '../util/inBackground.ts';
import type { Lazy } from '../util/lazy.ts';
import type { Side } from './questions.ts';

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
  /** The results that were opened, of which nobody has looked yet whether they are over. */
  readonly #opened = new Set<vscode.TextDocument>();
  #following: Disposable | undefined;
  /** The pending change whose merge editor is to get the focus. */
  #opening: string | undefined;

  constructor(pendingChanges: Lazy<PendingChanges>) {
    this.#pendingChanges = pendingChanges;
    this.#disposables.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === conflictScheme && parse(document.uri).side === 'result') {
          inBackground(this.#keep(document.uri, document.getText()));
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
    this.#disposables.add(vscode.window.onDidChangeVisibleTextEditors(() => this.#focusOpened()));
    this.#disposables.add(vscode.workspace.onDidOpenTextDocument((document) => this.#noteOpened(document)));
    vscode.workspace.textDocuments.forEach((document) => this.#noteOpened(document));
  }

  #noteOpened(document: vscode.TextDocument): void {
    if (document.uri.scheme === conflictScheme && parse(document.uri).side === 'result') {
      this.#opened.add(document);
      inBackground(this.#closeDecided());
    }
  }

  /** Closes what VS Code brings back of conflicts that are decided: a window that ends may leave what it was about to throw away. */
  async #closeDecided(): Promise<void> {
    const pendingChanges = await this.#pendingChanges();
    this.#following ??= this.#disposables.add(
      pendingChanges.onDidChange(() => inBackground(this.#closeDecided())),
    );
    if (pendingChanges.account === undefined) {
      // Until then it is not known which changes there are.
      return;
    }
    for (const document of this.#opened) {
      this.#opened.delete(document);
      const { id } = parse(document.uri);
      if (!document.isClosed && !(await this.#conflictOf(id))) {
        this.#saved.set(id, document.getText());
        await saveDocument(document);
        await this.close(id);
      }
    }
  }

  /** Opens VS Code's merge editor with the three texts of a pending change. */
  async openMergeEditor(pending: KnownChange): Promise<void> {
    this.#opening = pending.id;
    const titles = titlesOf(pending.failure);
    await vscode.commands.executeCommand('_open.mergeEditor', {
      base: fileOf(pending, 'base'),
      input1: { uri: fileOf(pending, 'theirs'), title: titles.theirs },
      input2: { uri: fileOf(pending, 'mine'), title: titles.mine },
      output: fileOf(pending, 'result'),
    });
    this.#focusOpened();
  }

  /** VS Code opens its merge editor without giving it the focus, which it can take once it shows its texts. */
  #focusOpened(): void {
    const activeTab = tabInFront();
    const isShown = vscode.window.visibleTextEditors.some(({ document: { uri } }) => {
      const { id, side } = parse(uri);
      return uri.scheme === conflictScheme && side === 'result' && id === this.#opening;
    });
    if (isShown && activeTab && resultIn(activeTab) === this.#opening) {
      this.#opening = undefined;
      inBackground(vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup'));
    }
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

  /** The id of the pending change whose texts a file has; undefined for anything else. */
  idOf(file?: EditorFile): string | undefined {
    return file?.scheme === conflictScheme ? parse(file).id : undefined;
  }

  /** The id of the pending change whose texts the active editor shows, if any. */
  get active(): string | undefined {
    const tab = tabInFront();
    return tab && pendingIn(tab);
  }

  /** The text that the person has come to so far; undefined when they have not begun. */
  result(pending: KnownChange): string | undefined {
    return this.#openResult(pending.id)?.getText() ?? pending.resolution;
  }

  /**
   * Saves what the person has written last, so that its editor can be closed. Where VS Code says that it has not, the text is in the pending
   * change all the same.
   */
  async save(id: string): Promise<void> {
    // VS Code tells later than it writes that a file is unsaved: it is asked to save in any case, which also waits for a save under
    // way.
    const document = this.#openResult(id);
    if (document) {
      await saveDocument(document);
    }
  }

  /** Closes the editors with the texts of a pending change that is decided. */
  async close(id: string): Promise<void> {
    const result = this.#openResult(id);
    if (result) {
      this.#saved.set(id, result.getText());
    }
    // Of a document that was just saved VS Code still says a while that its tab is not.
    const isSaved = await savedSoon(() =>
      vscode.workspace.textDocuments.find((document) => isUnsavedOf(document, id)),
    );
    const tabs = isSaved ? await onceSaved(() => tabsOf(id)) : tabsOf(id).filter(({ isDirty }) => !isDirty);
    // The focus that was in one of them goes to what is shown next, and nowhere else.
    const activeTab = tabInFront();
    const hadFocus = activeTab !== undefined && tabs.includes(activeTab);
    await vscode.window.tabGroups.close(tabs, !hadFocus);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const decided = await this.#decidedResult(uri);
    if (decided !== undefined) {
      return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: Buffer.byteLength(decided) };
    }
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
    return Buffer.from((await this.#decidedResult(uri)) ?? (await this.#find(uri)).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    if ((await this.#decidedResult(uri)) !== undefined) {
      this.#saved.set(parse(uri).id, Buffer.from(content).toString());
      return;
    }
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

  /**
   * The decision that was made in an editor that is still open. VS Code may look at it or save it once more before it closes; not
   * to find it would be an error, and leave the editor unsaved.
   */
  async #decidedResult(uri: vscode.Uri): Promise<string | undefined> {
    const { id, side } = parse(uri);
    const isDecided = side === 'result' && !(await this.#conflictOf(id));
    return isDecided ? this.#saved.get(id) : undefined;
  }

  #openResult(id: string): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find(
      ({ uri, isClosed }) =>
        !isClosed && uri.scheme === conflictScheme && parse(uri).id === id && parse(uri).side === 'result',
    );
  }

  /** Keeps how far the person is. What an editor begins with is nothing that they have come to. */
  async #keep(uri: vscode.Uri, text: string): Promise<void> {
    const found = await this.#conflictOf(parse(uri).id);
    if (!found) {
      // It is decided, and its editor is about to close.
      return;
    }
    const { conflict, pending } = found;
    const isBegun = openConflicts(conflict, text) < openConflicts(conflict, conflict.base);
    (await this.#pendingChanges()).keepResolution(pending.id, isBegun ? text : undefined);
  }

  async #find(
    uri: vscode.Uri,
  ): Promise<{ pending: KnownChange; conflict: TextConflict; side: Side; text: string }> {
    const { id, side } = parse(uri);
    const found = await this.#conflictOf(id);
    if (!found || !side) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    const { pending, conflict } = found;
    const result = this.#saved.get(id) ?? pending.resolution;
    return { pending, conflict, side, text: textOf(conflict, result, side) };
  }

  async #conflictOf(id: string): Promise<{ pending: KnownChange; conflict: TextConflict } | undefined> {
    const pending = (await this.#pendingChanges()).get(id);
    // The kinds of changes are not loaded before there is one.
    const { conflictOf } = await import('../model/pending/pendingChange.ts');
    const conflict = pending && conflictOf(pending);
    return conflict && { pending, conflict };
  }
}

function isUnsavedOf({ uri, isDirty }: vscode.TextDocument, id: string): boolean {
  return isDirty && uri.scheme === conflictScheme && parse(uri).id === id;
}

function fileOf({ id, title }: KnownChange, side: Side): vscode.Uri {
  const name = `${title.replaceAll(/[/\\]+/g, ' ').trim() || 'text'}.md`;
  return vscode.Uri.from({ scheme: conflictScheme, path: `/${id}/${side}/${name}` });
}

/** The tabs that show texts of a pending change. */
function tabsOf(id: string): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => pendingIn(tab) === id);
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

function parse(uri: EditorFile): { id: string; side: Side | undefined } {
  const [, id = '', side] = uri.path.split('/');
  return { id, side: sides.find((candidate) => candidate === side) };
}

/** The titles of the sides of a conflict: of two versions that the service has, either may be the person's own. */
function titlesOf(
  conflict: Pick<ConflictDetails, 'isShared' | 'by'> | undefined,
): Record<'theirs' | 'mine', string> {
  return conflict?.isShared === true
    ? {
        theirs: conflict.by ?? vscode.l10n.t('Other Version'),
        mine: vscode.l10n.t('Shown Version'),
      }
    : { theirs: vscode.l10n.t('On the Server'), mine: vscode.l10n.t('Yours') };
}

function textOf(conflict: TextConflict, result: string | undefined, side: Side): string {
  if (side !== 'result') {
    return conflict[side];
  }
  // The merge editor begins anew with a file that has such marks, and merges what it can.
  const { theirs, mine } = titlesOf(conflict);
  return result ?? textWithMarkers(conflict, theirs, mine);
}
