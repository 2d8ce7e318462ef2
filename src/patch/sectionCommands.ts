import * as vscode from 'vscode';
import type { PatchSection } from '../api/types/patches.ts';
import { choose } from '../ui/choose.ts';
import { sectionLabel } from '../ui/labels.ts';
import { showMessage } from '../ui/notifications.ts';
import { inBackground } from '../util/inBackground.ts';
import type { Review } from '../util/review.ts';
import type { PatchPanel } from './patchPanel.ts';
import type { PatchPanels } from './patchPanels.ts';
import { refuseReadOnly } from './stackStatus.ts';
import type { PatchWriting } from './writing/patchWriting.ts';
import type { Saying } from './writing/signOff.ts';
import type { SectionFiles } from './writing/sectionFiles.ts';
import { isPatch, type SectionRef } from '../util/patchRef.ts';

interface SectionCommandsContext {
  panels: PatchPanels;
  writing: PatchWriting;
  files: SectionFiles;
}

type SectionType = PatchSection['sectionType'];

/** The commands that change a patch: for the rows of the stacks view, the patch document, the palette and keys. */
export class SectionCommands {
  readonly #context: SectionCommandsContext;

  constructor(context: SectionCommandsContext) {
    this.#context = context;
  }

  /**
   * Signs a patch off, or requests changes. Goes to what was never on the screen, when there is some, else to the next patch if
   * that is wanted.
   */
  async review(
    row: Partial<SectionRef> | undefined,
    review: Review,
    { anyway, goesOn = false }: Pick<Saying, 'anyway'> & { goesOn?: boolean } = {},
  ): Promise<void> {
    const { panels, writing } = this.#context;
    const patch = this.#patch(row);
    const seen = panels.shownFingerprint(patch);
    const unseen = await writing.signOff.set(patch, review, { seen, anyway });
    if (unseen.length > 0) {
      const panel = await panels.goTo({ ...patch, sectionCode: unseen[0] });
      await panel.tellUnseen(patch);
    } else if (goesOn) {
      await panels.goOn(patch);
    }
  }

