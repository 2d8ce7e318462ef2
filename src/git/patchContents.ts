/** Contents of the files of patches, by the ids of their blobs: those outlive the commits that a rebase leaves behind. */
import type { FileState } from '../model/reading/fileChange.ts';
import type { VersionPair } from '../model/reading/outcome.ts';
import type { PatchVersion } from '../model/reading/patchVersion.ts';
import { readContents } from './commitChanges.ts';
import type { OpenRepository } from './repository.ts';

/**
 * Fills in what git has of the files of pairs of versions; what both have alike is left out, for nobody compares it.
 *
 * @param repositories asked one after the other.
 * @throws the signal's reason.
 */
export async function withContents(
  repositories: readonly OpenRepository[],
  pairs: readonly VersionPair[],
  signal?: AbortSignal,
): Promise<VersionPair[]> {
  const contents = new Map<string, FileState['content']>();
  const unlike = new Set(pairs.flatMap((pair) => [...unlikeIds(pair)]));
  for (const repository of repositories) {
    const missing = [...unlike].filter((id) => (contents.get(id)?.kind ?? 'missing') === 'missing');
    try {
      const found = await readContents(repository, missing, signal);
      found.forEach((content, id) => contents.set(id, content));
    } catch {
      signal?.throwIfAborted();
      if (pairs.length > 1) {
        // What is too large in one of them must not keep the others from being compared.
        const each = pairs.map((pair) => withContents(repositories, [pair], signal));
        return (await Promise.all(each)).flat();
      }
      // A repository that was moved, or files too large to be read: there are still the diffs.
    }
  }
  return pairs.map((pair) => filled(pair, contents));
}

/** Two versions with the contents that are given, by the ids of their blobs, where those aren't there yet. */
export function filled(
  [older, newer]: VersionPair,
  contents: ReadonlyMap<string, FileState['content']>,
): [PatchVersion, PatchVersion] {
  const fill = (state: FileState | undefined): FileState | undefined =>
    state?.content.kind === 'missing'
      ? { ...state, content: contents.get(state.id ?? '') ?? state.content }
      : state;
  const fillAll = (version: PatchVersion): PatchVersion => ({
    ...version,
    files: version.files.map((file) => ({ ...file, before: fill(file.before), after: fill(file.after) })),
  });
  return [fillAll(older), fillAll(newer)];
}

/** The ids of the contents that have to be compared: those of files that the versions don't have alike. */
export function unlikeIds([older, newer]: VersionPair): Set<string> {
  const keyOf = ({ oldPath, path, before, after }: PatchVersion['files'][number]): string =>
    JSON.stringify([oldPath, path, before?.mode, before?.id, after?.mode, after?.id]);
  const [left, right] = [new Set(older.files.map(keyOf)), new Set(newer.files.map(keyOf))];
  const unlike = [
    ...older.files.filter((file) => !right.has(keyOf(file))),
    ...newer.files.filter((file) => !left.has(keyOf(file))),
  ];
  const ids = unlike.flatMap(({ before, after }) => [before?.id ?? [], after?.id ?? []].flat());
  // Git would take other texts for names, and this comes from the service.
  return new Set(ids.filter((id) => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id)));
}
