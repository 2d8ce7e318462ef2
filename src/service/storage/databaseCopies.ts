/**
 * Copies of the database, made by SQLite itself: one a day, and one before its schema changes. Where the file is damaged, or gone, the last
 * good copy takes its place, and what is damaged is kept.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Disposable } from '../../util/disposable.ts';
import { inBackground } from '../../util/inBackground.ts';
import { messageOf } from '../../util/messageOf.ts';
import { ServiceError } from '../errors.ts';
import { DamagedDatabaseError, Database, isSoundDatabase } from './database.ts';

/** A database in whose place a copy is now. */
export interface RestoredDatabase {
  /** Of the file that was there. */
  trouble: 'damaged' | 'empty' | 'missing';
  /** The folder in which that is kept; undefined where nothing was there. */
  keptIn: string | undefined;
  /** When the copy was made. */
  copiedAt: Date;
}

/** The number of copies that are kept. */
const mostCopies = 3;

const dayMs = 24 * 60 * 60 * 1000;

/** Milliseconds until it is looked whether a copy is due, and between two looks. */
const firstLookMs = 60_000;
const lookEveryMs = 60 * 60 * 1000;

const copiesFolder = 'copies';
const ending = '.sqlite';
const unfinished = '.unfinished';

/** What belongs to a database beside its file. */
const companions = ['', '-wal', '-shm'];

/** Says in one sentence what became of a database. */
export function describeRestored({ trouble, keptIn, copiedAt }: RestoredDatabase): string {
  const kept = keptIn === undefined ? '' : `, and what was there is kept in ${keptIn}`;
  return `The database was ${trouble}. Its copy of ${copiedAt.toLocaleString()} is used instead${kept}: what was written since isn't in it.`;
}

/**
 * Opens the database of a data directory, which must be this process's own.
 *
 * @param now the time in milliseconds since the epoch.
 * @throws ServiceError `data_unusable`, also when it is damaged and there is no copy that isn't.
 */
export function openSoundDatabase(
  directory: string,
  now: () => number = Date.now,
): { database: Database; restored: RestoredDatabase | undefined } {
  const file = databaseIn(directory);
  const open = (): Database => new Database(file, now, (before) => copyNow(before, directory, now()));
  const found = openFound(file, open);
  if (found instanceof Database) {
    return { database: found, restored: undefined };
  }
  const copy = copiesIn(directory).find(isSoundDatabase);
  if (copy !== undefined) {
    const restored = { trouble: found, keptIn: setAside(file, directory, now()), copiedAt: timeOf(copy) };
    copyFileSync(copy, file);
    return { database: open(), restored };
  }
  if (found === 'damaged') {
    throw new DamagedDatabaseError(file);
  }
  // At the first start.
  return { database: open(), restored: undefined };
}

/** The database of a file that has one, or why it hasn't. */
function openFound(file: string, open: () => Database): Database | RestoredDatabase['trouble'] {
  const status = statSync(file, { throwIfNoEntry: false });
  if (!status) {
    return 'missing';
  }
  if (!status.isFile()) {
    return 'damaged';
  }
  if (status.size === 0 && !statSync(`${file}-wal`, { throwIfNoEntry: false })?.size) {
    return 'empty';
  }
  try {
    return open();
  } catch (error) {
    if (error instanceof DamagedDatabaseError) {
      return 'damaged';
    }
    throw error;
  }
}

/**
 * Makes a copy each day, until that is disposed of: the first a while after now, for what is begun with the database is more urgent.
 *
 * @param now the time in milliseconds since the epoch.
 */
export function copyDaily(
  directory: string,
  { now, onProblem }: { now?: (() => number) | undefined; onProblem: (error: unknown) => void },
): Disposable {
  const stop = new AbortController();
  let timer: NodeJS.Timeout;
  const lookIn = (delayMs: number): void => {
    timer = setTimeout(() => inBackground(look()), delayMs).unref();
  };
  const look = async (): Promise<void> => {
    await copyIfDue(directory, now, stop.signal).catch(onProblem);
    if (!stop.signal.aborted) {
      lookIn(lookEveryMs);
    }
  };
  lookIn(firstLookMs);
  return {
    dispose: () => {
      clearTimeout(timer);
      stop.abort();
    },
  };
}

/** Makes a copy when there is none of the last day. @returns whether it did. @throws why it could not. */
export async function copyIfDue(
  directory: string,
  now: () => number = Date.now,
  signal: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  const [newest] = copiesIn(directory);
  if (newest !== undefined && now() - timeOf(newest).getTime() < dayMs) {
    return false;
  }
  const { begun, finish } = beginCopy(directory, now());
  const worker = new Worker(copyInThread, {
    eval: true,
    workerData: { file: databaseIn(directory), begun },
  });
  const stop = (): void => inBackground(worker.terminate());
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [code] = (await once(worker, 'exit')) as [number];
    const isWhole = code === 0 && isSoundDatabase(begun);
    if (isWhole) {
      finish();
    } else if (!signal.aborted) {
      throw new Error(`The copy of the database in ${directory} isn't whole.`);
    }
    return isWhole;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function databaseIn(directory: string): string {
  return path.join(directory, 'patch-stacks.sqlite');
}

/** The copies, the newest first. */
function copiesIn(directory: string): string[] {
  const folder = path.join(directory, copiesFolder);
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^\d+\.sqlite$/.test(name))
        .sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10))
        .map((name) => path.join(folder, name))
    : [];
}

function timeOf(copy: string): Date {
  return new Date(Number(path.basename(copy, ending)));
}

/** Moves what is in the place of a database to a folder of its own. @returns that folder; undefined when nothing was there. */
function setAside(file: string, directory: string, at: number): string | undefined {
  const there = companions.map((end) => `${file}${end}`).filter((each) => existsSync(each));
  if (there.length === 0) {
    return undefined;
  }
  const folder = path.join(directory, `damaged-${at}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  there.forEach((each) => renameSync(each, path.join(folder, path.basename(each))));
  return folder;
}

/** The file of a copy that is begun at a time, and what takes it in when it is whole. */
function beginCopy(directory: string, at: number): { begun: string; finish: () => void } {
  const folder = path.join(directory, copiesFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  readdirSync(folder)
    .filter((name) => name.endsWith(unfinished))
    .forEach((name) => rmSync(path.join(folder, name), { force: true }));
  const copy = path.join(folder, `${at}${ending}`);
  const begun = `${copy}${unfinished}`;
  return {
    begun,
    finish: () => {
      renameSync(begun, copy);
      copiesIn(directory)
        .slice(mostCopies)
        .forEach((old) => rmSync(old, { force: true }));
    },
  };
}

/** @throws ServiceError `data_unusable` */
function copyNow(database: Database, directory: string, at: number): void {
  try {
    const { begun, finish } = beginCopy(directory, at);
    database.copyInto(begun);
    finish();
  } catch (error) {
    throw new ServiceError(
      'data_unusable',
      `Couldn't copy the database in ${directory} before this version of Patch Stacks changes it (${messageOf(error)}). Free up space, then start again.`,
      { cause: error },
    );
  }
}

/** In a thread of its own, for the service answers nobody while SQLite reads a whole database. */
const copyInThread = `
  const { workerData: { file, begun } } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(file);
  database.prepare('VACUUM INTO ?').run(begun);
  database.close();
`;
