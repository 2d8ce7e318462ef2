import * as vscode from 'vscode';
import type { PendingChanges } from '../../model/pending/pendingChanges.ts';
import { fingerprintOf } from '../../model/fingerprint.ts';
import type { Model } from '../../model/model.ts';
import type { PatchAddress } from '../../model/patchAddress.ts';
import { patchLabel } from '../../ui/labels.ts';
import { showMessage } from '../../ui/notifications.ts';
import type { Review } from '../../util/review.ts';
import { refuseReadOnly } from '../stackStatus.ts';

/**
 * Signs patches off, and requests changes. Nothing takes that back once it is sent, so it waits a few seconds before, in
 * which it can be undone.
 */
export class SignOff {
  readonly #pendingChanges: PendingChanges;
  readonly #model: Model;

  constructor(pendingChanges: PendingChanges, model: Model) {
    this.#pendingChanges = pendingChanges;
    this.#model = model;
  }

  /**
   * Has something said of a patch, a few seconds from now.
   *
   * @param seen the fingerprint of what was on the screen; without it, what this window knows of the patch.
   */
  async set(patch: PatchAddress, review: Review, seen?: string): Promise<void> {
    await refuseReadOnly(this.#model, patch);
    const { value } = await this.#model.patch(patch);
    const subject = { kind: 'signOff' as const, patch };
    const waiting = this.#pendingChanges.find(subject);
    if (this.#model.opinions(value).mine === review) {
      if (waiting?.state === 'queued') {
        // The opposite has not been sent yet.
        await this.#pendingChanges.takeBack(waiting.id);
      } else if (!waiting) {
        tellAlready(patchLabel(value), review);
      }
      return;
    }
    const isWaiting = waiting?.state === 'queued' || waiting?.state === 'sending';
    if (isWaiting && waiting.content.review === review) {
      return;
    }
    await this.#pendingChanges.queue(
      subject,
      { review, seen: seen ?? fingerprintOf(value) },
      patchLabel(value),
    );
  }
}

function tellAlready(title: string, review: Review): void {
  void showMessage(
    review === 'signedOff'
      ? vscode.l10n.t('You\'ve already signed off on "{0}".', title)
      : vscode.l10n.t('You\'ve already requested changes to "{0}".', title),
  );
}
