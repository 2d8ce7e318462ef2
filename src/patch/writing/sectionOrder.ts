import * as vscode from 'vscode';
import type { ChangeSubject } from '../../model/pending/kinds/index.ts';
import type { PendingChanges } from '../../model/pending/pendingChanges.ts';
import type { Model } from '../../model/model.ts';
import { attempt } from '../../ui/commands.ts';
import type { Log } from '../../ui/log.ts';
import type { Disposable } from '../../util/disposable.ts';
import { refuseReadOnly } from '../stackStatus.ts';
import { sendPending, type PendingActions } from './sendChange.ts';
import { inBackground } from '../../util/inBackground.ts';
import { patchKey, type PatchRef } from '../../util/patchRef.ts';

/** Milliseconds without another move after which an order is sent. */
const pauseMs = 800;

/** The order of the sections of patches: shown at once, sent when nothing has moved for a moment. */
export class SectionOrder implements Disposable {
  readonly #pendingChanges: PendingChanges;
  readonly #model: Model;
  readonly #actions: PendingActions;
  readonly #log: Log;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(pendingChanges: PendingChanges, model: Model, actions: PendingActions, log: Log) {
    this.#pendingChanges = pendingChanges;
    this.#model = model;
    this.#actions = actions;
    this.#log = log;
  }

  /** Puts the sections with these codes into this order. Those that it leaves out follow. */
  async reorder(patch: PatchRef, order: readonly string[]): Promise<void> {
    await refuseReadOnly(this.#model, patch);
    const { value } = await this.#model.patch(patch);
    const sections = value.sections ?? [];
    const wanted = new Set(order);
    const identifiers = new Map(sections.map(({ code, identifier }) => [code, identifier]));
    this.#pendingChanges.put(
      subjectOf(patch),
      {
        base: sections.map(({ identifier }) => identifier),
        order: [
          ...order.flatMap((code) => identifiers.get(code) ?? []),
          ...sections.flatMap(({ code, identifier }) => (wanted.has(code) ? [] : [identifier])),
        ],
      },
      value.title ?? value.changeId,
    );
    this.#schedule(patch);
  }

  /** Moves one section by one place. */
  async moveBy(patch: PatchRef, code: string, step: -1 | 1): Promise<void> {
    const { value } = await this.#model.patch(patch);
    const byIdentifier = new Map(value.sections?.map((section) => [section.identifier, section.code]));
    const order =
      this.#order(patch)?.flatMap((identifier) => byIdentifier.get(identifier) ?? []) ??
      value.sections?.map((section) => section.code) ??
      [];
    const place = order.indexOf(code);
    const other = order[place + step];
    if (place < 0 || other === undefined) {
      return;
    }
    order[place] = other;
    order[place + step] = code;
    await this.reorder(patch, order);
  }

  /** Sends an order that an earlier window had no time to send. */
  resume(patch: PatchRef): void {
    if (
      this.#pendingChanges.find(subjectOf(patch))?.state === 'editing' &&
      !this.#timers.has(patchKey(patch))
    ) {
      this.#schedule(patch);
    }
  }

  /** Sends the order now, if there is one that the person has made. */
  async send(patch: PatchRef): Promise<void> {
    clearTimeout(this.#timers.get(patchKey(patch)));
    this.#timers.delete(patchKey(patch));
    const pending = this.#pendingChanges.find(subjectOf(patch));
    if (pending && !pending.proposed) {
      await sendPending(this.#pendingChanges, this.#actions, pending.id);
    }
  }

  dispose(): void {
    for (const timer of this.#timers.values()) {
      clearTimeout(timer);
    }
    this.#timers.clear();
  }

  #order(patch: PatchRef): string[] | undefined {
    return this.#pendingChanges.find(subjectOf(patch))?.content.order;
  }

  #schedule(patch: PatchRef): void {
    const key = patchKey(patch);
    clearTimeout(this.#timers.get(key));
    const send = (): Promise<void> => this.send(patch);
    this.#timers.set(
      key,
      setTimeout(() => inBackground(attempt(vscode.l10n.t('move the sections'), this.#log, send)), pauseMs),
    );
  }
}

function subjectOf(patch: PatchRef): Extract<ChangeSubject, { kind: 'sectionOrder' }> {
  return { kind: 'sectionOrder', patch };
}
