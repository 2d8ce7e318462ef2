import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { userInfo } from 'node:os';
import path from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { createApp } from './app.ts';
import { HttpError, invalid, ServiceError } from './errors.ts';
import {
  Importer,
  shortStack,
  stackTitle,
  type ImportOptions,
  type ImportSummary,
  type RepositoryWishes,
} from './git/importer.ts';
import { readBranchesOf } from './git/bases.ts';
import { followRepository } from './followRepository.ts';
import type { TellCode } from './logins.ts';
import { openRepository, readIdentity, type Person, type Repository } from './git/repository.ts';
import { lockDataDirectory, type Database } from './storage/database.ts';
import { copyDaily, openSoundDatabase, type RestoredDatabase } from './storage/databaseCopies.ts';
import { deleteBrokenUploads } from './storage/feedback.ts';
import { copyPatches } from './storage/patches.ts';
import type { ProjectRow } from './storage/projects.ts';
import { readSetting, writeSetting } from './storage/settings.ts';
import { createStack, deleteLoadingStacks, findLatestStack, type StackRow } from './storage/stacks.ts';
import { newSecret, revokeAccessToken, storeAccessToken } from './storage/tokens.ts';
import {
  createUser,
  ensureOrganization,
  findUserByEmail,
  findUserByLogin,
  type NewUser,
} from './storage/users.ts';
import type { BranchList } from '../util/branchBases.ts';
import { inBackground } from '../util/inBackground.ts';
import { messageOf } from '../util/messageOf.ts';
import { Turns } from '../util/turns.ts';
import { News } from './news.ts';
import { SharingSwitch } from './sharingSwitch.ts';
import { tellRunning } from './tellRunning.ts';
import type { SharingOptions, SharingParts, SharingStatus } from './sharing/sharing.ts';

export type { ImportProgress, ImportSummary } from './git/importer.ts';
export { ServiceError } from './errors.ts';
export { describeRestored } from './storage/databaseCopies.ts';

export interface ServiceOptions extends ImportOptions, RepositoryWishes {
  /** The folder for all data; created if it doesn't exist. One service at a time can use it. */
  dataDirectory: string;
  /** The port on 127.0.0.1; 0 takes a free one. */
  port?: number;
  /** A folder of the git repository to import; left out, none is. */
  repository?: string;
  /**
   * Shows the one-time code of a sign-in in the browser, and its name, to the person who has started the service, and to no one
   * else. Left out, no one can sign in with a browser, only with an access token.
   */
  tellCode?: TellCode;
  /**
   * The owner's access token is a new one, which ends with this service. Left out, it is the one that the data directory keeps, for
   * whoever names it to a window by hand.
   */
  isTokenNew?: boolean;
  /** When it has started: once everything is imported, or once there is something to read and the rest takes longer. */
  readyWhen?: 'imported' | 'readable';
  /** The time in milliseconds since the epoch, for tests. */
  now?: () => number;
  /**
   * Follows the repository: what is new in it is imported by itself from then on. Told whenever that has changed a stack, or taken
   * one away. Left out, only whoever asks has it imported.
   */
  onFollowed?: ((imported: ImportSummary) => void) | undefined;
  /** Shares the repository's stacks through one of its remotes; left out, nothing is shared, nor loaded for it. */
  share?: SharingOptions | undefined;
  /** Told when a copy of the database has taken its place, for it was damaged. */
  onRestored?: ((restored: RestoredDatabase) => void) | undefined;
  /** Told of failures that are defects of the service; left out, they go to stderr. */
  onDefect?: (error: unknown, request: string) => void;
}

