/**
 * Where the data of a repository lies: in one folder of the person, under the repository's own Git directory, which all of its working
 * trees share. So VS Code, `npm start` and `npm run service` have the same texts and sign-offs. For a repository that
 * was moved, and where earlier versions kept it elsewhere, the data is copied. Nothing is ever deleted.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { homedir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { copiedAt, copiedName, noteCopied } from '../util/copiedData.ts';
import { isObject } from '../util/isObject.ts';
import { runningFile } from '../util/runningService.ts';
import { ServiceError } from './errors.ts';
import { askGit } from './git/git.ts';
import type { Repository } from './git/repository.ts';
import { isSoundDatabase, lockDataDirectory } from './storage/database.ts';

/** The data of a repository. */
export interface Store {
  /** The data directory. */
  readonly directory: string;
  /** Where an earlier version kept it, if it has just been copied from there. */
  readonly copiedFrom?: string;
  /** Data directories of the same repository that are not used. */
  readonly others: readonly string[];
}

/** What a store knows of its repository. */
interface StoreRecord {
  /** Its Git directory. */
  readonly repository: string;
  /** Some of its commits, by which it is known when it has been moved. */
  readonly commits: readonly string[];
}

const recordName = 'store.json';
const databaseName = 'patch-stacks.sqlite';

/** What belongs to a running service, and not to the data. */
const notCopied = new Set(['lock', path.basename(runningFile('.')), copiedName]);

/** Branches whose commits are noted, at most: the newest. */
const mostCommits = 20;

/** The folder of the person in which all stores lie. */
export function storesFolder(env: NodeJS.ProcessEnv = process.env, platform = process.platform): string {
  const xdg = env['XDG_DATA_HOME'];
  if (xdg !== undefined && path.isAbsolute(xdg)) {
    return path.join(xdg, 'patch-stacks');
  }
  switch (platform) {
    case 'darwin':
      return path.join(homedir(), 'Library', 'Application Support', 'patch-stacks');
    case 'win32':
      return path.join(env['LOCALAPPDATA'] ?? path.join(homedir(), 'AppData', 'Local'), 'patch-stacks');
    default:
      return path.join(homedir(), '.local', 'share', 'patch-stacks');
  }
}

/**
 * Finds the store of a repository. There need not be anything in it yet.
 *
 * @param older data directories in which earlier versions may have kept data of the repository; others are left alone.
 * @throws ServiceError `data_locked` while a service of an earlier version still writes what is to be copied, `data_unusable`.
 */
export async function findStore(repository: Repository, older: readonly string[]): Promise<Store> {
  const folder = storesFolder();
  const directory = path.join(folder, storeName(repository));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const commits = await someCommits(repository);
    const known = hasData(directory);
    const isMoved = !known && (await takeAlong(folder, directory, repository));
    const found = older.filter((one) => one !== directory && isStoreOf(one, repository)).sort(byLastWritten);
    const [newest] = found;
    const copiedFrom = known || isMoved ? undefined : newest;
    if (copiedFrom !== undefined) {
      copyStore(copiedFrom, directory);
    }
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const record: StoreRecord = { repository: repository.gitDirectory, commits };
    writeFileSync(path.join(directory, recordName), JSON.stringify(record), { mode: 0o600 });
    return {
      directory,
      ...(copiedFrom !== undefined && { copiedFrom }),
      others: found.filter((one) => one !== copiedFrom),
    };
  } catch (error) {
    if (error instanceof ServiceError) {
      throw error;
    }
    throw new ServiceError(
      'data_unusable',
      `Couldn't use the data directory ${directory} (${String(error)}). Free up space, or use another one.`,
      { cause: error },
    );
  }
}

/** Says what was found of a repository's data where it isn't kept any more. */
export function describeStore({ copiedFrom, others }: Store): string[] {
  return [
    ...(copiedFrom === undefined ? [] : [`Your reviews of this repository were copied from ${copiedFrom}.`]),
    ...others.map(
      (other) =>
        `Other reviews of this repository are in ${other}, last changed ${new Date(lastWritten(other)).toLocaleString()}. They aren't used: see them with "npm run service -- --data ${other}".`,
    ),
  ];
}

/** Whether there is a database in a data directory, or a copy of one that is gone. */
function hasData(directory: string): boolean {
  return ['patch-stacks.sqlite', 'copies'].some((name) => existsSync(path.join(directory, name)));
}

/** The folders in a folder; none where there is none. */
export function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => path.join(folder, name));
  } catch {
    return [];
  }
}

