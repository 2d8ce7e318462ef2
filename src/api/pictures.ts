import type { ServerRoot } from './server.ts';
import { ExchangeFailure, type Cancellation, type Transport } from './transport.ts';

const redirects = new Set([301, 302, 303, 307, 308]);
const longestRedirectChain = 5;

/**
 * Fetches a picture from the service's own origin, without the access token: the address comes from other people.
 *
 * @returns undefined for an address on another origin, and when there is no picture, for whatever reason.
 */
export async function fetchPicture(
  transport: Transport,
  root: ServerRoot,
  address: string,
  signal: AbortSignal | undefined,
): Promise<Buffer | undefined> {
  const cancellation: Cancellation = { cancelled: signal?.aborted ?? false, onCancel: undefined };
  const cancel = (): void => {
    cancellation.cancelled = true;
    cancellation.onCancel?.();
  };
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    let url = URL.parse(address, root.href);
    for (let hops = 0; url?.origin === root.origin && hops <= longestRedirectChain; hops++) {
      const { status, headers, body } = await transport.exchange(
        { method: 'GET', path: url.pathname + url.search, headers: { accept: 'image/*' } },
        cancellation,
      );
      if (status === 200) {
        return body;
      }
      const location = headers['location'];
      if (!redirects.has(status) || typeof location !== 'string') {
        return undefined;
      }
      url = URL.parse(location, url.href);
    }
    return undefined;
  } catch (error) {
    if (error instanceof ExchangeFailure) {
      return undefined;
    }
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
