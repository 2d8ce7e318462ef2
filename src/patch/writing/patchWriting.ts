import type { Drafts } from '../../model/pending/pendingChanges.ts';
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
  readonly drafts: Drafts;
  readonly model: Model;
  readonly decisions: Decisions;
  readonly log: Log;
  readonly texts: SectionTexts;
  readonly deletion: SectionDeletion;
  readonly order: SectionOrder;
  readonly signOff: SignOff;

  constructor(drafts: Drafts, model: Model, decisions: Decisions, log: Log) {
    this.drafts = drafts;
    this.model = model;
    this.decisions = decisions;
    this.log = log;
    this.texts = new SectionTexts(drafts, decisions, log);
    this.deletion = new SectionDeletion(drafts, model, decisions);
    this.order = new SectionOrder(drafts, model, decisions, log);
    this.signOff = new SignOff(drafts, model);
  }

  dispose(): void {
    this.order.dispose();
  }
}
