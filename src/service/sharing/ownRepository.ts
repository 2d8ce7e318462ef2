/** Bare repositories that belong to this service alone, the runs of git in them, and the way from there to a remote. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../errors.ts';
import { askGit, startGit } from '../git/git.ts';

/** Milliseconds that a remote may take. */
export const remotePatienceMs = 120_000;
/** Milliseconds that git may take for what is on this computer. */
const localPatienceMs = 30_000;

/** Objects that may be files of their own: each takes 4 KB, and much less in a pack. */
const looseObjects = 1000;

/** The way to a remote: the protocols that do nothing but carry, and the person's own ways to say who they are. */
const transports = ['file', 'git', 'http', 'https', 'ssh'];
const ownVariables = ['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSH_VARIANT', 'GIT_ASKPASS'];

/** Settings of git, which win over those of files. */
export type GitSettings = Readonly<Record<string, string>>;

/** A run of git. */
interface Run {
  signal?: AbortSignal | undefined;
  environment?: NodeJS.ProcessEnv;
  input?: string | Buffer | undefined;
  patienceMs?: number;
}

/** See the module. */
export class OwnRepository {
  readonly directory: string;
  readonly #settings: GitSettings;
  /** True where git has failed, and may have left locks: one that was ended does. */
  #hasFailed = false;
  /** Whether the person has set what git takes for ssh; undefined where that has to be looked up. */
  #hasOwnSsh: boolean | undefined;

  private constructor(directory: string, settings: GitSettings) {
    this.directory = directory;
    this.#settings = settings;
  }

  /**
   * Opens one, and makes it where there is none.
   *
   * @param more Options of `git init`.
   */
  static async open(
    directory: string,
    settings: GitSettings,
    { more = [], signal }: { more?: readonly string[]; signal?: AbortSignal | undefined } = {},
  ): Promise<OwnRepository> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await deleteLocks(directory);
    const own = new OwnRepository(directory, settings);
    await own.run(['init', '--quiet', '--bare', '--template=', ...more, '.'], { signal });
    return own;
  }

  /** Runs git to its end. @returns What it printed. @throws ServiceError `git_failed`; the signal's reason. */
  async run(
    args: readonly string[],
    { signal, environment = {}, input = '', patienceMs = localPatienceMs }: Run = {},
  ): Promise<Buffer> {
    const git = this.start(args, { signal, environment, patienceMs });
    git.input.end(input);
    try {
      const printed = await collect(git.output);
      await git.ended;
      return printed;
    } catch (error) {
      this.noteFailure();
      throw error;
    }
  }

  /** Starts git for output that is read as it comes. */
  start(
    args: readonly string[],
    { signal, environment = {}, patienceMs = remotePatienceMs }: Omit<Run, 'input'> = {},
  ): ReturnType<typeof startGit> {
    const late = AbortSignal.timeout(patienceMs);
    const inTime = signal ? AbortSignal.any([signal, late]) : late;
    return startGit(this.directory, args, inTime, { ...configured(this.#settings), ...environment });
  }

  /** Settings for one run of git, beside those that all have. */
  configured(more: GitSettings = {}): NodeJS.ProcessEnv {
    return configured({ ...this.#settings, ...more });
  }

  /** Packs what has become many files. Looks first whether it has, which takes next to nothing. */
  async tidy(signal?: AbortSignal): Promise<void> {
    this.#hasOwnSsh = undefined;
    const args = ['-c', `gc.auto=${looseObjects}`, '-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet'];
    await this.run(args, { signal, patienceMs: remotePatienceMs });
  }

  /**
   * True where git finds all that its refs need.
   *
   * @param isThorough Whether it also looks into each object.
   */
  async isSound(isThorough: boolean, signal?: AbortSignal): Promise<boolean> {
    const how = isThorough ? [] : ['--connectivity-only'];
    try {
      await this.run(['fsck', '--no-progress', '--no-dangling', '--no-reflogs', ...how], {
        signal,
        patienceMs: remotePatienceMs,
      });
      return true;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ServiceError) {
        return false;
      }
      throw error;
    }
  }

  /** Notes that git has failed in this repository. */
  noteFailure(): void {
    this.#hasFailed = true;
  }

  /** Deletes the locks that a git of this service has left which was ended. @returns True where git has failed since the last time. */
  async unlock(): Promise<boolean> {
    const hasFailed = this.#hasFailed;
    if (hasFailed) {
      await deleteLocks(this.directory);
      this.#hasFailed = false;
      this.#hasOwnSsh = undefined;
    }
    return hasFailed;
  }

  /** The variables with which git may go to a remote. */
  async wayTo(address: string, signal?: AbortSignal): Promise<NodeJS.ProcessEnv> {
    const own = Object.fromEntries(
      ownVariables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    );
    const hasOwnSsh =
      path.isAbsolute(address) ||
      'GIT_SSH' in own ||
      'GIT_SSH_COMMAND' in own ||
      (this.#hasOwnSsh ??=
        (await askGit(this.directory, ['config', '--get', 'core.sshCommand'], signal)) !== undefined);
    return {
      ...own,
      GIT_ALLOW_PROTOCOL: transports.join(':'),
      // Nobody is asked for anything: what takes a question is refused, and told.
      ...(!hasOwnSsh && { GIT_SSH_COMMAND: 'ssh -oBatchMode=yes' }),
    };
  }
}

/** Settings of git as it takes them from its environment. */
function configured(settings: GitSettings): NodeJS.ProcessEnv {
  const pairs = Object.entries(settings).map(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    GIT_CONFIG_COUNT: String(pairs.length),
    ...(Object.fromEntries(pairs.flat()) as NodeJS.ProcessEnv),
  };
}

/** Where git locks what it writes, below the repository itself: beside the objects one by one are none. */
const lockedFolders = ['refs', path.join('objects', 'info'), path.join('objects', 'pack')];

/**
 * Deletes what a git that was ended in the middle of something has left, and for which every other one would give up: nobody else works in such
 * a repository.
 */
async function deleteLocks(directory: string): Promise<void> {
  const inside = await Promise.all(
    lockedFolders
      .filter((folder) => existsSync(path.join(directory, folder)))
      .map(async (folder) =>
        (await readdir(path.join(directory, folder), { recursive: true })).map((file) =>
          path.join(folder, file),
        ),
      ),
  );
  const beside = existsSync(directory) ? await readdir(directory) : [];
  const locks = [beside, ...inside].flat().filter((file) => file.endsWith('.lock'));
  await Promise.all(locks.map((file) => rm(path.join(directory, file), { force: true })));
}

/** All that comes. */
export async function collect(output: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of output) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The words of git, without which command they are about, nor a password that an address may have in it. */
export function messageFrom(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return withoutPassword(text.replace(/^Couldn't run "[^"]*": /, ''));
}

/** The same without the names and passwords that addresses may have in them. */
export function withoutPassword(text: string): string {
  return text.replaceAll(/(\w:\/\/)[^/\s@]*@/g, '$1');
}
