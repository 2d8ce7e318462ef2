import type { WireResponse } from './exchange.ts';

const redirects = new Set([301, 302, 303, 307, 308]);
const longestChain = 5;

/**
 * The path on which a GET goes on, or the reason why it doesn't: a request never leaves the origin of its service, nor does the
 * credential with it.
 */
type Redirect = { path: string } | { problem: 'nowhere' | 'elsewhere' | 'inCircles' };

/**
 * Follows an answer that redirects a GET; undefined when it doesn't redirect.
 *
 * @param path the path that was asked for, on the origin.
 * @param hops the number of redirects followed before.
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
