import type { Memento } from 'vscode';
import { ApiClient } from '../api/client.ts';
import type { UploadForm } from '../api/uploads.ts';
import type { Log } from '../ui/log.ts';
import { clientOptions } from './clientOptions.ts';
import type { Session } from './sessions.ts';
import { inBackground } from '../util/inBackground.ts';

/** The memory's key for the way each server takes files, by its API root, as far as that was seen. */
const uploadFormsKey = 'uploadForms';

/**
 * Creates the client of a session.
 *
 * @param memory keeps how the server takes files.
 */
export function openClient(session: Session, memory: Memento, log: Log): ApiClient {
  const { accessToken, credentialScheme, serverUrl } = session;
  const known = (): Record<string, UploadForm> => memory.get(uploadFormsKey) ?? {};
  return new ApiClient({
    ...clientOptions(session, log),
    credentialScheme,
    getToken: async () => accessToken,
    uploadForm: known()[serverUrl],
    onUploadForm: (form) => inBackground(memory.update(uploadFormsKey, { ...known(), [serverUrl]: form })),
  });
}
