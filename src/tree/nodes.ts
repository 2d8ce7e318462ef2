/**
 * The rows of the stacks view. The row of a thing is one object as long as it is shown, with an id that is the same in
 * every refresh: by the object VS Code knows what to draw again, and by the id what is expanded and selected.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Patch, PatchSection } from '../api/types/patches.ts';
import type { Project } from '../api/types/projects.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import { parseTimestamp } from '../api/timestamp.ts';
import { readableAge } from '../util/age.ts';
import { refOf, type SectionRef } from '../util/patchRef.ts';

interface NodeBase {
  id: string;
  parent: Node | undefined;
  /** The rows below it, once somebody has looked at them. */
  children?: Node[];
}

/** A row whose rows below it are loaded from the service. */
interface LoadedNode extends NodeBase {
  /** Why what is below it could not be brought up to date, and when it was. */
  problem?: { text: string; asOf: Date } | undefined;
}

/** The row over the projects of the open repositories. */
interface WorkspaceNode extends NodeBase {
  kind: 'workspace';
}

/** The row over the projects of an owner. */
export interface OwnerNode extends NodeBase {
  kind: 'owner';
  owner: string | undefined;
  isSelf: boolean;
  openReviews: number;
}

/** The row over a project's forks, by the name of the project. */
export interface FamilyNode extends NodeBase {
  kind: 'family';
  /** The project that the others come from. */
  root: Project;
  openReviews: number;
}

/** A row for a project; its children are patch stacks. */
export interface ProjectNode extends LoadedNode {
  kind: 'project';
  project: Project;
  /** The branch that is checked out in the repository of this project. */
  branch: string | undefined;
  /** Is of an open repository, or the only one: the person is here because of it. */
  isAtHand: boolean;
}

/** A row for a patch stack; its children are patches. */
export interface StackNode extends LoadedNode {
  kind: 'stack';
  projectId: string;
  stack: PatchStack;
  checkedOut: boolean;
}

/** A row for a patch, which also says where it is; its children are sections. */
export interface PatchNode extends LoadedNode, SectionRef {
  kind: 'patch';
  patch: Patch;
}

/** A row for a section, which also says where it is. */
export interface SectionNode extends NodeBase, SectionRef {
  kind: 'section';
  section: PatchSection;
  sectionCode: string;
}

/** A row that says why there is nothing else. */
export interface NoticeNode extends NodeBase {
  kind: 'notice';
  text: string;
  /** Set where a click on it does something about it. */
  remedy?: 'retry' | 'filter';
}

/** The row that reads the next page of projects. */
interface LoadMoreNode extends NodeBase {
  kind: 'loadMore';
}

/** A row of the stacks view. */
export type Node =
  | WorkspaceNode
  | OwnerNode
  | FamilyNode
  | ProjectNode
  | StackNode
  | PatchNode
  | SectionNode
  | NoticeNode
  | LoadMoreNode;

/** The row over the projects of the open repositories. */
export function workspaceNode(): WorkspaceNode {
  return { kind: 'workspace', id: 'workspace', parent: undefined };
}

/** The row over the projects of an owner. */
export function ownerNode(owner: string | undefined, isSelf: boolean, openReviews: number): OwnerNode {
  const id = owner === undefined ? 'owners' : `owner:${owner}`;
  return { kind: 'owner', id, parent: undefined, owner, isSelf, openReviews };
}

/** The row over a project's forks. */
export function familyNode(parent: Node, root: Project, openReviews: number): FamilyNode {
  return { kind: 'family', id: `family:${root.repositoryId}`, parent, root, openReviews };
}

/** The row of a project. */
export function projectNode(
  parent: Node,
  project: Project,
  { branch, isOnly = false }: { branch?: string | undefined; isOnly?: boolean } = {},
): ProjectNode {
  const isAtHand = isOnly || parent.kind === 'workspace';
  return { kind: 'project', id: `project:${project.repositoryId}`, parent, project, branch, isAtHand };
}

/**
 * The row of a patch stack. The active stack of a branch keeps its row when it gets a new version, which is a stack with
 * another id.
 */
