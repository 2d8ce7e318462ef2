import * as vscode from 'vscode';
import type { Patch } from '../../api/types/patches.ts';
import type { PendingChanges } from '../../model/pending/pendingChanges.ts';
import { fingerprintOf } from '../../model/fingerprint.ts';
import type { Model } from '../../model/model.ts';
import type { Readings } from '../../model/reading/readings.ts';
import { patchLabel } from '../../ui/labels.ts';
import { showMessage } from '../../ui/notifications.ts';
import { inBackground } from '../../util/inBackground.ts';
import type { Review } from '../../util/review.ts';
import { knownPatches } from '../readingHandlers.ts';
import { refuseReadOnly } from '../stackStatus.ts';
import type { PatchRef } from '../../util/patchRef.ts';
import { Turns } from '../../util/turns.ts';
import { stackNameOf } from '../../model/reading/stackName.ts';

/** The circumstances of a review. */
export interface Saying {
  /** The fingerprint of what was on the screen; without it, what this window knows of the patch. */
  seen?: string | undefined;
  /** True to sign off even though some of it was never on the screen. */
  anyway?: boolean | undefined;
}

/**
 * Signs patches off, and requests changes. Nothing takes that back once it is sent, so it waits a few seconds before, in
 * which it can be undone.
 */
export class SignOff {
  readonly #pendingChanges: PendingChanges;
  readonly #model: Model;
  readonly #readings: () => Promise<Readings | undefined>;
  readonly #turns = new Turns(1);

  constructor(pendingChanges: PendingChanges, model: Model, readings: () => Promise<Readings | undefined>) {
    this.#pendingChanges = pendingChanges;
    this.#model = model;
    this.#readings = readings;
  }

  /**
   * Has something said of a patch, a few seconds from now.
   *
   * @returns the codes of the sections that were never on the screen, when it is not signed off because of them.
   */
  set(patch: PatchRef, review: Review, saying: Saying = {}): Promise<readonly string[]> {
    // The last review counts, however long it takes to find out which sections were seen.
    return this.#turns.take(() => this.#set(patch, review, saying));
  }

  async #set(patch: PatchRef, review: Review, { seen, anyway = false }: Saying): Promise<readonly string[]> {
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
      return [];
    }
    const isWaiting = waiting?.state === 'queued' || waiting?.state === 'sending';
    if (isWaiting && waiting.content.review === review) {
      return [];
    }
    const unseen = review === 'signedOff' && !anyway ? await this.unseen(patch, value) : [];
    if (unseen.length > 0) {
      return unseen;
    }
    await this.#keep(patch, value);
    await this.#pendingChanges.queue(
      subject,
      { review, seen: seen ?? fingerprintOf(value) },
      patchLabel(value),
    );
    return [];
  }

  /** Keeps what was on the screen, so that it can be told what has changed when the service has something else by then. */
  async #keep(ref: PatchRef, patch: Patch): Promise<void> {
    await (await this.#readings())?.note(stackNameOf(this.#model.located(ref)), patch, [], {});
  }

  /** The codes of the sections that were never on the screen, in their order. */
  async unseen(ref: PatchRef, patch: Patch): Promise<string[]> {
    const readings = await this.#readings();
    if (!readings) {
      return [];
    }
    // The other patches tell of sections that have moved between patches.
    const others = (await knownPatches(this.#model, ref)).filter(
      ({ changeId }) => changeId !== patch.changeId,
    );
    const [reading] = await readings.states(stackNameOf(this.#model.located(ref)), [patch, ...others]);
    return (patch.sections ?? []).flatMap(({ code }, index) =>
      reading?.sections[index]?.isRead === true ? [] : code,
    );
  }
}

function tellAlready(title: string, review: Review): void {
  inBackground(
    showMessage(
      review === 'signedOff'
        ? vscode.l10n.t('You\'ve already signed off on "{0}".', title)
        : vscode.l10n.t('You\'ve already requested changes to "{0}".', title),
    ),
  );
}
