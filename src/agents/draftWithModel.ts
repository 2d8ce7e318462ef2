/** *Draft Section with Language Model*: has the person's own model write a section, as a proposal in the patch document. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { readSetting } from '../contributions.ts';
import { projectTemplate } from '../git/projectTemplate.ts';
import { runCommand, CancelledError } from '../ui/commands.ts';
import { targetKey } from '../protocol/patchWriting.ts';
import { choose } from '../ui/choose.ts';
import { showMessage } from '../ui/notifications.ts';
import { inBackground } from '../util/inBackground.ts';
import { sectionTitle } from '../util/sectionTitle.ts';
import type { SectionRef } from '../util/patchRef.ts';
import type { WindowParts } from '../windowParts.ts';
import { agentPatch } from './agentFingerprint.ts';
import { draftedText, draftPrompt, findDraftPlace, longestDraft } from './drafting.ts';

/** The projects whose patches the person has agreed to send, each with a model's name. */
const agreedKey = 'agents.agreed';

/** Milliseconds between two states of a draft that are shown. */
const pauseMs = 100;

/**
 * See the module.
 *
 * @param offeredModels the language models that VS Code offers.
 * @throws {CancelledError} when the person gives up.
 */
export async function draftWithModel(
  parts: WindowParts,
  row: SectionRef | undefined,
  offeredModels: () => Thenable<vscode.LanguageModelChat[]> = () => vscode.lm.selectChatModels(),
): Promise<void> {
  const { connection, log } = parts;
  if (!row) {
    throw new Error(vscode.l10n.t('No patch is open. Open one from the Patch Stacks view.'));
  }
  connection.requireServer(row.serverUrl);
  const [model, pendingChanges] = await Promise.all([parts.model(), parts.pendingChanges()]);
  const located = model.located(row);
  const { patch, sections } = agentPatch(await model.patchUnopened(row), pendingChanges.list());
  const place = await findDraftPlace(sections, { model, ref: located, patch }, row.sectionCode);
  if (!place) {
    await showMessage(vscode.l10n.t("There's nothing to draft: text explains every change of this patch."));
    return;
  }
  const chat = await chooseModel(await offeredModels());
  const template = (await projectTemplate(patch.commitSha)) ?? readSetting('sectionTemplate');
  const prompt = draftPrompt(patch, sections, place, template);
  await agree(parts, { chat, prompt, project: `${row.serverUrl} ${located.projectId ?? row.stackUuid}` });
  await runCommand('openPatch', { ...row, sectionCode: place.files[0]?.code });
  const { projectId, branchId, stackUuid, changeId } = located;
  const subject = {
    kind: 'newSection' as const,
    patch: { projectId, branchId, stackUuid, changeId },
    key: randomUUID(),
  };
  const isUntouched = (): boolean => pendingChanges.find(subject)?.proposed === true;
  const takeBack = async (): Promise<void> => {
    const draft = pendingChanges.find(subject);
    if (draft?.proposed) {
      await pendingChanges.takeBack(draft.id);
    }
  };
  await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Drafting a section with {0}', chat.name),
      cancellable: true,
    },
    async (_progress, token) => {
      try {
        await stream(chat, prompt, token, (text, isFirst) => {
          // A draft that the person has begun to change, saved, or thrown away is theirs.
          if (!isFirst && !isUntouched()) {
            return false;
          }
          const title = sectionTitle(text) ?? vscode.l10n.t('Draft');
          const isShown = pendingChanges.propose(subject, { text, after: place.after }, title);
          if (isFirst && isShown) {
            // It grows above the file that it explains, which is at the top of the page.
            inBackground(
              runCommand('openPatch', { ...row, sectionCode: targetKey({ ...subject, ...place }) }),
            );
          }
          return isShown;
        });
        if (token.isCancellationRequested) {
          await takeBack();
        }
      } catch (error) {
        await takeBack();
        if (!token.isCancellationRequested) {
          throw error;
        }
      }
    },
  );
  log.info('A section was drafted with a language model.');
}

/** Sends all that the model is told, and shows what it writes. @param show returns false when no more is wanted. */
async function stream(
  chat: vscode.LanguageModelChat,
  prompt: string,
  token: vscode.CancellationToken,
  show: (text: string, isFirst: boolean) => boolean,
): Promise<void> {
  const justification = vscode.l10n.t('To draft a section of a patch, after you asked for that.');
  const { text: fragments } = await chat.sendRequest(
    [vscode.LanguageModelChatMessage.User(prompt)],
    { justification },
    token,
  );
  let written = '';
  let shown: string | undefined;
  let shownAt = -Infinity;
  const showNow = (): boolean => {
    const text = draftedText(written);
    if (text.trim() === '' || text === shown) {
      return true;
    }
    const isFirst = shown === undefined;
    shown = text;
    shownAt = performance.now();
    return show(text, isFirst);
  };
  for await (const fragment of fragments) {
    if (token.isCancellationRequested) {
      return;
    }
    written += fragment;
    if (performance.now() - shownAt >= pauseMs && !showNow()) {
      return;
    }
    if (written.length >= longestDraft) {
      break;
    }
  }
  showNow();
  if (shown === undefined) {
    throw new Error(vscode.l10n.t("The language model didn't write anything."));
  }
}

/** The model that the person chooses; the only one without asking. */
async function chooseModel(models: readonly vscode.LanguageModelChat[]): Promise<vscode.LanguageModelChat> {
  const [only, ...more] = models;
  if (!only) {
    const search = await showMessage<boolean>(
      vscode.l10n.t(
        "VS Code doesn't have a language model. Sign in to GitHub Copilot, or install an extension that provides language models.",
      ),
      { actions: [{ title: vscode.l10n.t('Search Extensions'), value: true }] },
    );
    if (search) {
      await vscode.commands.executeCommand('workbench.extensions.search', '@tag:language-models');
    }
    throw new CancelledError();
  }
  return more.length === 0
    ? only
    : choose({
        title: vscode.l10n.t('Draft Section with Language Model'),
        placeholder: vscode.l10n.t('Select a language model'),
        load: async () =>
          models.map((chat) => ({ label: chat.name, description: chat.vendor, choice: { value: chat } })),
      });
}

/** Has the person see, once for each project and model, all that is sent to it. @throws {CancelledError} when they don't want that. */
async function agree(
  { memory, texts }: WindowParts,
  { chat, prompt, project }: { chat: vscode.LanguageModelChat; prompt: string; project: string },
): Promise<void> {
  const agreement = `${project} ${chat.vendor}/${chat.family}`;
  const agreed = memory.get<string[]>(agreedKey, []);
  if (agreed.includes(agreement)) {
    return;
  }
  const title = vscode.l10n.t('What Is Sent to {0}', chat.name);
  const close = await (await texts()).show(prompt, { title, line: 0, language: 'markdown' });
  const send = await showMessage<boolean>(vscode.l10n.t('Send this to {0}?', chat.name), {
    modal: true,
    detail: vscode.l10n.t(
      "The text in the editor behind this message is all that is sent: parts of the patch, and the texts around them. If you cancel, it stays open, so that you can read all of it. In this project you aren't asked again for this model.",
    ),
    actions: [{ title: vscode.l10n.t('Send'), value: true }],
  });
  if (!send) {
    throw new CancelledError();
  }
  await close();
  await memory.update(agreedKey, [...agreed, agreement]);
}
