import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { isApiError } from '../../api/errors.ts';
import type { PatchSection } from '../../api/types/patches.ts';
import { sectionScheme } from '../../contributions.ts';
import { inBackground } from '../../util/inBackground.ts';
import { mergeText } from '../../util/mergeText.ts';
import type { Model } from '../../model/model.ts';
import { describeReason } from '../../ui/failures.ts';
import type { Files } from '../../ui/lazyFiles.ts';
import type { Log } from '../../ui/log.ts';
import { showMessage } from '../../ui/notifications.ts';
import { saveDocument } from '../../ui/saveDocument.ts';
import { DisposableStore, type Disposable } from '../../util/disposable.ts';
import { patchLabel, sectionLabel } from '../../ui/labels.ts';
import { describeReadOnly, goToActive, isReadOnly } from '../stackStatus.ts';
import type { FileSection, SectionUris } from './sectionUris.ts';
import type { SectionTexts, TypedText } from './sectionTexts.ts';
import { isSameSection, refOf, type SectionRef } from '../../util/patchRef.ts';
import { serverName } from '../../session/serverName.ts';

/** A section whose file VS Code has asked for, until its document is closed. */
interface OpenFile {
  readonly uri: vscode.Uri;
  readonly section: FileSection;
  /** Its text as one that is typed on a page, and how far that is; see `TypedOn`. */
  readonly typedOn: { readonly page: string; edition: number };
  /** The text on the service, as it was read or written last. */
  text?: string;
  /** Milliseconds since 1970; grows whenever what VS Code has read is not what it would read now. */
  modified: number;
  /** The pending change that the document began with: what is typed is a change of that. */
  begun?: string | undefined;
  /** When it was typed into since it was saved: the text that it had when that was kept last. */
  typed?: string | undefined;
  /** True when it was read again since the last typing, as when the person takes back all that was typed. */
  isReadAgain?: boolean;
  /** The text that the service refused: the document stays changed. */
  refused?: string | undefined;
  /** True when its patch is read-only, as VS Code was told last. */
  isReadOnly?: boolean;
}

interface SectionFilesContext {
  uris: SectionUris;
  model: () => Promise<Model>;
  texts: () => Promise<SectionTexts>;
  /** The server of the active account; known before this window has heard of that server. */
  server: () => Promise<string | undefined>;
  log: Log;
}

/** Text sections as markdown files, for people who write with their own keys, preview and extensions. */
export class SectionFiles implements Files, Disposable {
  readonly #context: SectionFilesContext;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly #files = new Map<string, OpenFile>();
  #watching = false;

  readonly onDidChangeFile = this.#changed.event;

