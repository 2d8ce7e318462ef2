import type { ComparisonContext } from '../model/reading/compareFile.ts';
import { comparePair, type ComparedFile } from '../model/reading/compareFiles.ts';
import { changedLines } from './changedLines.ts';
import type { OpenRepository } from './repository.ts';

/**
 * Compares a file by git's merge of the older change onto the newer base, and by the number of lines that git counts where our own
 * comparison gives up.
 *
 * @throws the signal's reason.
 */
export async function compareWithGit(
  repository: OpenRepository,
  file: ComparedFile,
  context: ComparisonContext,
  signal?: AbortSignal,
): Promise<ComparedFile> {
  const compared = comparePair(file, context);
  if (!file.older || !file.newer || compared.comparison?.isSizeUnknown !== true) {
    return compared;
  }
  const older = await changedLines(repository, file.older, signal);
  const newer = await changedLines(repository, file.newer, signal);
  return older && newer ? comparePair(file, { ...context, changedLines: { older, newer } }) : compared;
}
