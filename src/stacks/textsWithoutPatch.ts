/** The actions on a text whose patch is gone: copying it, putting it into another patch, deleting it. */
import * as vscode from 'vscode';
import type { ApiClient } from '../api/client.ts';
import type { PatchStack, TextWithoutPatch } from '../api/types/stacks.ts';
import type { Model } from '../model/model.ts';
import type { Connection } from '../session/connection.ts';
import { choose } from '../ui/choose.ts';
import { attempt } from '../ui/commands.ts';
import { escapeIcons } from '../ui/icons.ts';
import { patchLabel } from '../ui/labels.ts';
import type { Log } from '../ui/log.ts';
import { showMessage } from '../ui/notifications.ts';
import type { RecentChanges } from '../ui/recentChanges.ts';
import { inBackground } from '../util/inBackground.ts';
import { plainText } from '../util/visibleText.ts';

/** The place of a text that is listed as one without a patch. */
interface LostTextPlace {
  projectId: string;
  stack: PatchStack;
  text: TextWithoutPatch;
}

interface LostTextsContext {
  connection: Connection;
  model: Model;
  changes: RecentChanges;
  log: Log;
}

/** See the module. */
export class TextsWithoutPatch {
  readonly #context: LostTextsContext;

  constructor(context: LostTextsContext) {
    this.#context = context;
  }

  /** Does what was asked for, and tells of what went wrong. */
  async run(action: 'copy' | 'move' | 'delete', place: LostTextPlace): Promise<void> {
    const { log } = this.#context;
    switch (action) {
      case 'copy':
        await vscode.env.clipboard.writeText(place.text.text);
        inBackground(showMessage(vscode.l10n.t('Text copied')));
        break;
      case 'move':
        await attempt(vscode.l10n.t('move the text'), log, () => this.#move(place));
        break;
      case 'delete':
        await attempt(vscode.l10n.t('delete the text'), log, () => this.#delete(place));
        break;
    }
  }

  async #move(place: LostTextPlace): Promise<void> {
    const { projectId, stack, text } = place;
    const { connection, model } = this.#context;
    const serverUrl = connection.requireServer();
    const changeId = await choose({
      title: vscode.l10n.t('Move Text to Patch'),
      placeholder: vscode.l10n.t('Select the patch that the text goes to'),
      load: async () => {
        const { value: patches } = await model.patchesOfStack(projectId, stack, 'upToDate');
        return patches.map((patch, index) => ({
          label: escapeIcons(patchLabel(patch)),
          description: String(index + 1),
          choice: { value: patch.changeId },
        }));
      },
    });
    await this.#use(place, async (client) => {
      // In this order: what fails in between leaves the text twice, and never nowhere.
      await client.patches.createSection(stack.uuid, changeId, { type: 'text', text: text.text });
      model.markPatchStale({ serverUrl, projectId, stackUuid: stack.uuid, changeId });
      await client.patches.deleteSection(stack.uuid, text.changeId, text.code);
    });
  }

  async #delete(place: LostTextPlace): Promise<void> {
    const { stack, text } = place;
    await this.#use(place, (client) => client.patches.deleteSection(stack.uuid, text.changeId, text.code));
    const { changeId, code, text: words, patchTitle } = text;
    this.#context.changes.tell({
      what:
        patchTitle === undefined
          ? vscode.l10n.t('Text deleted')
          : vscode.l10n.t('Text about "{0}" deleted', plainText(patchTitle)),
      before: words,
      after: '',
      undo: () =>
        this.#use(place, (client) =>
          client.patches.updateSection(stack.uuid, changeId, code, { text: words }),
        ),
    });
  }

  /** Changes something, and has the stack shown anew, whatever came of it. */
  async #use(
    { projectId, stack }: LostTextPlace,
    work: (client: ApiClient) => Promise<unknown>,
  ): Promise<void> {
    const { connection, model } = this.#context;
    try {
      await connection.use(work);
    } finally {
      model.refreshStacks(projectId);
      model.refreshPatchesOfStack(stack.uuid);
    }
  }
}
