/** The filter of the patch stacks and projects in the view. */
import * as vscode from 'vscode';
import { statusFilters, type StatusFilter } from '../contributions.ts';
import { choose, type Choice } from '../ui/choose.ts';
import { statusLabel } from '../ui/labels.ts';

/** See the module. */
export interface StacksFilter {
  status: StatusFilter;
  /** Only the stacks of this branch. */
  branchId?: string;
  /** Only projects with open reviews. */
  openReviews?: boolean;
  /** Only the stacks that the person has contributed to, or those that wait for their review. */
  whose?: 'mine' | 'waiting';
}

/**
 * Lets the person choose one thing that is to be different about a filter.
 *
 * @throws {CancelledError} when they give up.
 */
export async function chooseFilter(present: StacksFilter): Promise<StacksFilter> {
  const title = vscode.l10n.t('Filter by Status');
  const { branchId, openReviews, whose, ...others } = present;
  const rest = { ...others, ...(whose !== undefined && { whose }) };
  const heading = (label: string): Choice<StacksFilter | 'branch'> => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  const chosen = await choose<StacksFilter | 'branch'>({
    title,
    placeholder: vscode.l10n.t('Select which patch stacks to show'),
    load: async () => [
      ...statusFilters.map((status) => ({
        label: statusLabel(status),
        ...(status === present.status && { description: vscode.l10n.t('current') }),
        choice: { value: { ...present, status } },
      })),
      heading(vscode.l10n.t('People')),
      ...(['mine', 'waiting'] as const)
        .filter((one) => one !== whose)
        .map((one) => ({
          label: `$(${whoseIcons[one]}) ${whoseLabel(one)}`,
          choice: { value: { ...present, whose: one } },
        })),
      ...(whose === undefined
        ? []
        : [
            {
              label: `$(close) ${vscode.l10n.t("Everyone's")}`,
              choice: {
                value: {
                  ...others,
                  ...(branchId !== undefined && { branchId }),
                  ...(openReviews !== undefined && { openReviews }),
                },
              },
            },
          ]),
      heading(vscode.l10n.t('Branch')),
      {
        label: `$(git-branch) ${vscode.l10n.t('For a Branch…')}`,
        ...(branchId !== undefined && { description: branchId }),
        choice: { value: 'branch' },
      },
      ...(branchId === undefined
        ? []
        : [
            {
              label: `$(close) ${vscode.l10n.t('For Any Branch')}`,
              choice: { value: { ...rest, ...(openReviews !== undefined && { openReviews }) } },
            },
          ]),
      heading(vscode.l10n.t('Projects')),
      openReviews
        ? {
            label: `$(close) ${vscode.l10n.t('All Projects')}`,
            choice: { value: { ...rest, ...(branchId !== undefined && { branchId }) } },
          }
        : {
            label: `$(comment-discussion) ${vscode.l10n.t('Projects with Open Reviews Only')}`,
            choice: { value: { ...present, openReviews: true } },
          },
    ],
    isActive: (value) =>
      value !== 'branch' &&
      value.status === present.status &&
      value.openReviews === openReviews &&
      value.whose === whose,
  });
  if (chosen !== 'branch') {
    return chosen;
  }
  const { chooseBranch } = await import('../ui/chooseBranch.ts');
  const { localBranches } = await import('../git/branches.ts');
  return { ...present, branchId: (await chooseBranch(title, undefined, localBranches)).name };
}

const whoseIcons = { mine: 'person', waiting: 'inbox' };

/** Words for whose stacks are shown. */
export function whoseLabel(whose: 'mine' | 'waiting'): string {
  return whose === 'mine' ? vscode.l10n.t('Mine') : vscode.l10n.t('Waiting for My Review');
}
