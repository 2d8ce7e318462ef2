import * as vscode from 'vscode';
import type { EditorFile } from '../commandTable.ts';
import type { Model } from '../model/model.ts';
import { markdownOf } from '../model/pending/inPatch.ts';
import { openConflicts } from '../model/pending/mergeConflicts.ts';
import { conflictOf, isLost, type KnownChange } from '../model/pending/pendingChange.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import { attempt } from '../ui/commands.ts';
import type { Log } from '../ui/log.ts';
import { showMessage } from '../ui/notifications.ts';
import type { Disposable } from '../util/disposable.ts';
import { inBackground } from '../util/inBackground.ts';
import type { PatchRef } from '../util/patchRef.ts';
import { sectionTitle } from '../util/sectionTitle.ts';
import type { ConflictFiles } from './conflictFiles.ts';
import type { Answer, Question } from './questions.ts';
import { describe } from './describe.ts';

interface ConflictsContext {
  pendingChanges: PendingChanges;
  conflicts: ConflictFiles;
  model: Model;
  log: Log;
  send: (pending: KnownChange) => Promise<void>;
}

/**
 * Lets a person resolve the conflicts of their changes with others', and those between versions of a text that is shared: by a question beside two texts, or in
 * the merge editor.
 */
export class ConflictResolution implements Disposable {
  readonly #context: ConflictsContext;
  readonly #pendingChanges: PendingChanges;
  readonly #left: Disposable;

  constructor(context: ConflictsContext) {
    this.#context = context;
    this.#pendingChanges = context.pendingChanges;
    this.#left = context.conflicts.onDidLeave((id) => inBackground(this.#remind(id)));
  }

  dispose(): void {
    this.#left.dispose();
  }

  /** Resolves the conflict of a file, or whose texts the active editor shows; false where there is none. */
  async resolveIn(file?: EditorFile): Promise<boolean> {
    const { conflicts } = this.#context;
    const pending = this.#pendingChanges.get(conflicts.idOf(file) ?? conflicts.active);
    if (!pending || !conflictOf(pending)) {
      return false;
    }
    await (describe(pending.subject).question?.(pending)
      ? this.resolve(pending)
      : this.#complete(pending.id));
    return true;
  }

  /** Has the person decide between their change and somebody else's, beside the texts. Nothing is sent until then. */
  async resolve({ id }: KnownChange): Promise<void> {
    const pending = this.#pendingChanges.get(id);
    if (!pending || !conflictOf(pending)) {
      return;
    }
    const { conflicts, log } = this.#context;
    const question = describe(pending.subject).question?.(pending);
    if (!question) {
      return conflicts.openMergeEditor(pending);
    }
    await conflicts.openDiffEditor(pending, question.left, question.right, question.title);
    // The message stays as long as the person looks at the texts.
    inBackground(
      attempt(vscode.l10n.t('resolve the conflict in "{0}"', pending.title), log, () =>
        this.#ask(pending, question),
      ),
    );
  }

  /** Has the person decide, for everybody, between the version of a text that is shown and the latest one beside it. */
  async resolveShared(patch: PatchRef, code: string): Promise<void> {
    const { model } = this.#context;
    const { sections = [] } = (await model.refreshPatch(patch)).value;
    const section = sections.find((candidate) => candidate.code === code);
    const other = section?.sectionType === 'text' ? section.versions?.others[0] : undefined;
    if (!section || !other) {
      throw new Error(vscode.l10n.t('This conflict is already resolved.'));
    }
    const shown = markdownOf(section);
    const id = this.#pendingChanges.beginResolving(
      { kind: 'sharedConflict', patch, code },
      { shown, other, title: sectionTitle(shown) ?? vscode.l10n.t('Text') },
    );
    const pending = this.#pendingChanges.get(id);
    if (pending) {
      await this.resolve(pending);
    }
  }

