/** Chooses the files of a repository that go along with feedback: those that Git lists, without those that should stay. */
import { constants } from 'node:fs';
import { lstat, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import ignore from 'ignore';
import type { OpenRepository } from '../git/repository.ts';
import { SecretScan } from '../util/secrets/findSecrets.ts';
import { isSecretPath } from '../util/secrets/secretNames.ts';
import { fileModes, type ZipEntry } from './zip.ts';

/** A file that goes along. */
export interface RepositoryFile extends ZipEntry {
  /** Bytes. */
  size: number;
}

/** A file that went along when it was listed, and must not any more: it holds a secret now, or is another one. */
export class LeftBehindError extends Error {
  override name = 'LeftBehindError';
  /** Its path in the repository. */
  readonly file: string;

  constructor(file: string) {
    super(file);
    this.file = file;
  }
}

/** The files of a repository, told apart. */
interface RepositoryFiles {
  files: RepositoryFile[];
  /** Paths that look like secrets. */
  secrets: string[];
  /** Number of files that the person's own list leaves behind. */
  ignored: number;
  /** Paths that Git lists and that cannot be read, are gone, or are repositories of their own. */
  unreadable: string[];
}

/** Files that are looked at at the same time. */
const atOnce = 32;

/**
 * The files that Git has under version control, as they are in the working tree.
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
  // The folder's real path: anything beside it is none of the repository's, whatever a link in it says.
  const root = await realpath(repository.root);
  const looked: Awaited<ReturnType<typeof lookAt>>[] = [];
  for (let start = 0; start < rest.length; start += atOnce) {
    signal?.throwIfAborted();
    const group = rest.slice(start, start + atOnce);
    looked.push(
      ...(await Promise.all(group.map((name) => lookAt(root, name, modes.get(name) === '100755', signal)))),
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
 * Returns the kind of a file; undefined when it can't be read, or not be put into a zip file.
 *
 * @param root the repository's folder without links.
 * @param executable true when Git has it as a program: not every system can tell by the file.
 */
async function lookAt(
  root: string,
  name: string,
  executable: boolean,
  signal: AbortSignal | undefined,
): Promise<RepositoryFile | 'secret' | undefined> {
  // A zip file has no other separator than a slash.
  if (name.includes('\\')) {
    return undefined;
  }
  try {
    const target = await linkTarget(root, name);
    if (target !== undefined) {
      const size = Buffer.byteLength(target);
      return { path: name, size, mode: fileModes.link, content: () => linkContent(root, name) };
    }
    // Each file is looked at once more, as it is read for packing: it may be another file by then.
    let size = 0;
    for await (const { length } of fileContent(root, name)) {
      size += length;
      signal?.throwIfAborted();
    }
    const mode = executable ? fileModes.program : fileModes.file;
    return { path: name, size, mode, content: () => fileContent(root, name) };
  } catch (error) {
    signal?.throwIfAborted();
    return error instanceof LeftBehindError && !(error instanceof NotInsideError) ? 'secret' : undefined;
  }
}

/** Bytes that are read at a time: between two of them the window does other things. */
const chunkSize = 64 * 1024;

/** The content of a file. @throws {LeftBehindError} as soon as there is a secret in it, or when it is not the file it says. */
async function* fileContent(root: string, name: string): AsyncGenerator<Buffer> {
  const file = await openInside(root, name);
  if (!file) {
    throw new NotInsideError(name);
  }
  await using handle = file;
  const scan = new SecretScan();
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkSize), 0, chunkSize);
    const found = bytesRead === 0 ? scan.end() : scan.push(buffer.subarray(0, bytesRead));
    if (found) {
      throw new LeftBehindError(name);
    }
    if (bytesRead === 0) {
      return;
    }
    yield buffer.subarray(0, bytesRead);
  }
}

async function* linkContent(root: string, name: string): AsyncGenerator<Buffer> {
  const target = await linkTarget(root, name);
  if (target === undefined) {
    throw new NotInsideError(name);
  }
  yield Buffer.from(target);
}

/** It is not where its path says, or no file. */
class NotInsideError extends LeftBehindError {
  override name = 'NotInsideError';
}

/**
 * Opens a file that is where its path says. A link on the way, or in its place, may lead to anything: to what git ignores, or
 * out of the repository. What is compared is the file that is open, so that it makes no difference when a link is laid.
 *
 * @returns undefined when it is not there, or no file.
 * @throws what the file system says.
 */
async function openInside(root: string, name: string): Promise<FileHandle | undefined> {
  const location = path.join(root, name);
  // Windows has neither: there, a link is found by where it leads. A pipe without writers would never open.
  const flags: Partial<typeof constants> = constants;
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = flags;
  const handle = await open(location, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  let isInside = false;
  try {
    const opened = await handle.stat({ bigint: true });
    const real = await realpath(location);
    const there = await lstat(real, { bigint: true });
    isInside =
      opened.isFile() && isAt(root, name, real) && opened.dev === there.dev && opened.ino === there.ino;
    return isInside ? handle : undefined;
  } finally {
    if (!isInside) {
      await handle.close();
    }
  }
}

/** Returns the target of a link; undefined when it is none. @throws what the file system says. */
async function linkTarget(root: string, name: string): Promise<string | undefined> {
  const location = path.join(root, name);
  if (!(await lstat(location)).isSymbolicLink()) {
    return undefined;
  }
  const target = await readlink(location);
  const folder = path.dirname(location);
  return isAt(root, path.dirname(name), await realpath(folder)) ? target : undefined;
}

/** True when something is where its path in the repository says. Some systems write the same name in several ways. */
function isAt(root: string, name: string, real: string): boolean {
  const comparable = (text: string): string => path.normalize(text).normalize('NFC').toLowerCase();
  return comparable(real) === comparable(path.join(root, name));
}
