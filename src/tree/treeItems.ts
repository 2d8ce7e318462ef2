/** Draws each row of the stacks view. */
import * as vscode from 'vscode';
import type { Patch, PatchUser } from '../api/types/patches.ts';
import type { Project } from '../api/types/projects.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import { parseTimestamp } from '../api/timestamp.ts';
import { opinionsOf, type Me } from '../model/review.ts';
import {
  capitalized,
  patchLabel,
  projectLabel,
  projectPath,
  sectionLabel,
  stackLabel,
  statusLabel,
  webAddress,
  contributorName,
} from '../ui/labels.ts';
import { ageChangesAt, readableAge } from '../util/age.ts';
import type { Review, SignatureState } from '../util/review.ts';
import { shortened } from '../util/budget.ts';
import { plainText } from '../util/visibleText.ts';
import { commandOfRow } from './clickedRow.ts';
import type { ReadingState, ReadingSummary, ReadSoFar } from '../model/reading/readSoFar.ts';
import { markText, rowUri, type Mark } from './marks.ts';
import {
  type FamilyNode,
  type Node,
  type NoticeNode,
  type OwnerNode,
  type PatchNode,
  type ProjectNode,
  type SectionNode,
  type StackNode,
} from './nodes.ts';
import { movedLines, readingText, summaryText } from '../ui/readingTexts.ts';
import {
  dateAndTime,
  leftOutSentence,
  sharingText,
  troubleSentence,
  unfinishedSentence,
  withheldText,
  type ProjectSharing,
} from '../ui/sharingTexts.ts';

/** Reading state of a row, as far as it is known: a patch's, or that of the patches of a stack. */
export interface RowReading {
  soFar?: ReadSoFar | undefined;
  summary?: ReadingSummary | undefined;
}

interface RowLooks {
  mark: Mark | undefined;
  expanded: boolean;
  me: Me | undefined;
  reading: RowReading;
  sharing: ProjectSharing | undefined;
}

/** The row of a node; what only those see who point at it is added by `resolveTreeItem`. */
export function treeItem(node: Node, { mark, expanded, me, reading, sharing }: RowLooks): vscode.TreeItem {
  const item = createItem(node, reading, sharing);
  if (item.collapsibleState !== vscode.TreeItemCollapsibleState.None) {
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    item.collapsibleState = expanded ? Expanded : Collapsed;
  }
  item.id = node.id;
  const command = commandOfRow(node);
  if (command) {
    item.command = command;
  }
  item.contextValue = contextValue(node, me, sharing);
  const file = shownFile(node);
  // Not for every row: VS Code writes those of a list down in one turn of the event loop, and addresses are a third of that.
  if (mark || file !== undefined) {
    item.resourceUri = rowUri(node, mark, file);
  }
  // Text from the service stands beside our own words here.
  const label = plainText(typeof item.label === 'string' ? item.label : '');
  const description = plainText(typeof item.description === 'string' ? item.description : '');
  item.label = label;
  item.description = description;
  item.accessibilityInformation = { label: spokenText(node, label, description, { mark, reading }) };
  return item;
}

/** The row's name for those who don't see its icon, its color and its mark. */
function spokenText(
  node: Node,
  label: string,
  description: string,
  { mark, reading }: Pick<RowLooks, 'mark' | 'reading'>,
): string {
  const seen = description.replaceAll(' · ', ', ');
  const parts = [kindText(node), label, ...spokenFacts(node, seen, reading), mark && markText(mark)];
  return parts.filter((part) => part).join(', ');
}

function kindText(node: Node): string | undefined {
  switch (node.kind) {
    case 'owner':
      return node.isSelf ? vscode.l10n.t('Your projects') : vscode.l10n.t('Projects of');
    case 'family':
      return vscode.l10n.t('Project and its forks');
    case 'project':
      return node.project.parentProject ? vscode.l10n.t('Fork') : vscode.l10n.t('Project');
    case 'stack':
      return vscode.l10n.t('Patch stack');
    case 'patch':
      return vscode.l10n.t('Patch');
    case 'section':
      return node.section.sectionType === 'diff' ? vscode.l10n.t('File') : vscode.l10n.t('Section');
    default:
      return undefined;
  }
}

