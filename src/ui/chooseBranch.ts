import * as vscode from 'vscode';
import { askText } from './askText.ts';
import { choose, type Choice } from './choose.ts';
import type { Place } from './form.ts';
import { escapeIcons } from './icons.ts';

/** A branch to choose. */
export interface BranchOffer {
  name: string;
  /** The newest commit, where it is known. */
  commit: string | undefined;
  current: boolean;
  note?: string | undefined;
}

/**
 * Lets the person choose a branch, or type the name of one that is not offered.
 *
 * @param nothing gives what is said where there is none to offer.
 * @throws {CancelledError} when the person gives up; what loading throws.
 */
export async function chooseBranch<Offer extends BranchOffer>(
  title: string,
  place: Place | undefined,
  load: () => Promise<Offer[]>,
  nothing?: () => { label: string; detail: string } | undefined,
): Promise<Offer | BranchOffer> {
  const step = place && { place };
  const chosen = await choose<Offer | 'other'>({
    title,
    ...step,
    placeholder: vscode.l10n.t('Select a branch'),
    load: async () => {
      const branches: Choice<Offer | 'other'>[] = (await load()).map((branch) => ({
        label: `$(git-branch) ${escapeIcons(branch.name)}`,
        description: escapeIcons(
          [branch.current && vscode.l10n.t('checked out'), branch.note].filter(Boolean).join(' · '),
        ),
        choice: { value: branch },
      }));
      const other = `$(edit) ${vscode.l10n.t('Enter a branch name…')}`;
      const untrusted = vscode.l10n.t(
        "Branches aren't suggested because Git isn't run in untrusted folders.",
      );
      const noBranches = branches.length === 0 && vscode.workspace.isTrusted ? nothing?.() : undefined;
      return [
        ...branches,
        ...(noBranches ? [{ ...noBranches, label: `$(info) ${noBranches.label}`, alwaysShow: true }] : []),
        {
          label: other,
          ...(!vscode.workspace.isTrusted && { detail: untrusted }),
          alwaysShow: true,
          choice: { value: 'other' },
        },
      ];
    },
  });
  if (chosen !== 'other') {
    return chosen;
  }
  return askText<BranchOffer>({
    title,
    ...step,
    prompt: vscode.l10n.t('Branch name'),
    check: (text) =>
      /^\S+$/.test(text.trim()) ? undefined : vscode.l10n.t("Branch names can't contain spaces."),
    accept: async (text) => ({ value: { name: text.trim(), commit: undefined, current: false } }),
  });
}
