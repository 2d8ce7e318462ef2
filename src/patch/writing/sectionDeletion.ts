import * as vscode from 'vscode';
import type { Drafts } from '../../model/drafts/drafts.ts';
import type { Model, PatchAddress } from '../../model/model.ts';
import { attempt } from '../../ui/commands.ts';
import type { Log } from '../../ui/log.ts';
import { showMessage } from '../../ui/notifications.ts';
import { sectionTitle } from '../../util/sectionTitle.ts';
import { sendChange, sendDraft } from './sendChange.ts';

/** Deletes sections: at once. What the service has taken is told with *Undo*, like every change. */
export class SectionDeletion {
  readonly #drafts: Drafts;
  readonly #model: Model;
  readonly #log: Log;

  constructor(drafts: Drafts, model: Model, log: Log) {
    this.#drafts = drafts;
    this.#model = model;
    this.#log = log;
  }

  /**
   * Deletes a text section.
   *
   * @throws why it cannot be, or was not.
   */
  async delete(patch: PatchAddress, code: string): Promise<void> {
    const sections = (await this.#model.patch(patch)).value.sections ?? [];
    const place = sections.findIndex((section) => section.code === code);
    const section = sections[place];
    if (section?.sectionType !== 'text') {
      throw new Error(
        section
          ? vscode.l10n.t('It shows what the commit changes, and cannot be deleted.')
          : vscode.l10n.t('The section no longer exists.'),
      );
    }
    if (this.#drafts.find({ kind: 'sectionText', patch, code })) {
      throw new Error(vscode.l10n.t('It has text that is not saved. Save or discard that first.'));
    }
    const { text = '' } = section;
    const title = sectionTitle(text) ?? section.title ?? vscode.l10n.t('Text');
    const after = sections[place - 1]?.code ?? null;
    const subject = { kind: 'sectionDeletion' as const, patch, code };
    const outcome = await sendChange(this.#drafts, subject, { text, after }, title);
    if (outcome.kind === 'conflict') {
      void this.#askAgain(patch, code, title, outcome.theirs);
    }
  }

  async #askAgain(patch: PatchAddress, code: string, title: string, theirs: string): Promise<void> {
    const draft = this.#drafts.find({ kind: 'sectionDeletion', patch, code });
    const deleteAnyway = await showMessage(
      vscode.l10n.t('“{0}” was not deleted: somebody else has changed it meanwhile.', title),
      { severity: 'warning', actions: [{ title: vscode.l10n.t('Delete Anyway'), value: true }] },
    );
    if (!draft) {
      return;
    }
    if (!deleteAnyway) {
      await this.#drafts.takeBack(draft.id);
      await this.#model.refreshPatch(patch);
      return;
    }
    await attempt(vscode.l10n.t('Delete Section'), this.#log, async () => {
      this.#drafts.resolve(draft.id, theirs, '');
      await sendDraft(this.#drafts, draft.id);
    });
  }
}
