import type { WireResponse } from './transport.ts';

const redirects = new Set([301, 302, 303, 307, 308]);
const longestChain = 5;

/** Where a GET goes on, or why it does not: a request never leaves the origin of its service, and the credential with it. */
export type Redirect = { path: string } | { problem: 'nowhere' | 'elsewhere' | 'inCircles' };

/**
 * Where an answer sends a GET on to; undefined when it is no redirect.
 *
 * @param path what was asked for, on the origin.
 * @param hops how many redirects were followed before.
 */
export function redirectOf(
  { status, headers }: Pick<WireResponse, 'status' | 'headers'>,
  origin: string,
  path: string,
  hops: number,
): Redirect | undefined {
  if (!redirects.has(status)) {
    return undefined;
  }
  const location = headers['location'];
  const url = typeof location === 'string' ? URL.parse(location, origin + path) : null;
  if (!url) {
    return { problem: 'nowhere' };
  }
  if (url.origin !== origin) {
    return { problem: 'elsewhere' };
  }
  return hops < longestChain ? { path: url.pathname + url.search } : { problem: 'inCircles' };
}
