/**
 * The logs of all devices, as commits in a bare repository of the service's own. The person's repository is only asked for the
 * address of its remote: no hook, command or helper that it names is ever run here. Those of the person themself are.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Remote } from '../../protocol/localService.ts';
import { ServiceError } from '../errors.ts';
import { askGit, startGit } from '../git/git.ts';
import type { Person } from '../git/repository.ts';
import { largestBatch, pathOf, writerOf, type Writer } from './operations.ts';

const shared = 'refs/patch-stacks/v1/';
/** The refs of the remote, as they were seen last. */
const seen = 'refs/seen/';
const fileName = 'operations';

/** Milliseconds that a remote may take. */
const remotePatienceMs = 120_000;
/** Milliseconds that git may take for what is on this computer. */
const localPatienceMs = 30_000;
/** Bytes of commits' texts that are in memory at once, as a rule. */
const atOnce = 32 * 1024 * 1024;

/** Settings of the logs' repository; objects of strangers are checked before they are taken. */
const settings = {
  'transfer.fsckObjects': 'true',
  'core.bigFileThreshold': String(largestBatch),
  'core.fsync': 'all',
  'gc.auto': '0',
  'fetch.recurseSubmodules': 'false',
  'push.recurseSubmodules': 'no',
};

/** The way to the remote: the protocols that do nothing but carry, and the person's own ways to say who they are. */
const transports = ['file', 'git', 'http', 'https', 'ssh'];
const ownVariables = ['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSH_VARIANT', 'GIT_ASKPASS'];

/** Thrown when the remote cannot be reached. */
export class OfflineError extends Error {
  override name = 'OfflineError';
}

/** Thrown when the remote does not take what is pushed; the message is what it says. */
export class RefusedPushError extends Error {
  override name = 'RefusedPushError';
}

/** A commit of a log: its text, or why it has none that could be read. */
export type ReadCommit = { sha: string; bytes: Buffer } | { sha: string; unreadable: string };

/** The commits that came to a log, or the news that it is not the log any more that it was. */
export type NewCommits = { commits: AsyncIterable<ReadCommit> } | { rewritten: true };

interface Run {
  signal?: AbortSignal | undefined;
  environment?: NodeJS.ProcessEnv;
  input?: string | Buffer;
  patienceMs?: number;
}

/** The remotes of a repository, with the address to which is pushed, without a password. */
export async function listRemotes(directory: string, signal?: AbortSignal): Promise<Remote[]> {
  const names = (await askGit(directory, ['remote'], signal))?.split('\n').filter(Boolean) ?? [];
  return Promise.all(
    names.map(async (name) => {
      const address = await askGit(directory, ['remote', 'get-url', '--push', '--', name], signal);
      return { name, address: withoutPassword(address ?? '') };
    }),
  );
}

/** The address of a remote of a repository. @throws ServiceError `no_remote` */
export async function remoteAddress(
  directory: string,
  remote: string,
  signal?: AbortSignal,
): Promise<{ fetch: string; push: string }> {
  const names = (await askGit(directory, ['remote'], signal))?.split('\n') ?? [];
  if (!names.includes(remote)) {
    throw new ServiceError('no_remote', `${directory} doesn't have a remote ${remote}. Name another one.`);
  }
  const ask = async (...options: string[]): Promise<string> =>
    (await askGit(directory, ['remote', 'get-url', ...options, '--', remote], signal)) ?? '';
  const [fetch, push] = await Promise.all([ask(), ask('--push')]);
  if (fetch === '' || push === '') {
    throw new ServiceError('no_remote', `The remote ${remote} of ${directory} doesn't have an address.`);
  }
  return { fetch: absolute(directory, fetch), push: absolute(directory, push) };
}

/** A folder is meant from where the repository is; everything else is an address already. */
function absolute(directory: string, address: string): string {
  const isFolder = !/^[^/\\]{2,}:/.test(address);
  return isFolder ? path.resolve(directory, address) : address;
}

/** The logs of one project. */
export class SharedLogs {
  readonly #directory: string;
  readonly #author: Person;

  private constructor(directory: string, author: Person) {
    this.#directory = directory;
    this.#author = author;
  }

