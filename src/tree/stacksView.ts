import * as vscode from 'vscode';
import type { PatchStack } from '../api/resources/stacks.ts';
import { readSetting, setContext, stacksViewId, statusFilters, type StatusFilter } from '../contributions.ts';
import type { Known, Model } from '../model/model.ts';
import { CancelledError } from '../ui/commands.ts';
import { describeFailure } from '../ui/failures.ts';
import type { Log } from '../ui/log.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import {
  noticeNode,
  patchNode,
  projectNode,
  sectionNode,
  stackNode,
  type Node,
  type PatchNode,
  type ProjectNode,
  type StackNode,
} from './nodes.ts';
import { treeItem } from './treeItems.ts';

const filterKey = 'statusFilter';

/** Whose projects the view shows. */
export interface ActiveAccount {
  readonly activeServer: string | undefined;
  /** Undefined when nobody is signed in. */
  session(): Promise<object | undefined>;
}

/** The tree of projects, patch stacks, patches and sections. */
export class StacksView implements vscode.TreeDataProvider<Node>, Disposable {
  readonly #account: ActiveAccount;
  readonly #model: () => Promise<Model>;
  readonly #memory: vscode.Memento;
  readonly #log: Log;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Node | undefined>());
  readonly #view: vscode.TreeView<Node>;

  readonly onDidChangeTreeData = this.#changed.event;

  /**
   * @param model loads the model when the view is first shown.
   */
  constructor(account: ActiveAccount, model: () => Promise<Model>, memory: vscode.Memento, log: Log) {
    this.#account = account;
    this.#model = model;
    this.#memory = memory;
    this.#log = log;
    this.#view = this.#disposables.add(
      vscode.window.createTreeView(stacksViewId, { treeDataProvider: this, showCollapseAll: true }),
    );
    this.#showFilter();
  }

  /** Has the rows read again. */
  redraw(): void {
    this.#changed.fire(undefined);
  }

  /** The state that the stacks are filtered by. */
  get filter(): StatusFilter {
    return this.#memory.get<StatusFilter>(filterKey) ?? readSetting('defaultStatusFilter');
  }

  /** Asks for the state to filter by. */
  async chooseFilter(): Promise<void> {
    const labels: Record<StatusFilter, string> = {
      active: vscode.l10n.t('Active'),
      inactive: vscode.l10n.t('Inactive'),
      closed: vscode.l10n.t('Closed'),
      loading: vscode.l10n.t('Loading'),
      all: vscode.l10n.t('All'),
    };
    const chosen = await vscode.window.showQuickPick(
      statusFilters.map((filter) => ({ label: labels[filter], picked: filter === this.filter, filter })),
      {
        title: vscode.l10n.t('Filter by Status'),
        placeHolder: vscode.l10n.t('Show the patch stacks that are…'),
      },
    );
    if (!chosen) {
      throw new CancelledError();
    }
    await this.#setFilter(chosen.filter);
  }

  /** Shows and selects the row of a project. */
  async revealProject(projectId: string): Promise<void> {
    const row = await this.#projectRow(projectId);
    if (row) {
      await this.#view.reveal(row, { select: true, focus: true, expand: true });
    }
  }

  /** Shows and selects the row of a patch stack; one that the filter hides is shown among all. */
  async revealStack(projectId: string, stackUuid: string): Promise<void> {
    const row = await this.#projectRow(projectId);
    if (!row) {
      return;
    }
    const find = async (): Promise<PatchStack | undefined> =>
      (await (await this.#model()).stacks(projectId, this.filter)).value.find(
        ({ uuid }) => uuid === stackUuid,
      );
    let stack = await find();
    if (!stack && this.filter !== 'all') {
      await this.#setFilter('all');
      stack = await find();
    }
    if (stack) {
      await this.#view.reveal(stackNode(row, stack), { select: true, focus: true, expand: true });
    }
  }

  getParent(node: Node): Node | undefined {
    return node.kind === 'stack' ? node.parent : undefined;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return treeItem(node);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    try {
      return await this.#children(node);
    } catch (error) {
      const text = describeFailure(loadingOf(node), error);
      this.#log.warn(text);
      if (!node) {
        await setContext('stacksState', 'failed');
      }
      return [noticeNode(node, text, true)];
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #children(node: Node | undefined): Promise<Node[]> {
    switch (node?.kind) {
      case undefined:
        return this.#projects();
      case 'project':
        return this.#stacks(node);
      case 'stack':
        return this.#patches(node);
      case 'patch':
        return this.#sections(node);
      default:
        return [];
    }
  }

  async #projects(): Promise<Node[]> {
    if (!(await this.#account.session())) {
      // The welcome content says what to do.
      return [];
    }
    const known = await (await this.#model()).projects();
    this.#showAge(known);
    const { items, hasMore } = known.value;
    await setContext('stacksState', items.length === 0 ? 'empty' : 'ready');
    await setContext('hasMoreProjects', hasMore);
    const rows: Node[] = items.map(projectNode);
    return hasMore ? [...rows, { kind: 'loadMore', id: 'loadMore' }] : rows;
  }

  async #stacks(node: ProjectNode): Promise<Node[]> {
    const projectId = node.project.repositoryId;
    const { value } = await (await this.#model()).stacks(projectId, this.filter);
    if (value.length === 0) {
      const text =
        this.filter === 'all'
          ? vscode.l10n.t('No patch stacks')
          : vscode.l10n.t('No patch stacks with the status “{0}”', this.filter);
      return [noticeNode(node, text)];
    }
    return value.map((stack) => stackNode(node, stack));
  }

  async #patches(node: StackNode): Promise<Node[]> {
    const { projectId, stack } = node;
    const { value } = await (await this.#model()).patchesOfStack(projectId, stack);
    if (value.length === 0) {
      return [noticeNode(node, vscode.l10n.t('No patches'))];
    }
    const serverUrl = this.#account.activeServer ?? '';
    return value.map((patch) => patchNode(node, serverUrl, patch));
  }

  async #sections(node: PatchNode): Promise<Node[]> {
    const { value } = await (await this.#model()).patch(node);
    const sections = value.sections ?? [];
    if (sections.length === 0) {
      return [noticeNode(node, vscode.l10n.t('No sections'))];
    }
    return sections.map((section) => sectionNode(node, section));
  }

  /** Says how old the rows are when they could not be brought up to date. */
  #showAge(known: Known<unknown>): void {
    const time = known.asOf.toLocaleTimeString(vscode.env.language, { timeStyle: 'short' });
    this.#view.message = known.failure
      ? vscode.l10n.t('The service cannot be reached: this is as of {0}.', time)
      : '';
  }

  async #projectRow(projectId: string): Promise<ProjectNode | undefined> {
    const { items } = (await (await this.#model()).projects()).value;
    const project = items.find(({ repositoryId }) => repositoryId === projectId);
    return project && projectNode(project);
  }

  async #setFilter(filter: StatusFilter): Promise<void> {
    await this.#memory.update(filterKey, filter);
    this.#showFilter();
    this.redraw();
  }

  #showFilter(): void {
    this.#view.description = this.filter === 'active' ? '' : this.filter;
  }
}

function loadingOf(node: Node | undefined): string {
  switch (node?.kind) {
    case 'project':
      return vscode.l10n.t('Loading the patch stacks');
    case 'stack':
      return vscode.l10n.t('Loading the patches');
    case 'patch':
      return vscode.l10n.t('Loading the sections');
    default:
      return vscode.l10n.t('Loading the projects');
  }
}
