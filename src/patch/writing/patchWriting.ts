import type { PendingChanges } from '../../model/pending/pendingChanges.ts';
import type { Model } from '../../model/model.ts';
import type { Readings } from '../../model/reading/readings.ts';
import type { Log } from '../../ui/log.ts';
import { SectionDeletion } from './sectionDeletion.ts';
import { SectionOrder } from './sectionOrder.ts';
import { SectionTexts } from './sectionTexts.ts';
import type { PendingActions } from './sendChange.ts';
import { SignOff } from './signOff.ts';
import type { Disposable } from '../../util/disposable.ts';

/** Everything by which patches are changed, for the document, the tree, the text editor and the palette alike. */
export class PatchWriting implements Disposable {
  readonly pendingChanges: PendingChanges;
  readonly model: Model;
  readonly actions: PendingActions;
  readonly log: Log;
  readonly texts: SectionTexts;
  readonly deletion: SectionDeletion;
  readonly order: SectionOrder;
  readonly signOff: SignOff;

  /** @param readings what whoever is signed in has read; undefined when nobody is. */
  constructor(
    pendingChanges: PendingChanges,
    model: Model,
    readings: () => Promise<Readings | undefined>,
    actions: PendingActions,
    log: Log,
  ) {
    this.pendingChanges = pendingChanges;
    this.model = model;
    this.actions = actions;
    this.log = log;
    this.texts = new SectionTexts(pendingChanges, actions, log);
    this.deletion = new SectionDeletion(pendingChanges, model, actions);
    this.order = new SectionOrder(pendingChanges, model, actions, log);
    this.signOff = new SignOff(pendingChanges, model, readings);
  }

  dispose(): void {
    this.order.dispose();
  }
}
