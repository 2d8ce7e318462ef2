import type { ApiClient } from '../api/client.ts';
import { imageAddress } from './images.ts';

/**
 * An address from which a page can show someone's image. The service's own images are fetched here, so that the
 * page needs no access to the network; those of other servers are named only where the setting allows remote images.
 */
export async function avatarAddress(
  client: Pick<ApiClient, 'image'>,
  avatarUrl: string | undefined,
  allowsRemote: boolean,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (avatarUrl === undefined) {
    return undefined;
  }
  const bytes = await client.image(avatarUrl, { signal });
  if (bytes) {
    return imageAddress(bytes);
  }
  const url = URL.parse(avatarUrl);
  return url?.protocol === 'https:' && allowsRemote ? url.href : undefined;
}
