/**
 * The one way in which the extension host and a webview talk: typed requests with answers, in both directions.
 * A handler that throws answers with an error, an answer that never comes times out, and the end of a panel rejects
 * what is still open: nobody waits for ever.
 */
import type { Disposable } from '../util/disposable.ts';

/** What one side can be asked: each method takes one parameter and answers once. */
export type Methods<M> = Record<keyof M, (parameters: never) => unknown>;

/** The functions that answer the methods `M`; each is told by `signal` when its caller has gone. */
export type Handlers<M extends Methods<M>> = {
  [K in keyof M]: (
    parameters: Parameters<M[K]>[0],
    signal: AbortSignal,
  ) => ReturnType<M[K]> | Promise<ReturnType<M[K]>>;
};

/** Carries messages to the other side and from it. */
export interface RpcChannel {
  post(message: unknown): void;
  listen(listener: (message: unknown) => void): Disposable;
}

/** What the person can press to mend a failure of the other side. */
export interface RpcRemedy {
  /** The title of the button. */
  title: string;
  /** Has the other side mend it; resolves with whether what had failed is worth another try. */
  apply: () => Promise<boolean>;
}

/** What the other side is told of a failure; it must hold no secret. */
export interface RpcFailure {
  message: string;
  remedy?: RpcRemedy | undefined;
}

/** The other side's failure, as far as it may be shown: a sentence for the person, and what mends it. */
export class RpcError extends Error {
  override name = 'RpcError';
  readonly remedy: RpcRemedy | undefined;

  constructor(message: string, remedy?: RpcRemedy) {
    super(message);
    this.remedy = remedy;
  }
}

type Message =
  | { rpc: 'request'; id: number; method: string; parameters: unknown }
  | { rpc: 'cancel'; id: number }
  | { rpc: 'result'; id: number; result: unknown }
  | { rpc: 'error'; id: number; message: string; remedy?: string }
  | { rpc: 'mend'; id: number; failed: number };

interface OpenRequest {
  resolve: (value: never) => void;
  reject: (reason: Error) => void;
  stop: () => void;
}

/** Milliseconds after which a request without an answer fails. */
const defaultTimeout = 120_000;

/** Milliseconds for what the person is taken through: it takes as long as it takes. */
const untilMended = 24 * 60 * 60_000;

/** How many failures can still be mended: those before are asked for again. */
const mendable = 20;

/** One end of the conversation: answers the methods `Local`, calls the methods `Remote`. */
export class RpcPeer<Local extends Methods<Local>, Remote extends Methods<Remote>> implements Disposable {
  readonly #channel: RpcChannel;
  readonly #handlers: Handlers<Local>;
  readonly #describe: (error: unknown) => RpcFailure;
  readonly #open = new Map<number, OpenRequest>();
  readonly #answering = new Map<number, AbortController>();
  /** What mends the failures that the other side was told of, by the number of its request. */
  readonly #remedies = new Map<number, RpcRemedy>();
  readonly #subscription: Disposable;
  #lastId = 0;
  #disposed = false;

