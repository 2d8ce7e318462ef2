import type { PatchSection } from '../api/types/patches.ts';
import { pathOf } from '../model/prose/filesByName.ts';
import type { OpenRepository } from '../git/repository.ts';

/** Files of which git is asked at once. */
const mostFiles = 2_000;

/** The sections of files that the attributes of a repository say are generated, as GitHub takes them: `linguist-generated`. */
export async function generatedFiles(
  sections: readonly PatchSection[],
  repositories: readonly OpenRepository[],
  signal: AbortSignal,
): Promise<string[]> {
  const codes = new Map(
    sections
      .filter((section) => section.sectionType === 'diff')
      .slice(0, mostFiles)
      .map((section): [path: string, code: string] => [pathOf(section), section.code]),
  );
  const input = [...codes.keys()].map((path) => `${path}\0`).join('');
  for (const repository of input === '' ? [] : repositories) {
    const printed = await readAttributes(repository, input, signal);
    // Path, attribute and value, each with a zero after it.
    const found = printed.split('\0').flatMap((value, index, all) => {
      const code =
        index % 3 === 2 && /^(set|true)$/.test(value) ? codes.get(all[index - 2] ?? '') : undefined;
      return code ?? [];
    });
    if (found.length > 0) {
      return found;
    }
  }
  return [];
}

async function readAttributes(
  repository: OpenRepository,
  input: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const args = ['check-attr', '-z', '--stdin', 'linguist-generated'];
    return (await repository.gitBytes(args, { input, signal })).toString('utf8');
  } catch {
    // A path that leads out of the repository, which only a stranger writes, or a repository that was moved.
    signal.throwIfAborted();
    return '';
  }
}
