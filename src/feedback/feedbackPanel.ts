import { stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { isApiError, mayHaveArrived } from '../api/errors.ts';
import { fileFromBytes } from '../api/uploads.ts';
import type { Colors } from '../colors/colors.ts';
import { feedbackViewType } from '../contributions.ts';
import { openRepositories } from '../git/repositories.ts';
import type { OpenRepository } from '../git/repository.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import {
  largestAttachment,
  type DataFile,
  type FeedbackFields,
  type FeedbackForm,
  type FeedbackHost,
  type FeedbackPage,
  type FeedbackProgress,
  type RepositorySurvey,
  type SendAnswer,
} from '../protocol/feedback.ts';
import { feedbackSchemas } from '../protocol/schemas/feedback.ts';
import type { Connection } from '../session/connection.ts';
import type { SessionStore } from '../session/sessions.ts';
import { isCancellation } from '../ui/commands.ts';
import { emojiByName } from '../ui/emoji.ts';
import { describeReason } from '../ui/failures.ts';
import { FormPanel } from '../ui/formPanel.ts';
import type { Log } from '../ui/log.ts';
import type { RecentChanges } from '../ui/recentChanges.ts';
import type { Disposable } from '../util/disposable.ts';
import { Attachments, AttachmentTooLargeError } from './attachments.ts';
import { ChosenFiles } from './chosenFiles.ts';
import { describeContext } from './context.ts';
import { maskLog } from './maskLog.ts';
import type { PackedFiles } from './packedFiles.ts';
import { repositoryFiles } from './repositoryFiles.ts';
import { serverName } from '../session/serverName.ts';

/** Milliseconds between two reports of progress. */
const reportIntervalMs = 100;

interface FeedbackContext {
  extension: vscode.Extension<unknown>;
  connection: Connection;
  /** Every access token that this computer knows: the log may hold none of them. */
  sessions: SessionStore;
  packed: PackedFiles;
  pendingChanges: PendingChanges;
  changes: RecentChanges;
  colors: () => Promise<Colors>;
  log: Log;
}

/** The form in which people tell those who run the service something. There is at most one. */
export class FeedbackPanel implements Disposable {
  readonly panel: FormPanel<FeedbackFields, FeedbackHost, FeedbackPage>;
  readonly #context: FeedbackContext;
  #repositories: OpenRepository[] = [];
  /** The log as the form shows it: what is sent is what was seen. */
  #log = '';
  /** The files that the person has chosen in this window. */
  readonly #chosen = new ChosenFiles();

  constructor(context: FeedbackContext) {
    this.#context = context;
    const { extension, connection, pendingChanges, log } = context;
    this.panel = new FormPanel<FeedbackFields, FeedbackHost, FeedbackPage>(extension.extensionUri, {
      viewType: feedbackViewType,
      page: 'feedback',
      form: 'feedback',
      title: () => vscode.l10n.t('Send Feedback'),
      icon: 'feedback',
      pendingChanges,
      onDidChangeAccount: connection.onDidChangeAccount,
      readFields: (pending) => this.#withChosenFiles(readFields(pending)),
      log,
      schemas: feedbackSchemas,
      handlers: {
        colors: async (code, signal) => (await context.colors()).color(code, signal),
        formulas: async ({ formulas }) => (await context.colors()).formulas(formulas),
        emoji: emojiByName,
        load: (_parameters, signal) => this.#load(signal),
        survey: ({ root, ignore }, signal) => this.#survey(root, ignore, signal),
        chooseData: () => this.#chooseData(),
        send: ({ fields }, signal) => this.#send(fields, signal),
      },
    });
  }

  dispose(): void {
    this.panel.dispose();
  }

