import * as vscode from 'vscode';
import { readSetting } from './contributions.ts';
import type { Readings } from './model/reading/readings.ts';
import type { WindowParts } from './windowParts.ts';

/**
 * Gives the readings of whoever is signed in; undefined when nobody is. They are loaded when they are first asked for.
 *
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
            reckonLarge: async (record, current) => {
              const { compareInBackground } = await import('./git/compareInBackground.ts');
              const worker = vscode.Uri.joinPath(context.extensionUri, 'dist', 'comparisonWorker.cjs').fsPath;
              return (await compareInBackground(worker, { kind: 'readings', record, current })).readings;
            },
            onFailure: (error) => log.warn(`What was read could not be noted: ${String(error)}`),
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
