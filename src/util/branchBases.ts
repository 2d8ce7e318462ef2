/**
 * Finds the base of each branch of a git repository, from which it branched off and with which it is compared: where its person
 * names one, that; else the branch it tracks, if that is one people merge into; else the nearest of those branches. Never another
 * feature's branch, unless there is nothing else. Four runs of git, however many branches there are.
 */

/** A branch that others are compared with. */
export interface Base {
  /** Its name, such as `main` or `origin/main`. */
  name: string;
  /** The full name of the reference; a commit's id where the person named a commit. */
  reference: string;
  tip: string;
}

/** Runs git in the repository and gives what it printed. @throws when git fails. */
type RunGit = (args: readonly string[], signal?: AbortSignal) => Promise<string>;

interface BasesOptions {
  /** The branches as `readBranches` gives them, where somebody needs more of that than the bases. */
  branches?: BranchList | undefined;
  /** A branch, tag or commit that the person wants all branches compared with. */
  base?: string | undefined;
  /** Branches of remotes, by full name, that are treated like local ones, where there is no local one of the name. */
  also?: ReadonlySet<string> | undefined;
  signal?: AbortSignal | undefined;
}

/** Some branches of a remote. */
export interface RemoteBranches {
  remote: string;
  branches: ReadonlySet<string>;
  /** Of all its branches those that are known to be newer there. */
  newer?: NewerBranches | undefined;
}

/** Branches of a remote that are newer there than in the repository, which has not fetched them. */
export interface NewerBranches {
  tips: ReadonlyMap<string, NewerTip>;
  /** The folder of objects that has their commits. */
  objects: string;
}

/** The last commit of a branch of a remote, by its author's address and when it was committed, in milliseconds since the epoch. */
export interface NewerTip {
  tip: string;
  /** The commit that the repository had in its place; `''` where it had none. Once it has another one, that is as new. */
  instead: string;
  author: string;
  committedAt: number;
}

/** Thrown when the base that the person named isn't there. */
export class UnknownBaseError extends Error {
  override name = 'UnknownBaseError';
  readonly base: string;

  constructor(base: string) {
    super(`There is no branch, tag or commit ${base} to compare with.`);
    this.base = base;
  }
}

/** The setting by which a person names the base of a repository's branches: `git config patchStacks.base develop`. */
const baseSetting = 'patchstacks.base';

/** A branch here or at a remote, as it was last fetched. */
export interface Reference {
  /** Without `refs/heads/` or `refs/remotes/`. */
  name: string;
  reference: string;
  tip: string;
  /** The name of the branch without its remote. */
  branch: string;
  /** Undefined for a local branch. */
  remote: string | undefined;
  upstream: string | undefined;
  /** The address of whoever wrote its last commit; empty where git can't tell. */
  author: string;
  /** When that was committed, in milliseconds since the epoch; 0 where git can't tell. */
  committedAt: number;
}

/** Usual names of branches that everything is merged into, in the order in which they are preferred. */
const usualTrunks = ['main', 'master', 'trunk', 'develop'];

/** Branches of releases, too, may be tracked and be the base of a branch. */
const releaseBranch =
  /^(?:(?:releases?|stable|maint|support)(?:[-/].*)?|next|dev(?:elopment)?|staging|prod(?:uction)?|v?\d+(?:\.\w+)*)$/;

/** More commits than that are not compared: then the first of the branches that people merge into is the base. */
const mostCommits = 200_000;

/**
 * The base of each local branch, by its name. The branch that the others are compared with has none.
 *
 * @throws {UnknownBaseError} when the base that somebody named is not there; what git throws.
 */