/** The description beside the name, in words: icons and signs by what they mean. */
function spokenFacts(node: Node, seen: string, { soFar }: RowReading): Line[] {
  switch (node.kind) {
    case 'stack': {
      const { status } = node.stack;
      // What is seen says any other.
      return [status === 'active' && statusLabel(status), seen];
    }
    case 'patch': {
      const { patch } = node;
      const { signedOff, changesRequested } = opinionsOf(patch, undefined);
      return [
        soFar && readingText(soFar),
        patch.version !== undefined && vscode.l10n.t('version {0}', patch.version),
        spokenCounts(patch.statistics?.lines, patch.statistics?.deletions),
        patch.contributors.map(contributorName).join(', '),
        age(node),
        signedOff.length > 0 && vscode.l10n.t('Signed off by {0}', people(signedOff)),
        changesRequested.length > 0 && vscode.l10n.t('Changes requested by {0}', people(changesRequested)),
      ];
    }
    case 'section':
      return node.section.sectionType === 'diff'
        ? [spokenCounts(node.section.lines, node.section.deletions)]
        : [seen];
    default:
      return [seen];
  }
}

/** The path of the file that a row shows. */
function shownFile(node: Node): string | undefined {
  if (node.kind !== 'section' || node.section.sectionType !== 'diff') {
    return undefined;
  }
  const { newPath, oldPath, identifier } = node.section;
  return newPath ?? oldPath ?? identifier;
}

/** The row's kind for menus, with its state where commands depend on it. */
function contextValue(node: Node, me: Me | undefined, sharing: ProjectSharing | undefined): string {
  switch (node.kind) {
    case 'project': {
      const { project } = node;
      const shared = sharing && (sharing.remote === undefined ? '.unshared' : '.shared');
      return `project${project.parentProject ? '.connected' : ''}${webAddress(project) ? '.web' : ''}${shared ?? ''}`;
    }
    case 'stack':
      return `stack.${node.stack.status ?? 'unknown'}`;
    case 'patch':
      return `patch.${opinionsOf(node.patch, me).mine ?? 'unreviewed'}`;
    case 'section':
      return `section.${node.section.sectionType}`;
    default:
      return node.kind;
  }
}

function createItem(node: Node, reading: RowReading, sharing: ProjectSharing | undefined): vscode.TreeItem {
  switch (node.kind) {
    case 'workspace': {
      const item = parent(vscode.l10n.t('This Workspace'));
      item.iconPath = new vscode.ThemeIcon('root-folder');
      return item;
    }
    case 'owner':
      return ownerItem(node);
    case 'family':
      return familyItem(node);
    case 'project':
      return projectItem(node, sharing);
    case 'stack':
      return stackItem(node, reading);
    case 'patch':
      return patchItem(node, reading);
    case 'section':
      return sectionItem(node);
    case 'notice':
      return noticeItem(node);
    case 'loadMore': {
      const item = new vscode.TreeItem(vscode.l10n.t('Load More Projects…'));
      item.iconPath = new vscode.ThemeIcon('ellipsis');
      return item;
    }
  }
}

function parent(label: string): vscode.TreeItem {
  return new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
}

function ownerItem({ owner, isSelf, openReviews }: OwnerNode): vscode.TreeItem {
  const item = parent(owner ?? vscode.l10n.t('Other Projects'));
  item.iconPath = new vscode.ThemeIcon(isSelf ? 'account' : 'organization');
  item.description = openReviewsText(openReviews);
  return item;
}

function familyItem({ root, openReviews }: FamilyNode): vscode.TreeItem {
  const item = parent(projectLabel(root));
  item.iconPath = new vscode.ThemeIcon('repo');
  item.description = openReviewsText(openReviews);
  return item;
}