/** A running local service. Its methods need no `this`. */
export interface LocalService {
  /** The API root, `http://127.0.0.1:PORT/api`. */
  url: string;
  /** The access token of the person the service runs for: see `isTokenNew`. */
  token: string;
  /** The result of the import at the start; undefined when no repository was given, and while the import goes on. */
  imported: ImportSummary | undefined;
  /** The import at the start; undefined when no repository was given. */
  importing: Promise<ImportSummary> | undefined;
  /**
   * Imports what is new in the repository.
   *
   * @throws ServiceError when there is none, or it cannot be read.
   */
  importRepository: (options?: ImportOptions) => Promise<ImportSummary>;
  /**
   * Shares now what has changed, and takes in what others have.
   *
   * @param isThorough Whether all logs are looked at; left out, they are. See `Sharing.run`.
   * @throws ServiceError `no_remote` while nothing is shared.
   */
  shareNow: (isThorough?: boolean) => Promise<SharingStatus>;
  /** The same, and pushes again all that the remote has no longer, of others too. @throws ServiceError `no_remote` while nothing is shared. */
  pushAgain: () => Promise<SharingStatus>;
  /** Shares now, and takes in what another device of the person's shares. @throws ServiceError `no_remote` while nothing is shared. */
  addDevice: (device: string) => Promise<SharingStatus>;
  /** Begins to share through a remote, unless it does already, once everything is imported. @throws ServiceError `no_remote` or `no_identity` */
  startSharing: (share: SharingOptions) => Promise<void>;
  /** Stops sharing, and keeps everything. */
  stopSharing: () => Promise<void>;
  /** Creates another user and gives a login and a new access token for it. The login may get a number. */
  addUser: (user: NewUser) => { login: string; token: string };
  /** A new access token for a user there is. */
  issueToken: (login: string) => string;
  /** Takes an access token back; false when it was not good any more. */
  revokeToken: (token: string) => boolean;
  /** Creates an organization with these users (by login) as members; more of them can be added the same way. */
  addOrganization: (organization: { slug: string; name: string; members: readonly string[] }) => void;
  /** Stops listening, lets running requests end, ends a running import, and closes the database. */
  close: () => Promise<void>;
}

/** Milliseconds that running requests get to end when the service stops. */
const closeGraceMs = 3000;

/**
 * Starts the local service: a complete server for the contract on 127.0.0.1, over a data directory, optionally with a
 * git repository imported into it. Resolves when it listens and, unless `readyWhen` says otherwise, the import is complete.
 *
 * @throws ServiceError with one clear sentence, or the signal's reason.
 */
