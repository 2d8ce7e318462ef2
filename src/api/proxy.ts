import { isLoopback } from './server.ts';

/** The editor's network settings, as far as they concern the way to the server. */
export interface ProxySettings {
  /** The setting `http.proxy`; it wins over the environment. Credentials may stand in the URL. */
  url?: string | undefined;
  /** The setting `http.noProxy`: hosts that are reached directly; it wins over `no_proxy`. */
  noProxy?: readonly string[] | undefined;
  /** The environment in which `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` are looked up, in either case of letters. */
  environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The proxy settings as they apply to one server. */
export interface ProxyChoice {
  readonly url: string;
  readonly noProxy: string;
}

/**
 * The proxy for a server, or undefined for a direct connection. A server on this computer is always reached
 * directly. Throws a `TypeError` when the proxy address cannot be used; its text holds no credentials.
 */
export function chooseProxy(origin: string, settings: ProxySettings = {}): ProxyChoice | undefined {
  const { protocol, hostname } = new URL(origin);
  if (isLoopback(hostname)) {
    return undefined;
  }
  const environment = settings.environment ?? {};
  const fromEnvironment = (name: string) =>
    nonEmpty(environment[name]) ?? nonEmpty(environment[name.toUpperCase()]);
  const text =
    nonEmpty(settings.url) ??
    fromEnvironment(protocol === 'https:' ? 'https_proxy' : 'http_proxy') ??
    fromEnvironment('all_proxy');
  if (text === undefined) {
    return undefined;
  }
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(url) || !/^(https?|socks5?):$/.test(new URL(url).protocol)) {
    throw new TypeError('The proxy address cannot be used');
  }
  const noProxy = settings.noProxy?.length ? settings.noProxy.join(',') : (fromEnvironment('no_proxy') ?? '');
  return { url, noProxy };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}
