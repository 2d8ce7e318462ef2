/** Follows deep links into the service: from a browser, a chat, another program. */
import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import { parseServerRoot } from '../api/server.ts';
import { readSetting } from '../contributions.ts';
import type { Model } from '../model/model.ts';
import type { Server } from '../session/clientOptions.ts';
import type { Connection } from '../session/connection.ts';
import { askText } from '../ui/askText.ts';
import { CancelledError } from '../ui/commands.ts';
import { readLink, type LinkProblem } from '../ui/links.ts';
import { showMessage } from '../ui/notifications.ts';
import type { Ref, SectionRef } from '../util/patchRef.ts';
import { serverName } from '../session/serverName.ts';

/** Who is signed in where, as the questions name them. */
interface LinkAccount {
  readonly serverUrl: string;
  readonly login: string;
}

/** The part of the accounts that a link needs. */
interface LinkAccounts {
  /** Who is signed in to a server, if anyone. */
  at(serverUrl: string): Promise<LinkAccount | undefined>;
  /** Makes an account of a server the active one. */
  switchTo(serverUrl: string): Promise<unknown>;
  signIn(method: 'browser' | 'token', server: Server): Promise<unknown>;
}

interface LinkView {
  revealProject(projectId: string): Promise<void>;
  revealStack(projectId: string, stackUuid: string): Promise<void>;
}

export interface LinkContext {
  connection: Connection;
  accounts: LinkAccounts;
  model: () => Promise<Model>;
  openPatch: (patch: SectionRef) => Promise<unknown>;
  view: LinkView;
}

/**
 * Opens what a link points at.
 *
 * @throws {CancelledError} when the person does not want to; an error with the reason for what the link says; what the
 *   client throws.
 */
export async function openLink(uri: vscode.Uri, context: LinkContext): Promise<void> {
  const target = readLink(uri);
  if ('kind' in target) {
    throw new Error(describeProblem(target));
  }
  await reachServer(target.serverUrl, context);
  await openTarget(target, context);
}

/**
 * Shows something of the active server: a patch or a section as a document, a project or a patch stack in the view.
 *
 * @throws an error with the reason when there is no such thing; what the client throws.
 */
export async function openTarget(target: Ref, context: LinkContext): Promise<void> {
  const { serverUrl, projectId, stackUuid, changeId, sectionCode, line } = target;
  if (stackUuid !== undefined && changeId !== undefined) {
    await context.openPatch({ serverUrl, projectId, stackUuid, changeId, sectionCode, line });
  } else if (stackUuid !== undefined) {
    await openStack({ ...target, stackUuid }, context);
  } else if (projectId !== undefined) {
    await listProject(await context.model(), projectId);
    await context.view.revealProject(projectId);
  }
}

/**
 * Has someone signed in to a server. Whoever wrote the link decides nothing: another account is turned to, and a server that
 * the person never named is contacted, only when they say so.
 */
async function reachServer(serverUrl: string, { accounts, connection }: LinkContext): Promise<void> {
  const active = await connection.session();
  if (active?.serverUrl === serverUrl) {
    return;
  }
  const other = await accounts.at(serverUrl);
  if (other) {
    await agreeToSwitch(active, other);
    await accounts.switchTo(serverUrl);
    return;
  }
  // The person has named the server of the setting as theirs.
  if (parseServerRoot(readSetting('serverUrl'))?.href !== serverUrl) {
    await confirmAddress(serverUrl);
  }
  await accounts.signIn(await askMethod(serverUrl), { serverUrl });
  if (connection.activeServer !== serverUrl) {
    throw new CancelledError();
  }
}

/** Asks before another account becomes the active one: what the person does next is done as someone else. */
async function agreeToSwitch(active: LinkAccount | undefined, other: LinkAccount): Promise<void> {
  const { login, serverUrl } = other;
  const agreed = await showMessage(
    vscode.l10n.t('Switch to {0} as {1} to open the link?', serverName(serverUrl), login),
    {
      severity: 'warning',
      modal: true,
      detail: active
        ? vscode.l10n.t(
            "You're signed in to {0} as {1}. The link is for {2}, where you're signed in as {3}.",
            active.serverUrl,
            active.login,
            serverUrl,
            login,
          )
        : vscode.l10n.t("The link is for {0}, where you're signed in as {1}.", serverUrl, login),
      actions: [{ title: vscode.l10n.t('Switch and Open'), value: true }],
    },
  );
  if (agreed !== true) {
    throw new CancelledError();
  }
}

