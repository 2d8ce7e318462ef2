/** How each row of the stacks view looks. */
import * as vscode from 'vscode';
import type { Contributor, Patch } from '../api/resources/patches.ts';
import { commandId } from '../contributions.ts';
import { projectLabel, projectPath, stackLabel } from '../ui/labels.ts';
import {
  type Node,
  type NoticeNode,
  type PatchNode,
  type ProjectNode,
  type SectionNode,
  type StackNode,
} from './nodes.ts';

/** The row of a node. */
export function treeItem(node: Node): vscode.TreeItem {
  const item = createItem(node);
  item.id = node.id;
  item.contextValue = contextValue(node);
  return item;
}

/** What menus know of a row: its kind, and its state where commands depend on it. */
function contextValue(node: Node): string {
  switch (node.kind) {
    case 'project':
      return node.project.parentProject ? 'project.connected' : 'project';
    case 'stack':
      return `stack.${node.stack.status ?? 'unknown'}`;
    default:
      return node.kind;
  }
}

function createItem(node: Node): vscode.TreeItem {
  switch (node.kind) {
    case 'project':
      return projectItem(node);
    case 'stack':
      return stackItem(node);
    case 'patch':
      return patchItem(node);
    case 'section':
      return sectionItem(node);
    case 'notice':
      return noticeItem(node);
    case 'loadMore': {
      const item = new vscode.TreeItem(vscode.l10n.t('Load More Projects…'));
      item.iconPath = new vscode.ThemeIcon('ellipsis');
      item.command = { command: commandId('loadMore'), title: vscode.l10n.t('Load More Projects…') };
      return item;
    }
  }
}

function projectItem({ project }: ProjectNode): vscode.TreeItem {
  const item = new vscode.TreeItem(projectLabel(project), vscode.TreeItemCollapsibleState.Collapsed);
  item.iconPath = new vscode.ThemeIcon(project.parentProject ? 'repo-forked' : 'repo');
  item.description = [
    project.owner,
    project.activeReviewsCount ? openReviews(project.activeReviewsCount) : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
  item.tooltip = tooltip(projectLabel(project), [project.description, projectPath(project)]);
  return item;
}

function openReviews(count: number): string {
  return count === 1 ? vscode.l10n.t('1 open review') : vscode.l10n.t('{0} open reviews', count);
}

const stackIcons: Record<string, string> = {
  active: 'git-pull-request',
  inactive: 'git-pull-request-draft',
  closed: 'git-pull-request-closed',
  loading: 'sync',
};

function stackItem({ stack }: StackNode): vscode.TreeItem {
  const item = new vscode.TreeItem(stackLabel(stack), vscode.TreeItemCollapsibleState.Collapsed);
  item.iconPath = new vscode.ThemeIcon(stackIcons[stack.status ?? ''] ?? 'git-pull-request');
  item.description = [
    stack.version === undefined ? undefined : `v${stack.version}`,
    stack.stackSize === undefined ? undefined : patchCount(stack.stackSize),
    stack.contributors.map(contributorName).join(', '),
  ]
    .filter((part) => part)
    .join(' · ');
  item.tooltip = tooltip(stackLabel(stack), [
    stack.branchId && vscode.l10n.t('Branch {0}', stack.branchId),
    stack.status && vscode.l10n.t('Status: {0}', stack.status),
    stack.description,
  ]);
  return item;
}

function patchCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 patch') : vscode.l10n.t('{0} patches', count);
}

function patchItem(node: PatchNode): vscode.TreeItem {
  const { patch } = node;
  const item = new vscode.TreeItem(patchLabel(patch), vscode.TreeItemCollapsibleState.Collapsed);
  const signedOff = (patch.reviewAll?.signedOff.length ?? 0) > 0;
  const rejected = (patch.reviewAll?.rejected.length ?? 0) > 0;
  item.iconPath = new vscode.ThemeIcon(rejected ? 'error' : signedOff ? 'pass' : 'git-commit');
  const { statistics } = patch;
  item.description =
    statistics?.lines !== undefined || statistics?.deletions !== undefined
      ? `+${statistics.lines ?? 0} −${statistics.deletions ?? 0}`
      : '';
  item.tooltip = tooltip(patchLabel(patch), [
    patch.contributors.map(contributorName).join(', '),
    signedOff && vscode.l10n.t('Signed off by {0}', people(patch.reviewAll?.signedOff)),
    rejected && vscode.l10n.t('Rejected by {0}', people(patch.reviewAll?.rejected)),
  ]);
  item.command = { command: commandId('openPatch'), title: vscode.l10n.t('Open Patch'), arguments: [node] };
  return item;
}

function sectionItem(node: SectionNode): vscode.TreeItem {
  const { section } = node;
  const item = new vscode.TreeItem(sectionLabel(node));
  switch (section.sectionType) {
    case 'text':
      item.iconPath = new vscode.ThemeIcon('note');
      break;
    case 'diff': {
      const path = section.newPath ?? section.oldPath ?? section.identifier;
      // Gives the row the icon that the file icon theme has for such a file; the scheme is nobody's, so nothing is read.
      item.resourceUri = vscode.Uri.from({ scheme: 'patch-stacks-path', path: `/${path}` });
      item.iconPath = vscode.ThemeIcon.File;
      item.description = `+${section.lines ?? 0} −${section.deletions ?? 0}`;
      break;
    }
    case 'unknown':
      item.iconPath = new vscode.ThemeIcon('question');
      item.description = vscode.l10n.t('cannot be read');
      break;
  }
  item.command = { command: commandId('openPatch'), title: vscode.l10n.t('Open Patch'), arguments: [node] };
  return item;
}

function noticeItem(node: NoticeNode): vscode.TreeItem {
  const item = new vscode.TreeItem(node.text);
  item.tooltip = node.text;
  if (node.failure) {
    item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    item.command = { command: commandId('refresh'), title: vscode.l10n.t('Refresh') };
  } else {
    item.iconPath = new vscode.ThemeIcon('info');
  }
  return item;
}

/** Text from the service as a tooltip: escaped, so that none of it becomes markup. */
function tooltip(title: string, lines: (string | false | undefined)[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.appendMarkdown('**').appendText(title).appendMarkdown('**');
  for (const line of lines) {
    if (line) {
      markdown.appendMarkdown('\n\n').appendText(line);
    }
  }
  return markdown;
}

function patchLabel(patch: Patch): string {
  return patch.title ?? patch.changeId;
}

function sectionLabel({ section }: SectionNode): string {
  switch (section.sectionType) {
    case 'text':
      return section.title ?? firstLine(section.text) ?? vscode.l10n.t('Text');
    case 'diff':
      return section.newPath ?? section.oldPath ?? section.identifier;
    case 'unknown':
      return section.title ?? section.code;
  }
}

function firstLine(text: string | undefined): string | undefined {
  const line = text?.split('\n').find((candidate) => candidate.trim() !== '');
  return line?.replace(/^#+\s*/, '').slice(0, 120);
}

function contributorName(contributor: Contributor): string {
  const { user, email, text } = contributor;
  return user?.name ?? user?.login ?? text ?? email ?? '';
}

function people(users: { login?: string; name?: string }[] | undefined): string {
  return (users ?? []).map((user) => user.name ?? user.login ?? '?').join(', ');
}
