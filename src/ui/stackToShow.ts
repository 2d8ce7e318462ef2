import * as vscode from 'vscode';
import type { PatchStack } from '../api/types/stacks.ts';
import type { Known } from '../model/cached.ts';
import type { Model } from '../model/model.ts';
import { newestIn } from '../model/newestVersion.ts';
import type { StackRef } from '../util/patchRef.ts';

/** Thrown where the server doesn't have a stack any more. */
export class StackGoneError extends Error {
  override name = 'StackGoneError';

  constructor() {
    super(vscode.l10n.t('This patch stack no longer exists.'));
  }
}

/**
 * The stack that somebody has opened; when there is a newer version of it than the one that was, that.
 *
 * @param wasNewest false for somebody who has opened an older version, and goes on with that.
 * @throws {StackGoneError} when there is no such stack any more; what the client throws.
 */
export async function stackToShow(
  model: Model,
  { projectId, branchId, stackUuid }: StackRef & { projectId: string },
  { freshness, wasNewest }: { freshness: 'upToDate' | 'atOnce'; wasNewest: boolean },
): Promise<Known<PatchStack>> {
  const isIt = ({ uuid }: PatchStack): boolean => uuid === stackUuid;
  const before = await model.stacks(projectId, 'all', freshness);
  // A list that hasn't got what was opened is older than that.
  const known = before.value.some(isIt) ? before : await model.stacks(projectId, 'all');
  const stacks = known.value;
  const stack = stacks.find(isIt);
  const isCurrent = stack?.status === 'active' || stack?.status === 'closed';
  const newer = isCurrent || !wasNewest ? undefined : newestIn(stacks, branchId);
  const found = newer ?? stack;
  if (!found) {
    throw new StackGoneError();
  }
  return { ...known, value: found };
}
