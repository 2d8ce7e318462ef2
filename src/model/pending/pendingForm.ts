import { isDeepStrictEqual } from 'node:util';
import { isApiError } from '../../api/errors.ts';
import type { Disposable } from '../../util/disposable.ts';
import type { ChangeFailure } from './failure.ts';
import type { FormName } from './kinds/form.ts';
import type { ChangeSubject } from './kinds/index.ts';
import type { TypedOn } from './pendingChange.ts';
import type { PendingChanges } from './pendingChanges.ts';
import { continuation } from './restoredTyping.ts';

/** The unsent content of a form: a pending change that only the form itself sends. */
export class PendingForm {
  readonly #pendingChanges: PendingChanges;
  readonly #subject: Extract<ChangeSubject, { kind: 'form' }>;
  readonly #title: string;
  /** The fields that the form has, to notice when another window has typed. */
  #shown: Record<string, unknown> = {};

  /**
   * @param title what a person calls the form.
   * @param about the id of the thing that the form changes, if any.
   */
  constructor(pendingChanges: PendingChanges, form: FormName, title: string, about?: string) {
    this.#pendingChanges = pendingChanges;
    this.#subject = { kind: 'form', form, about };
    this.#title = title;
  }

  /** The last fields typed; none when there is no pending change. Anything may stand in them: check them. */
  read(): Record<string, unknown> {
    const fields = this.#fields;
    this.#shown = fields;
    return fields;
  }

  /** Why it was not sent, if the service was asked and did not take it. */
  get failure(): ChangeFailure | undefined {
    const { failure } = this.#pendingChanges.find(this.#subject) ?? {};
    return failure?.kind === 'form' ? undefined : failure;
  }

  /** Tells when the pending change is no longer what the form has: it was discarded, or brought back, elsewhere. */
  follow(onChange: () => void): Disposable {
    return this.#pendingChanges.onDidChange(() => {
      const kept = this.#fields;
      if (!isDeepStrictEqual(kept, this.#shown)) {
        this.#shown = kept;
        onChange();
      }
    });
  }

  /** Keeps what is typed now; no fields forget it. On disk within half a second; it never throws. */
  write(fields: Record<string, unknown>, typedOn?: TypedOn): void {
    this.#shown = fields;
    this.#pendingChanges.put(this.#subject, { fields }, this.#title, typedOn);
  }

  /** Resolves with whether what was typed so far is on disk. */
  async written(): Promise<boolean> {
    await this.#pendingChanges.written();
    return this.#pendingChanges.problem === undefined;
  }

  /**
   * Goes on with what an earlier page had when nobody heard it any more.
   *
   * @param fields none when the person has discarded what was typed.
   * @param after what was confirmed last before that.
   * @returns whether that is how it is now, or was known already, or is kept beside another pending change.
   */
  async restore(
    fields: Record<string, unknown>,
    after: Record<string, unknown>,
    typedOn: TypedOn,
  ): Promise<'restored' | 'known' | 'kept'> {
    await this.#pendingChanges.takeUp(this.#subject, typedOn);
    const pending = this.#pendingChanges.find(this.#subject);
    const isDiscarded = Object.keys(fields).length === 0;
    if (!pending && isDiscarded) {
      return 'known';
    }
    const next = continuation(
      pending,
      { content: { fields }, after: { fields: after }, typedOn },
      this.#pendingChanges.isKnown(this.#subject, typedOn),
    );
    // Another change than the one that was discarded is none of that page's.
    if (next.kind === 'known' || (next.kind === 'beside' && isDiscarded)) {
      return 'known';
    }
    if (next.kind === 'beside') {
      this.#pendingChanges.keepBeside(this.#subject, { fields }, this.#title, typedOn);
      return 'kept';
    }
    if (isDiscarded) {
      await this.discard(typedOn);
    } else {
      this.write(fields, typedOn);
    }
    return 'restored';
  }

  /** Forgets what was typed, for the person has given the form up; not what the service was asked to take, and did not. */
  giveUp(): void {
    if (!this.#pendingChanges.find(this.#subject)?.failure) {
      this.write({});
    }
  }

  /** Throws away what was typed; the person is told, with *Undo*. */
  async discard(typedOn?: TypedOn): Promise<void> {
    const pending = this.#pendingChanges.find(this.#subject);
    if (pending) {
      this.#shown = {};
      await this.#pendingChanges.discard(pending.id, { typedOn });
    }
  }

  /**
   * Sends the form: what was typed is on disk before, and forgotten when the service has said yes. When it fails, the pending
   * change says so.
   *
   * @throws what the sending throws.
   */
  async send<T>(sending: () => Promise<T>): Promise<T> {
    await this.#pendingChanges.flush();
    try {
      const result = await sending();
      this.write({});
      await this.#pendingChanges.flush();
      return result;
    } catch (error) {
      if (!isApiError(error) || error.kind !== 'aborted') {
        this.#pendingChanges.noteFailure(this.#subject, error);
      }
      throw error;
    }
  }

  get #fields(): Record<string, unknown> {
    return this.#pendingChanges.find(this.#subject)?.content.fields ?? {};
  }
}
