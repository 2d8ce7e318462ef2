import type { PendingChanges } from '../../model/pending/pendingChanges.ts';
import type { Model } from '../../model/model.ts';
import type { Log } from '../../ui/log.ts';
import { SectionDeletion } from './sectionDeletion.ts';
import { SectionOrder } from './sectionOrder.ts';
import { SectionTexts } from './sectionTexts.ts';
import type { Decisions } from './sendChange.ts';
import { SignOff } from './signOff.ts';
import type { Disposable } from '../../util/disposable.ts';

/** Everything by which patches are changed, for the document, the tree, the text editor and the palette alike. */
export class PatchWriting implements Disposable {
  readonly pendingChanges: PendingChanges;
  readonly model: Model;
  readonly decisions: Decisions;
  readonly log: Log;
  readonly texts: SectionTexts;
  readonly deletion: SectionDeletion;
  readonly order: SectionOrder;
  readonly signOff: SignOff;

  constructor(pendingChanges: PendingChanges, model: Model, decisions: Decisions, log: Log) {
    this.pendingChanges = pendingChanges;
    this.model = model;
    this.decisions = decisions;
    this.log = log;
    this.texts = new SectionTexts(pendingChanges, decisions, log);
    this.deletion = new SectionDeletion(pendingChanges, model, decisions);
    this.order = new SectionOrder(pendingChanges, model, decisions, log);
    this.signOff = new SignOff(pendingChanges, model);
  }

  dispose(): void {
    this.order.dispose();
  }
}
