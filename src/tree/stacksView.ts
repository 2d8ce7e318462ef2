import * as vscode from 'vscode';
import { isAsking } from '../ui/asking.ts';
import { isApiError, isOutOfReach } from '../api/errors.ts';
import {
  readSetting,
  setContext,
  settingId,
  stacksViewId,
  type StackRow,
  type StacksState,
  type TreeRow,
} from '../contributions.ts';
import type { WorkspaceRepositories } from '../git/workspaceRepositories.ts';
import type { AtHand } from '../model/atHand.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import type { Model } from '../model/model.ts';
import type { Watching } from '../model/freshness.ts';
import { focusQuestion, runCommand } from '../ui/commands.ts';
import { statusLabel } from '../ui/labels.ts';
import type { Log } from '../ui/log.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { openReviewsOf } from './arrange.ts';
import { registerClicks, type RowClicks } from './clickedRow.ts';
import { rowOfMenuOrKey, type RowArguments } from './commandRow.ts';
import type { KeptExpansion } from './expansion.ts';
import { chooseFilter, whoseLabel, type StacksFilter } from './filter.ts';
import { FocusedRow } from './focusedRow.ts';
import { FollowDocument } from './followDocument.ts';
import { onceKnown } from './knownRow.ts';
import { markDecorations } from './marks.ts';
import type { Node } from './nodes.ts';
import { sectionDragAndDrop, type ReorderSections } from './sectionDragAndDrop.ts';
import type { ReadingMarks } from './readingMarks.ts';
import { StacksTree, type ActiveAccount, type SharedProjects, type TreeState } from './stacksTree.ts';
import { unsentMarks } from './unsentMarks.ts';
import { WorkspaceProjects } from './workspaceProjects.ts';
import { inBackground } from '../util/inBackground.ts';
import { refOf, type Ref } from '../util/patchRef.ts';

const filterKey = 'stacksFilter';
const expansionKey = 'stacksExpansion';

interface StacksViewContext {
  account: ActiveAccount;
  /** Loads the model when the view is first shown. */
  model: () => Promise<Model>;
  /** Keeps the filter, and which rows are expanded. */
  memory: vscode.Memento;
  repositories: WorkspaceRepositories;
  reorderSections: ReorderSections;
  reading: ReadingMarks;
  sharing: SharedProjects;
  atHand: AtHand;
  log: Log;
}

/** The view of projects, patch stacks, patches and sections: the tree and everything around it. */
export class StacksView implements Disposable {
  readonly #context: StacksViewContext;
  readonly #disposables = new DisposableStore();
  readonly #workspace: WorkspaceProjects;
  readonly #tree: StacksTree;
  readonly #view: vscode.TreeView<Node>;
  readonly #focusedRow = this.#disposables.add(new FocusedRow(() => this.#tree.redraw()));
  readonly #clicks: RowClicks;
  readonly #following: FollowDocument;
  #watching: Watching | undefined;
  #state: TreeState | undefined;
  #ageTimer: NodeJS.Timeout | undefined;
  /** True once rows of the window before have been there for so long that the view says so, with the timer for that. */
  #isOld = false;
  #oldSoon: NodeJS.Timeout | undefined;

