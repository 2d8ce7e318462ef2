import { redirectOf } from './redirects.ts';
import type { ServerRoot } from './server.ts';
import { ExchangeFailure, type Cancellation } from './exchange.ts';
import type { Transport } from './transport.ts';

/**
 * Fetches an image from the service's own origin, without the access token: the address comes from other people.
 *
 * @returns undefined for an address on another origin, and when there is no image, for whatever reason.
 */
export async function fetchImage(
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
    const url = URL.parse(address, root.href);
    if (url?.origin !== root.origin) {
      return undefined;
    }
    let path = url.pathname + url.search;
    for (let hops = 0; ; hops++) {
      const reply = await transport.exchange(
        { method: 'GET', path, headers: { accept: 'image/*' } },
        cancellation,
      );
      if (reply.status === 200) {
        return reply.body;
      }
      const redirect = redirectOf(reply, root.origin, path, hops);
      if (!redirect || 'problem' in redirect) {
        return undefined;
      }
      path = redirect.path;
    }
  } catch (error) {
    if (error instanceof ExchangeFailure) {
      return undefined;
    }
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