  async #ask(pending: KnownChange, question: Question): Promise<void> {
    const { text, actions } = question;
    const answer = await showMessage(text, { severity: 'warning', actions });
    if (answer === 'showBase') {
      const title = vscode.l10n.t('{0} (Before ↔ On the Server)', pending.title);
      await this.#context.conflicts.openDiffEditor(pending, 'base', 'theirs', title);
      return this.#ask(pending, question);
    }
    if (answer) {
      await this.#carryOut(pending.id, answer);
    }
  }

  async #carryOut(id: string, answer: Exclude<Answer, 'showBase'>): Promise<void> {
    const pending = this.#pendingChanges.get(id);
    const conflict = pending && conflictOf(pending);
    if (!conflict) {
      throw new Error(vscode.l10n.t('This conflict is already resolved.'));
    }
    switch (answer) {
      case 'theirs':
        await this.#pendingChanges.discard(id);
        break;
      case 'mine':
        if (isLost(pending, pending.failure)) {
          this.#pendingChanges.makeNew(id);
        } else {
          this.#pendingChanges.resolve(id, conflict.theirs, conflict.mine);
        }
        break;
      case 'same':
      case 'another':
        this.#pendingChanges.resolveNewSection(id, answer === 'same');
        break;
    }
    await this.#context.conflicts.close(id);
    if (answer !== 'theirs') {
      await this.#context.send(pending);
    }
  }

  /** Ends a conflict with what the person has written in the merge editor, and sends that. */
  async #complete(id: string): Promise<void> {
    const { conflicts } = this.#context;
    const pending = this.#pendingChanges.get(id);
    const conflict = pending && conflictOf(pending);
    if (!conflict) {
      return;
    }
    await conflicts.save(id);
    const text = conflicts.result(pending);
    const open = openConflicts(conflict, text ?? conflict.base);
    if (text === undefined || open > 0) {
      await this.#refuse(pending, openConflictsLeft(pending.title, open));
      return;
    }
    const isTitle = conflict.field === 'title';
    if (isTitle && text.trim().includes('\n')) {
      await this.#refuse(pending, vscode.l10n.t("Titles can't contain line breaks."));
      return;
    }
    this.#pendingChanges.resolve(id, conflict.theirs, isTitle ? text.trim() : text);
    await conflicts.close(id);
    await this.#context.send(pending);
  }

  /** Says why a conflict is not resolved, and goes to its texts. */
  async #refuse(pending: KnownChange, text: string): Promise<void> {
    inBackground(showMessage(text, { severity: 'warning' }));
    if (this.#context.conflicts.active !== pending.id) {
      await this.#context.conflicts.openMergeEditor(pending);
    }
  }

  /** The merge editor can be saved and closed, which sends nothing: says what does. */
  async #remind(id: string): Promise<void> {
    const pending = this.#pendingChanges.get(id);
    const conflict = pending && conflictOf(pending);
    if (!conflict || pending.heldBy !== 'here') {
      return;
    }
    if (pending.resolution === undefined) {
      if (conflict.isShared) {
        // Somebody has only looked at it: it stays in the text, and is nothing of theirs.
        await this.#pendingChanges.takeBack(id);
      }
      return;
    }
    const open = openConflicts(conflict, pending.resolution);
    const actions = [
      { title: vscode.l10n.t('Send'), value: 'complete' as const },
      { title: vscode.l10n.t('Open Merge Editor'), value: 'open' as const },
    ];
    const next = await showMessage(
      open > 0
        ? openConflictsLeft(pending.title, open)
        : vscode.l10n.t('Conflict in "{0}" resolved. Send your changes?', pending.title),
      { severity: 'warning', actions: open > 0 ? actions.slice(1) : actions },
    );
    if (next) {
      await attempt(vscode.l10n.t('resolve the conflict in "{0}"', pending.title), this.#context.log, () =>
        next === 'complete' ? this.#complete(id) : this.resolve(pending),
      );
    }
  }
}

function openConflictsLeft(title: string, count: number): string {
  return count === 1
    ? vscode.l10n.t(
        '1 conflict in "{0}" is still open. Accept either side or both, or write your own text there.',
        title,
      )
    : vscode.l10n.t(
        '{1} conflicts in "{0}" are still open. Accept either side or both, or write your own text there.',
        title,
        count,
      );
}