export async function startService(options: ServiceOptions): Promise<LocalService> {
  options.signal?.throwIfAborted();
  const opened: Undo[] = [];
  const close = async () => {
    for (const undo of opened.splice(0).reverse()) {
      await undo();
    }
  };
  try {
    const ahead = readAhead(options);
    const database = openDatabase(options, opened);
    const ownerId = await ensureOwner(database, { ...options, ...ahead });
    const token = options.isTokenNew ? newSecret() : keptToken(database, ownerId, options.dataDirectory);

    const news = new News();
    const imports = new ImportQueue(database, ownerId, { ...options, also: () => sharing.shown }, () =>
      news.note(),
    );
    const app = createApp({
      database,
      ownerId,
      ownToken: token,
      tellCode: options.tellCode,
      publishBranch: (project, branchId, oplogSha) =>
        publishBranch(database, imports, project, branchId, oplogSha),
      onDefect: options.onDefect ?? reportDefect,
      onWrite: () => sharing.noteWrite(),
      whenRead: async (patchId) => imports.whenRead(patchId, importRepository),
      news,
    });
    // Without this the adapter replaces the process's global Request and Response, which are the editor's too.
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    const server = createServer((request, response) => inBackground(listener(request, response)));
    const url = await listen(server, options.port ?? 0);
    opened.push(async () => {
      news.dispose();
      await Promise.all([stopListening(server), imports.stop()]);
    });

    const importRepository = (importOptions: ImportOptions = {}): Promise<ImportSummary> =>
      imports.import(options.repository, importOptions);
    const sharing = new SharingSwitch(sharingParts(database, ownerId, options, importRepository));
    opened.push(async () => sharing.close());
    if (options.share) {
      await sharing.start(withNews(options.share, news), options.signal);
    }
    // Until the sharing has begun, there may be other branches.
    const known = options.share ? { opened: ahead.opened } : ahead;
    const { importing, imported } = await beginImport({ ...options, ...known }, importRepository);
    // Whoever awaits the import is told when it fails.
    sharing.beginAfter(importing);
    opened.push(beginFollowing(options, importing, importRepository, () => sharing.noteWrite()));
    opened.push(tellRunning(server, options.dataDirectory, { url, token }));
    let closed: Promise<void> | undefined;
    return {
      url,
      token,
      imported,
      importing,
      importRepository,
      shareNow: (isThorough) => sharing.run(isThorough),
      pushAgain: () => sharing.pushAgain(),
      addDevice: (device) => sharing.addDevice(device),
      startSharing: async (share) => {
        if (sharing.remote === share.remote) {
          return;
        }
        await sharing.start(withNews(share, news));
        sharing.beginAfter(importing);
      },
      stopSharing: () => sharing.stop(),
      ...peopleOf(database),
      close: () => (closed ??= close()),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Has windows told of what others have shared. */
function withNews(share: SharingOptions, news: News): SharingOptions {
  return {
    ...share,
    onRound: (status, isNew) => {
      if (isNew) {
        news.note();
      }
      share.onRound?.(status, isNew);
    },
  };
}

/** Undoes one thing that was opened; those opened later are undone before. */
type Undo = () => void | Promise<void>;

/** Begins to ask Git what is needed at any start: opening the database takes as long. */
function readAhead({ repository, signal }: ServiceOptions): {
  opened?: Promise<Repository>;
  read?: Promise<BranchList>;
} {
  if (repository === undefined || !existsSync(repository)) {
    return {};
  }
  const ahead = { opened: openRepository(repository, signal), read: readBranchesOf(repository, signal) };
  // Whoever needs them is told why they can't be had.
  Object.values(ahead).forEach((each: Promise<unknown>) => inBackground(each.catch(() => undefined)));
  return ahead;
}

/** Opens the database of a data directory, which is ours alone from then on. */
function openDatabase(
  { dataDirectory, now, onRestored, onDefect = reportDefect }: ServiceOptions,
  opened: Undo[],
): Database {
  const lock = lockDataDirectory(dataDirectory);
  opened.push(() => lock.release());
  const { database, restored } = openSoundDatabase(dataDirectory, now);
  opened.push(() => database.close());
  if (restored) {
    onRestored?.(restored);
  }
  const copying = copyDaily(dataDirectory, {
    now,
    onProblem: (error) => onDefect(error, 'Copying the database'),
  });
  opened.push(() => void copying.dispose());
  // No one else may be loading or uploading here: the lock is ours.
  deleteLoadingStacks(database);
  deleteBrokenUploads(database);
  return database;
}

/** The people of a service, for whoever runs it. */
function peopleOf(
  database: Database,
): Pick<LocalService, 'addUser' | 'issueToken' | 'revokeToken' | 'addOrganization'> {
  const issueToken = (login: string): string => {
    const issued = newSecret();
    storeAccessToken(database, requireUser(database, login), issued);
    return issued;
  };
  return {
    addUser: (user) => {
      const { login } = createUser(database, user);
      return { login, token: issueToken(login) };
    },
    issueToken,
    revokeToken: (token) => revokeAccessToken(database, token),
    addOrganization: ({ members, ...organization }) => {
      ensureOrganization(
        database,
        organization,
        members.map((login) => requireUser(database, login)),
      );
    },
  };
}

/** The parts of the sharing but for what a person says of it; undefined for a service without a repository. */
function sharingParts(
  database: Database,
  ownerId: number,
  { repository, dataDirectory, onDefect = reportDefect }: ServiceOptions,
  importRepository: LocalService['importRepository'],
): Omit<SharingParts, 'options'> | undefined {
  return repository === undefined
    ? undefined
    : {
        database,
        dataDirectory,
        ownerId,
        repository,
        now: () => database.now(),
        importRepository: async (stop) => importRepository({ signal: stop }),
        onDefect: (error) => onDefect(error, 'Sharing'),
      };
}

/** Imports the repository, if there is one, and waits as long as the options want. */
async function beginImport(
  { repository, opened, read, onProgress, signal, readyWhen }: ServiceOptions,
  importRepository: LocalService['importRepository'],
): Promise<Pick<LocalService, 'imported' | 'importing'>> {
  if (repository === undefined) {
    return { imported: undefined, importing: undefined };
  }
  const readable = Promise.withResolvers<undefined>();
  const onReadable = (left: number): void => {
    if (left > shortStack) {
      readable.resolve(undefined);
    }
  };
  const importing = importRepository({ opened, read, onProgress, signal, onReadable });
  if (readyWhen !== 'readable') {
    return { imported: await importing, importing };
  }
  // Whoever has the service awaits it too; until then a failure is not unhandled.
  importing.catch(() => undefined);
  return { imported: await Promise.race([importing, readable.promise]), importing };
}

/** Follows the repository, if there is one and somebody wants that. @returns Ends it. */
function beginFollowing(
  { repository, onFollowed, onDefect = reportDefect }: ServiceOptions,
  importing: Promise<ImportSummary> | undefined,
  importRepository: LocalService['importRepository'],
  onMove: () => void,
): Undo {
  if (repository === undefined || !importing || !onFollowed) {
    return () => undefined;
  }
  const following = followRepository({
    repository,
    importing,
    importRepository,
    onMove,
    onChange: onFollowed,
    onDefect: (error) => onDefect(error, 'Following the repository'),
  });
  return () => following.dispose();
}

/** The person whom git knows, else whoever is signed in to this computer. */
async function readOwner({ repository, signal, read }: ServiceOptions): Promise<Person> {
  const fallback = { name: userInfo().username, email: '' };
  if (repository === undefined || !existsSync(repository)) {
    return fallback;
  }
  try {
    const user = (await read)?.settings.user;
    if (user) {
      return { name: user.name === '' ? fallback.name : user.name, email: user.email };
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'git_failed') {
      throw error;
    }
    // A folder that is no repository has no branches; but Git knows the person there, too.
  }
  return readIdentity(repository, fallback, signal);
}

/** The person the service runs for: created at the first start after the repository's git identity. */
async function ensureOwner(database: Database, options: ServiceOptions): Promise<number> {
  const known = readSetting(database, 'owner_id');
  if (known !== undefined) {
    return Number(known);
  }
  const { name, email } = await readOwner(options);
  const create = (): number => {
    const { id } =
      findUserByEmail(database, email) ??
      createUser(database, {
        name,
        email,
        role: 'admin',
        ...(email === '' && { login: userInfo().username }),
      });
    // So that connecting a project can be tried: the contract has no operation that creates an organization.
    ensureOrganization(
      database,
      { slug: 'local', name: 'Local', description: 'The organization of this service.' },
      [id],
    );
    writeSetting(database, 'owner_id', String(id));
    return id;
  };
  return database.transaction(create, { isRepeatable: true });
}

function requireUser(database: Database, login: string): number {
  const user = findUserByLogin(database, login);
  if (!user) {
    throw new Error(`Couldn't find user ${login}.`);
  }
  return user.id;
}

/** The owner's access token that is the same at every start. It is stored again at each. */
function keptToken(database: Database, ownerId: number, dataDirectory: string): string {
  const token = readToken(dataDirectory);
  database.transaction(() => storeAccessToken(database, ownerId, token), { isRepeatable: true });
  return token;
}

/** The owner's access token, kept in a file that only its user can read. */
function readToken(dataDirectory: string): string {
  const file = path.join(dataDirectory, 'token');
  try {
    if (existsSync(file)) {
      // Whatever it was before, as after a copy from elsewhere.
      chmodSync(file, 0o600);
      const token = readFileSync(file, 'utf8').trim();
      if (token.length >= 32) {
        return token;
      }
    }
    const token = newSecret();
    writeFileSync(file, `${token}\n`, { mode: 0o600, flush: true });
    // The mode above counts only for a new file.
    chmodSync(file, 0o600);
    return token;
  } catch (error) {
    throw new ServiceError(
      'data_unusable',
      `Couldn't use the token file ${file} (${messageOf(error)}). Use another data directory.`,
      { cause: error },
    );
  }
}

/** @returns the API root. */
async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE' || error.code === 'EACCES'
          ? new ServiceError(
              'port_taken',
              error.code === 'EACCES'
                ? `You don't have permission to use port ${port}. Use another one with --port, or leave it out to use a free one.`
                : `Port ${port} is already in use. Stop the program that uses it, use another port with --port, or leave it out to use a free one.`,
              { cause: error },
            )
          : error,
      );
    });
    // Loopback only: no one on the network can reach it.
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error("The server doesn't have a port.");
  }
  return `http://127.0.0.1:${address.port}/api`;
}

