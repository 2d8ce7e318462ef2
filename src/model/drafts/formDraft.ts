import { isApiError } from '../../api/errors.ts';
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

  /**
   * Throws away what was typed; the person is told, with *Undo*.
   *
   * @param broughtBack called when they want it back after all.
   */
  async discard(broughtBack: () => void): Promise<void> {
    const draft = this.#drafts.find(this.#subject);
    if (draft) {
      await this.#drafts.discard(draft.id, { broughtBack });
    }
  }

  /**
   * Sends the form: what was typed is on disk before, and forgotten when the service has said yes. When it fails, the draft
   * says so.
   *
   * @throws what the sending throws.
   */
  async send<T>(sending: () => Promise<T>): Promise<T> {
    await this.#drafts.flush();
    try {
      const result = await sending();
      this.write({});
      await this.#drafts.flush();
      return result;
    } catch (error) {
      if (!isApiError(error) || error.kind !== 'aborted') {
        this.#drafts.noteFailure(this.#subject, error);
      }
      throw error;
    }
  }
}
