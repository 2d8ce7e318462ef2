/** *Open Patch Stack as Markdown*: a whole stack as one file that can be edited. Saving it sends what was changed, and nothing else. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import type { PatchSection } from '../api/types/patches.ts';
import { stackScheme, type StackRow } from '../contributions.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import type { Model } from '../model/model.ts';
import { loadUnopened } from '../model/reading/loadUnopened.ts';
import { planEdits } from '../model/stackText/planEdits.ts';
import { readStackMarkdown, type MarkdownProblem } from '../model/stackText/readStackMarkdown.ts';
import { sendEdits, type Unsent } from '../model/stackText/sendEdits.ts';
import { diffLines, stackAsMarkdown } from '../model/stackText/stackAsMarkdown.ts';
import type { StackText } from '../model/stackText/stackText.ts';
import { writtenStackText } from '../model/stackText/writtenStackText.ts';
import type { AccountFolders } from '../session/accountFolders.ts';
import type { Connection } from '../session/connection.ts';
import { runCommand } from '../ui/commands.ts';
import { describeReason } from '../ui/failures.ts';
import { sectionLabel, stackLabel } from '../ui/labels.ts';
import type { Files } from '../ui/lazyFiles.ts';
import type { Log } from '../ui/log.ts';
import { showMessage } from '../ui/notifications.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { inBackground } from '../util/inBackground.ts';
import { pathPart } from '../util/pathPart.ts';
import { keepStackText, readKeptStackText, type KeptStackText } from './keptStackText.ts';
import { stackToShow } from '../ui/stackToShow.ts';
import type { TellOutcome } from './tellOutcome.ts';
import { Soon } from '../util/soon.ts';
import { serverName } from '../session/serverName.ts';

/** A stack whose file VS Code has asked for, until its document is closed. */
interface OpenFile {
  readonly uri: vscode.Uri;
  /** The version that the document was made of. */
  place: KeptStackText['place'];
  /** The text that it was made of: what is typed is a change of that. */
  base?: StackText;
  /** The file as VS Code has read or written it last. */
  served?: Served;
  /** Milliseconds since 1970; grows whenever what VS Code has read is not what it would read now. */
  modified: number;
  isReadOnly?: boolean;
}

/** A stack in one of its versions, as its file says it. */
interface Served {
  content: string;
  text: StackText;
  stackUuid: string;
}

interface StackFilesContext {
  model: () => Promise<Model>;
  pendingChanges: () => Promise<PendingChanges>;
  connection: Connection;
  folders: AccountFolders;
  tellOutcome: TellOutcome;
  log: Log;
}

/** Milliseconds until files are read again that may be other ones: several changes mostly come together. */
const patienceMs = 200;

