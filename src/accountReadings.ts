import * as vscode from 'vscode';
import { readSetting } from './contributions.ts';
import type { Readings } from './model/reading/readings.ts';
import type { Judge } from './model/reading/sinceRead.ts';
import type { WindowParts } from './windowParts.ts';

/**
 * Gives the readings of whoever is signed in; undefined when nobody is. They are loaded when they are first asked for.
 *
 * @param judge compares what was read with what is there now.
 * @param onCreate is called with them before anybody has them.
 */
export function accountReadings(
  {
    context,
    connection,
    folders,
    log,
    disposables,
  }: Pick<WindowParts, 'context' | 'connection' | 'folders' | 'log' | 'disposables'>,
  judge: Judge,
  onCreate: (readings: Readings) => void,
): () => Promise<Readings | undefined> {
  // An account that is come back to has what it had.
  const known = new Map<string, Promise<Readings>>();
  return async () => {
    const session = await connection.session();
    if (!session) {
      return undefined;
    }
    let readings = known.get(session.id);
    if (!readings) {
      const create = async (): Promise<Readings> => {
        const { Readings } = await import('./model/reading/readings.ts');
        const created = disposables.add(
          new Readings({
            folder: folders.folder(session),
            limit: () => readSetting('keptVersionsLimit') * 1024 * 1024,
            reckonLarge: async (record, current, since) => {
              const { compareInBackground } = await import('./git/compareInBackground.ts');
              const worker = vscode.Uri.joinPath(context.extensionUri, 'dist', 'comparisonWorker.cjs').fsPath;
              const job = { kind: 'readings' as const, record, current, since };
              return (await compareInBackground(worker, job)).readings;
            },
            judge,
            onFailure: (error) =>
              log.warn(`What was read could not be noted, or not be compared: ${String(error)}`),
          }),
        );
        onCreate(created);
        return created;
      };
      readings = create();
      known.set(session.id, readings);
    }
    return readings;
  };
}