  constructor(context: SectionFilesContext) {
    this.#context = context;
    this.#disposables.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#files.delete(uri.toString());
      }),
    );
    const follow = (document: vscode.TextDocument): void => {
      if (document.uri.scheme === sectionScheme) {
        this.#follow(document).catch((error: unknown) =>
          // VS Code itself has what is typed as well.
          context.log.error(`Keeping what is typed failed: ${String(error)}`),
        );
      }
    };
    this.#disposables.add(vscode.workspace.onDidChangeTextDocument(({ document }) => follow(document)));
    this.#disposables.add(vscode.workspace.onDidOpenTextDocument(follow));
    // A window that is loaded again has them before it asks for a file.
    vscode.workspace.textDocuments.forEach(follow);
  }

  /** Opens a section, or shows it where it is open. */
  async open(patch: SectionRef, code: string): Promise<void> {
    const section = { ...refOf(patch), sectionCode: code };
    const open = vscode.workspace.textDocuments.find(({ uri }) => {
      const other = uri.scheme === sectionScheme ? this.#context.uris.find(uri) : undefined;
      return other && isSameSection(other, section);
    });
    const uri = open?.uri ?? (await this.#uri(section));
    const document = await vscode.workspace.openTextDocument(uri);
    const file = this.#file(uri);
    const pending = await this.#pending(file);
    if (pending !== undefined && !document.isDirty && pending !== document.getText()) {
      // VS Code keeps documents for a while that are closed. To put the text into one would change it without anybody typing.
      this.#readAgain(file);
    }
    await vscode.window.showTextDocument(document, { preview: false });
    if (file.isReadOnly) {
      inBackground(this.#tellReadOnly(patch));
    }
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const file = this.#file(uri);
    const text = file.begun ?? file.text ?? (await this.#read(file));
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: file.modified,
      size: Buffer.byteLength(text),
      ...((await this.#refusesTyping(file)) && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from(await this.#read(this.#file(uri)));
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const file = this.#file(uri);
    const { section } = file;
    if (section.serverUrl !== (await this.#context.server())) {
      throw vscode.FileSystemError.NoPermissions(
        vscode.l10n.t(
          'This section is on {0}. Sign in to that server to save it.',
          serverName(section.serverUrl),
        ),
      );
    }
    const text = Buffer.from(content).toString();
    const base = await this.#base(file);
    const texts = await this.#context.texts();
    file.typed = undefined;
    const outcome = await texts.send({ ...changeOf(file, base), text });
    if (outcome.kind === 'refused') {
      const { kind } = outcome.refusal;
      if (kind !== 'unsent') {
        inBackground(this.#offerDecision(section, kind, outcome.refusal.text));
      }
      // The document stays changed, and the text is kept as a pending change besides.
      file.refused = text;
      throw new vscode.FileSystemError(outcome.refusal.text);
    }
    file.refused = undefined;
    know(file, text);
    if (outcome.merged && !outcome.movedOn) {
      // The document has what was typed; what was made of it is read as soon as saving has ended.
      setTimeout(() => inBackground(this.#reread(file)), 0);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** @throws {FileSystemError} for one that was opened too long ago. */
  #file(uri: vscode.Uri): OpenFile {
    const key = uri.toString();
    const known = this.#files.get(key);
    if (known) {
      return known;
    }
    const section = this.#context.uris.find(uri);
    if (!section) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    const file: OpenFile = { uri, section, typedOn: { page: randomUUID(), edition: 0 }, modified: 0 };
    this.#files.set(key, file);
    return file;
  }

  async #uri(section: FileSection): Promise<vscode.Uri> {
    const { value } = await (await this.#context.model()).patch(section);
    return this.#context.uris.file(section, patchLabel(value), sectionLabel(await this.#section(section)));
  }

  /** The text that a document begins with: the unsent one if there is one, else that of the service. */
  async #read(file: OpenFile): Promise<string> {
    const { text = '' } = await this.#section(file.section).catch((error: unknown) => {
      throw isApiError(error) && error.kind === 'notFound'
        ? vscode.FileSystemError.FileNotFound(file.uri)
        : vscode.FileSystemError.Unavailable(describeReason(error));
    });
    this.#watch();
    know(file, text);
    const pending = await this.#pending(file);
    if (file.typed !== undefined) {
      file.isReadAgain = true;
      return text;
    }
    file.begun = pending;
    return pending ?? text;
  }

  /** The text of a section that was typed here or elsewhere, and isn't sent yet. */
  async #pending({ section }: OpenFile): Promise<string | undefined> {
    return (await this.#context.texts()).find(section, { code: section.sectionCode })?.content.text;
  }

  async #base({ text, section }: OpenFile): Promise<string> {
    return text ?? (await this.#section(section)).text ?? '';
  }

  /** Keeps what is typed into a document while it is typed, and no longer keeps what is taken back there. */
  async #follow(document: vscode.TextDocument): Promise<void> {
    if (!this.#context.uris.find(document.uri)) {
      return;
    }
    const file = this.#file(document.uri);
    const { section } = file;
    if (section.serverUrl !== (await this.#context.server())) {
      return;
    }
    const texts = await this.#context.texts();
    const base = await this.#base(file);
    const change = changeOf(file, base);
    const text = document.getText();
    if (document.isDirty) {
      const pending = texts.find(section, change.target);
      if (!pending && file.typed === undefined && text === base) {
        // VS Code may bring back what was sent just before the window was loaded again, as if that were unsaved.
        await saveDocument(document);
        return;
      }
      const before = file.typed ?? file.begun ?? base;
      const merge = mergeText(before, text, pending?.content.text ?? text);
      if (merge.kind === 'conflict') {
        // The same words were written in the document of the patch as well: they can be had back.
        await texts.discard(section, change.target, { undoOffered: false });
      }
      const kept = merge.kind === 'merged' ? merge.text : document.getText();
      file.begun = undefined;
      // Of what was merged the document has nothing yet, and gets it only if nothing is typed at this moment.
      file.typed = merge.kind === 'merged' ? text : kept;
      inBackground(texts.saveLocally({ ...change, text: kept }));
      if (merge.kind === 'merged' && kept !== text) {
        await replaceText(document, kept);
      }
    } else if (text === base && file.typed !== undefined) {
      file.typed = undefined;
      if (file.isReadAgain) {
        file.isReadAgain = false;
        await texts.discard(section, change.target, { undoOffered: false });
      } else {
        inBackground(texts.saveLocally({ ...change, text }));
      }
    }
  }

  async #refusesTyping(file: OpenFile): Promise<boolean> {
    if (file.section.serverUrl !== (await this.#context.server())) {
      return true;
    }
    file.isReadOnly = await isReadOnly(await this.#context.model(), file.section);
    // A text that was typed before is saved and sent as ever: it is for the service to refuse it.
    const isBegun = file.typed !== undefined || (await this.#pending(file)) !== undefined;
    return file.isReadOnly && !isBegun;
  }

  /** Says why a section can be read only: VS Code itself says no more than that it is so. */
  async #tellReadOnly(patch: SectionRef): Promise<void> {
    const reopen = await showMessage(describeReadOnly(), {
      actions: [{ title: vscode.l10n.t('Reopen Patch Stack'), value: true }],
    });
    if (reopen) {
      await goToActive(await this.#context.model(), patch);
    }
  }

  async #section({ sectionCode, ...patch }: FileSection): Promise<PatchSection & { sectionType: 'text' }> {
    const { value } = await (await this.#context.model()).patch(patch);
    const section = value.sections?.find(({ code }) => code === sectionCode);
    if (section?.sectionType !== 'text') {
      throw vscode.FileSystemError.FileNotFound(vscode.l10n.t('This section no longer exists.'));
    }
    return section;
  }

  /** Follows what others change in the sections that are open. */
  #watch(): void {
    if (this.#watching) {
      return;
    }
    this.#watching = true;
    inBackground(
      this.#context
        .texts()
        .then((texts) => this.#disposables.add(texts.onDidChange(() => this.#noticePending(texts)))),
    );
    inBackground(
      this.#context.model().then((model) =>
        this.#disposables.add(
          model.onDidChange((change) => {
            if (change.kind === 'all' || change.kind === 'project' || change.kind === 'stacks') {
              for (const file of this.#files.values()) {
                inBackground(this.#noticeReadOnly(file));
              }
            }
            if (change.kind === 'all' || change.kind === 'patch') {
              for (const [document, file] of this.#documents()) {
                // In one that is being written others' changes are joined when it is saved.
                inBackground(document.isDirty ? this.#adopt(document, file) : this.#reread(file));
              }
            }
          }),
        ),
      ),
    );
  }

  /** The documents that are open, with what is known of each. */
  #documents(): [vscode.TextDocument, OpenFile][] {
    return vscode.workspace.textDocuments.flatMap((document) => {
      const file = this.#files.get(document.uri.toString());
      return file ? [[document, file]] : [];
    });
  }

  /** Has VS Code look again whether a document can be changed, when that is not as it was. */
  async #noticeReadOnly({ uri, section, isReadOnly: before }: OpenFile): Promise<void> {
    if (before !== undefined && (await isReadOnly(await this.#context.model(), section)) !== before) {
      this.#tellChanged(uri);
    }
  }

  /** Has documents read again that began with a pending change which is another one now: discarded, or of another account. */
  #noticePending(texts: SectionTexts): void {
    for (const [{ isDirty }, file] of this.#documents()) {
      const { section, begun, typed } = file;
      const pending = texts.find(section, targetOf(file))?.content.text;
      if (begun !== undefined && typed === undefined && !isDirty && pending !== begun) {
        file.begun = undefined;
        this.#readAgain(file);
      }
    }
  }

  /** Has a document read again when its section has another text. */
  async #reread(file: OpenFile): Promise<void> {
    try {
      const { text = '' } = await this.#section(file.section);
      if (file.text !== undefined && know(file, text)) {
        this.#tellChanged(file.uri);
      }
    } catch {
      // A document that can't be read again stays as it is shown; saving says why.
    }
  }

  /** Has VS Code read a file again, unless it is typed into. */
  #readAgain(file: OpenFile): void {
    file.modified = laterThan(file);
    this.#tellChanged(file.uri);
  }

  #tellChanged(uri: vscode.Uri): void {
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  /**
   * Has a document take in its text as the service has it now, because it was decided or sent elsewhere, unless more was typed
   * since.
   */
  async #adopt(document: vscode.TextDocument, file: OpenFile): Promise<void> {
    const isRefused = file.refused === document.getText();
    if (!isRefused && file.typed === undefined) {
      return;
    }
    try {
      if ((await this.#pending(file)) !== undefined) {
        return;
      }
      const { text = '' } = await this.#section(file.section);
      if (!isRefused && text !== document.getText()) {
        if (text === file.typed) {
          know(file, text);
        }
        return;
      }
      file.refused = undefined;
      if (await replaceText(document, text)) {
        await saveDocument(document);
      }
    } catch {
      // A section that was deleted on the service stays in the document.
    }
  }

  async #offerDecision(section: FileSection, kind: 'conflict' | 'deleted', text: string): Promise<void> {
    const texts = await this.#context.texts();
    const compare = {
      title: vscode.l10n.t('Compare'),
      value: kind === 'deleted' ? ('merge' as const) : ('compare' as const),
    };
    const action = await showMessage(text, {
      severity: 'warning',
      actions: [
        kind === 'conflict'
          ? { title: vscode.l10n.t('Merge…'), value: 'merge' as const }
          : { title: vscode.l10n.t('Add as New Section'), value: 'addAgain' as const },
        compare,
      ],
    });
    if (action) {
      await texts.actOn(section, { code: section.sectionCode }, action);
    }
  }
}

/** False when something is typed at this moment, which stays. */
async function replaceText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  const all = document.validateRange(new vscode.Range(0, 0, Number.MAX_SAFE_INTEGER, 0));
  edit.replace(document.uri, all, text);
  return vscode.workspace.applyEdit(edit);
}

function targetOf({ section }: OpenFile): { code: string } {
  return { code: section.sectionCode };
}

/** A change by typing into a document, but for its text: each is further than the one before. */
function changeOf(file: OpenFile, base: string): Omit<TypedText, 'text'> {
  file.typedOn.edition += 1;
  return { patch: file.section, target: targetOf(file), base, typedOn: { ...file.typedOn } };
}

/** Takes in what the service has. False when that was known. */
function know(file: OpenFile, text: string): boolean {
  if (file.text === text) {
    return false;
  }
  file.text = text;
  file.modified = laterThan(file);
  return true;
}

function laterThan({ modified }: OpenFile): number {
  return Math.max(Date.now(), modified + 1);
}
