/** How a form keeps what is typed into it while its extension host is there, and when that has gone. */
import { useEffect, useState } from 'preact/hooks';
import type { FormHost, FormPage, FormStart } from '../../protocol/form.ts';
import type { HandOverOutcome } from '../../protocol/panel.ts';
import type { Methods, RpcPeer } from '../../protocol/rpc.ts';
import { useTypedFields, type TypedFields } from './typedFields.ts';
import { untilAnswered, type HostConnection } from './host.ts';
import type { Outbox } from './outbox.ts';
import type { Silence } from './SilenceNote.tsx';

/** See the module. */
export class FormKeeping<Fields extends object> {
  readonly #host: RpcPeer<FormPage, FormHost<Fields>>;
  readonly #outbox: Outbox;
  readonly #about: string;
  #handedOver: HandOverOutcome | undefined;

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
  }

  /** What became of what an earlier page had typed when its extension host ended. */
  get handedOver(): HandOverOutcome | undefined {
    return this.#handedOver;
  }

  /** Loads the form; what an earlier page had kept is handed over first. */
  async load<T extends FormStart<Fields>>(load: () => Promise<T>): Promise<T> {
    const start = await load();
    this.#outbox.account = start.account;
    this.#handedOver = await this.#handOver(start.account);
    return this.#handedOver === 'taken' ? load() : start;
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
      send: (kept) => this.#host.request('keepFields', kept),
      discard: () => this.#host.request('discardFields', null),
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

  /** Whether no one answers, and what becomes of what is typed meanwhile. */
  useSilence(): Silence | undefined {
    const host = this.#host;
    const outbox = this.#outbox;
    const now = (): Silence | undefined => (host.isSilent ? { isKept: outbox.isKept } : undefined);
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

  async #handOver(account: string | undefined): Promise<HandOverOutcome | undefined> {
    const isAboutIt = (about: string): boolean => about === this.#about;
    if (account === undefined || !this.#outbox.mayHave(isAboutIt)) {
      return undefined;
    }
    let last: HandOverOutcome | undefined;
    for (const entry of await this.#outbox.left(isAboutIt)) {
      const { page, edition } = entry;
      const content = entry.content as { fields: Partial<Fields>; after: Partial<Fields> };
      try {
        const outcome = await this.#host.request(
          'handOver',
          { account, ...content, page, edition },
          { timeout: untilAnswered },
        );
        if (outcome !== 'waits') {
          this.#outbox.settle(entry);
        }
        last = outcome === 'known' ? last : outcome;
      } catch {
        // It stays where it is, for the next time.
        return last;
      }
    }
    return last;
  }
}
