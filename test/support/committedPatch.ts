/** Commits as the service tells of them, and as those that the stacks view has. */
import assert from 'node:assert/strict';
import type { Patch, PatchSection } from '../../src/api/types/patches.ts';
import { compareContents } from '../../src/git/comparePatch.ts';
import { versionOfCommit } from '../../src/git/commitVersion.ts';
import type { OpenRepository } from '../../src/git/repository.ts';
import { outcomeOf, type VersionPair } from '../../src/model/reading/outcome.ts';
import type { Judge } from '../../src/model/reading/sinceRead.ts';

/** A commit as the service tells of it. */
export async function committedPatch(
  repository: OpenRepository,
  sha: string,
  more: Partial<Patch> = {},
): Promise<Patch> {
  const version = await versionOfCommit(repository, sha, 'I1');
  assert.ok(version);
  const sections = version.files.map(
    ({ oldPath, path: newPath, before, after, diff = '' }): PatchSection => ({
      sectionType: 'diff',
      code: newPath,
      identifier: newPath,
      oldPath,
      newPath,
      diffPatch: diff,
      ...(before?.id !== undefined && { baseFileSha: before.id }),
      ...(after?.id !== undefined && { newFileSha: after.id }),
    }),
  );
  return { changeId: 'I1', commitSha: sha, title: version.title, contributors: [], sections, ...more };
}

/** Compares with the contents that a repository has. @param scratch a folder for what git writes meanwhile. */
export function judgeIn(repository: OpenRepository, scratch: string): Judge {
  return {
    sources: async () => repository.root,
    judge: async (pairs) =>
      Promise.all(
        pairs.map(async (pair: VersionPair) =>
          outcomeOf((await compareContents([repository], pair, scratch)).comparison),
        ),
      ),
  };
}
