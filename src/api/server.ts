/** The address at which a server's API is rooted. */
import { withoutEnd } from '../util/budget.ts';

export interface ServerRoot {
  /** E.g. `https://stacks.example`, without a slash at the end. */
  readonly origin: string;
  /** The path all operations are below, e.g. `/api`, without a slash at the end. */
  readonly prefix: string;
  /** `origin` + `prefix`: the same text for every spelling of the setting. */
  readonly href: string;
  readonly loopback: boolean;
}

/**
 * Reads a server setting: a host, a host with a path, with or without `/api` and a slash at the end; all spellings
 * of one server give the same root. Without a scheme it is `https:`, but `http:` for this computer.
 * Returns undefined when the text is not a server address (also when it holds a password, a query or a fragment).
 */
export function parseServerRoot(setting: string): ServerRoot | undefined {
  const text = setting.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const url = parse(hasScheme ? text : `https://${text}`);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    return undefined;
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return undefined;
  }
  const loopback = isLoopback(url.hostname);
  if (!hasScheme && loopback) {
    url.protocol = 'http:';
  }
  const path = withoutEnd(url.pathname, '/');
  const prefix = path.endsWith('/api') ? path : `${path}/api`;
  return { origin: url.origin, prefix, href: `${url.origin}${prefix}`, loopback };
}

/**
 * The one spelling of a server's address, e.g. `https://stacks.example/api`: a key to remember things per server by.
 * Throws a `TypeError` when the text is not a server address.
 */
export function serverRoot(setting: string): string {
  const root = parseServerRoot(setting);
  if (root === undefined) {
    throw new TypeError('Not a server address');
  }
  return root.href;
}

/** True for host names of this computer: `localhost`, names below it, 127.0.0.0/8 and ::1. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host) ||
    host === '[::1]' ||
    host === '::1'
  );
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
