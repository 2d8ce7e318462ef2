import * as vscode from 'vscode';
import { isApiError, mayHaveArrived } from '../api/errors.ts';
import type { Release } from '../api/types/releases.ts';
import type { Colors } from '../colors/colors.ts';
import { releaseViewType } from '../contributions.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import type { FormPage } from '../protocol/form.ts';
import {
  releaseChannels,
  type CreateAnswer,
  type ReleaseChannel,
  type ReleaseFields,
  type ReleaseForm,
  type ReleaseHost,
} from '../protocol/release.ts';
import { releaseSchemas } from '../protocol/schemas/release.ts';
import type { Connection } from '../session/connection.ts';
import { isCancellation } from '../ui/commands.ts';
import { emojiByName } from '../ui/emoji.ts';
import { describeReason } from '../ui/failures.ts';
import { FormPanel } from '../ui/formPanel.ts';
import type { Log } from '../ui/log.ts';
import { showMessage } from '../ui/notifications.ts';
import type { RecentChanges } from '../ui/recentChanges.ts';
import type { Disposable } from '../util/disposable.ts';
import type { PastReleases } from './pastReleases.ts';
import { findPlaces, findRevision, type Place } from './places.ts';
import { serverName } from '../session/serverName.ts';

interface ReleaseContext {
  extensionUri: vscode.Uri;
  connection: Connection;
  past: PastReleases;
  pendingChanges: PendingChanges;
  changes: RecentChanges;
  colors: () => Promise<Colors>;
  log: Log;
}

/** The form in which people create a release. There is at most one. */
export class ReleasePanel implements Disposable {
  readonly panel: FormPanel<ReleaseFields, ReleaseHost, FormPage>;
  readonly #context: ReleaseContext;
  /** Releases sent in this session, as far as the service may have taken them. */
  readonly #sent = new Set<string>();
  #places: Place[] = [];

  constructor(context: ReleaseContext) {
    this.#context = context;
    const { extensionUri, connection, pendingChanges, log } = context;
    this.panel = new FormPanel<ReleaseFields, ReleaseHost, FormPage>(extensionUri, {
      viewType: releaseViewType,
      page: 'release',
      form: 'release',
      title: () => vscode.l10n.t('Create Release'),
      icon: 'release',
      pendingChanges,
      onDidChangeAccount: connection.onDidChangeAccount,
      readFields,
      log,
      schemas: releaseSchemas,
      handlers: {
        colors: async (code, signal) => (await context.colors()).color(code, signal),
        formulas: async ({ formulas }) => (await context.colors()).formulas(formulas),
        emoji: emojiByName,
        load: () => this.#load(),
        findRevision: ({ place, revision }, signal) =>
          findRevision(
            this.#places.find(({ id }) => id === place),
            revision,
            signal,
          ),
        create: (release) => this.#create(release),
        copy: async ({ text }) => {
          await vscode.env.clipboard.writeText(text);
          return null;
        },
      },
    });
  }

  dispose(): void {
    this.panel.dispose();
  }

  async #load(): Promise<ReleaseForm> {
    this.#places = await findPlaces();
    return {
      server: this.#server(),
      places: this.#places.map(({ id, name, hasGit, versions }) => ({ id, name, hasGit, versions })),
      ...this.panel.start(),
      past: this.#context.past.list(),
    };
  }

  async #create(creation: { version: string; sha: string; channel: ReleaseChannel }): Promise<CreateAnswer> {
    const { connection, past, changes, log } = this.#context;
    const server = this.#server();
    const key = JSON.stringify([server, creation.version, creation.sha]);
    if (!(await this.#confirm(creation, server, this.#sent.has(key)))) {
      return { kind: 'notSent' };
    }
    this.#sent.add(key);
    const request = { isMade: false };
    let created: Release;
    try {
      created = await this.panel.pending.send(() =>
        connection.use((client) => {
          request.isMade = true;
          return client.releases.create(creation);
        }),
      );
    } catch (error) {
      if (isCancellation(error)) {
        return { kind: 'notSent' };
      }
      if (request.isMade && mayHaveArrived(error)) {
        const reason = vscode.l10n.t(
          '{0} The release may have been created. Check the server before you try again.',
          describeReason(error),
        );
        return { kind: 'refused', reason, fields: {} };
      }
      this.#sent.delete(key);
      return { kind: 'refused', reason: describeReason(error), fields: refusedFields(error) };
    }
    try {
      await past.add(server, created);
    } catch (error) {
      // It was created all the same.
      log.warn(`The release could not be listed among those of this workspace: ${String(error)}`);
    }
    const { version, sha, channel } = creation;
    changes.add({
      what: vscode.l10n.t('Created release {0}.', version),
      before: '',
      after: [version, sha, channel].join('\n'),
    });
    return { kind: 'created', past: past.list() };
  }

  /** Asks where the person should think twice; true where there is nothing to ask. */
  async #confirm(
    { version, sha, channel }: { version: string; sha: string; channel: ReleaseChannel },
    server: string,
    repeated: boolean,
  ): Promise<boolean> {
    if (!repeated && channel !== 'release') {
      return true;
    }
    const detail = [
      ...(repeated
        ? [vscode.l10n.t('This version and commit have already been sent to {0} from this window.', server)]
        : []),
      ...(channel === 'release'
        ? [vscode.l10n.t('The "release" channel is for everyone who uses the product.')]
        : []),
      vscode.l10n.t('Commit {0}', sha),
    ].join('\n');
    const answer = await showMessage<true>(
      repeated
        ? vscode.l10n.t('Create release {0} again?', version)
        : vscode.l10n.t('Create release {0} on {1}?', version, server),
      {
        severity: 'warning',
        modal: true,
        detail,
        actions: [{ title: vscode.l10n.t('Create Release'), value: true }],
      },
    );
    return answer === true;
  }

  #server(): string {
    return serverName(this.#context.connection.requireServer());
  }
}

function refusedFields(error: unknown): Partial<Record<keyof ReleaseFields, string>> {
  if (!isApiError(error)) {
    return {};
  }
  if (error.kind === 'conflict') {
    return { version: vscode.l10n.t('This version is already on the server.') };
  }
  if (error.kind !== 'invalid') {
    return {};
  }
  const messages = new Map(error.fields.map(({ field, message }) => [field, message]));
  const version = messages.get('version');
  const revision = messages.get('sha');
  const channel = messages.get('channel');
  return {
    ...(version !== undefined && { version }),
    ...(revision !== undefined && { revision }),
    ...(channel !== undefined && { channel }),
  };
}

/** The part of a pending change that is a field of the form, no matter who wrote it. */
function readFields({ place, version, revision, channel }: Record<string, unknown>): Partial<ReleaseFields> {
  const known = releaseChannels.find((candidate) => candidate === channel);
  return {
    ...(typeof place === 'string' && { place }),
    ...(typeof version === 'string' && { version }),
    ...(typeof revision === 'string' && { revision }),
    ...(known && { channel: known }),
  };
}
