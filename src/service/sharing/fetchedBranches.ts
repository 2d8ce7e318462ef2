/**
 * Branches of the remote as they are there now. They are fetched into a repository of the service's own, which borrows the objects of the person's:
 * what theirs has of the remote moves when they fetch, and not otherwise.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { NewerBranches, NewerTip } from '../../util/branchBases.ts';
import { ServiceError } from '../errors.ts';
import { askGit } from '../git/git.ts';
import { isPartialClone, type Branch, type Repository } from '../git/repository.ts';
import { OfflineError } from './logs.ts';
import { tipsSchema } from './newerTips.ts';
import { messageFrom, OwnRepository, remotePatienceMs } from './ownRepository.ts';
import type { SharingStore } from './store.ts';

/** Where they are: by digests of their names, of which none begins with another. */
const refs = 'refs/branches/';

/** Settings of the repository. */
const settings = { 'fetch.recurseSubmodules': 'false' };

/** Git has no branch of another name: what others say that they share may be called anything. */
const isName = /^[^\s:*?[\\^~]+$/;

/** Rounds until a branch is asked for again that the remote didn't have. */
const roundsWithout = 30;

/** See the module. */
export class FetchedBranches {
  readonly #repository: Repository;
  readonly #directory: string;
  readonly #store: SharingStore;
  #git: OwnRepository;
  #tips: ReadonlyMap<string, NewerTip>;
  /** The branches that the remote didn't have, with the rounds until they are asked for again. */
  readonly #missing = new Map<string, number>();
  #isRenewed = false;
  /** True where the repository has none of what was fetched before. */
  #isEmpty: boolean;

  private constructor(repository: Repository, git: OwnRepository, store: SharingStore, isEmpty: boolean) {
    this.#repository = repository;
    this.#isEmpty = isEmpty;
    this.#directory = git.directory;
    this.#git = git;
    this.#store = store;
    this.#tips = new Map(store.readAs(tipsSchema, 'newer'));
  }

  /**
   * Opens the repository of the branches, and makes it where there is none.
   *
   * @returns undefined for a clone that lacks some of its history: nobody can fetch on from there without all of it.
   */
  static async open(
    directory: string,
    repository: Repository,
    store: SharingStore,
    signal?: AbortSignal,
  ): Promise<FetchedBranches | undefined> {
    const isShallow = existsSync(path.join(repository.gitDirectory, 'shallow'));
    if (isShallow || (await isPartialClone(repository, signal))) {
      return undefined;
    }
    const isEmpty = !isThere(directory);
    return new FetchedBranches(repository, await openOwn(directory, repository, signal), store, isEmpty);
  }

  /** The branches that are newer than those of the person's repository, or not in it. */
  get newer(): NewerBranches | undefined {
    return this.#isEmpty ? undefined : { tips: this.#tips, objects: path.join(this.#directory, 'objects') };
  }

  /**
   * Fetches branches, and forgets all others.
   *
   * @param wanted Their names, with the commits at which they are in the person's repository; `''` where they aren't.
   * @returns True where one of them has come or moved.
   * @throws OfflineError
   */
  async fetch(address: string, wanted: ReadonlyMap<string, string>, signal?: AbortSignal): Promise<boolean> {
    if (!isThere(this.#directory)) {
      await this.#beginAnew(signal);
    }
    await this.#git.unlock();
    const asked = [...wanted.keys()].filter((branch) => isName.test(branch) && !this.#isMissing(branch));
    const fetched = await this.#fetch(address, asked, signal);
    const before = this.#isEmpty ? new Map<string, NewerTip>() : this.#tips;
    const news = fetched.filter(({ name, tip }) => tip !== wanted.get(name) && tip !== before.get(name)?.tip);
    const described = news.length === 0 ? undefined : await this.#describe(wanted.keys(), signal);
    const found = new Map(fetched.map(({ name, tip }) => [name, tip]));
    const tips = new Map<string, NewerTip>();
    for (const [name, instead] of wanted) {
      const known = before.get(name);
      // A branch that is gone there has mostly been merged: here it stays as it was last.
      const tip = found.get(name) ?? (known?.instead === instead ? known.tip : undefined);
      const about = tip === known?.tip ? known : described?.get(name);
      if (about && about.tip !== instead) {
        tips.set(name, { ...about, instead });
      }
    }
    this.#isEmpty = false;
    if (isDeepStrictEqual(tips, this.#tips)) {
      return false;
    }
    this.#tips = tips;
    this.#store.write([...tips], 'newer');
    return true;
  }

  /** Packs what has become many files, and gives up what no branch has had for two weeks. */
  async tidy(signal?: AbortSignal): Promise<void> {
    await this.#git.tidy(signal);
  }

  #isMissing(branch: string): boolean {
    const left = this.#missing.get(branch);
    if (left === undefined) {
      return false;
    }
    if (left > 0) {
      this.#missing.set(branch, left - 1);
    } else {
      this.#missing.delete(branch);
    }
    return left > 0;
  }

  /** @returns Those of them that the remote has, with their commits. */
  async #fetch(
    address: string,
    branches: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Branch[]> {
    if (branches.length === 0) {
      return [];
    }
    const environment = await this.#git.wayTo(address, signal);
    const run = async (args: readonly string[], input?: string): Promise<string> =>
      (await this.#git.run(args, { signal, environment, input, patienceMs: remotePatienceMs })).toString();
    const fetch = async (some: readonly string[]): Promise<Branch[]> => {
      const options = ['--quiet', '--no-tags', '--no-auto-maintenance', '--refmap=', '--stdin'];
      const lines = some.map((branch) => `+refs/heads/${branch}:${refOf(branch)}\n`).join('');
      await run(['fetch', ...options, '--', address], lines);
      return this.#fetchHead();
    };
    try {
      try {
        return await fetch(branches);
      } catch (error) {
        throwUnlessGit(error, signal);
      }
      // Git fetches none where the remote lacks one.
      const listed = await run(['ls-remote', '--quiet', '--heads', '--', address]);
      const there = new Set(listed.split('\n').map((line) => line.slice(line.indexOf('\trefs/heads/') + 12)));
      const left = branches.filter((branch) => there.has(branch));
      branches
        .filter((branch) => !there.has(branch))
        .forEach((branch) => this.#missing.set(branch, roundsWithout));
      try {
        return left.length === 0 ? [] : await fetch(left);
      } catch (error) {
        throwUnlessGit(error, signal);
        await this.#renew(error, signal);
        return await fetch(left);
      }
    } catch (error) {
      throwUnlessGit(error, signal);
      throw new OfflineError(messageFrom(error), { cause: error });
    }
  }

  /** Begins anew, once: what it borrowed may be gone, and all of it is at the remote. @throws The error, the second time. */
  async #renew(error: unknown, signal: AbortSignal | undefined): Promise<void> {
    if (this.#isRenewed) {
      throw error;
    }
    this.#isRenewed = true;
    await this.#beginAnew(signal);
  }

  async #beginAnew(signal: AbortSignal | undefined): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
    this.#git = await openOwn(this.#directory, this.#repository, signal);
    this.#isEmpty = true;
  }

  /** What the last fetch has found, as git notes it. */
  async #fetchHead(): Promise<Branch[]> {
    const noted = await readFile(path.join(this.#directory, 'FETCH_HEAD'), 'utf8');
    return noted.split('\n').flatMap((line) => {
      const [, tip, name] = /^([0-9a-f]{40,64})\t[^\t]*\tbranch '(.+)' of /.exec(line) ?? [];
      return tip === undefined || name === undefined ? [] : [{ tip, name }];
    });
  }

  /** Who wrote the last commits of branches, and when. Others are deleted. */
  async #describe(
    branches: Iterable<string>,
    signal: AbortSignal | undefined,
  ): Promise<Map<string, Omit<NewerTip, 'instead'>>> {
    const names = new Map([...branches].map((branch) => [refOf(branch), branch]));
    const fields = ['%(refname)', '%(objectname)', '%(authoremail:trim)', '%(committerdate:unix)'];
    const printed = await this.#git.run(['for-each-ref', `--format=${fields.join('%00')}`, refs], { signal });
    const described = new Map<string, Omit<NewerTip, 'instead'>>();
    const others: string[] = [];
    for (const line of printed.toString('utf8').split('\n').filter(Boolean)) {
      const [ref = '', tip = '', author = '', date = ''] = line.split('\0');
      const name = names.get(ref);
      if (name === undefined) {
        others.push(`delete ${ref}\n`);
      } else {
        described.set(name, { tip, author, committedAt: Number(date) * 1000 });
      }
    }
    if (others.length > 0) {
      await this.#git.run(['update-ref', '--stdin'], { signal, input: others.join('') });
    }
    return described;
  }
}

function refOf(branch: string): string {
  return `${refs}${createHash('sha1').update(branch).digest('hex')}`;
}

/** The file that is written last of such a repository: from where it borrows objects. */
function borrowedFrom(directory: string): string {
  return path.join(directory, 'objects', 'info', 'alternates');
}

/** False where a repository was never made, or somebody has deleted it. */
function isThere(directory: string): boolean {
  return existsSync(borrowedFrom(directory));
}

async function openOwn(
  directory: string,
  { gitDirectory }: Repository,
  signal: AbortSignal | undefined,
): Promise<OwnRepository> {
  const format = (await askGit(gitDirectory, ['rev-parse', '--show-object-format'], signal)) ?? 'sha1';
  const git = await OwnRepository.open(directory, settings, {
    more: [`--object-format=${format}`],
    signal,
  });
  await writeFile(borrowedFrom(directory), `${JSON.stringify(path.join(gitDirectory, 'objects'))}\n`);
  return git;
}

function throwUnlessGit(error: unknown, signal: AbortSignal | undefined): void {
  signal?.throwIfAborted();
  if (!(error instanceof ServiceError && error.code === 'git_failed')) {
    throw error;
  }
}
