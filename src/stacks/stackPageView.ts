/** The view of a patch stack that its page shows: of the stack, and a line for each of its patches. */
import * as vscode from 'vscode';
import type { Patch, PatchStatistics } from '../api/types/patches.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import { isLeftToRead, summaryOf, type ReadSoFar } from '../model/reading/readSoFar.ts';
import type { Editing } from '../model/pending/pendingStack.ts';
import type { Explained } from '../model/prose/stackCoverage.ts';
import { opinionsOf, type Me } from '../model/review.ts';
import type {
  PatchLine,
  StackForm,
  StackPageState,
  StackPageView,
  VersionsView,
} from '../protocol/stackPage.ts';
import type { NotUpdated } from '../protocol/panel.ts';
import { describeChangeFailure } from '../ui/failures.ts';
import { contributorName, patchLabel, stackLabel, statusLabel } from '../ui/labels.ts';
import { readingText, summaryText } from '../ui/readingTexts.ts';
import type { Review } from '../util/review.ts';
import { plainText } from '../util/visibleText.ts';
import { reviewerViews } from './reviewerViews.ts';

/** See the module. */
export function stackPageView(
  ref: StackPageState,
  stack: PatchStack,
  patches: readonly Patch[],
  {
    notUpdated,
    me,
    account,
    editing,
    stateOf,
    coverage,
    unsent,
    versions,
  }: {
    /** Set when nothing newer is to be had. */
    notUpdated: NotUpdated | undefined;
    me: Me | undefined;
    account: string | undefined;
    editing: Editing | undefined;
    /** Returns how far the person has read a patch; undefined until that is known. */
    stateOf: (changeId: string) => ReadSoFar | undefined;
    /** The explained changes of each patch; undefined until they are known. */
    coverage: ReadonlyMap<string, Explained> | undefined;
    /** The person's reviews that the service doesn't have yet, by change id. */
    unsent: ReadonlyMap<string, Review>;
    /** Undefined when there is none before this one. */
    versions: VersionsView | undefined;
  },
): StackPageView {
  const { status, description, textsWithoutPatch } = stack;
  const readOnly = readOnlyText(status);
  const explained = coverage && explainedInAll([...coverage.values()]);
  return {
    ref,
    title: stackLabel(stack),
    facts: stackFacts(stack),
    ...(notUpdated && { notUpdated }),
    ...(description !== undefined && description.trim() !== '' && { description }),
    ...(account !== undefined && { account }),
    ...(editing && { form: formOf(editing) }),
    ...(readOnly !== undefined && { readOnly }),
    summary: summaryLines(patches, me, stateOf),
    ...(explained !== undefined && { explained }),
    ...(versions && { versions }),
    patches: patches.map((patch) =>
      lineOf(patch, me, stateOf(patch.changeId), coverage?.get(patch.changeId), unsent.get(patch.changeId)),
    ),
    lostTexts: (textsWithoutPatch ?? []).map(({ changeId, code, patchTitle, text }) => ({
      changeId,
      code,
      patchTitle: plainText(patchTitle ?? ''),
      text,
    })),
  };
}

/** Branch, version, base and state of a stack, in words. */
export function stackFacts(stack: PatchStack): string[] {
  const { branchId, version, base, status } = stack;
  return [
    // A stack without a title of its own is called by its branch.
    ...(branchId !== undefined && branchId !== stackLabel(stack)
      ? [vscode.l10n.t('Branch {0}', plainText(branchId))]
      : []),
    ...(version !== undefined ? [vscode.l10n.t('Version {0}', plainText(version))] : []),
    ...(base !== undefined ? [vscode.l10n.t('Compared with {0}', plainText(base))] : []),
    ...(status !== undefined && status !== 'active' ? [plainText(statusLabel(status))] : []),
  ];
}

function formOf({ failure, ...editing }: Editing): StackForm {
  return { ...editing, ...(failure && { failure: describeChangeFailure(failure) }) };
}

function readOnlyText(status: string | undefined): string | undefined {
  switch (status) {
    case 'closed':
      return vscode.l10n.t('This patch stack is closed and read-only. Reopen it to make changes.');
    case 'inactive':
      return vscode.l10n.t('A newer version of this patch stack exists.');
    default:
      return undefined;
  }
}

function summaryLines(
  patches: readonly Patch[],
  me: Me | undefined,
  stateOf: (changeId: string) => ReadSoFar | undefined,
): string[] {
  const signed = patches.filter((patch) => opinionsOf(patch, me).mine === 'signedOff').length;
  const states = patches.flatMap(({ changeId }) => stateOf(changeId) ?? []);
  return [
    ...(patches.length > 0 ? [vscode.l10n.t('You signed off on {0} of {1}', signed, patches.length)] : []),
    ...(states.length > 0 ? [summaryText(summaryOf(states))] : []),
  ];
}

function explainedInAll(patches: readonly Explained[]): string | undefined {
  const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0);
  const hunks = sum(patches.map((patch) => patch.hunks));
  return hunks === 0
    ? undefined
    : explainedText({ hunks, explained: sum(patches.map((patch) => patch.explained)) });
}

function explainedText({ hunks, explained }: Explained): string {
  return hunks === 1
    ? vscode.l10n.t('Text for {0} of 1 change', explained)
    : vscode.l10n.t('Text for {0} of {1} changes', explained, hunks);
}

function lineOf(
  patch: Patch,
  me: Me | undefined,
  soFar: ReadSoFar | undefined,
  coverage: Explained | undefined,
  unsent: Review | undefined,
): PatchLine {
  const { mine, signedOff, changesRequested } = opinionsOf(patch, me);
  const size = sizeOf(patch.statistics);
  return {
    changeId: patch.changeId,
    title: patchLabel(patch),
    authors: patch.contributors.map((one) => plainText(contributorName(one))).join(', '),
    ...(size && { size }),
    ...(soFar && {
      reading: {
        text: readingText(soFar),
        isLeft: isLeftToRead(soFar.state),
        isChanged: soFar.state === 'changed' || soFar.state === 'alike' || soFar.state === 'new',
      },
    }),
    ...(coverage && coverage.explained < coverage.hunks && { explained: explainedText(coverage) }),
    ...(mine && { mine }),
    ...(unsent && { unsent }),
    signedOff: reviewerViews(signedOff, me),
    changesRequested: reviewerViews(changesRequested, me),
  };
}

function sizeOf({ fileCount, files, lines, deletions }: PatchStatistics = {}): PatchLine['size'] {
  const count = fileCount ?? files?.length;
  return count === undefined || (lines === undefined && deletions === undefined)
    ? undefined
    : { files: count, added: lines ?? 0, deleted: deletions ?? 0 };
}
