import type { Drafts } from '../../model/drafts/drafts.ts';
import type { Model, PatchAddress } from '../../model/model.ts';
import { patchLabel } from '../../ui/labels.ts';
import { refuseReadOnly } from '../stackStatus.ts';
import { sendChange, type Decisions } from './sendChange.ts';

/** Signs patches off, and takes that back. What the service has taken is told with *Undo*, like every change. */
export class SignOff {
  readonly #drafts: Drafts;
  readonly #model: Model;
  readonly #decisions: Decisions;

  constructor(drafts: Drafts, model: Model, decisions: Decisions) {
    this.#drafts = drafts;
    this.#model = model;
    this.#decisions = decisions;
  }

  /** Signs a patch off if its reader has not done so, else takes that back. */
  async toggle(patch: PatchAddress): Promise<void> {
    const { value } = await this.#model.patch(patch);
    await this.set(patch, !((value.review?.signedOff.length ?? 0) > 0));
  }

  /**
   * Signs a patch off, or takes that back.
   *
   * @throws why the service did not take it.
   */
  async set(patch: PatchAddress, signOff: boolean): Promise<void> {
    await refuseReadOnly(this.#model, patch);
    const { value } = await this.#model.patch(patch);
    const title = patchLabel(value);
    const content = { base: !signOff, signOff };
    await sendChange(this.#drafts, this.#decisions, { kind: 'signOff', patch }, content, title);
  }
}
