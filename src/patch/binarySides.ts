/** Files that are no text, before a patch and after it: from git, else as far as the diff has them. */
import type { DiffSection, Patch } from '../api/types/patches.ts';
import { contentOfPatch } from '../git/binaryPatch.ts';
import { blobName, nameInCommit, readBytes } from '../git/blobs.ts';
import type { OpenRepository } from '../git/repository.ts';
import type { BinarySide, BinarySides } from '../protocol/patchDocument.ts';
import { imageAddress, kindOfFile } from '../session/images.ts';
import { Turns } from '../util/turns.ts';

/** Bytes up to which a file is looked at, and sent to the page when it is an image. */
const largest = 8 * 1024 * 1024;

/** A patch can have hundreds of images: so many are in memory at a time. */
const turns = new Turns(2);

/** See the module. A side is left out where there is no file, and where nobody has it. */
export async function binarySides(
  { commitSha }: Pick<Patch, 'commitSha'>,
  file: DiffSection,
  repositories: readonly OpenRepository[],
  signal: AbortSignal,
): Promise<BinarySides> {
  return turns.take(async () => {
    const { diffPatch = '', oldPath, newPath } = file;
    const sideOf = async (
      side: 'before' | 'after',
      id: string | undefined,
      path: string | undefined,
    ): Promise<BinarySides> => {
      const names = [blobName(id), nameInCommit(commitSha, path, side)];
      const found =
        (await firstOf(repositories, names, signal)) ?? asBytes(contentOfPatch(diffPatch, largest, side));
      return found ? { [side]: await describe(found) } : {};
    };
    return {
      ...(!/^new file mode /m.test(diffPatch) &&
        (await sideOf('before', file.baseFileSha, oldPath ?? newPath))),
      ...(!/^deleted file mode /m.test(diffPatch) &&
        (await sideOf('after', file.newFileSha, newPath ?? oldPath))),
    };
  });
}

type Found = NonNullable<Awaited<ReturnType<typeof readBytes>>>;

async function firstOf(
  repositories: readonly OpenRepository[],
  names: readonly (string | undefined)[],
  signal: AbortSignal,
): Promise<Found | undefined> {
  for (const name of names) {
    for (const repository of name === undefined ? [] : repositories) {
      const found = await readBytes(repository, name ?? '', largest, signal);
      if (found) {
        return found;
      }
    }
  }
  return undefined;
}

function asBytes(content: Buffer | undefined): Found | undefined {
  return content && { size: content.length, bytes: content };
}

async function describe({ size, bytes }: Found): Promise<BinarySide> {
  if (!bytes) {
    return { size, tooLarge: true };
  }
  const [kind, image] = [await kindOfFile(bytes), await imageAddress(bytes, largest)];
  return { size, ...(kind !== undefined && { kind }), ...(image !== undefined && { image }) };
}