function projectItem(node: ProjectNode, sharing: ProjectSharing | undefined): vscode.TreeItem {
  const { project } = node;
  // Among its forks, the name would be the same in each row.
  const inFamily = node.parent?.kind === 'family';
  const item = parent(inFamily ? projectPath(project) || projectLabel(project) : projectLabel(project));
  const isRefused = sharing?.trouble !== undefined && sharing.trouble !== 'offline';
  item.iconPath =
    problemIcon(node) ??
    new vscode.ThemeIcon(isRefused ? 'warning' : project.parentProject ? 'repo-forked' : 'repo');
  const shared = sharing ? sharingText(sharing) : '';
  item.description = joined([
    // First: what keeps it from being shared must not be cut off.
    shared,
    node.parent?.kind === 'workspace' && project.owner,
    openReviewsText(project.activeReviewsCount ?? 0),
    // Two ages would be taken for one another.
    shared === '' && age(node),
  ]);
  return item;
}

function openReviewsText(count: number): string {
  switch (count) {
    case 0:
      return '';
    case 1:
      return vscode.l10n.t('1 open review');
    default:
      return vscode.l10n.t('{0} open reviews', count);
  }
}

const stackIcons: Record<string, string> = {
  active: 'git-pull-request',
  inactive: 'git-pull-request-draft',
  closed: 'git-pull-request-closed',
  loading: 'sync',
};

function stackItem(node: StackNode, { summary }: RowReading): vscode.TreeItem {
  const { stack, checkedOut } = node;
  const item = parent(stackLabel(stack));
  item.iconPath =
    problemIcon(node) ??
    new vscode.ThemeIcon(
      stackIcons[stack.status ?? ''] ?? 'git-pull-request',
      checkedOut ? new vscode.ThemeColor('charts.blue') : undefined,
    );
  item.description = joined([
    checkedOut && vscode.l10n.t('checked out'),
    // By more than the icon; what is active is what is expected.
    stack.status !== undefined && stack.status !== 'active' && statusLabel(stack.status),
    summary && summaryText(summary),
    stackFacts(stack),
    stack.contributors.map(contributorName).join(', '),
    age(node),
  ]);
  return item;
}

function patchCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 patch') : vscode.l10n.t('{0} patches', count);
}

function patchItem(node: PatchNode, { soFar }: RowReading): vscode.TreeItem {
  const { patch } = node;
  const item = parent(patchLabel(patch));
  const said = reviewShownOf(patch);
  const mismatch = mismatchText(patch);
  item.iconPath =
    problemIcon(node) ??
    (mismatch !== undefined
      ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.errorForeground'))
      : said
        ? new vscode.ThemeIcon(reviewIcons[said])
        : readingIcon(soFar?.state));
  item.description = joined([
    mismatch,
    soFar && readingText(soFar),
    patchFacts(patch),
    patch.contributors.map(contributorName).join(', '),
    age(node),
  ]);
  return item;
}

/** A patch or stack that has something left to read stands out. */
function readingIcon(state: ReadingState | undefined): vscode.ThemeIcon {
  const blue = new vscode.ThemeColor('charts.blue');
  switch (state) {
    case 'unread':
    case 'new':
      return new vscode.ThemeIcon('circle-filled', blue);
    case 'partlyRead':
      return new vscode.ThemeIcon('circle', blue);
    case 'changed':
      return new vscode.ThemeIcon('git-compare', blue);
    case 'alike':
    case 'unknown':
      return new vscode.ThemeIcon('question', blue);
    default:
      return new vscode.ThemeIcon('git-commit');
  }
}

const reviewIcons: Record<Review, string> = { signedOff: 'pass', changesRequested: 'request-changes' };

/** The review that the row of a patch shows: that anybody wants changes counts for more than that others agree. */
export function reviewShownOf(patch: Patch): Review | undefined {
  const { signedOff, changesRequested } = opinionsOf(patch, undefined);
  return changesRequested.length > 0 ? 'changesRequested' : signedOff.length > 0 ? 'signedOff' : undefined;
}

function sectionItem(node: SectionNode): vscode.TreeItem {
  const { section } = node;
  const item = new vscode.TreeItem(sectionLabel(node.section));
  switch (section.sectionType) {
    case 'text':
      item.iconPath = new vscode.ThemeIcon('note');
      item.description = vscode.l10n.t('Text');
      break;
    case 'diff':
      item.iconPath = vscode.ThemeIcon.File;
      item.description = lineCounts(section.lines, section.deletions) ?? '';
      break;
    case 'unknown':
      item.iconPath = new vscode.ThemeIcon('question');
      item.description = vscode.l10n.t('unreadable');
      break;
  }
  return item;
}