export function stackNode(parent: ProjectNode, stack: PatchStack): StackNode {
  const { status, branchId, uuid } = stack;
  const identity = status === 'active' && branchId !== undefined ? `branch:${branchId}` : `stack:${uuid}`;
  return {
    kind: 'stack',
    id: `${parent.id}/${identity}`,
    parent,
    projectId: parent.project.repositoryId,
    stack,
    checkedOut: branchId !== undefined && branchId === parent.branch,
  };
}

/** The row of a patch. */
export function patchNode(parent: StackNode, serverUrl: string, patch: Patch): PatchNode {
  const { projectId, stack } = parent;
  return {
    kind: 'patch',
    id: `${parent.id}/patch:${patch.changeId}`,
    parent,
    serverUrl,
    projectId,
    branchId: stack.branchId,
    stackUuid: stack.uuid,
    changeId: patch.changeId,
    patch,
  };
}

/** The row of a section. */
export function sectionNode(parent: PatchNode, section: PatchSection): SectionNode {
  return {
    kind: 'section',
    id: `${parent.id}/section:${section.code}`,
    parent,
    ...refOf(parent),
    sectionCode: section.code,
    section,
  };
}

/** A row that says why there is nothing else below `parent`. */
export function noticeNode(parent: Node, text: string, remedy?: NoticeNode['remedy']): NoticeNode {
  return { kind: 'notice', id: `${parent.id}/notice`, parent, text, ...(remedy && { remedy }) };
}

/** The row that reads the next page of projects. */
export function loadMoreNode(): LoadMoreNode {
  return { kind: 'loadMore', id: 'loadMore', parent: undefined };
}

/** The result of taking in rows: those to draw again, and whether they are others than before or in another order. */
export interface RowChanges {
  rows: Node[];
  redrawn: Node[];
  listChanged: boolean;
}

/**
 * Takes in how rows are now. A row that was there before stays the same object, with what is new put into it and the rows
 * below it kept.
 */
export function takeInRows(before: readonly Node[] | undefined, now: readonly Node[]): RowChanges {
  const known = new Map(before?.map((node) => [node.id, node]));
  const redrawn: Node[] = [];
  const rows = now.map((fresh) => {
    const node = known.get(fresh.id);
    if (node?.kind !== fresh.kind) {
      return fresh;
    }
    if (!looksSame(node, fresh)) {
      redrawn.push(node);
    }
    const { children } = node;
    Object.assign(node, fresh);
    // The rows below it are taken in by themselves.
    if (children) {
      node.children = children;
    }
    return node;
  });
  const listChanged =
    before?.length !== rows.length || rows.some((node, index) => node.id !== before[index]?.id);
  return { rows, redrawn, listChanged };
}

/** All rows below these that somebody has looked at, and these. */
export function loadedRows(rows: readonly Node[]): Node[] {
  // Generators in each other would take ten times as long, which shows where there are thousands.
  const found: Node[] = [];
  const add = (some: readonly Node[]): void => {
    for (const row of some) {
      found.push(row);
      add(row.children ?? []);
    }
  };
  add(rows);
  return found;
}

/** Compares the row alone; the rows below it are another matter. */
function looksSame(node: Node, fresh: Node): boolean {
  if (node.kind === 'stack' && fresh.kind === 'stack') {
    const alone = (stack: PatchStack): PatchStack => ({ ...stack, patches: [] });
    return node.checkedOut === fresh.checkedOut && isDeepStrictEqual(alone(node.stack), alone(fresh.stack));
  }
  if (node.kind === 'project' && fresh.kind === 'project') {
    if (node.project === fresh.project || node.branch !== fresh.branch) {
      return node.branch === fresh.branch;
    }
    // Every change inside a project makes its activity newer; its row says only how old that is.
    const { updatedAt: before, ...known } = node.project;
    const { updatedAt: now, ...project } = fresh.project;
    return isDeepStrictEqual(known, project) && isSameAge(before, now);
  }
  const known: Record<string, unknown> = { ...node };
  return Object.entries(fresh).every(
    ([key, value]) => key === 'parent' || key === 'children' || isDeepStrictEqual(known[key], value),
  );
}

function isSameAge(before: string | undefined, now: string | undefined): boolean {
  // Mostly they are the same, and working an age out for each of thousands of projects takes long.
  return before === now || ageOf(before) === ageOf(now);
}

function ageOf(timestamp: string | undefined): string | undefined {
  const date = parseTimestamp(timestamp);
  return date && readableAge(date, 'en');
}
