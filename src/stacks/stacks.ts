/** The actions on patch stacks, each a short series of questions. */
import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import type { Colors } from '../colors/colors.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import { stackPageViewType, type ProjectRow, type StackRow } from '../contributions.ts';
import { parseTimestamp } from '../api/timestamp.ts';
import type { DecideSignOffs } from '../git/versionComparison.ts';
import { localBranches } from '../git/branches.ts';
import type { AheadCommit } from '../git/publishable.ts';
import type { OpenRepository } from '../git/repository.ts';
import { openRepositories } from '../git/repositories.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import { PendingForm } from '../model/pending/pendingForm.ts';
import type { Model } from '../model/model.ts';
import type { StackPageState } from '../protocol/stackPage.ts';
import type { Readings } from '../model/reading/readings.ts';
import type { Connection } from '../session/connection.ts';
import { askField } from '../ui/askField.ts';
import { choose } from '../ui/choose.ts';
import { chooseBranch } from '../ui/chooseBranch.ts';
import { chooseProject } from '../ui/chooseProject.ts';
import { attempt } from '../ui/commands.ts';
import { refusalOf } from '../ui/failures.ts';
import { takeSteps, type Place } from '../ui/form.ts';
import { escapeIcons } from '../ui/icons.ts';
import { projectLabel, stackLabel, statusLabel } from '../ui/labels.ts';
import type { Log } from '../ui/log.ts';
import { showMessage } from '../ui/notifications.ts';
import { PagePanel } from '../ui/pagePanel.ts';
import type { RecentChanges } from '../ui/recentChanges.ts';
import { readableAge } from '../util/age.ts';
import { inBackground } from '../util/inBackground.ts';
import type { StackFiles } from './stackFiles.ts';
import { stackPageState } from './stackPageState.ts';
import type { StackPanel } from './stackPanel.ts';
import type { StatusPanel } from './statusPanel.ts';
import { branchesOfStacks } from './branchOffers.ts';
import { publishOffers, type PublishOffer } from './publishOffers.ts';

export interface StackView {
  revealStack(projectId: string, stackUuid: string): Promise<void>;
  /** The stack to begin with: of the branch that is checked out, where that has one. */
  firstStack(branch?: string): Promise<StackRow | undefined>;
  /** True while something was clicked in it that isn't open yet. */
  readonly isOpening: boolean;
}

/** The documents of whole stacks. */
export interface StackDocuments {
  /** Opens all patches of a stack as one document. */
  openStack: (ref: StackPageState, stack: PatchStack) => Promise<void>;
}

interface StacksContext {
  extensionUri: vscode.Uri;
  connection: Connection;
  model: Model;
  view: StackView;
  statuses: StatusPanel;
  page: StackPanel;
  panels: () => Promise<StackDocuments>;
  files: () => Promise<StackFiles>;
  changes: RecentChanges;
  pendingChanges: () => Promise<PendingChanges>;
  /** The readings of the account that is signed in; undefined when none is. */
  readings: () => Promise<Readings | undefined>;
  decideSignOffs: DecideSignOffs;
  colors: () => Promise<Colors>;
  log: Log;
}

/** The states a person can put a stack into. */
type Closing = 'active' | 'closed';

/** See the module. */
export class Stacks {
  readonly #context: StacksContext;
  readonly #model: Model;

  constructor(context: StacksContext) {
    this.#context = context;
    this.#model = context.model;
  }

  /** Shows the page of a stack, with its title and its description to be edited. */
  async edit(row?: StackRow | ProjectRow): Promise<void> {
    await this.#context.page.edit(await this.#stack(row, vscode.l10n.t('Edit Patch Stack')));
  }

  /** Closes a stack; that shows at once and can be undone. */
  async close(row?: StackRow | ProjectRow): Promise<void> {
    const { projectId, stack } = await this.#stack(row, vscode.l10n.t('Close Patch Stack'), 'active');
    if (stack.status === 'closed') {
      throw new Error(vscode.l10n.t('The patch stack "{0}" is already closed.', stackLabel(stack)));
    }
    await this.#setStatus(projectId, stack, 'closed');
  }

