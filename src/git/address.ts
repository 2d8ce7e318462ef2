/** Reading which project a person means, and which one a remote is. */

import { withoutEnd } from '../util/budget.ts';

/** The names that people know a project by. */
export interface ProjectName {
  owner: string;
  slug: string;
}

/**
 * Reads `owner/slug`, or the address of a page or a repository whose path begins so.
 *
 * @returns undefined when the text says no project.
 */
export function parseProjectName(text: string): ProjectName | undefined {
  const path = pathOf(text.trim());
  const segments = path?.split('/').filter((segment) => segment !== '') ?? [];
  const [owner, slug] = segments;
  if (owner === undefined || slug === undefined) {
    return undefined;
  }
  return { owner, slug };
}

/**
 * Reads which project the remote of a repository is, whose address ends in owner and slug.
 *
 * @returns undefined for a remote on this computer, or an address of another form.
 */
export function parseRemote(url: string): ProjectName | undefined {
  if (/^file:/i.test(url) || /^[a-z]:[\\/]/i.test(url) || !/^[^/\\]+:/.test(url)) {
    return undefined;
  }
  // Git takes its short form also without a user.
  const address = /^[^/@:]{2,}:(?!\/\/)/.test(url) ? `git@${url}` : url;
  const segments =
    pathOf(address.trim())
      ?.split('/')
      .filter((segment) => segment !== '') ?? [];
  const [owner, slug] = segments.slice(-2);
  return owner === undefined || slug === undefined ? undefined : { owner, slug };
}

/**
 * The page of a repository in the web by the address of its remote: `https://github.com/owner/slug`.
 *
 * @returns undefined for a remote on this computer or in a network of its own, or an address of another form.
 */
export function webPageOf(remote: string): string | undefined {
  const [, host, path] = /^(?:[^\s/@:]+@)?([\w-]+(?:\.[\w-]+)+):(?!\/\/)(\S+)$/.exec(remote) ?? [];
  const url = URL.parse(host !== undefined && path !== undefined ? `ssh://${host}/${path}` : remote);
  const name = parseRemote(remote);
  const isPublic = /[a-z]$/i.test(url?.hostname ?? '') && url?.hostname.includes('.') === true;
  if (!url || !name || !isPublic || !/^(?:https?|ssh|git):$/.test(url.protocol)) {
    return undefined;
  }
  return `https://${url.hostname}${withoutEnd(withoutGit(url.pathname), '/')}`;
}

/** The hosts whose issues, and what else has a number there, are known to be below the page of their repository, and where. */
const issuePaths: Readonly<Record<string, string>> = {
  'github.com': '/issues/',
  'gitlab.com': '/-/issues/',
  'codeberg.org': '/issues/',
  'gitea.com': '/issues/',
};

/**
 * The address to which the number of an issue is added, by the addresses of the remotes that stand for a repository.
 *
 * @returns undefined where nobody knows it: for other hosts, and when the remotes are of several projects, such as a fork and what it
 *   was forked from.
 */
export function issuesOf(remotes: readonly string[]): string | undefined {
  const [page, ...others] = new Set(remotes.flatMap((remote) => webPageOf(remote) ?? []));
  const path = page === undefined ? undefined : issuePaths[new URL(page).hostname];
  return page === undefined || path === undefined || others.length > 0 ? undefined : page + path;
}

/** The part of the text that names the project, decoded where it stands in an address. */
function pathOf(text: string): string | undefined {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) {
    if (!URL.canParse(text)) {
      return undefined;
    }
    return decode(withoutGit(new URL(text).pathname));
  }
  // git@host:owner/slug.git, the short form of an address that git knows.
  const short = /^[^\s/@]+@[^\s/:]+:(?<path>.+)$/.exec(text)?.groups?.['path'];
  if (short !== undefined) {
    return withoutGit(short);
  }
  const segments = text.split('/');
  return segments.length === 2 && !/\s/.test(segments[0] ?? '') ? text : undefined;
}

function withoutGit(path: string): string {
  return path.replace(/\.git\/?$/, '');
}

function decode(path: string): string | undefined {
  try {
    return path.split('/').map(decodeURIComponent).join('/');
  } catch {
    return undefined;
  }
}