export async function findBases(git: RunGit, options: BasesOptions = {}): Promise<Map<string, Base>> {
  const { signal } = options;
  const { settings, ...listed } = options.branches ?? (await readBranches(git, signal));
  const references = withOthers(listed, options.also);
  const named = options.base ?? settings.base;
  if (named !== undefined) {
    const base = await resolve(git, named, references, signal);
    return basesOf(references.locals, () => base);
  }
  const trunkNames = trunkNamesOf(settings);
  const trunks = findTrunks(references, trunkNames);
  if (trunks.length === 0) {
    const stem = await mostForked(git, references.locals, signal);
    return basesOf(references.locals, () => stem);
  }
  const others = references.locals.filter(({ remote }) => remote !== undefined);
  const nearest = await compareWith(git, trunks, others, signal);
  const upstreams = new Map(allOf(references).map((reference) => [reference.reference, reference]));
  return basesOf(references.locals, (local) => {
    const upstream = local.upstream === undefined ? undefined : upstreams.get(local.upstream);
    if (upstream && (trunks.includes(upstream) || isRelease(upstream, local))) {
      return upstream;
    }
    if (!trunkNames.includes(local.branch)) {
      return nearest(local, trunks);
    }
    // A trunk did not leave another one: it is compared with itself at the remotes, or not at all.
    const counterparts = trunks.filter(
      ({ branch, remote }) => remote !== undefined && branch === local.branch,
    );
    return nearest(local, counterparts.length > 0 ? counterparts : trunks.slice(0, 1));
  });
}

/** The names of branches that everything is merged into, those first that are preferred. */
function trunkNamesOf({ trunks }: Settings): string[] {
  return [...new Set([...usualTrunks.slice(0, 2), ...trunks, ...usualTrunks])];
}

/** The branches of remotes that people merge into, or make releases of. */
export function integrationBranchesOf({ settings, ...references }: BranchList): ReadonlySet<Reference> {
  const trunks = findTrunks(references, trunkNamesOf(settings));
  return new Set([...trunks, ...references.remotes.filter(({ branch }) => releaseBranch.test(branch))]);
}

/**
 * The local branches, and those of remotes that are treated like them: one of each name.
 *
 * @param also Their full names; of several with the same name the first one counts.
 */
export function withOthers(references: References, also: ReadonlySet<string> = new Set()): References {
  const { locals, remotes } = references;
  const all = new Map(locals.map((local) => [local.name, local]));
  const known = new Map(remotes.map((remote) => [remote.reference, remote]));
  for (const reference of also) {
    const other = known.get(reference);
    if (other && !all.has(other.branch)) {
      all.set(other.branch, { ...other, name: other.branch });
    }
  }
  return { ...references, locals: [...all.values()] };
}

/** The branches with those of a remote in their places that are newer there. */
export function withNewer(listed: BranchList, { remote, newer }: RemoteBranches): BranchList {
  const left = new Map(newer?.tips);
  const remotes = listed.remotes.map((reference): Reference => {
    const found = reference.remote === remote ? left.get(reference.branch) : undefined;
    if (!found) {
      return reference;
    }
    left.delete(reference.branch);
    const { instead, ...last } = found;
    return instead === reference.tip ? { ...reference, ...last } : reference;
  });
  const added = [...left]
    .filter(([, { instead }]) => instead === '')
    .map(([branch, { tip, author, committedAt }]): Reference => {
      const name = `${remote}/${branch}`;
      const reference = `refs/remotes/${name}`;
      return { name, reference, tip, branch, remote, upstream: undefined, author, committedAt };
    });
  return { ...listed, remotes: [...remotes, ...added] };
}

function basesOf(
  locals: readonly Reference[],
  baseOf: (local: Reference) => Base | undefined,
): Map<string, Base> {
  return new Map(
    locals.flatMap((local): [string, Base][] => {
      const base = baseOf(local);
      return base && base.reference !== local.reference
        ? [[local.name, { name: base.name, reference: base.reference, tip: base.tip }]]
        : [];
    }),
  );
}

/** True for a branch of a release that whoever tracks it branched off, rather than pushes to. */
function isRelease(upstream: Reference, local: Reference): boolean {
  return upstream.branch !== local.branch && releaseBranch.test(upstream.branch);
}

/** The branches that people merge into, those first that are preferred where several are as near. */
function findTrunks({ locals, remotes, remoteHeads }: References, names: readonly string[]): Reference[] {
  const place = ({ branch, remote, reference }: Reference): number =>
    (remoteHeads.has(reference) ? 0 : 1000) + (remote === 'origin' ? 0 : 100) + (names.indexOf(branch) + 1);
  const atRemotes = remotes
    .filter(({ branch, reference }) => remoteHeads.has(reference) || names.includes(branch))
    .sort((one, other) => place(one) - place(other));
  // Merges that a person has made here and not pushed are still to be reviewed.
  const here = locals
    .filter(({ branch }) => names.includes(branch) && atRemotes.every((trunk) => trunk.branch !== branch))
    .sort((one, other) => place(one) - place(other));
  return [...atRemotes, ...here];
}