  async #load(signal: AbortSignal): Promise<FeedbackForm> {
    const { connection, sessions, log, extension } = this.#context;
    const server = serverName(connection.requireServer());
    this.#repositories = await openRepositories();
    const secrets = (await sessions.list()).map(({ accessToken }) => accessToken);
    this.#log = maskLog(log.recent(), secrets, os.homedir());
    const start = this.panel.start();
    this.#chosen.add(start.pending.data ?? []);
    return {
      server,
      suggested: {
        message: '',
        // The address is a convenience: the form is there without the service, too.
        email: await connection
          .use((client) => client.users.me({ signal }))
          .then(
            ({ email = '' }) => email,
            () => '',
          ),
        context: describeContext(extension, server),
        log: false,
        repository: '',
        ignore: '',
        data: [],
      },
      ...start,
      log: this.#log,
      repositories: this.#repositories.map(({ root, name }) => ({ root, name })),
      untrusted: !vscode.workspace.isTrusted,
      data: await Promise.all((start.pending.data ?? []).map(dataFile)),
    };
  }

  async #survey(root: string, ignore: string, signal: AbortSignal): Promise<RepositorySurvey> {
    const { files, ...rest } = await repositoryFiles(this.#repository(root), ignore, signal);
    return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0), ...rest };
  }

  async #chooseData(): Promise<DataFile[] | undefined> {
    const chosen = await chooseData();
    this.#chosen.add((chosen ?? []).map(({ path: location }) => location));
    return chosen;
  }

  /** The fields with those files alone that the person has chosen, now or for the pending change: a page can name any file. */
  #withChosenFiles(fields: Partial<FeedbackFields>): Partial<FeedbackFields> {
    if (fields.data === undefined) {
      return fields;
    }
    const kept = readFields(this.panel.pending.read()).data;
    return { ...fields, data: this.#chosen.among(fields.data, kept) };
  }

  #repository(root: string): OpenRepository {
    const repository = this.#repositories.find((candidate) => candidate.root === root);
    if (!repository) {
      throw new Error(vscode.l10n.t('The repository {0} is no longer open.', root));
    }
    return repository;
  }

  async #send(fields: FeedbackFields, signal: AbortSignal): Promise<SendAnswer> {
    const request = { isMade: false };
    try {
      await this.panel.pending.send(() => this.#sendAll(fields, request, signal));
    } catch (error) {
      if (signal.aborted || isCancellation(error)) {
        return { kind: 'cancelled' };
      }
      const reason = describeSending(error);
      return {
        kind: 'refused',
        reason:
          request.isMade && mayHaveArrived(error)
            ? vscode.l10n.t(
                '{0} Your feedback may have arrived. If you send it again, it may arrive twice.',
                reason,
              )
            : reason,
        fields: refusedFields(error),
      };
    }
    this.#context.changes.add({
      what: vscode.l10n.t('Feedback sent.'),
      before: '',
      after: fields.message,
    });
    return { kind: 'sent' };
  }

  /** @param request told when there is something that the service may act on. */
  async #sendAll(fields: FeedbackFields, request: { isMade: boolean }, signal: AbortSignal): Promise<void> {
    const { email, message, context, log, repository, ignore } = fields;
    const data = this.#chosen.among(fields.data);
    const report = this.#reporter();
    await using attachments = await Attachments.begin({
      folder: await this.#context.packed.folder(),
      limit: largestAttachment,
      signal,
      onProgress: (done, total) => report({ step: 'zipping', done, total }),
    });
    const feedback = {
      ...(email.trim() !== '' && { email: email.trim() }),
      message,
      context,
      ...(log && { logs: fileFromBytes('patch-stacks.log', Buffer.from(this.#log)) }),
      ...(repository !== '' && { repo: await attachments.repository(this.#repository(repository), ignore) }),
      ...(data.length > 0 && { data: await attachments.data(data) }),
    };
    await this.#context.connection.use((client) => {
      request.isMade = true;
      return client.feedback.send(feedback, {
        signal,
        onProgress: ({ sent, total }) => report({ step: 'sending', done: sent, total }),
      });
    });
  }

  /** Reports progress to the page, not more often than it can be seen, but each step when it begins. */
  #reporter(): (progress: FeedbackProgress) => void {
    let last = 0;
    let step: FeedbackProgress['step'] | undefined;
    return (progress) => {
      const isDue = progress.step !== step || Date.now() - last >= reportIntervalMs;
      if (isDue || progress.done >= progress.total) {
        last = Date.now();
        ({ step } = progress);
        // A page that is being closed does not answer.
        this.panel.page?.request('progress', progress).catch(() => undefined);
      }
    };
  }
}

async function chooseData(): Promise<DataFile[] | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectMany: true,
    title: vscode.l10n.t('Files to attach to the feedback'),
    openLabel: vscode.l10n.t('Attach'),
  });
  return chosen && Promise.all(chosen.map(({ fsPath }) => dataFile(fsPath)));
}

async function dataFile(location: string): Promise<DataFile> {
  const size = await stat(location).then(
    (status) => (status.isFile() ? status.size : undefined),
    () => undefined,
  );
  return { path: location, name: path.basename(location), ...(size !== undefined && { size }) };
}

function describeSending(error: unknown): string {
  if (error instanceof AttachmentTooLargeError) {
    const limit = largestAttachment / (1024 * 1024);
    return error.attachment === 'repository'
      ? vscode.l10n.t(
          "The repository is larger than {0} MB, even compressed. Exclude more files or don't attach it.",
          limit,
        )
      : vscode.l10n.t(
          'The attached files are larger than {0} MB, even compressed. Attach fewer files.',
          limit,
        );
  }
  return describeReason(error);
}

function refusedFields(error: unknown): Extract<SendAnswer, { kind: 'refused' }>['fields'] {
  if (error instanceof AttachmentTooLargeError) {
    return { [error.attachment]: describeSending(error) };
  }
  if (!isApiError(error) || error.kind !== 'invalid') {
    return {};
  }
  const names: Record<string, keyof FeedbackFields> = {
    email: 'email',
    message: 'message',
    context: 'context',
    logs: 'log',
    repo: 'repository',
    data: 'data',
  };
  return Object.fromEntries(
    error.fields.flatMap(({ field, message }) => {
      const name = Object.hasOwn(names, field) ? names[field] : undefined;
      return name === undefined ? [] : [[name, message]];
    }),
  );
}

/** The part of a pending change that is a field of the form, no matter who wrote it. */
function readFields(pending: Record<string, unknown>): Partial<FeedbackFields> {
  const { log, data } = pending;
  const texts = (['message', 'email', 'context', 'repository', 'ignore'] as const).flatMap((name) => {
    const value = pending[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return {
    ...Object.fromEntries(texts),
    ...(typeof log === 'boolean' && { log }),
    ...(Array.isArray(data) && { data: data.filter((item) => typeof item === 'string') }),
  };
}