  /** Opens a closed stack again; that shows at once and can be undone. */
  async reopen(row?: StackRow | ProjectRow): Promise<void> {
    const { projectId, stack } = await this.#stack(row, vscode.l10n.t('Reopen Patch Stack'), 'closed');
    if (stack.status === 'active') {
      throw new Error(vscode.l10n.t('The patch stack "{0}" isn\'t closed.', stackLabel(stack)));
    }
    await this.#setStatus(projectId, stack, 'active');
  }

  /** Asks for a branch, and shows its latest stack in the view. */
  async openBranch(row?: ProjectRow): Promise<void> {
    const title = vscode.l10n.t('Open Latest Stack for a Branch');
    const project = row?.project ?? (await chooseProject(this.#model, { title }));
    const { repositoryId } = project;
    const { name } = await chooseBranch(title, undefined, async () => {
      const [local, stacks] = await Promise.all([localBranches(), this.#model.stacks(repositoryId, 'all')]);
      return branchesOfStacks(stacks.value, local);
    });
    let latest: PatchStack;
    try {
      latest = await this.#model.latestStack(repositoryId, name);
    } catch (error) {
      if (isApiError(error) && error.kind === 'notFound') {
        throw new Error(
          vscode.l10n.t(
            'Project "{0}" doesn\'t have a patch stack for branch "{1}".',
            projectLabel(project),
            name,
          ),
          { cause: error },
        );
      }
      throw error;
    }
    await this.#context.view.revealStack(repositoryId, latest.uuid);
  }

  /** Asks for a project, a branch and the timeline event to publish, and makes a stack of them. */
  async create(row?: ProjectRow): Promise<void> {
    const title = vscode.l10n.t('Create Patch Stack');
    const project = row?.project ?? (await chooseProject(this.#model, { title }));
    const projectId = project.repositoryId;
    const titled = `${title}: ${projectLabel(project)}`;
    const pending = new PendingForm(await this.#context.pendingChanges(), 'createStack', titled, projectId);
    const kept = pending.read();
    const form: { branch?: PublishOffer; event?: string; stack?: PatchStack } = {};
    await takeSteps(
      [
        async (place) => {
          const branch = await this.#chooseOffer(titled, place, projectId, kept['branch']);
          if (branch.name !== form.branch?.name) {
            delete form.event;
            if (kept['branch'] === branch.name && typeof kept['event'] === 'string') {
              form.event = kept['event'];
            }
          }
          form.branch = branch;
        },
        async (place) => {
          const { branch = { name: '', commit: undefined, current: false } } = form;
          const publish = async (event: string): Promise<void> => {
            const creation = { projectId, branchId: branch.name, oplogSha: event };
            pending.write({ branch: creation.branchId, event: creation.oplogSha });
            form.stack = await pending.send(() => this.#model.createStack(creation));
          };
          if (branch.commits) {
            await publish(
              await this.#chooseCommit(titled, place, branch, branch.commits, {
                typedBefore: form.event,
                refusal: refusalOf(pending),
              }),
            );
            return;
          }
          await askField({
            title: titled,
            place,
            form,
            field: 'event',
            value: form.event ?? branch.commit ?? '',
            refusal: refusalOf(pending),
            keep: () => pending.write({ branch: branch.name, event: form.event }),
            prompt: vscode.l10n.t('Select the commit of "{0}" to publish', branch.name),
            check: (text) =>
              /^\S+$/.test(text.trim())
                ? undefined
                : vscode.l10n.t('Enter a timeline event ID without spaces.'),
            accept: async (text) => publish(text.trim()),
          });
        },
      ],
      () => pending.giveUp(),
    );
    const { stack } = form;
    if (stack) {
      const what = vscode.l10n.t('Created patch stack "{0}".', stackLabel(stack));
      const after = [form.branch?.name, stack.oplogSha].filter(Boolean).join('\n');
      this.#context.changes.add({ what, before: '', after });
      inBackground(showMessage(what));
      await this.#context.view.revealStack(projectId, stack.uuid);
    }
  }

  /** Asks for a branch of which there is something to publish. */
  async #chooseOffer(
    title: string,
    place: Place,
    projectId: string,
    typedBefore: unknown,
  ): Promise<PublishOffer> {
    let repositories: readonly OpenRepository[] = [];
    return chooseBranch<PublishOffer>(
      title,
      place,
      async () => {
        const { value } = await this.#model.stacks(projectId, 'all');
        repositories = await openRepositories();
        return publishOffers(repositories, value, typedBefore);
      },
      () =>
        // Nothing is known of a repository's branches when it isn't open.
        repositories.length === 0
          ? undefined
          : {
              label: vscode.l10n.t('Nothing to publish.'),
              detail: vscode.l10n.t(
                'Every branch is already merged into the default branch or published at its newest commit. Commit to a branch, then try again.',
              ),
            },
    );
  }

  /** Asks for one of a branch's commits, by their titles; the id of another, or of another event, can be pasted. */
  #chooseCommit(
    title: string,
    place: Place,
    branch: PublishOffer,
    commits: () => Promise<AheadCommit[]>,
    { typedBefore, refusal }: { typedBefore: string | undefined; refusal: string | undefined },
  ): Promise<string> {
    return choose<string>({
      title,
      place,
      placeholder: vscode.l10n.t('Select the commit of "{0}" to publish, or paste its ID', branch.name),
      ...(typedBefore !== undefined && { value: typedBefore }),
      typed: (text) =>
        /^\S+$/.test(text) && /\d/.test(text)
          ? { label: vscode.l10n.t('Publish commit "{0}"', text), choice: { value: text } }
          : undefined,
      load: async () => [
        ...(refusal === undefined ? [] : [{ label: `$(warning) ${escapeIcons(refusal)}`, alwaysShow: true }]),
        ...(await commits()).map(({ sha, shortSha, title: label, committedAt }) => {
          const date = parseTimestamp(committedAt);
          return {
            label: `$(git-commit) ${escapeIcons(label)}`,
            description: [shortSha, date && readableAge(date, vscode.env.language)]
              .filter(Boolean)
              .join(' · '),
            choice: { value: sha },
          };
        }),
      ],
    });
  }

  /** Shows the page of a stack. */
  async open(row?: StackRow | ProjectRow): Promise<void> {
    await this.#context.page.show(await this.#stack(row, vscode.l10n.t('Open Patch Stack')));
  }

  /**
   * Opens the page of the stack to begin with, where there is one: of the branch that is checked out.
   *
   * @param isWanted asked when it is known which stack that is: the person may have opened something meanwhile.
   */
  async openFirst(isWanted: () => boolean, branch?: string): Promise<void> {
    const { view, page } = this.#context;
    const row = await view.firstStack(branch);
    // Asked when nothing is waited for any more: the page is opened at once then.
    await PagePanel.turn(stackPageViewType);
    if (row && isWanted() && !view.isOpening) {
      await page.show(row);
    }
  }

  /** Opens all patches of a stack as one document. */
  async openAsDocument(row?: StackRow | ProjectRow): Promise<void> {
    const { connection, panels } = this.#context;
    const { projectId, stack } = await this.#stack(row, vscode.l10n.t('Open Patch Stack as One Document'));
    await (await panels()).openStack(stackPageState(connection.requireServer(), projectId, stack), stack);
  }

  /** Opens a whole stack as one Markdown document. */
  async openAsMarkdown(row?: StackRow | ProjectRow): Promise<void> {
    const stack = await this.#stack(row, vscode.l10n.t('Open Patch Stack as Markdown'));
    await (await this.#context.files()).open(stack);
  }

  /** Has the person choose what to write a stack into, and writes it. */
  async export(row?: StackRow | ProjectRow): Promise<void> {
    const { projectId, stack } = await this.#stack(row, vscode.l10n.t('Export Patch Stack'), 'all');
    const { exportStack } = await import('./exportStack.ts');
    await exportStack(this.#context, projectId, stack);
  }

  /** Shows who has seen each patch of a stack, signed it off or requested changes. */
  async showStatuses(row?: StackRow | ProjectRow): Promise<void> {
    const title = vscode.l10n.t('Show Patch Statuses');
    const { projectId, stack } = await this.#stack(row, title, 'all', isLatest);
    if (stack.branchId === undefined) {
      throw new Error(vscode.l10n.t("The server didn't return this stack's branch."));
    }
    await this.#context.statuses.show({
      serverUrl: this.#context.connection.activeServer ?? '',
      projectId,
      branchId: stack.branchId,
    });
  }

  /** Signs the patches of a stack off again of which nothing has changed since they were signed off. */
  async signOffUnchanged(row?: StackRow | ProjectRow): Promise<void> {
    const title = vscode.l10n.t('Sign Off Unchanged Patches Again');
    const { projectId, stack: given } = await this.#stack(row, title, 'all', isLatest);
    // Of an old version nothing can be said any more.
    const { branchId } = given;
    const stack =
      given.status === 'inactive' && branchId !== undefined
        ? await this.#model.latestStack(projectId, branchId)
        : given;
    if (stack.status === 'closed') {
      throw new Error(vscode.l10n.t('This patch stack is closed and read-only. Reopen it to make changes.'));
    }
    const { connection, decideSignOffs, readings: findReadings, pendingChanges } = this.#context;
    const readings = await findReadings();
    if (!readings) {
      throw connection.signedOut();
    }
    const { value: patches } = await this.#model.patchesOfStack(projectId, stack);
    const { signOffAgain } = await import('./signOffAgain.ts');
    await signOffAgain(
      { model: this.#model, readings, pendingChanges: await pendingChanges(), decideSignOffs },
      `${title}: ${stackLabel(stack)}`,
      { projectId, branchId: stack.branchId, stackUuid: stack.uuid },
      patches,
    );
  }

  async #setStatus(projectId: string, stack: PatchStack, status: Closing): Promise<void> {
    const label = stackLabel(stack);
    const doing =
      status === 'closed'
        ? vscode.l10n.t('close the patch stack "{0}"', label)
        : vscode.l10n.t('reopen the patch stack "{0}"', label);
    await attempt(doing, this.#context.log, () => this.#writeStatus(projectId, stack, status));
  }

  async #writeStatus(projectId: string, stack: PatchStack, status: Closing): Promise<void> {
    await this.#model.updateStack(projectId, stack, { status });
    const label = stackLabel(stack);
    const opposite = status === 'closed' ? 'active' : 'closed';
    this.#context.changes.tell({
      what:
        status === 'closed'
          ? vscode.l10n.t('Closed patch stack "{0}".', label)
          : vscode.l10n.t('Reopened patch stack "{0}".', label),
      before: statusLabel(stack.status ?? opposite),
      after: statusLabel(status),
      undo: () => this.#writeStatus(projectId, { ...stack, status }, opposite),
    });
  }

  /** The stack that a command is for: what it was given, else one that is chosen, in the project that it was given. */
  async #stack(
    row: StackRow | ProjectRow | undefined,
    title: string,
    status: Closing | 'all' = 'all',
    accepts: (stack: PatchStack) => boolean = () => true,
  ): Promise<StackRow> {
    if (row && 'stack' in row) {
      return row;
    }
    const project = row?.project ?? (await chooseProject(this.#model, { title }));
    const projectId = project.repositoryId;
    const stack = await choose<PatchStack>({
      title: `${title}: ${projectLabel(project)}`,
      placeholder: vscode.l10n.t('Select a patch stack'),
      empty: vscode.l10n.t('No matching patch stacks.'),
      load: async () =>
        (await this.#model.stacks(projectId, status)).value.filter(accepts).map((candidate) => ({
          label: escapeIcons(stackLabel(candidate)),
          description: escapeIcons(
            [candidate.version && `v${candidate.version}`, candidate.status && statusLabel(candidate.status)]
              .filter(Boolean)
              .join(' · '),
          ),
          ...(candidate.branchId !== undefined && { detail: escapeIcons(candidate.branchId) }),
          choice: { value: candidate },
        })),
    });
    return { projectId, stack };
  }
}

/** True when a stack may be the latest of its branch: the service tells the statuses of no other. */
function isLatest({ status }: PatchStack): boolean {
  return status !== 'inactive' && status !== 'loading';
}
