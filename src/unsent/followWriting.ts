import type { Model } from '../model/model.ts';
import { sectionsBefore } from '../model/pending/kinds/index.ts';
import { patchOf } from '../model/pending/subjects.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import type { Readings } from '../model/reading/readings.ts';
import { stackNameOf } from '../model/reading/stackName.ts';
import type { Log } from '../ui/log.ts';
import type { Disposable } from '../util/disposable.ts';

/** Keeps in mind that whoever has written a text has read it: it is no change to them that they would have to be shown. */
export function followWriting(
  pendingChanges: PendingChanges,
  model: Pick<Model, 'knownContent' | 'located'>,
  readings: () => Promise<Pick<Readings, 'noteWritten'> | undefined>,
  log: Log,
): Disposable {
  return pendingChanges.onDidSend(({ change }) => {
    const ref = patchOf(change);
    // As it is right after the change: there may be others before it is that one's turn.
    const patch = ref && model.knownContent(ref);
    const sections = patch?.sections && sectionsBefore(patch.sections, change);
    if (!ref || !sections) {
      return;
    }
    const was = { ...patch, sections };
    const codes = 'code' in change ? [change.code] : [];
    const note = async (): Promise<void> =>
      (await readings())?.noteWritten(stackNameOf(model.located(ref)), was, patch, codes);
    note().catch((error: unknown) => log.warn(`What was written could not be noted: ${String(error)}`));
  });
}
