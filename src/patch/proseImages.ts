/** Images of the repository that texts show: read at the version of the patch, from git or from its diff, and from nowhere else. */
import type { DiffSection, Patch } from '../api/types/patches.ts';
import { contentOfPatch } from '../git/binaryPatch.ts';
import { blobName, hasObject, nameInCommit, readBytes } from '../git/blobs.ts';
import type { OpenRepository } from '../git/repository.ts';
import type { ImageProblem, ProseImage } from '../util/proseImage.ts';
import { imageAddress } from '../session/images.ts';

/** Images that are read for one page at once, and bytes that one may have. */
export const mostImages = 40;
const largestImage = 4 * 1024 * 1024;

/** Bytes of a drawing, all of which the page has to draw. */
const largestDrawing = 512 * 1024;

/** See the module. @param paths as they are in the repository. @param isTrusted false where git isn't run at all. */
export async function proseImages(
  patch: Patch,
  paths: readonly string[],
  repositories: readonly OpenRepository[],
  { isTrusted }: { isTrusted: boolean },
  signal: AbortSignal,
): Promise<Record<string, ProseImage>> {
  const images: Record<string, ProseImage> = {};
  let problem: Promise<ImageProblem> | undefined;
  for (const path of paths.slice(0, mostImages)) {
    signal.throwIfAborted();
    images[path] = (await readImage(patch, path, repositories, signal)) ?? {
      problem: await (problem ??= isTrusted
        ? notRead(patch, repositories, signal)
        : Promise.resolve('untrusted')),
    };
  }
  return images;
}

/** Why nothing is to be read at a path. */
async function notRead(
  { commitSha }: Patch,
  repositories: readonly OpenRepository[],
  signal: AbortSignal,
): Promise<ImageProblem> {
  const commit = nameInCommit(commitSha, '');
  for (const repository of commit === undefined ? [] : repositories) {
    if (await hasObject(repository, commit ?? '', signal)) {
      return 'missing';
    }
  }
  return 'notOpen';
}

async function readImage(
  patch: Patch,
  path: string,
  repositories: readonly OpenRepository[],
  signal: AbortSignal,
): Promise<ProseImage | undefined> {
  // It comes from strangers: it must not lead out of the repository.
  if (path.startsWith('/') || path.split('/').some((part) => part === '' || part === '..' || part === '.')) {
    return { problem: 'missing' };
  }
  const file = patch.sections?.find(
    (section): section is DiffSection => section.sectionType === 'diff' && section.newPath === path,
  );
  for (const name of [blobName(file?.newFileSha), nameInCommit(patch.commitSha, path)]) {
    for (const repository of name === undefined ? [] : repositories) {
      const found = await readBytes(repository, name ?? '', largestImage, signal);
      if (found) {
        return found.bytes ? asImage(found.bytes) : { problem: 'tooLarge' };
      }
    }
  }
  const content = contentOfPatch(file?.diffPatch ?? '', largestImage);
  return content ? asImage(content) : undefined;
}

async function asImage(content: Uint8Array): Promise<ProseImage> {
  const address = (await imageAddress(content, largestImage)) ?? drawingAddress(content);
  return address === undefined ? { problem: 'otherType' } : { address };
}

/**
 * A drawing as an address. In an image nothing of it runs, and nothing is loaded; but one that declares entities could make any number
 * of them out of a few.
 */
function drawingAddress(content: Uint8Array): string | undefined {
  if (content.length > largestDrawing) {
    return undefined;
  }
  const text = Buffer.from(content).toString();
  const isDrawing = /^\ufeff?\s*(?:<\?xml\s|<!--|<svg[\s>])/.test(text) && /<svg[\s>]/.test(text);
  return isDrawing && !/<!(?:DOCTYPE|ENTITY)/i.test(text)
    ? `data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}`
    : undefined;
}
