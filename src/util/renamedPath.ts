/** A path before and after, taken apart where both have the same. */
export interface RenamedPath {
  /** Folders that both are in; ends with a slash, or is empty. */
  before: string;
  /** The parts in which they differ; neither is empty. */
  from: string;
  to: string;
  /** The end of both: an extension, or folders and a name. */
  after: string;
}

/**
 * Takes a renamed path apart, so that only what has changed in it is said twice: `src/utils/{concurrent → pool}.ts`. Undefined when
 * both have too little in common for that.
 */
export function renamedPath(oldPath: string, path: string): RenamedPath | undefined {
  const shorter = Math.min(oldPath.length, path.length);
  let same = 0;
  while (same < shorter && oldPath[same] === path[same]) {
    same += 1;
  }
  const before = oldPath.slice(0, oldPath.slice(0, same).lastIndexOf('/') + 1);
  const [olds, news] = [oldPath.slice(before.length), path.slice(before.length)];
  let ending = 0;
  while (ending < Math.min(olds.length, news.length) && olds.at(-1 - ending) === news.at(-1 - ending)) {
    ending += 1;
  }
  const common = olds.slice(olds.length - ending);
  // A name is never cut: only folders, or the extensions of the same kind of file, stand for both.
  const cut = common.indexOf(common.includes('/') ? '/' : '.');
  const after = cut < 0 ? '' : common.slice(cut);
  const from = olds.slice(0, olds.length - after.length);
  const to = news.slice(0, news.length - after.length);
  return from === '' || to === '' || (before === '' && !after.includes('/'))
    ? undefined
    : { before, from, to, after };
}
