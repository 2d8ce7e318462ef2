import type { Patch, PatchSection } from '../api/resources/patches.ts';
import type { Project } from '../api/resources/projects.ts';
import type { PatchStack } from '../api/resources/stacks.ts';
import type { PatchReference } from '../contributions.ts';

/** What every row has: an identity that is the same for the same thing in every refresh, so that expansion and selection survive. */
interface NodeBase {
  id: string;
}

/** A row for a project; its children are patch stacks. */
export interface ProjectNode extends NodeBase {
  kind: 'project';
  project: Project;
}

/** A row for a patch stack; its children are patches. */
export interface StackNode extends NodeBase {
  kind: 'stack';
  parent: ProjectNode;
  projectId: string;
  stack: PatchStack;
}

/** A row for a patch, which is also the reference that opens it; its children are sections. */
export interface PatchNode extends NodeBase, PatchReference {
  kind: 'patch';
  patch: Patch;
}

/** A row for a section, which is also the reference that opens the patch at it. */
export interface SectionNode extends NodeBase, PatchReference {
  kind: 'section';
  section: PatchSection;
}

/** A row that says why there is nothing else. */
export interface NoticeNode extends NodeBase {
  kind: 'notice';
  text: string;
  /** Whether it tells of a failure: then it offers to try again. */
  failure: boolean;
}

/** The row that reads the next page of projects. */
export interface LoadMoreNode extends NodeBase {
  kind: 'loadMore';
}

/** A row of the stacks view. */
export type Node = ProjectNode | StackNode | PatchNode | SectionNode | NoticeNode | LoadMoreNode;

/** The row of a project. */
export function projectNode(project: Project): ProjectNode {
  return { kind: 'project', id: `project:${project.repositoryId}`, project };
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
  };
}

/** The row of a patch. */
export function patchNode(parent: StackNode, serverUrl: string, patch: Patch): PatchNode {
  const { projectId, stack } = parent;
  return {
    kind: 'patch',
    id: `${parent.id}/patch:${patch.changeId}`,
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
  const { serverUrl, projectId, branchId, stackUuid, changeId } = parent;
  return {
    kind: 'section',
    id: `${parent.id}/section:${section.code}`,
    serverUrl,
    projectId,
    branchId,
    stackUuid,
    changeId,
    sectionCode: section.code,
    section,
  };
}

/** A row that says why there is nothing else below `parent`. */
export function noticeNode(parent: Node | undefined, text: string, failure = false): NoticeNode {
  return { kind: 'notice', id: `${parent?.id ?? ''}/notice`, text, failure };
}