/** See the module. */
export class StackFiles implements Files, Disposable {
  readonly #context: StackFilesContext;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly #files = new Map<string, Promise<OpenFile>>();
  readonly #rereadingSoon = this.#disposables.add(
    new Soon(patienceMs, () => inBackground(this.#rereadAll())),
  );
  #watching = false;

  readonly onDidChangeFile = this.#changed.event;

  constructor(context: StackFilesContext) {
    this.#context = context;
    this.#disposables.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#files.delete(uri.toString());
      }),
    );
    const adopt = (document: vscode.TextDocument): void => {
      if (document.uri.scheme === stackScheme) {
        inBackground(this.#adopt(document));
      }
    };
    this.#disposables.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === stackScheme) {
          // Only now is it no longer a document that is being written.
          this.#rereadingSoon.ask();
        }
      }),
    );
    this.#disposables.add(vscode.workspace.onDidOpenTextDocument(adopt));
    this.#disposables.add(vscode.workspace.onDidChangeTextDocument(({ document }) => adopt(document)));
  }

  /** Opens a stack, or shows it where it is open. */
  async open({ projectId, stack }: StackRow): Promise<void> {
    const serverUrl = this.#context.connection.requireServer();
    const { branchId, uuid: stackUuid } = stack;
    const place = { serverUrl, projectId, ...(branchId !== undefined && { branchId }), stackUuid };
    const mark = createHash('sha256')
      .update(JSON.stringify([serverUrl, projectId, stackUuid]))
      .digest('hex')
      .slice(0, 16);
    const uri = vscode.Uri.from({
      scheme: stackScheme,
      path: `/${pathPart(stackLabel(stack)) || stackUuid}.md`,
      query: mark,
    });
    // VS Code keeps documents for a while that are closed: the file of one that is known is the one to go on with.
    const open = vscode.workspace.textDocuments.find(
      (document) => document.uri.query === mark && document.uri.scheme === stackScheme,
    );
    const file: OpenFile = { uri: open?.uri ?? uri, place, modified: 0 };
    if (!open) {
      this.#files.set(uri.toString(), Promise.resolve(file));
      await this.#keep(file, await this.#serve(file));
    }
    const document = await vscode.workspace.openTextDocument(file.uri);
    await this.#adopt(document);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const file = await this.#file(uri);
    const { content } = file.served ?? (await this.#serve(file));
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: file.modified,
      size: Buffer.byteLength(content),
      ...((file.isReadOnly === true || !(await this.#isHere(file))) && {
        permissions: vscode.FilePermission.Readonly,
      }),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    this.#watch();
    return Buffer.from((await this.#serve(await this.#file(uri))).content);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const file = await this.#file(uri);
    if (!(await this.#isHere(file))) {
      throw vscode.FileSystemError.NoPermissions(
        vscode.l10n.t(
          'This patch stack is on {0}. Sign in to that server to save it.',
          serverName(file.place.serverUrl),
        ),
      );
    }
    const base = file.base ?? (await this.#kept(uri))?.base;
    if (!base) {
      throw new vscode.FileSystemError(
        vscode.l10n.t(
          'The document was opened too long ago. Copy what you wrote, then open the patch stack again.',
        ),
      );
    }
    const typed = Buffer.from(content).toString();
    const result = readStackMarkdown(typed, base);
    if (result.kind === 'problem') {
      throw new vscode.FileSystemError(problemText(result.problem));
    }
    const pendingChanges = await this.#context.pendingChanges();
    const plan = planEdits(base, result.stack);
    const { text, unsent } = await sendEdits(pendingChanges, file.place, base, plan, vscode.l10n.t('Text'));
    file.served = { content: typed, text, stackUuid: file.place.stackUuid };
    file.modified = laterThan(file);
    await this.#keep(file, file.served);
    inBackground(this.#tell(unsent));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** @throws {FileSystemError} for one that was opened too long ago. */
  #file(uri: vscode.Uri): Promise<OpenFile> {
    const key = uri.toString();
    const known = this.#files.get(key);
    if (known) {
      return known;
    }
    const found = this.#kept(uri).then((kept): OpenFile => {
      if (!kept) {
        this.#files.delete(key);
        throw vscode.FileSystemError.FileNotFound(uri);
      }
      return { uri, place: kept.place, modified: 0 };
    });
    this.#files.set(key, found);
    return found;
  }

  /** Makes the file of what is known now. */
  async #serve(file: OpenFile): Promise<Served> {
    try {
      const { content, text, stackUuid, isReadOnly } = await this.#make(file.place);
      if (content !== file.served?.content || isReadOnly !== file.isReadOnly) {
        file.modified = laterThan(file);
      }
      file.isReadOnly = isReadOnly;
      file.served = { content, text, stackUuid };
      return file.served;
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(describeReason(error));
    }
  }

  async #make(place: OpenFile['place']): Promise<Served & { isReadOnly: boolean }> {
    const model = await this.#context.model();
    const pendingChanges = await this.#context.pendingChanges();
    const { value: stack } = await stackToShow(model, place, { freshness: 'atOnce', wasNewest: true });
    const { value: known } = await model.patchesOfStack(place.projectId, stack);
    const patches = await loadUnopened(model, stack.uuid, known);
    const { text, linesOfPart } = writtenStackText(stack, patches, pendingChanges.shown(), partLines);
    return {
      content: stackAsMarkdown(text, headText(), linesOfPart),
      text,
      stackUuid: stack.uuid,
      isReadOnly: stack.status === 'closed',
    };
  }

  /** True while the account is active that has the stack. */
  async #isHere({ place }: OpenFile): Promise<boolean> {
    return (await this.#context.connection.session())?.serverUrl === place.serverUrl;
  }

  /** Takes note of what a document was made of, as soon as it has all of that and nothing else. */
  async #adopt(document: vscode.TextDocument): Promise<void> {
    const file = await this.#files.get(document.uri.toString())?.catch(() => undefined);
    if (
      file?.served &&
      !document.isDirty &&
      document.getText() === file.served.content &&
      file.base !== file.served.text
    ) {
      await this.#keep(file, file.served);
    }
  }

  async #keep(file: OpenFile, { text: base, stackUuid }: Served): Promise<void> {
    file.base = base;
    // Sections have other codes in another version.
    file.place = { ...file.place, stackUuid };
    try {
      const folder = await this.#folder();
      if (folder !== undefined) {
        await keepStackText(folder, file.uri.query, { place: file.place, base });
      }
    } catch (error) {
      // It is needed after a reload of the window only.
      this.#context.log.warn(`The base of a patch stack's file could not be saved: ${String(error)}`);
    }
  }

  async #kept(uri: vscode.Uri): Promise<KeptStackText | undefined> {
    const folder = await this.#folder();
    return folder !== undefined && /^[0-9a-f]{16}$/.test(uri.query)
      ? readKeptStackText(folder, uri.query)
      : undefined;
  }

  async #folder(): Promise<string | undefined> {
    const session = await this.#context.connection.session();
    return session && path.join(this.#context.folders.folder(session), 'stackFiles');
  }

  /** Follows what others change in the stacks that are open, and what is written elsewhere in this window. */
  #watch(): void {
    if (this.#watching) {
      return;
    }
    this.#watching = true;
    const { model, pendingChanges } = this.#context;
    inBackground(
      model().then((created) => this.#disposables.add(created.onDidChange(() => this.#rereadingSoon.ask()))),
    );
    inBackground(
      pendingChanges().then((created) =>
        this.#disposables.add(created.onDidChange(() => this.#rereadingSoon.ask())),
      ),
    );
  }

  async #rereadAll(): Promise<void> {
    const open = vscode.workspace.textDocuments.filter(
      ({ uri, isClosed }) => uri.scheme === stackScheme && !isClosed,
    );
    await Promise.all(open.map((document) => this.#reread(document)));
  }

  /** Has VS Code read a document again that is another one now; what others change is merged into one that is written when it is saved. */
  async #reread(document: vscode.TextDocument): Promise<void> {
    const file = await this.#files.get(document.uri.toString())?.catch(() => undefined);
    if (!file || document.isDirty) {
      return;
    }
    try {
      const before = file.modified;
      await this.#serve(file);
      if (file.modified === before) {
        await this.#adopt(document);
      } else {
        this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri: file.uri }]);
      }
    } catch {
      // A document that can't be read again stays as it is shown; saving says why.
    }
  }

  /** Tells of what the service has not taken. */
  async #tell(unsent: readonly Unsent[]): Promise<void> {
    const [first, ...others] = unsent;
    if (first?.outcome && others.length === 0) {
      await this.#context.tellOutcome(first.pending, first.outcome);
    } else if (first) {
      const show = await showMessage(
        vscode.l10n.t(
          "{0} of your changes couldn't be sent yet. They're saved on this computer.",
          unsent.length,
        ),
        { severity: 'warning', actions: [{ title: vscode.l10n.t('Show Unsent Changes'), value: true }] },
      );
      if (show) {
        await runCommand('showUnsentChanges');
      }
    }
  }
}