function storeName({ gitDirectory }: Repository): string {
  const last = path.basename(gitDirectory);
  const name = last === '.git' ? path.basename(path.dirname(gitDirectory)) : last.replace(/\.git$/, '');
  const hash = createHash('sha256').update(gitDirectory).digest('hex').slice(0, 16);
  return `${name.replaceAll(/[^\w.-]/g, '_').slice(0, 40)}-${hash}`;
}

async function someCommits({ directory }: Repository): Promise<string[]> {
  const printed = await askGit(directory, [
    ...['for-each-ref', `--count=${mostCommits}`, '--sort=-committerdate', '--format=%(objectname)'],
    ...['refs/heads', 'refs/remotes'],
  ]);
  return [...new Set((printed ?? '').split('\n').filter((line) => line !== ''))];
}

/** Copies the store of a repository that was moved here; where its old place only isn't mounted, it goes on there as it was. */
async function takeAlong(folder: string, directory: string, repository: Repository): Promise<boolean> {
  for (const store of foldersIn(folder).sort(byLastWritten)) {
    const record = readRecord(store);
    if (record && !existsSync(record.repository) && (await hasAny(repository, record.commits))) {
      copyStore(store, directory, (file) => rename(record.repository, repository.gitDirectory, file));
      return true;
    }
  }
  return false;
}

/** Notes in a database that a repository has another place now. */
function rename(before: string, now: string, file: string): void {
  const database = new DatabaseSync(file);
  try {
    database
      .prepare('UPDATE projects SET repository = ?, code_repository_id = ? WHERE repository = ?')
      .run(now, now, before);
  } finally {
    database.close();
  }
}

async function hasAny({ directory }: Repository, commits: readonly string[]): Promise<boolean> {
  for (const commit of commits) {
    if ((await askGit(directory, ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`])) !== undefined) {
      return true;
    }
  }
  return false;
}

function readRecord(store: string): StoreRecord | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(path.join(store, recordName), 'utf8'));
    if (
      !isObject(record) ||
      typeof record['repository'] !== 'string' ||
      !existsSync(path.join(store, databaseName))
    ) {
      return undefined;
    }
    const commits = Array.isArray(record['commits']) ? record['commits'] : [];
    return {
      repository: record['repository'],
      commits: commits.filter(
        (one): one is string => typeof one === 'string' && /^[0-9a-f]{40,64}$/.test(one),
      ),
    };
  } catch {
    return undefined;
  }
}

/** Whether a data directory has something of a repository that was not copied from there. */
function isStoreOf(directory: string, { gitDirectory }: Repository): boolean {
  const file = path.join(directory, databaseName);
  const copied = copiedAt(directory);
  // An earlier version may have written there since.
  if (!existsSync(file) || (copied !== undefined && copied >= lastWritten(directory))) {
    return false;
  }
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    return database.prepare('SELECT 1 FROM projects WHERE repository = ?').get(gitDirectory) !== undefined;
  } catch {
    // Damaged, or none of ours.
    return false;
  } finally {
    database?.close();
  }
}

function byLastWritten(one: string, other: string): number {
  return lastWritten(other) - lastWritten(one);
}

/** In milliseconds since the epoch. */
function lastWritten(directory: string): number {
  const times = ['', '-wal'].map((end) => {
    const status = statSync(path.join(directory, `${databaseName}${end}`), { throwIfNoEntry: false });
    // An empty log may be of whoever has looked into it.
    return status && status.size > 0 ? status.mtimeMs : 0;
  });
  return Math.max(...times);
}

/**
 * Copies a data directory whole: the new one is there only when all of it is, and sound.
 *
 * @param adapt changes the copy of the database before it's there.
 */
function copyStore(from: string, to: string, adapt: (file: string) => void = () => undefined): void {
  const lock = lockDataDirectory(from);
  try {
    const begun = `${to}.new`;
    rmSync(begun, { recursive: true, force: true });
    cpSync(from, begun, {
      recursive: true,
      preserveTimestamps: true,
      filter: (source) => path.dirname(source) !== from || !notCopied.has(path.basename(source)),
    });
    if (!isSoundDatabase(path.join(begun, databaseName)) && isSoundDatabase(path.join(from, databaseName))) {
      throw new ServiceError(
        'data_unusable',
        `Couldn't copy the data in ${from} to ${to}. Free up space, then start again.`,
      );
    }
    adapt(path.join(begun, databaseName));
    // Made by whoever started without a database, if at all.
    rmSync(to, { recursive: true, force: true });
    renameSync(begun, to);
    noteCopied(from, to);
  } finally {
    lock.release();
  }
}
