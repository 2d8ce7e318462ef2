/** The file of a sign-in at startup: for one reader, who deletes it. Runs without VS Code. */
import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { systemCode } from '../util/systemCode.ts';

/** A sign-in at startup. */
export interface StartupSignIn {
  /** The address of the service. */
  readonly url: string;
  /** The access token: never log it. */
  readonly token: string;
  /** What the service is for, and where its data lies, when it runs on this computer: it is to prove itself. */
  readonly folder?: string;
  readonly data?: string;
  /** Has the window show the stack of the branch that is checked out, unless something is open in it. */
  readonly showsStack?: boolean;
  /** That branch, which VS Code does not know itself where nobody trusts the folder. */
  readonly branch?: string;
}

/** The file of a sign-in is not to be relied on. Its message quotes nothing of what the file holds. */
export class SignInFileError extends Error {
  override name = 'SignInFileError';
}

/** Bytes that a sign-in takes at most. */
const largest = 16 * 1024;

// Neither follows a link to what someone else owns, nor waits for the other end of a pipe. Windows has neither flag.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads the sign-in of a file, and deletes the file, whatever is in it; undefined when there is none.
 *
 * @throws {SignInFileError} when others may read the file or could have written it, or when it holds no sign-in; what the
 *   file system says when it cannot be read.
 */
export async function readOnce(file: string): Promise<StartupSignIn | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, flags);
    const status = await handle.stat();
    if (!status.isFile() || status.size > largest) {
      throw new SignInFileError('It is no file of a sign-in.');
    }
    // Windows has no such modes: there it is the folder that keeps others out.
    if (process.getuid && (status.uid !== process.getuid() || (status.mode & 0o077) !== 0)) {
      throw new SignInFileError('It is not for this user alone.');
    }
    return parse(await handle.readFile('utf8'));
  } catch (error) {
    switch (systemCode(error)) {
      case 'ENOENT':
        return undefined;
      case 'ELOOP':
        throw new SignInFileError('It is a link.');
      default:
        throw error;
    }
  } finally {
    await handle?.close();
    await rm(file, { force: true }).catch(() => undefined);
  }
}

function parse(text: string): StartupSignIn {
  const { url, token, folder, data, showsStack, branch } = parseRecord(text);
  if (typeof url !== 'string' || typeof token !== 'string' || url === '' || token === '') {
    throw new SignInFileError('It holds no sign-in.');
  }
  return {
    url,
    token,
    ...(typeof folder === 'string' && { folder }),
    ...(typeof data === 'string' && { data }),
    ...(showsStack === true && { showsStack }),
    ...(typeof branch === 'string' && { branch }),
  };
}

function parseRecord(text: string): Partial<Record<keyof StartupSignIn, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // The parser's own words would quote the text.
    return {};
  }
}
