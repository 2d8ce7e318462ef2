/** An image of the repository as a page can show it, or the reason why not. */
export type ProseImage = { address: string } | { problem: ImageProblem };

/** The version has no such file, git isn't run in a folder that isn't trusted, or no open repository has the version; or it is no image to show. */
export type ImageProblem = 'missing' | 'untrusted' | 'notOpen' | 'tooLarge' | 'otherType';

/** Characters of a path. */
const longestPath = 1_000;

/** The file of the repository that the source of an image means; undefined for one that is elsewhere. */
export function imagePath(source: string): string | undefined {
  if (source === '' || source.length > longestPath || /^[a-z][a-z\d+.-]*:|^\/\/|^[#?\\]/i.test(source)) {
    return undefined;
  }
  const [path = ''] = source.split(/[?#]/, 1);
  try {
    return decodeURIComponent(path).replace(/^(?:\.?\/)+/, '');
  } catch {
    return undefined;
  }
}
