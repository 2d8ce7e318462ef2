import { ApiClient } from '../api/client.ts';
import type { Log } from '../ui/log.ts';
import { clientOptions } from './clientOptions.ts';
import type { Session } from './sessions.ts';

/** Creates the client of a session. */
export function openClient(session: Session, log: Log): ApiClient {
  const { accessToken, credentialScheme } = session;
  return new ApiClient({
    ...clientOptions(session, log),
    credentialScheme,
    getToken: async () => accessToken,
  });
}