  /** Opens the repository of the logs, and makes it where there is none. @param author Who writes to it here. */
  static async open(directory: string, author: Person, signal?: AbortSignal): Promise<SharedLogs> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const logs = new SharedLogs(directory, author);
    await logs.#run(['init', '--quiet', '--bare', '--template=', '.'], { signal });
    return logs;
  }

  /** Fetches everybody's logs. @throws OfflineError */
  async fetch(address: string, signal?: AbortSignal): Promise<void> {
    const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--refmap='];
    try {
      await this.#run(['fetch', ...options, '--', address, `+${shared}*:${seen}*`], {
        signal,
        environment: await this.#transport(address, signal),
        patienceMs: remotePatienceMs,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw new OfflineError(messageFrom(error), { cause: error });
    }
  }

  /**
   * Pushes one's own log, which only ever goes forward.
   *
   * @returns True when there was something to push.
   * @throws OfflineError, RefusedPushError
   */
  async push(address: string, writer: Writer, signal?: AbortSignal): Promise<boolean> {
    const own = `${shared}${pathOf(writer)}`;
    const [tip, remote] = await Promise.all([this.#tip(own, signal), this.seenTip(writer, signal)]);
    if (tip === undefined || tip === remote) {
      return false;
    }
    const { input, output, ended } = startGit(
      this.#directory,
      ['push', '--porcelain', '--no-verify', '--no-signed', '--', address, `${own}:${own}`],
      AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(remotePatienceMs)]),
      { ...configured(), ...(await this.#transport(address, signal)) },
    );
    input.end();
    const printed = (await collect(output)).toString('utf8');
    try {
      await ended;
    } catch (error) {
      signal?.throwIfAborted();
      const refusal = /^!\t[^\t]*\t(.*)$/m.exec(printed)?.[1];
      const said = messageFrom(error);
      throw refusal === undefined
        ? new OfflineError(said, { cause: error })
        : new RefusedPushError(`${refusal}: ${said}`, { cause: error });
    }
    await this.#run(['update-ref', `${seen}${pathOf(writer)}`, tip], { signal });
    return true;
  }

  /** The ends of all logs of the remote, by `PERSON/DEVICE`; and the number of refs that are no logs. */
  async seenTips(signal?: AbortSignal): Promise<{ tips: Map<string, string>; strange: number }> {
    const printed = await this.#run(['for-each-ref', '--format=%(objectname) %(refname)', seen], { signal });
    const all = printed.toString('utf8').split('\n').filter(Boolean);
    const named = all.map((line): [string, string] => {
      const blank = line.indexOf(' ');
      return [line.slice(blank + 1 + seen.length), line.slice(0, blank)];
    });
    const tips = new Map(named.filter(([name]) => writerOf(name)));
    return { tips, strange: named.length - tips.size };
  }

  /** The end of a log of the remote. */
  async seenTip(writer: Writer, signal?: AbortSignal): Promise<string | undefined> {
    return this.#tip(`${seen}${pathOf(writer)}`, signal);
  }

  /** The end of one's own log. */
  async ownTip(writer: Writer, signal?: AbortSignal): Promise<string | undefined> {
    return this.#tip(`${shared}${pathOf(writer)}`, signal);
  }

  /** The number of the last operation of one's own log. */
  async lastOperation(tip: string, writer: Writer, signal?: AbortSignal): Promise<number> {
    const text = await this.#run(['cat-file', 'blob', `${tip}:${fileName}`], { signal });
    const last = text.toString('utf8').trimEnd().split('\n').at(-1) ?? '';
    const { seq } = JSON.parse(last) as { seq?: number };
    if (seq === undefined) {
      throw new Error(`The last commit of the log ${pathOf(writer)} doesn't have operations.`);
    }
    return seq;
  }

  /** Reads a log on from a commit, or from its beginning. @throws ServiceError `git_failed` */
  async read(tip: string, after: string | undefined, signal?: AbortSignal): Promise<NewCommits> {
    const listed = await this.#run(
      [
        'rev-list',
        '--first-parent',
        '--reverse',
        '--parents',
        tip,
        ...(after === undefined ? [] : [`^${after}`]),
        '--',
      ],
      { signal },
    );
    const commits = listed
      .toString('latin1')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' '));
    if (commits[0]?.[1] !== after) {
      return { rewritten: true };
    }
    return {
      commits: this.#contents(
        commits.map(([sha = '']) => sha),
        signal,
      ),
    };
  }

  /**
   * Adds a commit to one's own log.
   *
   * @param others The ends of other logs that were seen since the last one.
   */
  async append(writer: Writer, text: string, others: readonly string[], signal?: AbortSignal): Promise<void> {
    const before = await this.ownTip(writer, signal);
    const blob = await this.#write(['hash-object', '-w', '--stdin'], text, signal);
    const tree = await this.#write(['mktree'], `100644 blob ${blob}\t${fileName}\n`, signal);
    // The first parent is the log's own: it begins with a commit that has none.
    const parents = before === undefined ? [] : [before, ...others];
    const { name, email } = this.#author;
    const who = (role: string) => ({ [`GIT_${role}_NAME`]: name || email, [`GIT_${role}_EMAIL`]: email });
    const commit = await this.#run(
      ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', 'Share reviews'],
      { signal, environment: { ...who('AUTHOR'), ...who('COMMITTER') } },
    );
    const ref = `${shared}${pathOf(writer)}`;
    await this.#run(['update-ref', ref, commit.toString('latin1').trim(), before ?? ''], { signal });
  }

  async *#contents(shas: readonly string[], signal?: AbortSignal): AsyncGenerator<ReadCommit> {
    const names = shas.map((sha) => `${sha}:${fileName}\n`).join('');
    const answers = (await this.#run(['cat-file', '--batch-check'], { signal, input: names }))
      .toString('latin1')
      .split('\n');
    let open: { sha: string; blob: string; size: number }[] = [];
    let size = 0;
    for (const [index, sha] of shas.entries()) {
      const [, blob = '', bytes] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(answers[index] ?? '') ?? [];
      const isReadable = bytes !== undefined && Number(bytes) <= largestBatch;
      if (isReadable) {
        open.push({ sha, blob, size: Number(bytes) });
        size += Number(bytes);
      }
      if (!isReadable || size >= atOnce || index === shas.length - 1) {
        yield* await this.#blobs(open, signal);
        open = [];
        size = 0;
      }
      if (!isReadable) {
        yield { sha, unreadable: bytes === undefined ? 'it has no operations' : `it has ${bytes} bytes` };
      }
    }
  }

  async #blobs(
    commits: readonly { sha: string; blob: string; size: number }[],
    signal?: AbortSignal,
  ): Promise<ReadCommit[]> {
    const input = commits.map(({ blob }) => `${blob}\n`).join('');
    const printed = await this.#run(['cat-file', '--batch'], { signal, input });
    let place = 0;
    return commits.map(({ sha, size }) => {
      // Each has a line of its own before it, and ends with a line.
      const start = printed.indexOf('\n', place) + 1;
      place = start + size + 1;
      return { sha, bytes: printed.subarray(start, start + size) };
    });
  }

  async #tip(ref: string, signal?: AbortSignal): Promise<string | undefined> {
    return askGit(this.#directory, ['rev-parse', '--verify', '--quiet', '--end-of-options', ref], signal);
  }

  async #write(args: readonly string[], input: string, signal?: AbortSignal): Promise<string> {
    return (await this.#run(args, { signal, input })).toString('latin1').trim();
  }

  /** The variables with which git may go to a remote. */
  async #transport(address: string, signal?: AbortSignal): Promise<NodeJS.ProcessEnv> {
    const own = Object.fromEntries(
      ownVariables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    );
    const hasOwnSsh =
      path.isAbsolute(address) ||
      'GIT_SSH' in own ||
      'GIT_SSH_COMMAND' in own ||
      (await askGit(this.#directory, ['config', '--get', 'core.sshCommand'], signal)) !== undefined;
    return {
      ...own,
      GIT_ALLOW_PROTOCOL: transports.join(':'),
      // Nobody is asked for anything: what takes a question is refused, and told.
      ...(!hasOwnSsh && { GIT_SSH_COMMAND: 'ssh -oBatchMode=yes' }),
    };
  }

  async #run(
    args: readonly string[],
    { signal, environment = {}, input = '', patienceMs = localPatienceMs }: Run = {},
  ): Promise<Buffer> {
    const late = AbortSignal.timeout(patienceMs);
    const git = startGit(this.#directory, args, signal ? AbortSignal.any([signal, late]) : late, {
      ...configured(),
      ...environment,
    });
    git.input.end(input);
    const printed = await collect(git.output);
    await git.ended;
    return printed;
  }
}

/** The settings of the logs' repository, as git takes them from its environment. */
function configured(): NodeJS.ProcessEnv {
  const pairs = Object.entries(settings).map(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    GIT_CONFIG_COUNT: String(pairs.length),
    ...(Object.fromEntries(pairs.flat()) as NodeJS.ProcessEnv),
  };
}

async function collect(output: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of output) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The words of git, without which command they are about, nor a password that an address may have in it. */
function messageFrom(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return withoutPassword(text.replace(/^Couldn't run "[^"]*": /, ''));
}

/** The same without the names and passwords that addresses may have in them. */
function withoutPassword(text: string): string {
  return text.replaceAll(/(\w:\/\/)[^/\s@]*@/g, '$1');
}