  /**
   * @param describe turns what a handler threw into what the other side is told.
   */
  constructor(channel: RpcChannel, handlers: Handlers<Local>, describe: (error: unknown) => RpcFailure) {
    this.#channel = channel;
    this.#handlers = handlers;
    this.#describe = describe;
    this.#subscription = channel.listen((message) => {
      if (isMessage(message)) {
        void this.#receive(message);
      }
    });
  }

  /**
   * Asks the other side.
   *
   * @throws {RpcError} when the other side failed, did not answer within `timeout` milliseconds, or is gone.
   */
  request<K extends keyof Remote & string>(
    method: K,
    parameters: Parameters<Remote[K]>[0],
    options: { signal?: AbortSignal; timeout?: number } = {},
  ): Promise<Awaited<ReturnType<Remote[K]>>> {
    return this.#ask((id) => ({ rpc: 'request', id, method, parameters }), method, options);
  }

  /** Sends a message that is answered once. */
  #ask<T>(
    message: (id: number) => Message,
    what: string,
    options: { signal?: AbortSignal; timeout?: number },
  ): Promise<T> {
    if (this.#disposed) {
      return Promise.reject(new RpcError('The panel is closed.'));
    }
    const id = ++this.#lastId;
    const { signal, timeout = defaultTimeout } = options;
    return new Promise<T>((resolve, reject) => {
      const giveUp = (reason: Error): void => {
        this.#finish(id)?.reject(reason);
        this.#channel.post({ rpc: 'cancel', id } satisfies Message);
      };
      const onAbort = (): void => giveUp(new RpcError('Cancelled.'));
      const timer = setTimeout(() => giveUp(new RpcError(`No answer to ${what}.`)), timeout);
      signal?.addEventListener('abort', onAbort, { once: true });
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      this.#open.set(id, { resolve, reject, stop });
      this.#channel.post(message(id));
      if (signal?.aborted) {
        onAbort();
      }
    });
  }

  /** Ends the conversation: rejects what is still open and tells the running handlers to stop. */
  dispose(): void {
    this.#disposed = true;
    this.#subscription.dispose();
    for (const id of [...this.#open.keys()]) {
      this.#finish(id)?.reject(new RpcError('The panel is closed.'));
    }
    for (const controller of this.#answering.values()) {
      controller.abort();
    }
    this.#answering.clear();
  }

  #finish(id: number): OpenRequest | undefined {
    const request = this.#open.get(id);
    this.#open.delete(id);
    request?.stop();
    return request;
  }

  async #receive(message: Message): Promise<void> {
    switch (message.rpc) {
      case 'result':
        this.#finish(message.id)?.resolve(message.result as never);
        break;
      case 'error':
        this.#finish(message.id)?.reject(new RpcError(message.message, this.#remedyFor(message)));
        break;
      case 'mend':
        await this.#mend(message.id, message.failed);
        break;
      case 'cancel':
        this.#answering.get(message.id)?.abort();
        break;
      case 'request':
        await this.#answer(message.id, message.method, message.parameters);
        break;
    }
  }

  async #answer(id: number, method: string, parameters: unknown): Promise<void> {
    const controller = new AbortController();
    this.#answering.set(id, controller);
    let answer: Message;
    try {
      if (!Object.hasOwn(this.#handlers, method)) {
        throw new RpcError(`There is no method ${method}.`);
      }
      const handler = this.#handlers[method as keyof Local];
      const result: unknown = await handler(parameters as never, controller.signal);
      answer = { rpc: 'result', id, result };
    } catch (error) {
      answer = { rpc: 'error', id, ...this.#tellFailure(id, error) };
    }
    this.#answering.delete(id);
    this.#post(answer);
  }

  /** What the other side is told of a failure; what mends it stays here. */
  #tellFailure(id: number, error: unknown): { message: string; remedy?: string } {
    const { message, remedy } = this.#describe(error);
    if (!remedy) {
      return { message };
    }
    this.#remedies.set(id, remedy);
    for (const old of [...this.#remedies.keys()].slice(0, -mendable)) {
      this.#remedies.delete(old);
    }
    return { message, remedy: remedy.title };
  }

  #remedyFor({ id, remedy }: Extract<Message, { rpc: 'error' }>): RpcRemedy | undefined {
    return remedy === undefined
      ? undefined
      : {
          title: remedy,
          apply: () =>
            this.#ask((mend) => ({ rpc: 'mend', id: mend, failed: id }), remedy, { timeout: untilMended }),
        };
  }

  async #mend(id: number, failed: number): Promise<void> {
    try {
      // One that is no longer known can only be tried again.
      this.#post({ rpc: 'result', id, result: (await this.#remedies.get(failed)?.apply()) ?? true });
    } catch (error) {
      this.#post({ rpc: 'error', id, message: this.#describe(error).message });
    }
  }

  #post(answer: Message): void {
    if (!this.#disposed) {
      this.#channel.post(answer);
    }
  }
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'rpc' in value && 'id' in value;
}
