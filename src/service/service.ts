import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { userInfo } from 'node:os';
import path from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { createApp } from './app.ts';
import { HttpError, invalid, ServiceError } from './errors.ts';
import { Importer, stackTitle, type ImportOptions, type ImportSummary } from './git/importer.ts';
import { readIdentity } from './git/repository.ts';
import { Database, lockDataDirectory } from './storage/database.ts';
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

export type { ImportProgress, ImportSummary } from './git/importer.ts';
export { ServiceError } from './errors.ts';

/** How a local service is started. */
export interface ServiceOptions extends ImportOptions {
  /** Where everything is kept; created where there is none. One service at a time can use it. */
  dataDirectory: string;
  /** The port on 127.0.0.1; 0 takes a free one. */
  port?: number;
  /** A folder of the git repository to import; left out, none is. */
  repository?: string;
  /**
   * Shows the one-time code of a sign-in in the browser to the person who has started the service, and to no one else. Left
   * out, no one can sign in with a browser, only with an access token.
   */
  tellCode?: (code: string) => void;
  /** The time in milliseconds since the epoch, for tests. */
  now?: () => number;
  /** Told of failures that are defects of the service; left out, they go to stderr. */
  onDefect?: (error: unknown, request: string) => void;
}

/** A running local service. Its methods need no `this`. */
export interface LocalService {
  /** The API root, `http://127.0.0.1:PORT/api`. */
  url: string;
  /** The access token of the person the service runs for; the same at every start on the same data directory. */
  token: string;
  /** What the import at the start found; undefined when no repository was given. */
  imported: ImportSummary | undefined;
  /**
   * Imports what is new in the repository.
   *
   * @throws ServiceError when there is none, or it cannot be read.
   */
  importRepository: (options?: ImportOptions) => Promise<ImportSummary>;
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

/** How long running requests get to end when the service stops, in milliseconds. */
const CLOSE_GRACE = 3000;

/**
 * Starts the local service: a complete server for the contract on 127.0.0.1, over a data directory, optionally with a
 * git repository imported into it. Resolves when it listens and the import is complete.
 *
 * @throws ServiceError with one clear sentence, or the signal's reason.
 */
export async function startService(options: ServiceOptions): Promise<LocalService> {
  options.signal?.throwIfAborted();
  // What has to be undone, in the order it was done.
  const opened: (() => void | Promise<void>)[] = [];
  const close = async () => {
    for (const undo of opened.splice(0).reverse()) {
      await undo();
    }
  };
  try {
    const lock = lockDataDirectory(options.dataDirectory);
    opened.push(() => lock.release());
    const database = new Database(path.join(options.dataDirectory, 'patch-stacks.sqlite'), options.now);
    opened.push(() => database.close());
    // No one else may be loading or uploading here: the lock is ours.
    deleteLoadingStacks(database);
    deleteBrokenUploads(database);
    const ownerId = await ensureOwner(database, options);
    const token = readToken(options.dataDirectory);
    storeAccessToken(database, ownerId, token);

    const imports = new ImportQueue(database, ownerId);
    const app = createApp({
      database,
      ownerId,
      tellCode: options.tellCode,
      publishBranch: (project, branchId, oplogSha) =>
        publishBranch(database, imports, project, branchId, oplogSha),
      onDefect: options.onDefect ?? reportDefect,
    });
    // Without this the adapter replaces the process's global Request and Response, which are the editor's too.
    const adaptor = { fetch: app.fetch, overrideGlobalObjects: false };
    const server = createAdaptorServer(adaptor) as Server;
    const port = await listen(server, options.port ?? 0);
    opened.push(async () => {
      await Promise.all([stopListening(server), imports.stop()]);
    });

    const importRepository = async (importOptions: ImportOptions = {}): Promise<ImportSummary> => {
      const { repository } = options;
      if (repository === undefined) {
        throw new ServiceError('no_repository', 'This service was started without a git repository.');
      }
      return imports.run(importOptions.signal, (importer, signal) =>
        importer.import(repository, { ...importOptions, signal }),
      );
    };
    const issueToken = (login: string): string => {
      const issued = newSecret();
      storeAccessToken(database, requireUser(database, login), issued);
      return issued;
    };
    const { onProgress, signal } = options;
    let closed: Promise<void> | undefined;
    return {
      url: `http://127.0.0.1:${port}/api`,
      token,
      imported: options.repository === undefined ? undefined : await importRepository({ onProgress, signal }),
      importRepository,
      addUser: (user) => {
        const { login } = createUser(database, user);
        return { login, token: issueToken(login) };
      },
      issueToken,
      revokeToken: (revoked) => revokeAccessToken(database, revoked),
      addOrganization: ({ members, ...organization }) => {
        ensureOrganization(
          database,
          organization,
          members.map((login) => requireUser(database, login)),
        );
      },
      close: () => (closed ??= close()),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The person the service runs for: created at the first start after the repository's git identity. */
async function ensureOwner(database: Database, { repository, signal }: ServiceOptions): Promise<number> {
  const known = readSetting(database, 'owner_id');
  if (known !== undefined) {
    return Number(known);
  }
  const { username } = userInfo();
  const fallback = { name: username, email: '' };
  const { name, email } =
    repository !== undefined && existsSync(repository)
      ? await readIdentity(repository, fallback, signal)
      : fallback;
  return database.transaction(() => {
    const { id } =
      findUserByEmail(database, email) ??
      createUser(database, { name, email, role: 'admin', ...(email === '' && { login: username }) });
    // So that connecting a project can be tried: the contract has no operation that creates an organization.
    ensureOrganization(
      database,
      { slug: 'local', name: 'Local', description: 'The organization of this service.' },
      [id],
    );
    writeSetting(database, 'owner_id', String(id));
    return id;
  });
}

function requireUser(database: Database, login: string): number {
  const user = findUserByLogin(database, login);
  if (!user) {
    throw new Error(`There is no user ${login}.`);
  }
  return user.id;
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
      `The token file ${file} cannot be used (${(error as Error).message}): choose another data directory.`,
      { cause: error },
    );
  }
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE' || error.code === 'EACCES'
          ? new ServiceError(
              'port_taken',
              error.code === 'EACCES'
                ? `The port ${port} may not be used: choose another with --port, or leave it out for a free one.`
                : `The port ${port} is taken: stop what listens there, choose another with --port, or leave it out for a free one.`,
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
    throw new Error('The server has no port.');
  }
  return address.port;
}

async function stopListening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE);
    // Clients keep connections open after their last answer: each is closed as soon as nothing runs on it.
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    server.close(() => {
      clearTimeout(force);
      clearInterval(sweep);
      resolve();
    });
  });
}

/** Runs imports one after the other, and ends them when the service stops. */
class ImportQueue {
  readonly #importer: Importer;
  readonly #stop = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Database, ownerId: number) {
    this.#importer = new Importer(database, ownerId);
  }

  /** Runs `work` when the imports before it have ended. */
  async run<Result>(
    signal: AbortSignal | undefined,
    work: (importer: Importer, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const either = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
    const result = this.#last.then(() => {
      either.throwIfAborted();
      return work(this.#importer, either);
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Whether imports are ended because the service stops. */
  get stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Ends the running import and those that wait. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('The service is stopping.'));
    await this.#last;
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
      throw new HttpError(503, 'stopping', 'The service is stopping: try again when it runs.');
    }
    throw error;
  }
  throw invalid('branch_id', `the repository has no branch ${branchId} that is ahead of its default branch`);
}

function reportDefect(error: unknown, request: string): void {
  process.stderr.write(
    `${request} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
}
