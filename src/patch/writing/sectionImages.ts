/** Images that are pasted or dropped into the text of a section, in VS Code's own editor: they have no place but the repository. */
import * as vscode from 'vscode';
import { sectionScheme } from '../../contributions.ts';
import type { Model } from '../../model/model.ts';
import { fileOf } from '../../model/prose/followReference.ts';
import { pathOf } from '../../model/prose/filesByName.ts';
import { showMessage } from '../../ui/notifications.ts';
import type { Disposable } from '../../util/disposable.ts';
import { inBackground } from '../../util/inBackground.ts';
import type { PatchRef } from '../../util/patchRef.ts';

const selector: vscode.DocumentSelector = { scheme: sectionScheme };
const kind = vscode.DocumentDropOrPasteEditKind.Text.append('patchStacks', 'image');
const mimeTypes = ['image/*'];

interface SectionImagesContext {
  uris: { find: (uri: vscode.Uri) => PatchRef | undefined };
  model: () => Promise<Model>;
}

/** Shows images that the patch has, and explains of others what can be done, so that they aren't lost without a word. */
export class SectionImages
  implements vscode.DocumentPasteEditProvider, vscode.DocumentDropEditProvider, Disposable
{
  readonly #context: SectionImagesContext;
  readonly #registered: readonly vscode.Disposable[];

  constructor(context: SectionImagesContext) {
    this.#context = context;
    const { languages } = vscode;
    this.#registered = [
      languages.registerDocumentPasteEditProvider(selector, this, {
        providedPasteEditKinds: [kind],
        pasteMimeTypes: mimeTypes,
      }),
      languages.registerDocumentDropEditProvider(selector, this, {
        providedDropEditKinds: [kind],
        dropMimeTypes: mimeTypes,
      }),
    ];
  }

  dispose(): void {
    for (const registered of this.#registered) {
      registered.dispose();
    }
  }

  async provideDocumentPasteEdits(
    document: vscode.TextDocument,
    _ranges: readonly vscode.Range[],
    data: vscode.DataTransfer,
  ): Promise<vscode.DocumentPasteEdit[]> {
    const text = await this.#take(document, data);
    return text === undefined ? [] : [new vscode.DocumentPasteEdit(text, insertTitle(), kind)];
  }

  async provideDocumentDropEdits(
    document: vscode.TextDocument,
    _position: vscode.Position,
    data: vscode.DataTransfer,
  ): Promise<vscode.DocumentDropEdit[]> {
    const text = await this.#take(document, data);
    return text === undefined ? [] : [new vscode.DocumentDropEdit(text, insertTitle(), kind)];
  }

  /** Markdown for images, by the names of their files; undefined, and the person is told, when the patch doesn't have them. */
  async #take(document: vscode.TextDocument, data: vscode.DataTransfer): Promise<string | undefined> {
    const section = this.#context.uris.find(document.uri);
    const names: string[] = [];
    data.forEach((item, type) => {
      const file = type.startsWith('image/') ? item.asFile() : undefined;
      if (file) {
        names.push(file.name);
      }
    });
    if (!section || names.length === 0) {
      return undefined;
    }
    const { value: patch } = await (await this.#context.model()).patch(section);
    const shown = names.flatMap((name) => {
      const file = fileOf(patch, name);
      return file ? `![${name}](${encodeURI(pathOf(file))})` : [];
    });
    if (shown.length === names.length) {
      return shown.join(' ');
    }
    inBackground(
      showMessage(
        vscode.l10n.t(
          "The server stores text only, so this image isn't in the section. Commit it to the repository, then show it with ![Description](path/to/image.png).",
        ),
      ),
    );
    return undefined;
  }
}

function insertTitle(): string {
  return vscode.l10n.t('Insert Image of Patch');
}
