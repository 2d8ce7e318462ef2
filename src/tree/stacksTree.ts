import * as vscode from 'vscode';
import { isOutOfReach } from '../api/errors.ts';
import type { Project } from '../api/types/projects.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import type { Known } from '../model/cached.ts';
import type { Listing } from '../model/projectList.ts';
import type { Model, ModelChange } from '../model/model.ts';
import { isOf, isWaitingFor, type Me } from '../model/review.ts';
import { describeFailure } from '../ui/failures.ts';
import type { Log } from '../ui/log.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import type { ProjectSharing } from '../ui/sharingTexts.ts';
import { Emitter, type Event } from '../util/event.ts';
import { arrange, isFamily, openReviewsOf } from './arrange.ts';
import { Expansion, type ExpansionMemory } from './expansion.ts';
import type { StacksFilter } from './filter.ts';
import type { Mark } from './marks.ts';
import type { ReadingMarks } from './readingMarks.ts';
import {
  familyNode,
  loadedRows,
  loadMoreNode,
  noticeNode,
  ownerNode,
  patchNode,
  projectNode,
  sectionNode,
  stackNode,
  takeInRows,
  workspaceNode,
  type Node,
  type PatchNode,
  type ProjectNode,
  type RowChanges,
  type StackNode,
} from './nodes.ts';
import { Pacing } from './pacing.ts';
import { Redraws } from './redraws.ts';
import { RowAges } from './rowAges.ts';
import { reviewShownOf, rowAgesAt, tooltip, treeItem, type RowReading } from './treeItems.ts';
import type { WorkspaceProject } from './workspaceMatch.ts';
import { noUnsentMarks, type UnsentMarks } from './unsentMarks.ts';
import { inBackground } from '../util/inBackground.ts';
import { isSamePatch, type PatchRef } from '../util/patchRef.ts';

/** Whose projects the tree shows. */
export interface ActiveAccount {
  readonly activeServer: string | undefined;
  /** Undefined when nobody is signed in. */
  session(): Promise<{ id: string; login: string } | undefined>;
}

/** Finds the projects of the open repositories among those that are listed, and beyond them. */
interface WorkspaceFinder {
  /** Resolves when it is worth asking. */
  ready(): Promise<void>;
  find(model: Model, listed: readonly Project[]): WorkspaceProject[];
}

/** The sharing of projects through a remote of their repository. */
export interface SharedProjects {
  /** Undefined for a project that can't be shared that way. */
  of(projectId: string): ProjectSharing | undefined;
  /** Fires with the id of a project. */
  readonly onDidChange: Event<string>;
}

/** The state of the tree beside its rows. */
export interface TreeState {
  /** The known projects; undefined when nobody is signed in. */
  known?: Known<Listing<Project>> | undefined;
  /** Why nothing is known of them. */
  failure?: unknown;
  allHidden: boolean;
  workspace: readonly WorkspaceProject[];
}

interface TreeSources {
  account: ActiveAccount;
  /** Loads the model when rows are first asked for. */
  model: () => Promise<Model>;
  workspace: WorkspaceFinder;
  filter: () => StacksFilter;
  reading: ReadingMarks;
  sharing: SharedProjects;
  /** Keeps which rows are expanded. */
  memory: ExpansionMemory;
  log: Log;
}

/** The rows of projects, patch stacks, patches and sections. */
export class StacksTree implements vscode.TreeDataProvider<Node>, Disposable {
  readonly #sources: TreeSources;
  readonly #disposables = new DisposableStore();
  /** The rows to draw again, held while someone drags. */
  readonly redraws = this.#disposables.add(new Redraws());
  readonly #stateChanged = this.#disposables.add(new Emitter<TreeState>());
  #roots: Node[] | undefined;
  /** For whom the rows were asked last; undefined until that is known. */
  #askedFor: { account: string | undefined } | undefined;
  #unsent = noUnsentMarks;
  /** The version of each stack that the person has looked at, or that was there first, by the id of its row. */
  readonly #lookedAt = new Map<string, PatchStack['version']>();
  /** Nothing is asked for rows that aren't on screen. */
  #visible = true;
  readonly #expansion: Expansion;
  readonly #ages = new RowAges();
  /**
   * VS Code asks for the rows of all groups at once, and draws what it gets. Reading an answer and drawing its rows, or
   * drawing all groups, is too much for one turn.
   */
  readonly #giving = new Pacing(1, 0);
  /** VS Code asks in one go how all rows below one look: there may be thousands. */
  readonly #drawing = new Pacing(200);

  readonly onDidChangeTreeData = this.redraws.onDidAsk;