interface Settings {
  base: string | undefined;
  trunks: string[];
  /** The names of the remotes, with their addresses where they have any. */
  remotes: Map<string, string | undefined>;
  /** The person who commits here; empty where git doesn't know. */
  user: { name: string; email: string };
}

/** All that git knows of branches, and of the settings that bases hang on: two runs of git at once. */
export interface BranchList extends References {
  settings: Settings;
  /** The branch that is checked out, if one is that has commits. */
  current: string | undefined;
}

/** Lists the branches of a repository. @throws what git throws. */
export async function readBranches(git: RunGit, signal?: AbortSignal): Promise<BranchList> {
  const names = ['%(refname)', '%(objectname)', '%(upstream)', '%(symref)', '%(HEAD)'];
  const list = async (...more: string[]): Promise<string> =>
    git(
      ['for-each-ref', `--format=${[...names, ...more].join('%00')}`, 'refs/heads', 'refs/remotes'],
      signal,
    );
  const [settings, printed] = await Promise.all([
    readSettings(git, signal),
    // Git tells nothing of the last commits where it lacks one of them.
    list('%(authoremail:trim)', '%(committerdate:unix)').catch(async () => list()),
  ]);
  return { ...parseReferences(printed, [...settings.remotes.keys()]), settings };
}

async function readSettings(git: RunGit, signal: AbortSignal | undefined): Promise<Settings> {
  const keys = `^(${baseSetting.replace('.', '\\.')}|init\\.defaultbranch|remote\\..*\\.(url|fetch)|user\\.(name|email))$`;
  // Git fails where none of them is set.
  const printed = await git(['config', '-z', '--get-regexp', keys], signal).catch(() => '');
  signal?.throwIfAborted();
  const user = { name: '', email: '' };
  const settings: Settings = { base: undefined, trunks: [], remotes: new Map(), user };
  for (const line of printed.split('\0').filter((one) => one !== '')) {
    const [key = '', ...rest] = line.split('\n');
    const value = rest.join('\n').trim();
    if (key === baseSetting) {
      settings.base = value === '' ? undefined : value;
    } else if (key === 'init.defaultbranch') {
      settings.trunks = [value];
    } else if (key === 'user.name') {
      user.name = value;
    } else if (key === 'user.email') {
      user.email = value;
    } else {
      const end = key.lastIndexOf('.');
      const remote = key.slice('remote.'.length, end);
      // Of several addresses the last one counts.
      const url = key.slice(end) === '.url' ? value : settings.remotes.get(remote);
      settings.remotes.set(remote, url);
    }
  }
  return settings;
}

interface References {
  locals: Reference[];
  remotes: Reference[];
  /** The remotes' own default branches, by full name. */
  remoteHeads: Set<string>;
}

function allOf({ locals, remotes }: References): Reference[] {
  return [...locals, ...remotes];
}

function parseReferences(printed: string, remoteNames: readonly string[]): Omit<BranchList, 'settings'> {
  const found: Omit<BranchList, 'settings'> = {
    locals: [],
    remotes: [],
    remoteHeads: new Set(),
    current: undefined,
  };
  for (const line of printed.split('\n').filter((one) => one !== '')) {
    const [reference = '', tip = '', upstream = '', target = '', head, author = '', date = ''] =
      line.split('\0');
    const last = { tip, author, committedAt: Number(date) * 1000 };
    const local = /^refs\/heads\/(.*)$/.exec(reference)?.[1];
    if (local !== undefined) {
      const tracked = upstream === '' ? undefined : upstream;
      found.current = head === '*' ? local : found.current;
      found.locals.push({
        ...last,
        name: local,
        reference,
        branch: local,
        remote: undefined,
        upstream: tracked,
      });
    } else if (target !== '') {
      found.remoteHeads.add(target);
    } else {
      const name = reference.slice('refs/remotes/'.length);
      const known = remoteNames.filter((one) => name.startsWith(`${one}/`));
      const remote =
        known.sort((one, other) => other.length - one.length)[0] ?? name.slice(0, name.indexOf('/'));
      const branch = name.slice(remote.length + 1);
      found.remotes.push({ ...last, name, reference, branch, remote, upstream: undefined });
    }
  }
  return found;
}

