import type { Model } from '../model/model.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import type { Readings } from '../model/reading/readings.ts';
import type { Log } from '../ui/log.ts';
import type { Disposable } from '../util/disposable.ts';
import { stackNameOf } from '../model/reading/stackName.ts';

/** Keeps what was signed off, so that it can be told later what has changed since. */
export function followReviews(
  pendingChanges: PendingChanges,
  model: Pick<Model, 'located'>,
  readings: () => Promise<Pick<Readings, 'noteReview'> | undefined>,
  log: Log,
): Disposable {
  return pendingChanges.onDidSend(({ change }) => {
    if (change.kind === 'signOff') {
      const { patch, review, of } = change;
      const note = async (): Promise<void> => {
        await (await readings())?.noteReview(stackNameOf(model.located(patch)), of, review);
      };
      note().catch((error: unknown) => log.warn(`What was signed off could not be noted: ${String(error)}`));
    }
  });
}
