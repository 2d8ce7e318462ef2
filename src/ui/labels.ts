/** Labels for the things of the service, which need not have a name. */
import * as vscode from 'vscode';
import type { Contributor, Patch, PatchSection } from '../api/types/patches.ts';
import type { Project } from '../api/types/projects.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import { sectionTitle } from '../util/sectionTitle.ts';
import { plainText, visibleText } from '../util/visibleText.ts';

/** A text as it begins a line. */
export function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase(vscode.env.language) + text.slice(1);
}

export function projectLabel({ name, slug, repositoryId }: Project): string {
  return visibleText(name) ?? plainText(slug ?? repositoryId);
}

/** The owner and slug of a project, as far as they are known. */
export function projectPath({ owner, slug }: Project): string {
  return [owner, slug]
    .filter((part) => part !== undefined)
    .map(plainText)
    .join('/');
}

export function stackLabel({ title, branchId, uuid }: PatchStack): string {
  return visibleText(title) ?? plainText(branchId ?? uuid);
}

export function patchLabel({ title, changeId }: Patch): string {
  return visibleText(title) ?? plainText(changeId);
}

export function sectionLabel(section: PatchSection): string {
  switch (section.sectionType) {
    case 'text':
      return sectionTitle(section.text ?? '') ?? visibleText(section.title) ?? vscode.l10n.t('Text');
    case 'diff':
      return plainText(section.newPath ?? section.oldPath ?? section.identifier);
    case 'unknown':
      return visibleText(section.title) ?? plainText(section.code);
  }
}

/** Who wrote something: by name, else by whatever is known. */
export function contributorName(contributor: Contributor): string {
  const { user, email, text } = contributor;
  return user?.name ?? user?.login ?? text ?? email ?? '';
}

/** Says how many changes are unsent, without a full stop. */
export function unsentCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 unsent change') : vscode.l10n.t('{0} unsent changes', count);
}

/** The state of a patch stack in the window's language; one that is not known here stands as it came. */
export function statusLabel(status: string): string {
  const labels: Record<string, string> = {
    active: vscode.l10n.t('Active'),
    inactive: vscode.l10n.t('Inactive'),
    closed: vscode.l10n.t('Closed'),
    loading: vscode.l10n.t('Loading'),
    all: vscode.l10n.t('All'),
  };
  return labels[status] ?? status;
}

/** The address of a project's page, where the service has given one as its code repository. */
export function webAddress({ codeRepositoryId }: Project): string | undefined {
  return codeRepositoryId !== undefined && /^https?:\/\/\S+$/i.test(codeRepositoryId)
    ? codeRepositoryId
    : undefined;
}
