/** Remotes that are folders: what they have in them runs there. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../errors.ts';
import type { Repository } from '../git/repository.ts';

/**
 * Refuses a remote that lies in the repository itself. Git runs the hooks of a folder that is pushed to, as the person: whoever has made the
 * repository, such as in an archive that somebody has unpacked, could have them run anything.
 *
 * @param addresses Folders, or addresses of other kinds, of which nothing runs here.
 * @throws ServiceError `remote_inside`
 */
export async function refuseInside(
  { directory, gitDirectory }: Repository,
  addresses: readonly string[],
): Promise<void> {
  const parts = [directory, gitDirectory];
  if (path.basename(gitDirectory) === '.git') {
    // Of another working tree than the one that git was asked in.
    parts.push(path.dirname(gitDirectory));
  }
  const folders = await Promise.all(parts.map(real));
  for (const address of addresses) {
    const folder = folderOf(address);
    const place = folder === undefined ? undefined : await real(folder);
    if (place !== undefined && folders.some((one) => isIn(place, one))) {
      throw new ServiceError(
        'remote_inside',
        `${address} is in the repository itself, which could run anything when it's pushed to. Share through another remote.`,
      );
    }
  }
}

/** The folder that an address names; undefined for one that names none. */
function folderOf(address: string): string | undefined {
  const [, named] = /^file:(.*)$/is.exec(address) ?? [];
  if (named !== undefined) {
    // As git reads it: a host is a folder, too.
    return path.resolve(decoded(named));
  }
  return path.isAbsolute(address) ? address : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isIn(place: string, folder: string): boolean {
  const way = path.relative(folder, place);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** Where a folder is, whatever links lead there; of one that isn't there, where it would be. */
async function real(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? folder : path.join(await real(parent), path.basename(folder));
  }
}
