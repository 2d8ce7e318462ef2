/** *Export Patch Stack*: a stack as a file, for people who have neither the service nor this extension. */
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Patch } from '../api/types/patches.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import type { Colors } from '../colors/colors.ts';
import { hasCommits, mailSeries, MisreadMailError } from '../git/mailSeries.ts';
import { openRepositories } from '../git/repositories.ts';
import type { Model } from '../model/model.ts';
import { loadUnopened } from '../model/reading/loadUnopened.ts';
import type { ColorForOthers, ExportedStack, StackExporter } from '../protocol/stackExport.ts';
import { choose } from '../ui/choose.ts';
import { CancelledError } from '../ui/commands.ts';
import { patchLabel, stackLabel } from '../ui/labels.ts';
import { showMessage } from '../ui/notifications.ts';
import { panelSettings } from '../ui/panelHost.ts';
import { exportedStack, notesOf } from './exportedStack.ts';

interface ExportContext {
  model: Model;
  extensionUri: vscode.Uri;
  colors: () => Promise<Colors>;
}

type Format = 'html' | 'markdown' | 'mail';

const endings: Readonly<Record<Format, string>> = { html: 'html', markdown: 'md', mail: 'mbox' };

/** Characters of a file's name that is suggested. */
const longestName = 80;

/** See the module. @throws {CancelledError} when the person gives up. */
export async function exportStack(
  context: ExportContext,
  projectId: string,
  stack: PatchStack,
): Promise<void> {
  const { model } = context;
  const format = await chooseFormat(stackLabel(stack));
  const target = await chooseFile(stack, format);
  const write = async (signal: AbortSignal): Promise<void> => {
    const { value: known } = await model.patchesOfStack(projectId, stack);
    const patches = await loadUnopened(model, stack.uuid, known);
    signal.throwIfAborted();
    const content =
      format === 'mail'
        ? await asMails(stack, patches, signal)
        : await asText(context, format, await described(stack, patches, model), signal);
    signal.throwIfAborted();
    await vscode.workspace.fs.writeFile(target, content);
  };
  await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Exporting {0}', stackLabel(stack)),
      cancellable: true,
    },
    async (_progress, cancellation) => {
      const controller = new AbortController();
      const registration = cancellation.onCancellationRequested(() => controller.abort(new CancelledError()));
      try {
        await write(controller.signal);
      } finally {
        registration.dispose();
      }
    },
  );
  await tell(target);
}

async function tell(target: vscode.Uri): Promise<void> {
  const chosen = await showMessage<'open'>(
    vscode.l10n.t('The patch stack was exported to {0}.', path.basename(target.path)),
    { actions: [{ title: vscode.l10n.t('Open'), value: 'open' }] },
  );
  if (chosen === 'open') {
    await vscode.commands.executeCommand('vscode.open', target);
  }
}

function chooseFormat(title: string): Promise<Format> {
  return choose<Format>({
    title: vscode.l10n.t('Export Patch Stack: {0}', title),
    placeholder: vscode.l10n.t('Select a format'),
    load: async () => [
      {
        label: vscode.l10n.t('HTML'),
        detail: vscode.l10n.t('One page that any browser shows, offline and without scripts'),
        choice: { value: 'html' },
      },
      {
        label: vscode.l10n.t('Markdown'),
        detail: vscode.l10n.t('One file with the texts as they were written and the diffs between them'),
        choice: { value: 'markdown' },
      },
      {
        label: vscode.l10n.t('Mail series'),
        detail: vscode.l10n.t('One mailbox of commits with their texts, for "git am"'),
        choice: { value: 'mail' },
      },
    ],
  });
}

async function chooseFile(stack: PatchStack, format: Format): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const name = (stack.branchId ?? stackLabel(stack))
    .slice(0, longestName)
    .split(/[^\p{L}\p{N}._]+/u)
    .filter((part) => part !== '')
    .join('-')
    .replace(/^\.+/, '');
  const ending = endings[format];
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, `${name === '' ? 'patch-stack' : name}.${ending}`),
    filters: { [ending.toUpperCase()]: [ending] },
    saveLabel: vscode.l10n.t('Export'),
  });
  if (!target) {
    throw new CancelledError();
  }
  return target;
}

async function described(stack: PatchStack, patches: readonly Patch[], model: Model): Promise<ExportedStack> {
  const { bundle, language } = await panelSettings();
  return exportedStack(stack, patches, { me: model.me, bundle, language });
}

async function asText(
  { extensionUri, colors }: ExportContext,
  format: 'html' | 'markdown',
  stack: ExportedStack,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const file = vscode.Uri.joinPath(extensionUri, 'dist', 'webview', 'stackExport.mjs').fsPath;
  const { stackAsHtml, stackAsMarkdown } = createRequire(file)(file) as StackExporter;
  if (format === 'markdown') {
    return Buffer.from(stackAsMarkdown(stack));
  }
  const host = await colors();
  // One for each theme: to have a thread change it takes longer than to color what stands between.
  const threads = { light: host.beginForOthers(), dark: host.beginForOthers() };
  const color: ColorForOthers = (kind, code) =>
    threads[kind].color({ ...code, theme: { id: '', kind } }, signal);
  try {
    return Buffer.from(
      await stackAsHtml(stack, { color, draw: (formulas) => host.formulas(formulas) }, signal),
    );
  } finally {
    threads.light.dispose();
    threads.dark.dispose();
  }
}

/** Why a patch can't be sent as a mail. */
function misread(patch: Patch | undefined): Error {
  return new Error(
    vscode.l10n.t(
      '"git am" wouldn\'t make the same commit of "{0}": a line of its message looks like the beginning of a diff, of a header, or of another mail. Reword it, then export again.',
      patch ? patchLabel(patch) : '',
    ),
  );
}

/**
 * @throws an error with a sentence for the person, when no open repository has all of the commits, or git would make others of their
 *   mails.
 */
async function asMails(
  stack: PatchStack,
  patches: readonly Patch[],
  signal: AbortSignal,
): Promise<Uint8Array> {
  const commits = patches.flatMap((patch) =>
    // Git would take other texts for options or for names.
    /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(patch.commitSha ?? '')
      ? { sha: patch.commitSha ?? '', notes: notesOf(patch) }
      : [],
  );
  const shas = commits.map(({ sha }) => sha);
  for (const repository of commits.length === patches.length ? await openRepositories() : []) {
    if (await hasCommits(repository, shas, signal)) {
      return await mailSeries(repository, commits, tmpdir(), signal).catch((error: unknown) => {
        throw error instanceof MisreadMailError ? misread(patches[error.index]) : error;
      });
    }
  }
  throw new Error(
    vscode.workspace.isTrusted
      ? vscode.l10n.t(
          'No open repository has all commits of "{0}". Open its repository, fetch the branch, and try again.',
          stackLabel(stack),
        )
      : vscode.l10n.t("Git isn't run in untrusted folders. Trust the folder first."),
  );
}
