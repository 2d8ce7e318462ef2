import { ApiClient, type ApiClientOptions } from './client.ts';
import { isApiError } from './errors.ts';
import type { CallOptions, CredentialScheme } from './call.ts';
import type { OwnUser } from './types/users.ts';

/**
 * Finds out how a server wants a token to be sent, by reading the caller's own user: first in the scheme that
 * `options` names (default `x-auth-token`), and if that gets 401 or 403, once in the other. Meant for sign-in: remember
 * the scheme per server and give it to `ApiClient` from then on. Throws the first refusal when both are refused.
 */
export async function detectCredentialScheme(
  options: Omit<ApiClientOptions, 'getToken'>,
  token: string,
  call?: CallOptions,
): Promise<{ scheme: CredentialScheme; user: OwnUser }> {
  const tryScheme = async (scheme: CredentialScheme) => {
    await using client = new ApiClient({ ...options, credentialScheme: scheme, getToken: async () => token });
    return { scheme, user: await client.users.me(call) };
  };
  const first = options.credentialScheme ?? 'x-auth-token';
  try {
    return await tryScheme(first);
  } catch (refusal) {
    if (!isRefusal(refusal)) {
      throw refusal;
    }
    try {
      return await tryScheme(first === 'bearer' ? 'x-auth-token' : 'bearer');
    } catch (error) {
      throw isRefusal(error) ? refusal : error;
    }
  }
}

function isRefusal(error: unknown): boolean {
  return isApiError(error) && (error.status === 401 || error.status === 403);
}