  /** Fires when the rows at the top were read, or could not be. */
  readonly onDidChangeState = this.#stateChanged.event;

  constructor(sources: TreeSources) {
    this.#sources = sources;
    this.#expansion = new Expansion(sources.memory);
    this.#disposables.add(sources.reading.onDidChange((stackUuid) => this.#redrawStack(stackUuid)));
    this.#disposables.add(sources.sharing.onDidChange((projectId) => this.#redrawProject(projectId)));
  }

  /** Has all rows read again. */
  redraw(): void {
    this.redraws.ask([undefined]);
  }

  /**
   * True when the rows are those of the account; undefined stands for nobody. While it isn't known whose they are, they are those
   * of the account that is active: whoever has asked for them waits for that.
   */
  isFor(account: string | undefined): boolean {
    return !this.#askedFor || this.#askedFor.account === account;
  }

  /** Forgets all rows, and has them read again. */
  reset(): void {
    this.#roots = undefined;
    this.#lookedAt.clear();
    this.#sources.reading.forget();
    this.redraws.release();
    this.redraw();
  }

  /** Says whether the rows are on screen. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
  }

  /** Draws those rows again whose ages are no longer what they say. */
  redrawAges(): void {
    this.redraws.ask(this.#ages.takeOld(loadedRows(this.#roots ?? [])));
  }

  /** Notes that the rows below one are shown, or no longer. */
  setExpanded(node: Node, expanded: boolean): void {
    this.#expansion.note(node, expanded);
  }

  /** Notes that no row shows rows below it any more. */
  setAllCollapsed(): void {
    this.#expansion.noteAllCollapsed(loadedRows(this.#roots ?? []));
  }

  /** Takes the mark of a new version away, for the person has looked at it. */
  noteLookedAt(node: Node): void {
    for (let row: Node | undefined = node; row; row = row.parent) {
      if (row.kind === 'stack' && this.#isNewVersion(row)) {
        this.#lookedAt.set(row.id, row.stack.version);
        this.redraws.ask([row]);
      }
    }
  }

  /** Marks what has changes that were not sent yet, and shows sections in the order that the person gave them. */
  setUnsent(unsent: UnsentMarks): void {
    const rows = loadedRows(this.#roots ?? []);
    const before = this.#unsent;
    const marksBefore = rows.map((row) => this.markOf(row));
    this.#unsent = unsent;
    this.redraws.ask(rows.filter((row, index) => this.markOf(row) !== marksBefore[index]));
    for (const row of rows) {
      if (row.kind === 'patch' && (before.isReordered(row) || unsent.isReordered(row))) {
        inBackground(this.takeIn({ kind: 'patch', patch: row }));
      }
    }
  }

  markOf(node: Node): Mark | undefined {
    switch (node.kind) {
      case 'project':
        return this.#unsent.projects.has(node.project.repositoryId) ? 'unsent' : undefined;
      case 'stack':
        return this.#unsent.stacks.has(node.stack.uuid)
          ? 'unsent'
          : this.#isNewVersion(node)
            ? 'newVersion'
            : undefined;
      case 'patch':
        return this.#unsent.hasPatch(node) ? 'unsent' : reviewShownOf(node.patch);
      case 'section':
        return this.#unsent.hasSection(node) ? 'unsent' : undefined;
      default:
        return undefined;
    }
  }

  /** Takes in what has changed in the model, and has just those rows drawn again that it concerns. */
  async takeIn(change: ModelChange): Promise<void> {
    if (!this.#visible || !this.#roots) {
      // VS Code asks when the rows are on screen again.
      this.redraw();
      return;
    }
    const redrawn = new Set<Node | undefined>();
    switch (change.kind) {
      case 'all':
        await this.#update(undefined, redrawn);
        await this.#updateEach(
          ({ kind }) => kind === 'project' || kind === 'stack' || kind === 'patch',
          redrawn,
        );
        break;
      case 'projects':
        await this.#update(undefined, redrawn);
        break;
      case 'project':
        await this.#update(undefined, redrawn);
        await this.#updateEach((row) => isProject(row, change.projectId), redrawn);
        await this.#updateEach((row) => row.kind === 'patch' && row.projectId === change.projectId, redrawn);
        break;
      case 'stacks':
        await this.#updateEach((row) => isProject(row, change.projectId), redrawn);
        break;
      case 'stackPatches':
        await this.#updateEach((row) => row.kind === 'stack' && row.stack.uuid === change.stackUuid, redrawn);
        break;
      case 'patch':
        // The list of stacks brought what is known of the patch, too.
        await this.#updateEach(
          (row) => row.kind === 'project' && hasStack(row, change.patch.stackUuid),
          redrawn,
        );
        await this.#updateEach((row) => row.kind === 'patch' && isSamePatch(row, change.patch), redrawn);
    }
    this.redraws.ask([...redrawn]);
  }