/**
 * Has the person say themselves which server they mean, before anything is asked for that is worth stealing: a link to a server that
 * looks like theirs would otherwise be all it takes to be handed an access token.
 */
async function confirmAddress(serverUrl: string): Promise<void> {
  const { host } = new URL(serverUrl);
  const isThat = (text: string): boolean => parseServerRoot(text)?.href === serverUrl || text.trim() === host;
  const notThat = vscode.l10n.t(
    "The link is for {0}. Enter that name, or press Escape if it isn't your server.",
    host,
  );
  await askText({
    title: vscode.l10n.t('Link to an Unknown Server'),
    prompt: vscode.l10n.t(
      "A link asks you to sign in to {0}. The server hasn't been contacted. To continue, enter its host name, but only if you recognize it and trust the sender.",
      serverUrl,
    ),
    // Not an error while it is being typed.
    check: (text) => (host.startsWith(text.trim()) || isThat(text) ? undefined : notThat),
    accept: async (text) => (isThat(text) ? { value: undefined } : { problem: notThat }),
  });
}

async function askMethod(serverUrl: string): Promise<'browser' | 'token'> {
  const method = await showMessage<'browser' | 'token'>(
    vscode.l10n.t('Sign in to {0} to open the link?', serverName(serverUrl)),
    {
      severity: 'warning',
      modal: true,
      detail: vscode.l10n.t("You aren't signed in there."),
      actions: [
        { title: vscode.l10n.t('Sign In'), value: 'browser' },
        { title: vscode.l10n.t('Use an Access Token'), value: 'token' },
      ],
    },
  );
  if (!method) {
    throw new CancelledError();
  }
  return method;
}

async function openStack(
  { projectId, stackUuid }: Ref & { stackUuid: string },
  context: LinkContext,
): Promise<void> {
  const model = await context.model();
  const project = projectId ?? (await findProjectOf(model, stackUuid));
  const found =
    project !== undefined &&
    (await model.stacks(project, 'all')).value.some(({ uuid }) => uuid === stackUuid);
  if (!found) {
    throw new Error(vscode.l10n.t("The patch stack doesn't exist or you don't have access to it."));
  }
  await listProject(model, project);
  await context.view.revealStack(project, stackUuid);
}

/** The project that has a stack, when the link does not name it: the service finds stacks by their project only. */
async function findProjectOf(model: Model, stackUuid: string): Promise<string | undefined> {
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Looking up the patch stack'),
      cancellable: true,
    },
    async (_progress, cancellation) => {
      const seen = new Set<string>();
      for (;;) {
        const { items, hasMore } = (await model.projects()).value;
        for (const { repositoryId } of items.filter((project) => !seen.has(project.repositoryId))) {
          if (cancellation.isCancellationRequested) {
            throw new CancelledError();
          }
          seen.add(repositoryId);
          const { value } = await model.stacks(repositoryId, 'all');
          if (value.some(({ uuid }) => uuid === stackUuid)) {
            return repositoryId;
          }
        }
        if (!hasMore) {
          return undefined;
        }
        await model.loadMoreProjects();
      }
    },
  );
}

/** Has a project among those that are listed. */
async function listProject(model: Model, projectId: string): Promise<void> {
  const { items } = (await model.projects()).value;
  if (items.some(({ repositoryId }) => repositoryId === projectId)) {
    return;
  }
  try {
    const { owner, slug } = await model.project(projectId);
    if (owner !== undefined && slug !== undefined) {
      await model.openProject(owner, slug);
    }
  } catch (error) {
    if (isApiError(error) && (error.kind === 'notFound' || error.kind === 'forbidden')) {
      throw new Error(vscode.l10n.t("The project doesn't exist or you don't have access to it."), {
        cause: error,
      });
    }
    throw error;
  }
}

function describeProblem(problem: LinkProblem): string {
  switch (problem.kind) {
    case 'path':
      return vscode.l10n.t(
        "This link isn't supported by this version of Patch Stacks. Update the extension and try again.",
      );
    case 'server':
      return vscode.l10n.t("The link doesn't specify a server. Ask for a new link.");
    case 'target':
      return vscode.l10n.t("The link doesn't specify a project or patch stack.");
    case 'incomplete':
      return vscode.l10n.t(
        'The link is incomplete: "{0}" is missing. Ask for a new link.',
        problem.parameter,
      );
    case 'parameter':
      return vscode.l10n.t(
        'The link is invalid: "{0}" couldn\'t be read. Ask for a new link.',
        problem.parameter,
      );
  }
}
