import type { Patch, PatchSection } from '../api/resources/patches.ts';
import type { Project } from '../api/resources/projects.ts';
import type { PatchStack } from '../api/resources/stacks.ts';
import type { PatchReference } from '../contributions.ts';

/** A row for a project; its children are patch stacks. */
export interface ProjectNode {
  kind: 'project';
  project: Project;
}

/** A row for a patch stack; its children are patches. */
export interface StackNode {
  kind: 'stack';
  projectId: string;
  stack: PatchStack;
}

/** A row for a patch, which is also the reference that opens it; its children are sections. */
export interface PatchNode extends PatchReference {
  kind: 'patch';
  patch: Patch;
}

/** A row for a section, which is also the reference that opens the patch at it. */
export interface SectionNode extends PatchReference {
  kind: 'section';
  section: PatchSection;
}

/** A row that says why there is nothing else. */
export interface NoticeNode {
  kind: 'notice';
  /** What the row stands below, to tell it from others. */
  parentId: string;
  text: string;
  /** Whether it tells of a failure: then it offers to try again. */
  failure: boolean;
}

/** The row that reads the next page of projects. */
export interface LoadMoreNode {
  kind: 'loadMore';
}

/** A row of the stacks view. */
export type Node = ProjectNode | StackNode | PatchNode | SectionNode | NoticeNode | LoadMoreNode;

/** The identity of a row: the same for the same thing in every refresh, so that expansion and selection survive. */
export function nodeId(node: Node): string {
  switch (node.kind) {
    case 'project':
      return `project:${node.project.repositoryId}`;
    case 'stack':
      return `stack:${node.stack.uuid}`;
    case 'patch':
      return `patch:${node.stackUuid}/${node.changeId}`;
    case 'section':
      return `section:${node.stackUuid}/${node.changeId}/${node.section.code}`;
    case 'notice':
      return `notice:${node.parentId}`;
    case 'loadMore':
      return 'loadMore';
  }
}