async function stopListening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), closeGraceMs);
    // Clients keep connections open after their last answer: each is closed as soon as nothing runs on it.
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    server.close(() => {
      clearTimeout(force);
      clearInterval(sweep);
      resolve();
    });
  });
}

/** Milliseconds between two looks at what an import has changed so far. */
const lookAtImportMs = 500;

/** Runs imports one after the other, and ends them when the service stops. */
class ImportQueue {
  readonly #importer: Importer;
  readonly #onChange: () => void;
  readonly #stop = new AbortController();
  readonly #turns = new Turns(1);
  /** Imports that have not ended. */
  #running = 0;
  readonly #database: Database;

  /** @param onChange told when an import has changed something. */
  constructor(database: Database, ownerId: number, wishes: RepositoryWishes, onChange: () => void) {
    this.#database = database;
    this.#importer = new Importer(database, ownerId, wishes);
    this.#onChange = onChange;
  }

  /** Runs `work` when the imports before it have ended. */
  async run<Result>(
    signal: AbortSignal | undefined,
    work: (importer: Importer, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const either = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
    this.#running++;
    try {
      return await this.#turns.take(async () => {
        either.throwIfAborted();
        return this.#tellingOf(() => work(this.#importer, either));
      });
    } finally {
      this.#running--;
    }
  }

  /**
   * Waits until a patch was read that was only listed, or nobody reads any more.
   *
   * @param readOn imports again: an import that has failed has left it unread.
   */
  async whenRead(patchId: number, readOn: () => Promise<unknown>): Promise<void> {
    if (this.#running === 0) {
      inBackground(readOn().catch(() => undefined));
    }
    await Promise.race([this.#importer.later.whenRead(patchId), this.#turns.next()]);
  }

  /** Imports what is new in a repository, if there is one. */
  async import(repository: string | undefined, options: ImportOptions): Promise<ImportSummary> {
    if (repository === undefined) {
      throw new ServiceError('no_repository', 'This service was started without a Git repository.');
    }
    return this.run(options.signal, (importer, signal) =>
      importer.import(repository, { ...options, signal }),
    );
  }

  /** Tells of what an import changes while it goes on: a large repository has stacks to be read long before it ends. */
  async #tellingOf<Result>(work: () => Promise<Result>): Promise<Result> {
    let told = this.#database.lastStamp;
    const look = (): void => {
      if (this.#database.lastStamp !== told) {
        told = this.#database.lastStamp;
        this.#onChange();
      }
    };
    const timer = setInterval(look, lookAtImportMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      look();
    }
  }

  get stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Ends the running import and those that wait. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('The service is stopping.'));
    await this.#turns.next();
  }
}

