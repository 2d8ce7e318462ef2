/** Keeps typing into a form: saved locally while its extension host is there, and in the outbox when that has gone. */
import { useEffect, useState } from 'preact/hooks';
import type { FormHost, FormPage, FormStart } from '../../protocol/form.ts';
import type { RestoreOutcome } from '../../protocol/panel.ts';
import type { Methods, RpcPeer } from '../../protocol/rpc.ts';
import { useTypedFields, type TypedFields } from './typedFields.ts';
import type { Disposable } from '../../util/disposable.ts';
import { inBackground } from '../../util/inBackground.ts';
import { untilAnswered, type HostConnection } from './host.ts';
import type { Outbox, Silence } from './outbox.ts';
import { reload } from './page.tsx';

/** See the module. */
export class FormTyping<Fields extends object> implements Disposable {
  readonly #host: RpcPeer<FormPage, FormHost<Fields>>;
  readonly #outbox: Outbox;
  readonly #about: string;
  readonly #following: Disposable;
  #outcomes: ReadonlySet<RestoreOutcome> = new Set();

  /** @param form tells the form from others. */
  constructor(
    form: string,
    {
      peer,
      outbox,
    }: HostConnection<FormHost<Fields> & Methods<FormHost<Fields>>, FormPage & Methods<FormPage>>,
  ) {
    this.#host = peer;
    this.#outbox = outbox;
    this.#about = JSON.stringify(['form', form]);
    // A page whose extension host has ended gives it up only after a while: the form may be open again by then.
    this.#following = outbox.onDidOffer(() => inBackground(this.#takeUpLate()));
  }

  dispose(): void {
    this.#following.dispose();
  }

  /** The fate of what an earlier page had typed when its extension host ended. */
  get outcomes(): ReadonlySet<RestoreOutcome> {
    return this.#outcomes;
  }

  /** Loads the form; what an earlier page had typed is restored first. */
  async load<T extends FormStart<Fields>>(load: () => Promise<T>): Promise<T> {
    const start = await load();
    return (await this.takeUp(start.account)) ? load() : start;
  }

  /** Hands over what an earlier page had typed on this account. @returns true when the form is another one by that. */
  async takeUp(account: string | undefined): Promise<boolean> {
    this.#outbox.account = account;
    this.#outcomes = await this.#restore(account);
    return this.#outcomes.has('restored');
  }

  /**
   * Keeps what is typed into the form.
   *
   * @param begun what it began with of a pending change.
   */
  useTypedFields(begun: Partial<Fields>): TypedFields<Partial<Fields>> {
    return useTypedFields<Fields>({
      begun,
      outbox: this.#outbox,
      about: this.#about,
      send: (typed) => this.#host.request('saveFieldsLocally', typed),
      discard: (typedOn) => this.#host.request('discardFields', typedOn),
      onDidReturn: (listener) => {
        const subscription = this.#host.onDidChangeSilence((isSilent) => {
          if (!isSilent) {
            listener();
          }
        });
        return () => void subscription.dispose();
      },
    });
  }

  /** Undefined while somebody answers; else says what becomes of what is typed meanwhile. */
  useSilence(): Silence | undefined {
    const host = this.#host;
    const outbox = this.#outbox;
    const now = (): Silence | undefined =>
      host.isSilent ? { outlivesPage: outbox.outlivesPage } : undefined;
    const [silence, setSilence] = useState(now);
    useEffect(() => {
      const subscriptions = [
        host.onDidChangeSilence(() => setSilence(now())),
        outbox.onDidChange(() => setSilence(now())),
      ];
      return () => subscriptions.forEach((subscription) => subscription.dispose());
    }, []);
    return silence;
  }

  async #takeUpLate(): Promise<void> {
    if (await this.takeUp(this.#outbox.account)) {
      await reload();
    }
  }

  async #restore(account: string | undefined): Promise<Set<RestoreOutcome>> {
    const isAboutIt = (about: string): boolean => about === this.#about;
    if (account === undefined || !this.#outbox.mayHave(isAboutIt)) {
      return new Set();
    }
    const outcomes = new Set<RestoreOutcome>();
    for (const entry of await this.#outbox.left(isAboutIt)) {
      const { page, edition } = entry;
      const content = entry.content as { fields: Partial<Fields>; after: Partial<Fields> };
      try {
        const outcome = await this.#host.request(
          'restoreFields',
          { account, ...content, page, edition },
          { timeoutMs: untilAnswered },
        );
        if (outcome !== 'waits') {
          this.#outbox.settle(entry);
        }
        outcomes.add(outcome);
      } catch {
        // It stays where it is, for the next time.
        return outcomes;
      }
    }
    return outcomes;
  }
}