  constructor(context: StacksViewContext) {
    this.#context = context;
    const { account, model, repositories, log } = context;
    this.#workspace = this.#disposables.add(new WorkspaceProjects(repositories));
    this.#tree = this.#disposables.add(
      new StacksTree({
        account,
        model,
        workspace: this.#workspace,
        filter: () => this.filter,
        reading: context.reading,
        sharing: context.sharing,
        memory: {
          read: () => context.memory.get<KeptExpansion>(expansionKey),
          write: (kept) => inBackground(context.memory.update(expansionKey, kept)),
        },
        log,
      }),
    );
    this.#view = this.#disposables.add(
      vscode.window.createTreeView(stacksViewId, {
        treeDataProvider: this.#tree,
        dragAndDropController: sectionDragAndDrop(this.#tree.redraws, context.reorderSections),
        canSelectMany: false,
      }),
    );
    this.#following = new FollowDocument(
      this.#view,
      this.#tree,
      context.atHand,
      () => readSetting('autoReveal'),
      log,
    );
    this.#clicks = this.#disposables.add(
      registerClicks(
        async () =>
          (await onceKnown(
            () => this.#clickedRow(),
            () => this.#tree.redraw(),
          )) ?? this.#focusedRow.find(),
      ),
    );
    this.#listen();
    this.#noteWhetherSeen();
  }

  /** Has the rows follow what the model says. */
  follow(model: Model): Disposable {
    const store = new DisposableStore();
    store.add(model.onDidChange((change) => inBackground(this.#tree.takeIn(change))));
    this.#watching = store.add(model.freshness.watch(() => (this.#view.visible ? 'projects' : undefined)));
    return store;
  }

  /** Has the rows be those of the account that is active now; undefined stands for nobody. */
  turnTo(account: string | undefined): void {
    if (!this.#tree.isFor(account)) {
      this.reset();
    }
  }

  /** Forgets all rows: what they were made of is of another account. */
  reset(): void {
    this.#workspace.forget();
    this.#tree.reset();
  }

  /** Marks the rows of what has changes that were not sent yet. */
  followPending(pendingChanges: PendingChanges): Disposable {
    const mark = (): void => this.#tree.setUnsent(unsentMarks(pendingChanges.list()));
    mark();
    return pendingChanges.onDidChange(mark);
  }

  /** True while something was clicked in it that isn't open yet. */
  get isOpening(): boolean {
    return this.#clicks.isOpening;
  }

  /** The stack to begin with: of the branch that is checked out in an open repository, else the first one of the project at hand. */
  async firstStack(checkedOutBranch?: string): Promise<StackRow | undefined> {
    const model = await this.#context.model();
    const [{ value: listed }] = await Promise.all([model.projects(), this.#workspace.ready()]);
    const inWorkspace = this.#workspace.find(model, listed.items);
    const [only, ...others] = listed.items;
    const isOnly = only !== undefined && others.length === 0 && !listed.hasMore;
    // VS Code doesn't know the repository of a folder that isn't trusted.
    const atHand =
      inWorkspace.length > 0 ? inWorkspace : isOnly ? [{ project: only, branch: checkedOutBranch }] : [];
    let first: StackRow | undefined;
    for (const { project, branch } of atHand) {
      const { repositoryId: projectId } = project;
      const { value: stacks } = await model.stacks(projectId, 'active', 'atOnce');
      const checkedOut = stacks.find(({ branchId }) => branchId !== undefined && branchId === branch);
      if (checkedOut) {
        return { projectId, stack: checkedOut };
      }
      first ??= stacks[0] && { projectId, stack: stacks[0] };
    }
    return first;
  }

  get filter(): StacksFilter {
    return (
      this.#context.memory.get<StacksFilter>(filterKey) ?? { status: readSetting('defaultStatusFilter') }
    );
  }

  /** Asks what to show. */
  async chooseFilter(): Promise<void> {
    await this.#setFilter(await chooseFilter(this.filter));
  }

  /** The row of a command that has a key in the view, or stands in the menus of rows; see `rowOfMenuOrKey`. */
  rowFor<T>(args: RowArguments<T>): Promise<T | Node | undefined> {
    return rowOfMenuOrKey(args, () => this.#focusedRow.find());
  }

  /**
   * Edits the thing of a row: the keyboard's way to the command that is in the row's menu.
   *
   * @param row the one that has the focus.
   */
  async editRow(row: TreeRow | undefined): Promise<void> {
    const node = this.#focused(row);
    switch (node?.kind) {
      case 'project':
        await runCommand('editProject', node);
        break;
      case 'stack':
        await runCommand('editStack', node);
        break;
      case 'section':
        await runCommand('editSection', node);
        break;
      default:
        throw new Error(vscode.l10n.t('Select a project, patch stack, or section to edit.'));
    }
  }

  /** Deletes the thing of a row, like `editRow`. */
  async deleteRow(row: TreeRow | undefined): Promise<void> {
    const node = this.#focused(row);
    switch (node?.kind) {
      case 'project':
        await runCommand('deleteProject', node);
        break;
      case 'section':
        await runCommand('deleteSection', node);
        break;
      default:
        throw new Error(vscode.l10n.t('Select a project or section to delete.'));
    }
  }

  /** Hides all rows but those at the top. VS Code's own button for that tells nobody. */
  async collapseAll(): Promise<void> {
    await vscode.commands.executeCommand(`${stacksViewId}.focus`);
    await vscode.commands.executeCommand('list.collapseAll');
    this.#tree.setAllCollapsed();
  }

  /** Has everything read again, or only what is below a row. */
  async refresh(row?: TreeRow): Promise<void> {
    const model = await this.#context.model();
    const node = row as Node | undefined;
    switch (node?.kind) {
      case 'project':
        model.refreshStacks(node.project.repositoryId);
        return;
      case 'stack':
        model.refreshPatchesOfStack(node.stack.uuid);
        return;
      case 'patch':
        model.markPatchStale(node);
        return;
      default:
        model.freshness.restart();
        await vscode.window.withProgress({ location: { viewId: stacksViewId } }, async () => {
          model.refresh();
          // The view says it when this fails.
          await model.projects().catch(() => undefined);
        });
    }
  }

  /** Shows and selects the row of a project. */
  async revealProject(projectId: string): Promise<void> {
    const row = await this.#tree.projectRow(projectId);
    if (row) {
      await this.#reveal(row);
    }
  }

  /** Shows and selects the row of a patch stack; one that the filter hides is shown among all. */
  async revealStack(projectId: string, stackUuid: string): Promise<void> {
    let row = await this.#tree.stackRow(projectId, stackUuid);
    if (!row) {
      await this.#setFilter({ status: 'all' });
      row = await this.#tree.stackRow(projectId, stackUuid);
    }
    if (row) {
      await this.#reveal(row);
    }
  }

  /** Goes to a row; one that comes late leaves the focus with what the person was asked meanwhile. */
  async #reveal(row: Node): Promise<void> {
    await this.#view.reveal(row, { select: true, focus: !isAsking(), expand: true });
    // They may have begun to be asked while VS Code took its time for the row.
    await focusQuestion();
  }

  dispose(): void {
    clearInterval(this.#ageTimer);
    clearTimeout(this.#oldSoon);
    this.#disposables.dispose();
  }

  /** VS Code hands the row over that has the focus; else the one that is selected counts. */
  #focused(row: TreeRow | undefined): Node | undefined {
    return (row as Node | undefined) ?? this.#view.selection[0];
  }

  #listen(): void {
    const view = this.#view;
    for (const subscription of [
      view.onDidChangeVisibility(() => this.#noteWhetherSeen()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(settingId('defaultStatusFilter'))) {
          this.#showMessage();
          this.#tree.redraw();
        }
        if (change.affectsConfiguration(settingId('autoReveal'))) {
          inBackground(this.#following.follow());
        }
      }),
      this.#context.atHand.onDidChange(() => inBackground(this.#following.follow())),
      view.onDidExpandElement(({ element }) => {
        this.#tree.setExpanded(element, true);
        this.#tree.noteLookedAt(element);
      }),
      view.onDidCollapseElement(({ element }) => this.#tree.setExpanded(element, false)),
      view.onDidChangeSelection(({ selection }) => this.#noteSelected(selection)),
      this.#tree.onDidChangeState((state) => this.#showState(state)),
      this.#workspace.onDidChange(() => inBackground(this.#tree.takeIn({ kind: 'projects' }))),
      vscode.window.registerFileDecorationProvider(markDecorations),
    ]) {
      this.#disposables.add(subscription);
    }
  }

  #noteSelected(selection: readonly Node[]): void {
    selection.forEach((node) => this.#tree.noteLookedAt(node));
    const [row] = selection;
    const place = row && placeOf(row, this.#context.account.activeServer ?? '');
    this.#following.noteSelected(row);
    if (row && this.#following.hasSelected(row)) {
      this.#context.atHand.follow(place);
    } else {
      this.#context.atHand.select(place);
    }
  }

  /**
   * The row that a click has selected. Before the click is told, the row of a document may have been selected in its place; the focus
   * stays with the one that was clicked.
   */
  #clickedRow(): Promise<Node | undefined> | Node | undefined {
    const [row] = this.#view.selection;
    return row && this.#following.hasSelected(row) ? this.#focusedRow.look() : row;
  }

  /** Nothing is asked for a view that nobody looks at. */
  #noteWhetherSeen(): void {
    this.#tree.setVisible(this.#view.visible);
    inBackground(this.#following.follow());
    this.#watching?.note();
    clearInterval(this.#ageTimer);
    if (this.#view.visible) {
      this.#tree.redrawAges();
      this.#ageTimer = setInterval(() => this.#tree.redrawAges(), ageIntervalMs);
    }
  }

  #showState(state: TreeState): void {
    const { known, workspace } = state;
    this.#state = state;
    if (known?.fromBefore) {
      this.#oldSoon ??= setTimeout(() => {
        this.#isOld = true;
        this.#showMessage();
      }, patienceMs);
    }
    this.#showMessage();
    const reviews = openReviewsOf(workspace.map(({ project }) => project));
    this.#view.badge =
      reviews === 0
        ? undefined
        : {
            value: reviews,
            tooltip:
              reviews === 1
                ? vscode.l10n.t('1 open review in this workspace')
                : vscode.l10n.t('{0} open reviews in this workspace', reviews),
          };
    inBackground(setContext('stacksState', stateOf(state)));
    inBackground(setContext('hasMoreProjects', known?.value.hasMore === true));
  }

  async #setFilter(filter: StacksFilter): Promise<void> {
    await this.#context.memory.update(filterKey, filter);
    this.#showMessage();
    this.#tree.redraw();
  }

  /** Says above the rows what they do not say themselves. Where there are no rows, the welcome content says all. */
  #showMessage(): void {
    const { known, allHidden } = this.#state ?? {};
    const hasRows = known !== undefined && known.value.items.length > 0 && allHidden !== true;
    const lines = hasRows ? [ageText(known, this.#isOld), filterText(this.filter)] : [];
    this.#view.message = lines.filter((line) => line !== '').join('\n');
  }
}

function filterText({ status, branchId, openReviews, whose }: StacksFilter): string {
  const parts = [
    status === 'active' ? undefined : statusLabel(status),
    whose && whoseLabel(whose),
    branchId,
    openReviews ? vscode.l10n.t('with open reviews') : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : vscode.l10n.t('Filter: {0}', parts.join(' · '));
}

/** Milliseconds after which rows are looked at whose ages may have changed: they say no seconds. */
const ageIntervalMs = 30_000;

/** Milliseconds that rows of the window before stand there unsaid: mostly the service has answered by then. */
const patienceMs = 1_000;

/**
 * Says how old the rows are when they could not be brought up to date.
 *
 * @param isOld whether that is to be said, too, of rows that only were not brought up to date yet.
 */
function ageText({ asOf, failure, fromBefore }: NonNullable<TreeState['known']>, isOld: boolean): string {
  if (failure !== undefined) {
    return isOutOfReach(failure)
      ? vscode.l10n.t('Offline. Last updated {0}.', readableTime(asOf))
      : vscode.l10n.t("Couldn't refresh the projects. Last updated {0}.", readableTime(asOf));
  }
  return fromBefore && isOld ? vscode.l10n.t('Last updated {0}.', readableTime(asOf)) : '';
}

/** The first time takes long: it is not for every first row. */
function readableTime(date: Date): string {
  return date.toDateString() === new Date().toDateString()
    ? date.toLocaleTimeString(vscode.env.language, { timeStyle: 'short' })
    : date.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** @param serverUrl the server that the row is from. */
function placeOf(node: Node, serverUrl: string): Ref | undefined {
  switch (node.kind) {
    case 'project':
      return { serverUrl, projectId: node.project.repositoryId };
    case 'stack':
      return {
        serverUrl,
        projectId: node.projectId,
        branchId: node.stack.branchId,
        stackUuid: node.stack.uuid,
      };
    case 'patch':
    case 'section':
      return refOf(node);
    default:
      return undefined;
  }
}

function stateOf({ known, failure, allHidden }: TreeState): StacksState {
  if (known) {
    return allHidden ? 'noMatch' : known.value.items.length === 0 ? 'empty' : 'ready';
  }
  if (failure === undefined) {
    return 'loading';
  }
  if (isOutOfReach(failure)) {
    return 'offline';
  }
  switch (isApiError(failure) ? failure.kind : undefined) {
    case 'unauthorized':
      return 'expired';
    case 'server':
    case 'rateLimited':
      return 'busy';
    case 'unreadable':
    case 'redirect':
    case 'tls':
    case 'notFound':
      return 'wrongServer';
    default:
      return 'failed';
  }
}