function noticeItem(node: NoticeNode): vscode.TreeItem {
  const item = new vscode.TreeItem(node.text);
  item.tooltip = node.text;
  item.iconPath =
    node.remedy === 'retry'
      ? new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'))
      : new vscode.ThemeIcon('info');
  return item;
}

/** The tooltip of a row; undefined where the row says everything itself. */
export function tooltip(
  node: Node,
  mark: Mark | undefined,
  { soFar, summary }: RowReading,
  sharing: ProjectSharing | undefined,
): vscode.MarkdownString | undefined {
  const lines = tooltipLines(node);
  if (!lines) {
    return undefined;
  }
  const { title, text } = lines;
  const problem = 'problem' in node ? node.problem : undefined;
  return escaped(title, [
    ...text,
    soFar && capitalized(readingText(soFar)),
    ...(soFar?.moved && soFar.moved.length > 1 ? movedLines(soFar.moved) : []),
    summary && capitalized(summaryText(summary)),
    mark && markText(mark),
    ...sharingLines(sharing),
    problem && vscode.l10n.t('{0} Last updated {1}.', problem.text, dateAndTime(problem.asOf)),
  ]);
}

type Line = string | false | undefined;

function tooltipLines(node: Node): { title: string; text: Line[] } | undefined {
  switch (node.kind) {
    case 'project':
      return { title: projectLabel(node.project), text: projectLines(node.project) };
    case 'family':
      return { title: projectLabel(node.root), text: projectLines(node.root) };
    case 'stack': {
      const { branchId, base, status, description, createdAt, contributors } = node.stack;
      return {
        title: stackLabel(node.stack),
        text: [
          contributors.map(contributorName).join(', '),
          stackFacts(node.stack),
          branchId !== undefined && vscode.l10n.t('Branch {0}', branchId),
          base !== undefined && vscode.l10n.t('Compared with {0}', base),
          status !== undefined && vscode.l10n.t('Status: {0}', statusLabel(status)),
          exactTime(createdAt),
          description,
        ],
      };
    }
    case 'patch': {
      const { patch } = node;
      const { signedOff, changesRequested } = opinionsOf(patch, undefined);
      return {
        title: patchLabel(patch),
        text: [
          patch.contributors.map(contributorName).join(', '),
          patchFacts(patch),
          exactTime(patch.createdAt),
          signedOff.length > 0 && vscode.l10n.t('Signed off by {0}', people(signedOff)),
          changesRequested.length > 0 && vscode.l10n.t('Changes requested by {0}', people(changesRequested)),
        ],
      };
    }
    case 'section':
      return { title: sectionLabel(node.section), text: [] };
    default:
      return undefined;
  }
}

function projectLines(project: Project): Line[] {
  const { description, parentProject, updatedAt } = project;
  return [
    projectPath(project),
    parentProject && vscode.l10n.t('Fork of {0}', projectPath(parentProject)),
    exactTime(updatedAt),
    description,
  ];
}

function sharingLines(sharing: ProjectSharing | undefined): Line[] {
  const { remote, trouble, takenAt, withheld = [], leftOut = [], unfinished = [], sharedAt } = sharing ?? {};
  return remote === undefined
    ? []
    : [
        vscode.l10n.t('Reviews are shared through "{0}"', remote),
        sharedAt && vscode.l10n.t('Last shared {0}', dateAndTime(sharedAt)),
        trouble && troubleSentence(remote, trouble, takenAt),
        ...withheld.slice(0, mostWithheld).map(withheldText),
        withheld.length > mostWithheld && '…',
        unfinished.length > 0 && unfinishedSentence(unfinished),
        leftOut.length > 0 && leftOutSentence(leftOut),
      ];
}

/** Things that can't be shared which a tooltip names. */
const mostWithheld = 10;

/** Characters of each paragraph of a tooltip. */
const longestTooltip = 1_000;