  /** The row of a project; undefined when it is not listed. */
  async projectRow(projectId: string): Promise<ProjectNode | undefined> {
    // The new rows may not be drawn yet.
    await this.#rowsOf(undefined);
    return this.#knownProjectRow(projectId);
  }

  /** The row of a patch stack; undefined when it is not listed. */
  async stackRow(projectId: string, stackUuid: string): Promise<StackNode | undefined> {
    const project = await this.projectRow(projectId);
    if (!project) {
      return undefined;
    }
    // Not what was known before, for the stack may be new.
    const model = await this.#sources.model();
    await model.stacks(projectId, this.#stacksWanted());
    const { rows } = await this.#rowsOf(project);
    return rows.find((row): row is StackNode => row.kind === 'stack' && row.stack.uuid === stackUuid);
  }

  /** The row of a patch; undefined when it is not listed, or the filter hides it. */
  async patchRow({ projectId, stackUuid, changeId }: PatchRef): Promise<PatchNode | undefined> {
    if (!this.#roots) {
      await this.#rowsOf(undefined);
    }
    const isStack = (row: Node): row is StackNode => row.kind === 'stack' && row.stack.uuid === stackUuid;
    let stack = loadedRows(this.#roots ?? []).find(isStack);
    if (!stack && projectId !== undefined) {
      const project = this.#knownProjectRow(projectId);
      stack = project && (await this.#rowsOf(project)).rows.find(isStack);
    }
    if (!stack) {
      return undefined;
    }
    const rows = stack.children ?? (await this.#rowsOf(stack)).rows;
    return rows.find((row): row is PatchNode => row.kind === 'patch' && row.changeId === changeId);
  }

  getParent(node: Node): Node | undefined {
    return node.parent;
  }

  async getTreeItem(node: Node): Promise<vscode.TreeItem> {
    await this.#drawing.next();
    const sharing = this.#sharingOf(node);
    this.#ages.note(node, rowAgesAt(node, sharing));
    // Rows of patches are made of what the model knows: it is there by now.
    const me = node.kind === 'patch' ? (await this.#sources.model()).me : undefined;
    return treeItem(node, {
      mark: this.markOf(node),
      expanded: this.#expansion.isExpanded(node),
      me,
      reading: this.#readingOf(node),
      sharing,
    });
  }

  resolveTreeItem(item: vscode.TreeItem, node: Node): vscode.TreeItem {
    const text = tooltip(node, this.markOf(node), this.#readingOf(node), this.#sharingOf(node));
    if (text) {
      item.tooltip = text;
    }
    return item;
  }

  async getChildren(node?: Node): Promise<Node[]> {
    const { rows } = await this.#rowsOf(node);
    await this.#giving.next();
    return rows;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #knownProjectRow(projectId: string): ProjectNode | undefined {
    return loadedRows(this.#roots ?? []).find((row) => isProject(row, projectId));
  }

  async #updateEach(concerns: (row: Node) => boolean, redrawn: Set<Node | undefined>): Promise<void> {
    for (const row of loadedRows(this.#roots ?? []).filter(concerns)) {
      await this.#update(row, redrawn);
    }
  }

  /**
   * Reads the rows below one again.
   *
   * @param redrawn gets the rows that are not what they were; undefined stands for all.
   */
  async #update(node: Node | undefined, redrawn: Set<Node | undefined>): Promise<void> {
    if (node && !node.children) {
      return;
    }
    if (node && !this.#expansion.isExpanded(node)) {
      // Nobody sees them: they are read when it is expanded.
      delete node.children;
      redrawn.add(node);
      return;
    }
    const changes = await this.#rowsOf(node);
    if (changes.listChanged) {
      redrawn.add(node);
      return;
    }
    changes.redrawn.forEach((row) => redrawn.add(row));
    if (node?.kind === 'project') {
      // Stacks come with their patches.
      for (const row of changes.rows) {
        if (!redrawn.has(row)) {
          await this.#update(row, redrawn);
        }
      }
    }
  }

  /** The rows below one, as they are known now. */
  async #rowsOf(node: Node | undefined): Promise<RowChanges> {
    let now: Node[];
    try {
      now = await this.#read(node);
    } catch (error) {
      now = this.#failed(node, error);
    }
    if (!node) {
      return this.#takeInRoots(now);
    }
    const changes = takeInRows(node.children, now);
    node.children = changes.rows;
    return changes;
  }

  /** The rows at the top come with the groups and projects below them, which takes no loading. */
  #takeInRoots(now: Node[]): RowChanges {
    const redrawn: Node[] = [];
    const takeIn = (before: Node[] | undefined, fresh: Node[], parent: Node | undefined): RowChanges => {
      const below = new Map(fresh.map((row) => [row.id, row.children]));
      const changes = takeInRows(before, fresh);
      redrawn.push(...changes.redrawn);
      for (const row of changes.rows) {
        row.parent = parent;
        const rows = below.get(row.id);
        if (rows) {
          const inner = takeIn(row.children, rows, row);
          row.children = inner.rows;
          if (inner.listChanged && !redrawn.includes(row)) {
            redrawn.push(row);
          }
        }
      }
      return changes;
    };
    const { rows, listChanged } = takeIn(this.#roots, now, undefined);
    this.#roots = rows;
    return { rows, redrawn, listChanged };
  }

  async #read(node: Node | undefined): Promise<Node[]> {
    if (!node) {
      return this.#readRoots();
    }
    switch (node.kind) {
      case 'project':
        return this.#readStacks(node);
      case 'stack':
        return this.#readPatches(node);
      case 'patch':
        return this.#readSections(node);
      default:
        return node.children ?? [];
    }
  }

  async #readRoots(): Promise<Node[]> {
    const { account, workspace } = this.#sources;
    const session = await account.session();
    this.#askedFor = { account: session?.id };
    if (!session) {
      this.#stateChanged.fire({ allHidden: false, workspace: [] });
      return [];
    }
    this.#expansion.turnTo(session.id);
    const model = await this.#sources.model();
    const [known] = await Promise.all([model.projects('atOnce'), workspace.ready()]);
    const { items, hasMore } = known.value;
    const inWorkspace = workspace.find(model, items);
    const { openReviews } = this.#sources.filter();
    const isShown = ({ activeReviewsCount }: Project): boolean =>
      openReviews !== true || activeReviewsCount === undefined || activeReviewsCount > 0;
    const shown = items.filter(isShown);
    const roots = [
      ...workspaceRows(inWorkspace),
      ...ownerRows(shown, {
        inWorkspace: new Set(inWorkspace.map(({ project }) => project.repositoryId)),
        login: session.login,
        isOnly: items.length === 1 && !hasMore,
      }),
      ...(hasMore ? [loadMoreNode()] : []),
    ];
    this.#stateChanged.fire({
      known,
      allHidden: roots.length === 0 && items.length > 0,
      workspace: inWorkspace,
    });
    return roots;
  }

  async #readStacks(node: ProjectNode): Promise<Node[]> {
    const model = await this.#sources.model();
    const known = await model.stacks(node.project.repositoryId, this.#stacksWanted(), 'atOnce');
    this.#noteProblem(node, known);
    const shown = known.value.filter((stack) => this.#isShown(stack, model.me));
    if (shown.length === 0) {
      return [noticeNode(node, noStacksText(this.#sources.filter()), 'filter')];
    }
    const rows = shown.map((stack) => stackNode(node, stack));
    for (const { id, stack, projectId } of rows) {
      this.#sources.reading.show(projectId, stack, stack.patches ?? []);
      if (!this.#lookedAt.has(id)) {
        this.#lookedAt.set(id, stack.version);
      }
    }
    return [...rows.filter(({ checkedOut }) => checkedOut), ...rows.filter(({ checkedOut }) => !checkedOut)];
  }

  async #readPatches(node: StackNode): Promise<Node[]> {
    const { projectId, stack } = node;
    const known = await (await this.#sources.model()).patchesOfStack(projectId, stack, 'atOnce');
    this.#noteProblem(node, known);
    if (known.value.length === 0) {
      return [noticeNode(node, vscode.l10n.t('No patches'))];
    }
    this.#sources.reading.show(projectId, stack, known.value);
    const serverUrl = this.#sources.account.activeServer ?? '';
    return known.value.map((patch) => patchNode(node, serverUrl, patch));
  }

  async #readSections(node: PatchNode): Promise<Node[]> {
    const known = await (await this.#sources.model()).patch(node, 'atOnce');
    this.#noteProblem(node, known);
    const sections = this.#unsent.inOrder(node, known.value.sections ?? []);
    if (sections.length === 0) {
      return [noticeNode(node, vscode.l10n.t('No sections'))];
    }
    return sections.map((section) => sectionNode(node, section));
  }

  #readingOf(node: Node): RowReading {
    switch (node.kind) {
      case 'stack':
        return { summary: this.#sources.reading.summaryOf(node.stack.uuid) };
      case 'patch':
        return { soFar: this.#sources.reading.stateOf(node) };
      default:
        return {};
    }
  }

  #sharingOf(node: Node): ProjectSharing | undefined {
    return node.kind === 'project' ? this.#sources.sharing.of(node.project.repositoryId) : undefined;
  }

  #redrawProject(projectId: string): void {
    this.redraws.ask(loadedRows(this.#roots ?? []).filter((row) => isProject(row, projectId)));
  }

  #redrawStack(stackUuid: string): void {
    const isOfStack = (row: Node): boolean =>
      (row.kind === 'stack' && row.stack.uuid === stackUuid) ||
      (row.kind === 'patch' && row.stackUuid === stackUuid);
    this.redraws.ask(loadedRows(this.#roots ?? []).filter(isOfStack));
  }

  #isNewVersion({ id, stack }: StackNode): boolean {
    return stack.version !== undefined && stack.version !== this.#lookedAt.get(id);
  }

  #stacksWanted(): { status: StacksFilter['status']; branchId?: string } {
    const { status, branchId } = this.#sources.filter();
    return { status, ...(branchId !== undefined && { branchId }) };
  }

  /** False for a stack of which the person wants nothing here; all are shown where it isn't known who they are. */
  #isShown(stack: PatchStack, me: Me | undefined): boolean {
    const { whose } = this.#sources.filter();
    return me === undefined || whose === undefined || (whose === 'mine' ? isOf : isWaitingFor)(stack, me);
  }

  /** A row that can't be read has but one below it, which says why. */
  #failed(node: Node | undefined, error: unknown): Node[] {
    const text = describeFailure(loadingOf(node), error);
    this.#sources.log.warn(text);
    if (node) {
      return [noticeNode(node, text, 'retry')];
    }
    this.#stateChanged.fire({ failure: error, allHidden: false, workspace: [] });
    return [];
  }

  /** Says on the row what went wrong below it; that the service is out of reach is said once, for all rows. */
  #noteProblem(node: ProjectNode | StackNode | PatchNode, { failure, asOf }: Known<unknown>): void {
    const before = node.problem?.text;
    node.problem =
      failure === undefined || isOutOfReach(failure)
        ? undefined
        : { text: describeFailure(loadingOf(node), failure), asOf };
    if (node.problem?.text !== before) {
      this.redraws.ask([node]);
    }
  }
}

function workspaceRows(projects: readonly WorkspaceProject[]): Node[] {
  if (projects.length === 0) {
    return [];
  }
  const node = workspaceNode();
  node.children = projects.map(({ project, branch }) => projectNode(node, project, { branch }));
  return [node];
}

function ownerRows(
  projects: readonly Project[],
  { inWorkspace, login, isOnly }: { inWorkspace: ReadonlySet<string>; login: string; isOnly: boolean },
): Node[] {
  return arrange(projects, inWorkspace).owners.map(({ owner, entries }) => {
    const all = entries.flatMap((entry) => (isFamily(entry) ? entry.members : [entry]));
    const node = ownerNode(owner, owner === login, openReviewsOf(all));
    node.children = entries.map((entry) => {
      if (!isFamily(entry)) {
        return projectNode(node, entry, { isOnly });
      }
      const family = familyNode(node, entry.root, openReviewsOf(entry.members));
      family.children = entry.members.map((member) => projectNode(family, member));
      return family;
    });
    return node;
  });
}

function isProject(row: Node, projectId: string): row is ProjectNode {
  return row.kind === 'project' && row.project.repositoryId === projectId;
}

function hasStack(row: ProjectNode, stackUuid: string): boolean {
  return (row.children ?? []).some((child) => child.kind === 'stack' && child.stack.uuid === stackUuid);
}

function noStacksText({ status, branchId, whose }: StacksFilter): string {
  if (whose !== undefined) {
    return whose === 'mine'
      ? vscode.l10n.t('None of the patch stacks is yours')
      : vscode.l10n.t('No patch stacks are waiting for your review');
  }
  if (branchId !== undefined) {
    return vscode.l10n.t('No patch stacks for branch "{0}" match the filter', branchId);
  }
  return status === 'all'
    ? vscode.l10n.t('No patch stacks')
    : vscode.l10n.t('No patch stacks with the status "{0}"', status);
}

function loadingOf(node: Node | undefined): string {
  switch (node?.kind) {
    case 'project':
      return vscode.l10n.t('load the patch stacks');
    case 'stack':
      return vscode.l10n.t('load the patches');
    case 'patch':
      return vscode.l10n.t('load the sections');
    default:
      return vscode.l10n.t('load the projects');
  }
}