/** The first line, for whoever writes into the file. */
function headText(): string {
  return vscode.l10n.t(
    'Edit the texts, and save. What you write below a diff is a new text, and so is what follows a comment that says "text" and nothing else. A text without its comment is deleted. Move a text or a diff with its comment to change the order. Diffs and the titles of patches stay as they are.',
  );
}

function partLines(section: PatchSection): string[] {
  return section.sectionType === 'diff'
    ? diffLines(sectionLabel(section), section.diffPatch ?? '', (count) =>
        count === 1 ? vscode.l10n.t('… 1 more line') : vscode.l10n.t('… {0} more lines', count),
      )
    : [];
}

function problemText({ kind, name, line }: MarkdownProblem): string {
  switch (kind) {
    case 'title':
      return vscode.l10n.t('Line {0} must be the title of the patch stack, after "# ".', line + 1);
    case 'patch':
      return vscode.l10n.t(
        'Line {0} must begin the patch "{1}". Patches can\'t be moved or deleted here.',
        line + 1,
        name,
      );
    case 'heading':
      return vscode.l10n.t(
        'Line {0} must be the title of the patch "{1}", which is that of its commit.',
        line + 1,
        name,
      );
    case 'diff':
      return vscode.l10n.t(
        'The diff of "{1}" must stay in its patch as it was. See line {0}.',
        line + 1,
        name,
      );
  }
}

function laterThan({ modified }: OpenFile): number {
  return Math.max(Date.now(), modified + 1);
}