/** Text from the service as a tooltip: escaped, so that none of it becomes markup. */
function escaped(title: string, lines: Line[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(`**${escapedText(title)}**`);
  for (const line of lines) {
    if (line) {
      markdown.appendMarkdown(`\n\n${escapedText(line)}`);
    }
  }
  return markdown;
}

/** Addresses are escaped too: VS Code makes links of those that stand in the text as they are. */
function escapedText(text: string): string {
  const { value } = new vscode.MarkdownString().appendText(shortened(text, longestTooltip));
  return value.replaceAll(/:(?=\/\/)|@|(?<=www)\./gi, '\\$&');
}

function problemIcon({ problem }: { problem?: object | undefined }): vscode.ThemeIcon | undefined {
  return problem && new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
}

function stackFacts({ version, stackSize }: PatchStack): string {
  return joined([versionText(version), stackSize !== undefined && patchCount(stackSize)]);
}

function patchFacts({ version, statistics }: Patch): string {
  return joined([versionText(version), lineCounts(statistics?.lines, statistics?.deletions)]);
}

function versionText(version: string | undefined): string | undefined {
  return version === undefined ? undefined : `v${version}`;
}

function lineCounts(lines: number | undefined, deletions: number | undefined): string | undefined {
  return lines === undefined && deletions === undefined ? undefined : `+${lines ?? 0} −${deletions ?? 0}`;
}

function spokenCounts(lines: number | undefined, deletions: number | undefined): string | undefined {
  const texts: Line[] = [];
  if (lines !== undefined && lines > 0) {
    texts.push(lines === 1 ? vscode.l10n.t('1 line added') : vscode.l10n.t('{0} lines added', lines));
  }
  if (deletions !== undefined && deletions > 0) {
    texts.push(
      deletions === 1 ? vscode.l10n.t('1 line removed') : vscode.l10n.t('{0} lines removed', deletions),
    );
  }
  return texts.join(', ');
}

function age(node: Node): string | undefined {
  const date = datedAt(node);
  return date && readableAge(date, vscode.env.language);
}

/** The time whose age a row says; undefined when it says none. */
function datedAt(node: Node): Date | undefined {
  switch (node.kind) {
    case 'project':
      return parseTimestamp(node.project.updatedAt);
    case 'stack':
      return parseTimestamp(node.stack.createdAt);
    case 'patch':
      return parseTimestamp(node.patch.createdAt);
    default:
      return undefined;
  }
}

/** When the age that a row says is no longer true, in milliseconds since the epoch; undefined when it says none. */
export function rowAgesAt(node: Node, sharing?: ProjectSharing): number | undefined {
  const date = sharing?.sharedAt ?? datedAt(node);
  return date && ageChangesAt(date);
}

function exactTime(timestamp: string | undefined): string | undefined {
  const date = parseTimestamp(timestamp);
  return date ? dateAndTime(date) : timestamp;
}

function joined(parts: Line[]): string {
  return parts.filter((part) => part).join(' · ');
}

function people(users: readonly PatchUser[]): string {
  return users
    .map(({ name, login, signature }) => {
      const whole = name ?? login ?? '?';
      return signature ? vscode.l10n.t('{0} ({1})', whole, signatureWord(signature)) : whole;
    })
    .join(', ');
}

function signatureWord(state: SignatureState): string {
  switch (state) {
    case 'verified':
      return vscode.l10n.t('verified');
    case 'unverified':
      return vscode.l10n.t('not verified');
    case 'mismatch':
      return vscode.l10n.t("doesn't match");
  }
}

/** Says that a review of a patch isn't one of what it shows: nobody should rely on it. */
function mismatchText(patch: Patch): string | undefined {
  const { signedOff, changesRequested } = opinionsOf(patch, undefined);
  const isIn = (users: readonly PatchUser[]): boolean =>
    users.some(({ signature }) => signature === 'mismatch');
  return isIn(signedOff)
    ? vscode.l10n.t("a sign-off doesn't match")
    : isIn(changesRequested)
      ? vscode.l10n.t("requested changes don't match")
      : undefined;
}
