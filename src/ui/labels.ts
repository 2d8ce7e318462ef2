/** What to call the things of the service, which need not have a name. */
import * as vscode from 'vscode';
import type { Project } from '../api/resources/projects.ts';
import type { PatchStack } from '../api/resources/stacks.ts';

export function projectLabel({ name, slug, repositoryId }: Project): string {
  return name ?? slug ?? repositoryId;
}

/** The owner and slug of a project, as far as they are known. */
export function projectPath({ owner, slug }: Project): string {
  return [owner, slug].filter((part) => part !== undefined).join('/');
}

export function stackLabel({ title, branchId, uuid }: PatchStack): string {
  return title ?? branchId ?? uuid;
}

/** How many changes are unsent, without a full stop. */
export function unsentCount(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 change is not on the service yet')
    : vscode.l10n.t('{0} changes are not on the service yet', count);
}
