import type { FileState } from '../model/reading/fileChange.ts';
import type { VersionPair } from '../model/reading/outcome.ts';
import { contentOf } from './commitChanges.ts';
import { filled, unlikeIds } from './patchContents.ts';

/** Contents of files that the local service gives: it has read the repository, whether this window may run git on that or not. */
export interface ServedContents {
  /** True where the service gives any. */
  isOffered: () => Promise<boolean>;
  /** Reads contents by the ids of their blobs; empty where the service gives none. Never fails. */
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>;
}

/** Pairs of versions with the contents that the local service gives; undefined where it gives none. */
export async function withServedContents(
  pairs: readonly VersionPair[],
  { read }: Pick<ServedContents, 'read'>,
): Promise<VersionPair[] | undefined> {
  const bytes = await read([...new Set(pairs.flatMap((pair) => [...unlikeIds(pair)]))]);
  if (bytes.size === 0) {
    return undefined;
  }
  const contents = new Map<string, FileState['content']>();
  bytes.forEach((content, id) => contents.set(id, contentOf(content)));
  return pairs.map((pair) => filled(pair, contents));
}
