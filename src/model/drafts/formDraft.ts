import type { DraftSubject, FormName } from './draft.ts';
import type { Drafts } from './drafts.ts';

/** What stands in a form and was not sent yet: a draft that only the form itself sends. */
export class FormDraft {
  readonly #drafts: Drafts;
  readonly #subject: Extract<DraftSubject, { kind: 'form' }>;
  readonly #title: string;

  /**
   * @param title what a person calls the form.
   * @param about the id of the thing that the form changes, if any.
   */
  constructor(drafts: Drafts, form: FormName, title: string, about?: string) {
    this.#drafts = drafts;
    this.#subject = { kind: 'form', form, about };
    this.#title = title;
  }

  /** What was typed last; nothing when there is no draft. Anything may stand in it: check it. */
  read(): Record<string, unknown> {
    return this.#drafts.find(this.#subject)?.content.fields ?? {};
  }

  /** Keeps what is typed now; no fields forget it. On disk within half a second; it never throws. */
  write(fields: Record<string, unknown>): void {
    this.#drafts.put(this.#subject, { fields }, this.#title);
  }

  /** Resolves when what was written is on disk, or could not be. */
  flush(): Promise<void> {
    return this.#drafts.flush();
  }
}
