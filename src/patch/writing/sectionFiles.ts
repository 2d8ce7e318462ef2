import * as vscode from 'vscode';
import { isApiError } from '../../api/errors.ts';
import type { PatchSection } from '../../api/types/patches.ts';
import { sectionScheme, type PatchReference } from '../../contributions.ts';
import { mergeText } from '../../model/pending/mergeText.ts';
import type { Model } from '../../model/model.ts';
import { describeReason } from '../../ui/failures.ts';
import type { Files } from '../../ui/lazyFiles.ts';
import type { Log } from '../../ui/log.ts';
import { showMessage } from '../../ui/notifications.ts';
import { DisposableStore, type Disposable } from '../../util/disposable.ts';
import { patchLabel, sectionLabel } from '../../ui/labels.ts';
import { describeReadOnly, goToActive, isReadOnly } from '../stackStatus.ts';
import type { SectionAddress, SectionAddresses } from './sectionAddresses.ts';
import type { SectionTexts } from './sectionTexts.ts';

/** A section as it was read or written last. */
interface KnownFile {
  text: string;
  /** Milliseconds since 1970; grows whenever the text is another one without having been written here. */
  modified: number;
}

/** What the files of sections need of the rest. */
export interface SectionFilesContext {
  addresses: SectionAddresses;
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
  readonly #known = new Map<string, KnownFile>();
  /** What the service did not take, by the file: its document stays changed. */
  readonly #refused = new Map<string, string>();
  /** The files that were typed into since they were saved, each with the text that was kept of it last as a pending change. */
  readonly #typed = new Map<string, string>();
  /** The pending change that a document began with, by the file: what is typed is a change of that. */
  readonly #begun = new Map<string, string>();
  /** Those of the files typed into that were read again since, as when the person takes back all that was typed. */
  readonly #readAgain = new Set<string>();
  /** Whether the patches of files can be read only, as VS Code was told last. */
  readonly #readOnly = new Map<string, boolean>();
  #watching = false;

  readonly onDidChangeFile = this.#changed.event;

