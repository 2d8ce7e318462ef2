import type { TypedFormFields, TypedOn } from '../../protocol/form.ts';
import type { Outbox } from './outbox.ts';

export interface FieldsParts<T> {
  outbox: Pick<Outbox, 'page' | 'hold' | 'confirm' | 'has'>;
  begun: T;
  /** The outbox's name for the form. */
  about: string;
  /** Hands what was typed to the extension host; says whether it is on disk. */
  send: (typed: TypedFormFields<T>) => Promise<boolean>;
  /** Has the extension host throw the pending change away. */
  discard: (typedOn: TypedOn) => Promise<unknown>;
}

/** The last edition of any form on this page. */
let lastEdition = 0;

/** The fields of a form that the extension host has not confirmed: the outbox has them until it does. */
export class UnconfirmedFields<T> {
  /** True while they are being sent or thrown away: whoever told of them once more would have them back afterwards. */
  isEnding = false;
  readonly #parts: FieldsParts<Partial<T>>;
  #confirmed: Partial<T>;
  #fields: Partial<T> | undefined;

  constructor(parts: FieldsParts<Partial<T>>) {
    this.#parts = parts;
    this.#confirmed = parts.begun;
  }

  save(fields: Partial<T>): void {
    const { send } = this.#parts;
    // Typed since, whatever becomes of what was sent.
    this.isEnding = false;
    const typedOn = this.#hold(fields);
    send({ fields, ...typedOn }).then(
      (isOnDisk) => isOnDisk && this.#settle(fields, typedOn),
      () => undefined, // The outbox has it.
    );
  }

  /** Tells of them once more: the extension host is there again, and may be another one. */
  saveAgain(): void {
    const { outbox, about } = this.#parts;
    if (!this.isEnding && this.#fields !== undefined && outbox.has(about)) {
      this.save(this.#fields);
    }
  }

  async discard(): Promise<void> {
    const nothing: Partial<T> = {};
    const typedOn = this.#hold(nothing);
    this.isEnding = true;
    try {
      await this.#parts.discard(typedOn);
      this.#settle(nothing, typedOn);
    } catch {
      // The outbox has it: whoever shows the form next hears of it.
    }
    this.isEnding = false;
  }

  forget(): void {
    const { outbox, about } = this.#parts;
    this.isEnding = false;
    this.#fields = undefined;
    outbox.confirm(about, lastEdition);
  }

  #hold(fields: Partial<T>): TypedOn {
    const { outbox, about } = this.#parts;
    this.#fields = fields;
    outbox.hold(about, ++lastEdition, { fields, after: this.#confirmed });
    return { page: outbox.page, edition: lastEdition };
  }

  #settle(fields: Partial<T>, { edition }: TypedOn): void {
    const { outbox, about } = this.#parts;
    this.#confirmed = fields;
    outbox.confirm(about, edition);
    if (this.#fields === fields) {
      this.#fields = undefined;
    }
  }
}