/** Resolves the name that a person gave: a branch here, one at a remote, or anything that git knows as a commit. */
async function resolve(
  git: RunGit,
  named: string,
  references: References,
  signal: AbortSignal | undefined,
): Promise<Base> {
  const known = allOf(references).find(({ name, reference }) => name === named || reference === named);
  if (known) {
    return known;
  }
  const printed = await git(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${named}^{commit}`],
    signal,
  ).catch(() => '');
  signal?.throwIfAborted();
  const tip = printed.trim();
  if (tip === '') {
    throw new UnknownBaseError(named);
  }
  return { name: named, reference: tip, tip };
}

/** Finds of some trunks the one that lacks the fewest commits of a branch; of several the first. */
type Nearest = (local: Reference, among: readonly Reference[]) => Reference | undefined;

/** Reads all that the branches and trunks do not have in common in one go, and compares them there. */
async function compareWith(
  git: RunGit,
  trunks: readonly Reference[],
  others: readonly Reference[],
  signal: AbortSignal | undefined,
): Promise<Nearest> {
  const tips = [...new Set(trunks.map(({ tip }) => tip))];
  if (tips.length === 1) {
    return (_local, among) => among[0];
  }
  // There may be no such commit.
  const shared = await git(['merge-base', '--octopus', ...tips], signal).catch(() => '');
  signal?.throwIfAborted();
  const printed = await git(
    [
      'rev-list',
      '--parents',
      '--topo-order',
      `--max-count=${mostCommits}`,
      '--branches',
      ...tips,
      ...others.map(({ tip }) => tip),
      ...shared.split('\n').flatMap((sha) => (sha === '' ? [] : [`^${sha}`])),
      '--',
    ],
    signal,
  );
  const parents = new Map<string, string[]>();
  for (const line of printed.split('\n').filter((one) => one !== '')) {
    const [sha = '', ...others] = line.split(' ');
    parents.set(sha, others);
  }
  if (parents.size >= mostCommits) {
    return (_local, among) => among[0];
  }
  const reached = new Map(tips.map((tip) => [tip, reachedFrom(tip, parents)]));
  return (local, among) => {
    const own = reachedFrom(local.tip, parents);
    const lacks = ({ tip }: Reference): number => {
      const has = reached.get(tip);
      return [...own].filter((sha) => !has?.has(sha)).length;
    };
    const counted = among.map((trunk) => ({ trunk, count: lacks(trunk) }));
    return counted.reduce<(typeof counted)[number] | undefined>(
      (best, one) => (best && best.count <= one.count ? best : one),
      undefined,
    )?.trunk;
  };
}

function reachedFrom(tip: string, parents: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const open = [tip];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    const next = parents.get(sha);
    if (next && !reached.has(sha)) {
      reached.add(sha);
      open.push(...next);
    }
  }
  return reached;
}

/** At most this many branches are compared with one another: the comparisons grow with the square. */
const mostCompared = 20;

/**
 * Decides where no branch has a trunk's name: the one that most others forked from, which has the most fork points, and of those
 * the shortest, because a branch from the trunk's tip has them all too.
 */
async function mostForked(
  git: RunGit,
  locals: readonly Reference[],
  signal: AbortSignal | undefined,
): Promise<Reference | undefined> {
  const compared = locals.slice(0, mostCompared);
  let best: { branch: Reference; forks: number; length: number } | undefined;
  for (const branch of compared) {
    const forkPoints = new Set<string>();
    for (const other of compared.filter((one) => one !== branch)) {
      const forkPoint = (await git(['merge-base', branch.tip, other.tip], signal).catch(() => '')).trim();
      signal?.throwIfAborted();
      if (forkPoint !== '') {
        forkPoints.add(forkPoint);
      }
    }
    const length = Number(await git(['rev-list', '--count', '--end-of-options', branch.tip], signal));
    if (!best || forkPoints.size > best.forks || (forkPoints.size === best.forks && length < best.length)) {
      best = { branch, forks: forkPoints.size, length };
    }
  }
  return best?.branch;
}