  constructor(context: SectionFilesContext) {
    this.#context = context;
    this.#disposables.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        for (const known of [this.#known, this.#refused, this.#begun, this.#readAgain, this.#readOnly]) {
          known.delete(uri.toString());
        }
      }),
    );
    this.#disposables.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === sectionScheme) {
          this.#follow(document).catch((error: unknown) =>
            // VS Code itself has what is typed as well.
            context.log.error(`Keeping what is typed failed: ${String(error)}`),
          );
        }
      }),
    );
  }

  /** Opens a section, or shows it where it is open. */
  async open(patch: PatchReference, code: string): Promise<void> {
    const address: SectionAddress = {
      serverUrl: patch.serverUrl,
      projectId: patch.projectId,
      branchId: patch.branchId,
      stackUuid: patch.stackUuid,
      changeId: patch.changeId,
      sectionCode: code,
    };
    const open = vscode.workspace.textDocuments.find(
      ({ uri }) => uri.scheme === sectionScheme && isSame(this.#context.addresses.find(uri), address),
    );
    const uri = open?.uri ?? (await this.#uri(address));
    const document = await vscode.workspace.openTextDocument(uri);
    const pending = (await this.#context.texts()).find(patch, { code });
    if (pending && !document.isDirty && pending.content.text !== document.getText()) {
      // VS Code keeps documents for a while that are closed, and does not read them again.
      this.#begun.set(uri.toString(), pending.content.text);
      await replaceText(document, pending.content.text);
    }
    await vscode.window.showTextDocument(document, { preview: false });
    if (this.#readOnly.get(uri.toString())) {
      void this.#tellReadOnly(patch);
    }
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const known = this.#known.get(uri.toString()) ?? (await this.#read(uri));
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: known.modified,
      size: Buffer.byteLength(known.text),
      ...((await this.#isReadOnly(uri)) && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.#read(uri)).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const address = this.#address(uri);
    if (address.serverUrl !== (await this.#context.server())) {
      throw vscode.FileSystemError.NoPermissions(
        vscode.l10n.t('This section is on {0}. Sign in to that server to save it.', address.serverUrl),
      );
    }
    const text = Buffer.from(content).toString();
    const base = this.#known.get(uri.toString())?.text ?? (await this.#section(address)).text ?? '';
    const texts = await this.#context.texts();
    const target = { code: address.sectionCode };
    this.#typed.delete(uri.toString());
    const outcome = await texts.send({ patch: address, target, base, text });
    if (outcome.kind === 'refused') {
      const { kind } = outcome.refusal;
      if (kind !== 'unsent') {
        void this.#offerDecision(address, kind, outcome.refusal.text);
      }
      // The document stays changed, and the text is kept as a pending change besides.
      this.#refused.set(uri.toString(), text);
      throw new vscode.FileSystemError(outcome.refusal.text);
    }
    this.#refused.delete(uri.toString());
    this.#know(uri, text);
    if (outcome.merged && !outcome.movedOn) {
      // The document has what was typed; what was made of it is read as soon as saving has ended.
      setTimeout(() => void this.#reread(uri), 0);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #address(uri: vscode.Uri): SectionAddress {
    const address = this.#context.addresses.find(uri);
    if (!address) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return address;
  }

  async #uri(address: SectionAddress): Promise<vscode.Uri> {
    const section = await this.#section(address);
    const { value } = await (await this.#context.model()).patch(address);
    return this.#context.addresses.file(address, patchLabel(value), sectionLabel(section));
  }

  /** What a document begins with: what was typed and not sent yet, else what the service has. */
  async #read(uri: vscode.Uri): Promise<KnownFile> {
    const address = this.#address(uri);
    const { text = '' } = await this.#section(address).catch((error: unknown) => {
      throw isApiError(error) && error.kind === 'notFound'
        ? vscode.FileSystemError.FileNotFound(uri)
        : vscode.FileSystemError.Unavailable(describeReason(error));
    });
    this.#watch();
    const file = this.#know(uri, text);
    const texts = await this.#context.texts();
    const pending = texts.find(address, { code: address.sectionCode });
    if (this.#typed.has(uri.toString())) {
      this.#readAgain.add(uri.toString());
      return file;
    }
    if (!pending) {
      this.#begun.delete(uri.toString());
      return file;
    }
    this.#begun.set(uri.toString(), pending.content.text);
    return { ...file, text: pending.content.text };
  }

  /** Keeps what is typed into a document while it is typed, and no longer keeps what is taken back there. */
  async #follow(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    const key = uri.toString();
    const address = this.#context.addresses.find(uri);
    if (!address || address.serverUrl !== (await this.#context.server())) {
      return;
    }
    const texts = await this.#context.texts();
    const base = this.#known.get(key)?.text ?? (await this.#section(address)).text ?? '';
    const target = { code: address.sectionCode };
    const text = document.getText();
    if (document.isDirty) {
      const pending = texts.find(address, target);
      const before = this.#typed.get(key) ?? this.#begun.get(key) ?? base;
      const merge = mergeText(before, text, pending?.content.text ?? text);
      if (merge.kind === 'conflict') {
        // The same words were written in the document of the patch as well: they can be had back.
        await texts.discard(address, target, { undoOffered: false });
      }
      const kept = merge.kind === 'merged' ? merge.text : document.getText();
      this.#begun.delete(key);
      this.#typed.set(key, kept);
      void texts.keep({ patch: address, target, base, text: kept });
      if (merge.kind === 'merged' && kept !== text) {
        await replaceText(document, kept);
      }
    } else if (text === base && this.#typed.delete(key)) {
      if (this.#readAgain.delete(key)) {
        await texts.discard(address, target, { undoOffered: false });
      } else {
        void texts.keep({ patch: address, target, base, text });
      }
    }
  }

  /** Whether what is typed could not be saved. */
  async #isReadOnly(uri: vscode.Uri): Promise<boolean> {
    const address = this.#address(uri);
    if (address.serverUrl !== (await this.#context.server())) {
      return true;
    }
    const readOnly = await isReadOnly(await this.#context.model(), address);
    this.#readOnly.set(uri.toString(), readOnly);
    // What was typed before is saved and sent as ever: it is for the service to say no.
    const isBegun =
      this.#typed.has(uri.toString()) ||
      (await this.#context.texts()).find(address, { code: address.sectionCode }) !== undefined;
    return readOnly && !isBegun;
  }

  /** Says why a section can be read only: VS Code itself says no more than that it is so. */
  async #tellReadOnly(patch: PatchReference): Promise<void> {
    const reopen = await showMessage(describeReadOnly(), {
      actions: [{ title: vscode.l10n.t('Reopen Patch Stack'), value: true }],
    });
    if (reopen) {
      await goToActive(await this.#context.model(), patch);
    }
  }

  async #section({ sectionCode, ...patch }: SectionAddress): Promise<PatchSection & { sectionType: 'text' }> {
    const { value } = await (await this.#context.model()).patch(patch);
    const section = value.sections?.find(({ code }) => code === sectionCode);
    if (section?.sectionType !== 'text') {
      throw vscode.FileSystemError.FileNotFound(vscode.l10n.t('This section no longer exists.'));
    }
    return section;
  }

  #know(uri: vscode.Uri, text: string): KnownFile {
    const key = uri.toString();
    const before = this.#known.get(key);
    const known =
      before?.text === text ? before : { text, modified: Math.max(Date.now(), (before?.modified ?? 0) + 1) };
    this.#known.set(key, known);
    return known;
  }

  /** Follows what others change in the sections that are open. */
  #watch(): void {
    if (this.#watching) {
      return;
    }
    this.#watching = true;
    void this.#context
      .texts()
      .then((texts) => this.#disposables.add(texts.onDidChange(() => this.#noticePending(texts))));
    void this.#context.model().then((model) =>
      this.#disposables.add(
        model.onDidChange((change) => {
          if (change.kind === 'all' || change.kind === 'project' || change.kind === 'stacks') {
            for (const key of this.#readOnly.keys()) {
              void this.#noticeReadOnly(vscode.Uri.parse(key));
            }
          }
          if (change.kind === 'all' || change.kind === 'patch') {
            for (const document of vscode.workspace.textDocuments) {
              const { uri, isDirty } = document;
              if (uri.scheme !== sectionScheme) {
                continue;
              }
              // In one that is being written others' changes are joined when it is saved.
              void (isDirty ? this.#adopt(document) : this.#reread(uri));
            }
          }
        }),
      ),
    );
  }

  /** Has VS Code look again whether a document can be changed, when that is not as it was. */
  async #noticeReadOnly(uri: vscode.Uri): Promise<void> {
    const before = this.#readOnly.get(uri.toString());
    if ((await isReadOnly(await this.#context.model(), this.#address(uri))) !== before) {
      this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    }
  }

  /** Has documents read again that began with a pending change which is another one now: discarded, or of another account. */
  #noticePending(texts: SectionTexts): void {
    for (const { uri, isDirty } of vscode.workspace.textDocuments) {
      const key = uri.toString();
      const begun = this.#begun.get(key);
      const known = this.#known.get(key);
      if (begun === undefined || !known || isDirty || this.#typed.has(key)) {
        continue;
      }
      const address = this.#address(uri);
      if (texts.find(address, { code: address.sectionCode })?.content.text !== begun) {
        this.#begun.delete(key);
        this.#known.set(key, { ...known, modified: Math.max(Date.now(), known.modified + 1) });
        this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
      }
    }
  }

  /** Has a document read again when its section has another text. */
  async #reread(uri: vscode.Uri): Promise<void> {
    const before = this.#known.get(uri.toString());
    try {
      const { text = '' } = await this.#section(this.#address(uri));
      if (before && this.#know(uri, text) !== before) {
        this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
      }
    } catch {
      // What cannot be read stays as it is shown; saving tells.
    }
  }

  /**
   * Has a document take in its text as the service has it now, because it was decided or sent elsewhere, unless more was typed
   * since.
   */
  async #adopt(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    const key = uri.toString();
    const isRefused = this.#refused.get(key) === document.getText();
    if (!isRefused && !this.#typed.has(key)) {
      return;
    }
    try {
      const address = this.#address(uri);
      const texts = await this.#context.texts();
      if (texts.find(address, { code: address.sectionCode })) {
        return;
      }
      const { text = '' } = await this.#section(address);
      if (!isRefused && text !== document.getText()) {
        if (text === this.#typed.get(key)) {
          this.#know(uri, text);
        }
        return;
      }
      this.#refused.delete(key);
      await replaceText(document, text);
      await document.save();
    } catch {
      // What is gone from the service stays in the document.
    }
  }

  async #offerDecision(
    { sectionCode, ...patch }: SectionAddress,
    kind: 'conflict' | 'deleted',
    text: string,
  ): Promise<void> {
    const texts = await this.#context.texts();
    const compare = {
      title: vscode.l10n.t('Compare'),
      value: kind === 'deleted' ? ('merge' as const) : ('compare' as const),
    };
    const decision = await showMessage(text, {
      severity: 'warning',
      actions: [
        kind === 'conflict'
          ? { title: vscode.l10n.t('Merge…'), value: 'merge' as const }
          : { title: vscode.l10n.t('Add as New Section'), value: 'addAgain' as const },
        compare,
      ],
    });
    if (decision) {
      await texts.decide(patch, { code: sectionCode }, decision);
    }
  }
}

async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const all = document.validateRange(new vscode.Range(0, 0, Number.MAX_SAFE_INTEGER, 0));
  edit.replace(document.uri, all, text);
  await vscode.workspace.applyEdit(edit);
}

function isSame(a: SectionAddress | undefined, b: SectionAddress): boolean {
  return (
    a?.serverUrl === b.serverUrl &&
    a.stackUuid === b.stackUuid &&
    a.changeId === b.changeId &&
    a.sectionCode === b.sectionCode
  );
}