/**
 * Makes the next version of a branch's stack: from the project's repository where it has one; else, because the service
 * then knows no commits, with the patches of the version before.
 */
async function publishBranch(
  database: Database,
  imports: ImportQueue,
  project: ProjectRow,
  branchId: string,
  oplogSha: string,
): Promise<StackRow> {
  if (project.repository === null) {
    return database.transaction(() => {
      const previous = findLatestStack(database, project.id, branchId);
      const title = stackTitle(branchId, []);
      const stack = createStack(database, {
        projectId: project.id,
        branchId,
        oplogSha,
        title,
        status: 'active',
      });
      if (previous) {
        copyPatches(database, previous.uuid, stack.uuid);
      }
      return stack;
    });
  }
  try {
    const stack = await imports.run(undefined, (importer, signal) =>
      importer.publish(project, branchId, oplogSha, signal),
    );
    if (stack) {
      return stack;
    }
  } catch (error) {
    if (error instanceof ServiceError) {
      throw new HttpError(409, error.code, error.message);
    }
    if (imports.stopping) {
      throw new HttpError(503, 'stopping', 'The service is stopping. Try again when it has restarted.');
    }
    throw error;
  }
  throw invalid('branch_id', `the repository doesn't have a branch ${branchId} ahead of its base`);
}

function reportDefect(error: unknown, request: string): void {
  process.stderr.write(
    `${request} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
}
