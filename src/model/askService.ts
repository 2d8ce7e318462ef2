import type { AskOptions } from '../api/call.ts';
import type { ApiClient } from '../api/client.ts';

/** Asks the service on behalf of the active account. */
export type AskService = <T>(
  operation: (client: ApiClient) => Promise<T>,
  options?: AskOptions,
) => Promise<T>;
