import * as vscode from 'vscode';
import type { PendingChanges } from '../../model/pending/pendingChanges.ts';
import type { Model } from '../../model/model.ts';
import { sectionTitle } from '../../util/sectionTitle.ts';
import { refuseReadOnly } from '../stackStatus.ts';
import { sendChange, type PendingActions } from './sendChange.ts';
import type { PatchRef } from '../../util/patchRef.ts';

/** Deletes sections: at once. What the service has taken is told with *Undo*, like every change. */
export class SectionDeletion {
  readonly #pendingChanges: PendingChanges;
  readonly #model: Model;
  readonly #actions: PendingActions;

  constructor(pendingChanges: PendingChanges, model: Model, actions: PendingActions) {
    this.#pendingChanges = pendingChanges;
    this.#model = model;
    this.#actions = actions;
  }

  /**
   * Deletes a text section.
   *
   * @throws why it cannot be, or was not.
   */
  async delete(patch: PatchRef, code: string): Promise<void> {
    await refuseReadOnly(this.#model, patch);
    const sections = (await this.#model.patch(patch)).value.sections ?? [];
    const place = sections.findIndex((section) => section.code === code);
    const section = sections[place];
    if (section?.sectionType !== 'text') {
      throw new Error(
        section
          ? vscode.l10n.t("This section shows what the commit changes and can't be deleted.")
          : vscode.l10n.t('This section no longer exists.'),
      );
    }
    if (this.#pendingChanges.find({ kind: 'sectionText', patch, code })) {
      throw new Error(vscode.l10n.t('This section has unsaved changes. Save or discard them first.'));
    }
    const { text = '' } = section;
    const title = sectionTitle(text) ?? section.title ?? vscode.l10n.t('Text');
    const after = sections[place - 1]?.code ?? null;
    const subject = { kind: 'sectionDeletion' as const, patch, code };
    await sendChange(this.#pendingChanges, this.#actions, subject, { text, after }, title);
  }
}
