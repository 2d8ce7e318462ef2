/** What of a repository goes along with feedback: the files that git lists, without those that should stay. */
import { constants } from 'node:fs';
import { access, lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import ignore from 'ignore';
import type { OpenRepository } from '../git/repository.ts';
import { holdsPrivateKey, isSecretPath } from './secretFiles.ts';
import { fileModes, type FileMode } from './zip.ts';

/** A file that goes along. */
export interface RepositoryFile {
  /** In the repository, with slashes. */
  path: string;
  /** On this computer. */
  location: string;
  /** Bytes. */
  size: number;
  /** As git knows it. A link is sent as a link: what it points at may be anywhere. */
  mode: FileMode;
}

/** The files of a repository, told apart. */
export interface RepositoryFiles {
  files: RepositoryFile[];
  /** Paths that look like secrets. */
  secrets: string[];
  /** How many the person's own list leaves behind. */
  ignored: number;
  /** Paths that git lists and that cannot be read, are gone, or are repositories of their own. */
  unreadable: string[];
}

/** Keys are small: larger files are not looked into. Bytes. */
const largestKey = 64 * 1024;

/** Files that are looked at at the same time. */
const atOnce = 32;

/**
 * The files that git has under version control, as they are in the working tree.
 *
 * @param ignored what stays behind, in the form of a .gitignore file.
 * @throws what git throws, and the reason of the signal.
 */
export async function repositoryFiles(
  repository: OpenRepository,
  ignored: string,
  signal?: AbortSignal,
): Promise<RepositoryFiles> {
  const printed = await repository.git(['ls-files', '-z', '--cached', '--stage'], signal);
  // A file in a conflict is listed once for each side.
  const modes = new Map<string, string>();
  for (const entry of printed.split('\0').filter((line) => line !== '')) {
    const tab = entry.indexOf('\t');
    modes.set(entry.slice(tab + 1), entry.slice(0, entry.indexOf(' ')));
  }
  const paths = [...modes.keys()];
  const isIgnored = ignore({ allowRelativePaths: true }).add(ignored);
  const wanted = paths.filter((name) => !isIgnored.ignores(name));
  const secrets = wanted.filter(isSecretPath);
  const found: RepositoryFiles = {
    files: [],
    secrets,
    ignored: paths.length - wanted.length,
    unreadable: [],
  };
  const rest = wanted.filter((name) => !isSecretPath(name));
  const looked: Awaited<ReturnType<typeof lookAt>>[] = [];
  for (let start = 0; start < rest.length; start += atOnce) {
    signal?.throwIfAborted();
    const group = rest.slice(start, start + atOnce);
    looked.push(
      ...(await Promise.all(
        group.map((name) => lookAt(repository.root, name, modes.get(name) === '100755')),
      )),
    );
  }
  for (const [index, name] of rest.entries()) {
    const file = looked[index];
    if (file === 'secret') {
      found.secrets.push(name);
    } else if (file === undefined) {
      found.unreadable.push(name);
    } else {
      found.files.push(file);
    }
  }
  return found;
}

/**
 * What a file is; undefined when it cannot be read, or not be put into a zip file.
 *
 * @param executable whether git has it as a program: not every system can tell by the file.
 */
async function lookAt(
  root: string,
  name: string,
  executable: boolean,
): Promise<RepositoryFile | 'secret' | undefined> {
  const location = path.join(root, ...name.split('/'));
  // A zip file has no other separator than a slash.
  if (name.includes('\\')) {
    return undefined;
  }
  try {
    const status = await lstat(location);
    if (status.isSymbolicLink()) {
      return { path: name, location, size: status.size, mode: fileModes.link };
    }
    if (!status.isFile()) {
      return undefined;
    }
    await access(location, constants.R_OK);
    if (status.size <= largestKey && holdsPrivateKey(await readFile(location))) {
      return 'secret';
    }
    const mode = executable ? fileModes.program : fileModes.file;
    return { path: name, location, size: status.size, mode };
  } catch {
    return undefined;
  }
}