  /** Begins a new section in the patch document: after a section, at the end of a patch, else where the focus is. */
  async add(row: Partial<SectionRef> | undefined): Promise<void> {
    const { panels, writing } = this.#context;
    await refuseReadOnly(writing.model, this.#patch(row));
    if (row?.sectionCode !== undefined) {
      const panel = await panels.open(this.#patch(row));
      await panel.ask('addSection', { after: row.sectionCode });
    } else if (isPatch(row)) {
      const { value } = await writing.model.patch(row);
      const panel = await panels.open(row);
      await panel.ask('addSection', { after: value.sections?.at(-1)?.code ?? null });
    } else {
      await this.#panel().ask('addSection', {});
    }
  }

  /** Begins a new section in the patch document, before a section: the one that is named, else the one that has the focus. */
  async addHere(row: Partial<SectionRef> | undefined): Promise<void> {
    const { panels, writing } = this.#context;
    const patch = this.#patch(row);
    await refuseReadOnly(writing.model, patch);
    const panel = row?.sectionCode === undefined ? this.#panel() : await panels.open(patch);
    await panel.ask('addSection', { before: row?.sectionCode ?? null });
  }

  /** Edits a text section in the patch document. */
  async edit(row: Partial<SectionRef> | undefined): Promise<void> {
    await refuseReadOnly(this.#context.writing.model, this.#patch(row));
    const section = await this.#section(row, ['text'], vscode.l10n.t('Edit Section'));
    const panel = await this.#context.panels.open(section);
    await panel.ask('editSection', { code: section.sectionCode });
  }

  /** Edits a text section as a document of its own. */
  async editInEditor(row: Partial<SectionRef> | undefined): Promise<void> {
    const section = await this.#section(row, ['text'], vscode.l10n.t('Edit Section in Text Editor'));
    await this.#context.files.open(section, section.sectionCode);
  }

  /** Notes that the text of a section is true of its code, although that has changed since. */
  async confirm(row: Partial<SectionRef> | undefined): Promise<void> {
    const section = await this.#section(row, ['text'], vscode.l10n.t('Mark Section as Still True'));
    if (!(await this.#context.panels.confirmText(section))) {
      inBackground(showMessage(vscode.l10n.t("The code hasn't changed since this section was written.")));
    }
  }

  /** Deletes a text section. */
  async delete(row: Partial<SectionRef> | undefined): Promise<void> {
    const section = await this.#section(row, ['text'], vscode.l10n.t('Delete Section'));
    await this.#context.writing.deletion.delete(section, section.sectionCode);
  }

  /** Moves a section by one place; in the patch document together with those that are selected. */
  async moveBy(row: Partial<SectionRef> | undefined, by: -1 | 1): Promise<void> {
    if (isPatch(row) && row.sectionCode !== undefined) {
      await this.#context.writing.order.moveBy(row, row.sectionCode, by);
    } else {
      await this.#moveInDocument(row, by);
    }
  }

  /** Moves a section, together with those that are selected, to a place that is asked for. */
  async moveTo(row: Partial<SectionRef> | undefined): Promise<void> {
    await this.#moveInDocument(row, 'choose');
  }

  async #moveInDocument(row: Partial<SectionRef> | undefined, by: -1 | 1 | 'choose'): Promise<void> {
    if (isPatch(row) && row.sectionCode === undefined) {
      // A key on the row of a patch: what has the focus in its document is not meant.
      return;
    }
    await refuseReadOnly(this.#context.writing.model, this.#patch(row));
    const panel = isPatch(row) ? await this.#context.panels.open(row) : this.#panel();
    const { sectionCode } = row ?? {};
    if (!(await panel.ask('moveSections', { by, ...(sectionCode !== undefined && { code: sectionCode }) }))) {
      const section = await this.#section(
        undefined,
        ['text', 'diff', 'unknown'],
        vscode.l10n.t('Move Section'),
      );
      await panel.ask('moveSections', { by, code: section.sectionCode });
    }
  }

  #panel(): PatchPanel {
    const { active } = this.#context.panels;
    if (!active) {
      throw new Error(vscode.l10n.t('No patch is open. Open one from the Patch Stacks view.'));
    }
    return active;
  }

  #patch(row: Partial<SectionRef> | undefined): SectionRef {
    const ref = isPatch(row) ? row : this.#panel().ref;
    this.#context.panels.refuseElsewhere(ref);
    return ref;
  }

  /** The section that a command is for: the one it was given, the one that has the focus, else one that is chosen. */
  async #section(
    row: Partial<SectionRef> | undefined,
    types: readonly SectionType[],
    title: string,
  ): Promise<SectionRef & { sectionCode: string }> {
    const ref = this.#patch(row);
    const sections = (await this.#context.writing.model.patch(ref)).value.sections ?? [];
    const fits = (code: string | null | undefined): code is string =>
      sections.some((section) => section.code === code && types.includes(section.sectionType));
    const named = row?.sectionCode;
    if (named !== undefined) {
      if (!fits(named)) {
        throw new Error(vscode.l10n.t("This section shows what the commit changes and doesn't have text."));
      }
      return { ...ref, sectionCode: named };
    }
    const { active } = this.#context.panels;
    const focused = active?.isVisible && active.shows(ref) ? await active.ask('focusedSection', null) : null;
    if (fits(focused)) {
      return { ...ref, sectionCode: focused };
    }
    const sectionCode = await choose({
      title,
      placeholder: vscode.l10n.t('Select a section'),
      empty: vscode.l10n.t("This patch doesn't have a text section."),
      load: async () =>
        sections
          .filter(({ code }) => fits(code))
          .map((section) => ({ label: sectionLabel(section), choice: { value: section.code } })),
    });
    return { ...ref, sectionCode };
  }
}
