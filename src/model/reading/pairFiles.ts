/** Finds for each file of one version of a commit the same file in another version. */
import type { FileChange, FileState } from './fileChange.ts';
import { linesOf } from './mergeLines.ts';

/** A file of either version; at least one of them changes it. */
export interface FilePair {
  older?: FileChange | undefined;
  newer?: FileChange | undefined;
  /** True when the author has moved the file since. */
  isMoved: boolean;
}

/** The share of two added files that must be the same for them to be one that was moved. */
const mostlySame = 0.5;

/**
 * Pairs the files of two versions.
 *
 * @param baseRenames where files of the older base are in the newer one, if they are elsewhere.
 */
export function pairFiles(
  older: readonly FileChange[],
  newer: readonly FileChange[],
  baseRenames: ReadonlyMap<string, string> = new Map(),
): FilePair[] {
  const [left, right] = [toldAlike(older, newer), toldAlike(newer, older)];
  const open = new Set(right);
  const pairs: FilePair[] = [];
  const unpaired = new Set(left);
  const inNewerBase = (change: FileChange): string => baseRenames.get(change.oldPath) ?? change.oldPath;
  /** Pairs those that have the same key, of which there may be thousands. */
  const pair = (
    [keyOfOlder, keyOfNewer]: readonly [(one: FileChange) => string, (other: FileChange) => string],
    isPair: (one: FileChange, other: FileChange) => boolean,
    isMoved: boolean,
  ): void => {
    const candidates = Map.groupBy(open, keyOfNewer);
    for (const one of unpaired) {
      const other = candidates
        .get(keyOfOlder(one))
        ?.find((candidate) => open.has(candidate) && isPair(one, candidate));
      if (other) {
        unpaired.delete(one);
        open.delete(other);
        pairs.push({ older: one, newer: other, isMoved });
      }
    }
  };
  const byPath = [pathOf, pathOf] as const;
  const byBase = [inNewerBase, ({ oldPath }: FileChange): string => oldPath] as const;
  pair(byPath, (one, other) => one.oldPath === other.oldPath, false);
  pair(
    byBase,
    (one, other) => isExisting(one, other) && (isRename(one) ? one.path === other.path : !isRename(other)),
    false,
  );
  pair(byPath, () => true, true);
  pair(byBase, isExisting, true);
  // Those that were added in both may be anywhere.
  pair(
    [() => '', () => ''],
    (one, other) => isAdded(one) && isAdded(other) && isMostlySame(one.after, other.after),
    true,
  );
  return [
    ...pairs,
    ...[...unpaired].map((change) => ({ older: change, isMoved: false })),
    ...[...open].map((change) => ({ newer: change, isMoved: false })),
  ];
}

function pathOf({ path }: FileChange): string {
  return path;
}

/** The paths to ask about renames in the base: paths before the change that only one of the versions has. */
export function unpairedPaths(
  older: readonly FileChange[],
  newer: readonly FileChange[],
): { older: string[]; newer: string[] } {
  const existing = (changes: readonly FileChange[]): Set<string> =>
    new Set(changes.filter(({ before }) => before).map(({ oldPath }) => oldPath));
  const [left, right] = [existing(older), existing(newer)];
  return {
    older: [...left].filter((path) => !right.has(path)),
    newer: [...right].filter((path) => !left.has(path)),
  };
}

/**
 * Finds files of the older base that may have been moved in the newer one, as far as their contents tell: one that the older version
 * changes may as well be there still, beside another one that the newer version changes, and that looks alike.
 */
export function basesRenames(
  older: readonly FileChange[],
  newer: readonly FileChange[],
): Map<string, string> {
  const unpaired = unpairedPaths(older, newer);
  const stateAt = (changes: readonly FileChange[], path: string): FileState | undefined =>
    changes.find(({ oldPath }) => oldPath === path)?.before;
  const renames = new Map<string, string>();
  const left = new Set(unpaired.newer);
  for (const from of unpaired.older) {
    const to = [...left].find((path) => isMostlySame(stateAt(older, from), stateAt(newer, path)));
    if (to !== undefined) {
      left.delete(to);
      renames.set(from, to);
    }
  }
  return renames;
}

/**
 * The changes of one version, where the other calls a rename what this one calls a deletion and an addition told as a rename, too:
 * which it is called depends on how much of the file is left, and so on the base.
 */
function toldAlike(changes: readonly FileChange[], others: readonly FileChange[]): FileChange[] {
  const told = new Set(changes);
  const byPath = Map.groupBy(changes, pathOf);
  for (const rename of others.filter(isRename)) {
    const deleted = byPath.get(rename.oldPath)?.find((change) => !change.after && told.has(change));
    const added = byPath.get(rename.path)?.find((change) => isAdded(change) && told.has(change));
    if (deleted && added) {
      told.delete(deleted);
      told.delete(added);
      told.add({ oldPath: deleted.oldPath, path: added.path, before: deleted.before, after: added.after });
    }
  }
  return [...told];
}

function isRename({ oldPath, path }: FileChange): boolean {
  return oldPath !== path;
}

function isAdded({ before, after }: FileChange): boolean {
  return !before && after !== undefined;
}

function isExisting(one: FileChange, other: FileChange): boolean {
  return one.before !== undefined && other.before !== undefined;
}

function isMostlySame(one: FileState | undefined, other: FileState | undefined): boolean {
  if (one?.id !== undefined && one.id === other?.id) {
    return true;
  }
  if (one?.content.kind !== 'text' || other?.content.kind !== 'text') {
    return false;
  }
  const [left, right] = [linesOf(one.content.text), linesOf(other.content.text)];
  const counts = new Map<string, number>();
  left.forEach((line) => counts.set(line, (counts.get(line) ?? 0) + 1));
  let same = 0;
  for (const line of right) {
    const count = counts.get(line) ?? 0;
    if (count > 0) {
      counts.set(line, count - 1);
      same += 1;
    }
  }
  return same > 0 && same >= mostlySame * Math.max(left.length, right.length);
}
