/**
 * The one way in which the extension host and a webview talk: typed requests with answers, in both directions.
 * A handler that throws answers with an error, an answer that never comes times out, and the end of a panel rejects
 * what is still open: no one waits for ever. A page also notices when no one is there any more, however long it would wait
 * for an answer: see `SilenceWatch`.
 */
import type { Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import { inBackground, type ToldFailure } from '../util/inBackground.ts';

/** The methods of one side: each takes one parameter and answers once. */
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

/** A button that fixes a failure of the other side. */
export interface RpcRemedy {
  /** The title of the button. */
  title: string;
  /** Has the other side fix it; resolves with whether what had failed is worth another try. */
  apply: () => Promise<boolean>;
}

/** A failure as the other side is told of it; it must hold no secret. */
export interface RpcFailure {
  message: string;
  remedy?: RpcRemedy | undefined;
}

/** The other side's failure, as far as it may be shown: a sentence for the person, and what fixes it. */
export class RpcError extends Error {
  override name = 'RpcError';
  readonly remedy: RpcRemedy | undefined;

  constructor(message: string, remedy?: RpcRemedy) {
    super(message);
    this.remedy = remedy;
  }
}

/** The other side is silent: no one can say what has become of what was asked. */
export class SilenceError extends RpcError implements ToldFailure {
  override name = 'SilenceError';
  /** By the page, for as long as it lasts. */
  readonly isTold = true;
}

interface SilenceWatch {
  /** Words for requests that are given up, in the language of the person. */
  describe: () => string;
}

type Message =
  | { rpc: 'ping'; id: number }
  | { rpc: 'pong'; id: number }
  | { rpc: 'request'; id: number; method: string; parameters: unknown }
  | { rpc: 'cancel'; id: number }
  | { rpc: 'result'; id: number; result: unknown }
  | { rpc: 'error'; id: number; message: string; remedy?: string }
  | { rpc: 'applyRemedy'; id: number; failed: number };

interface OpenRequest {
  resolve: (value: never) => void;
  reject: (reason: Error) => void;
  stop: () => void;
  /** Beats that the other side has let pass since this was asked. */
  beats: number;
  /** What the caller waits for, or will. */
  answer?: Promise<unknown>;
}

/** Milliseconds after which a request without an answer fails. */
const defaultTimeoutMs = 120_000;

/** For what the person is taken through: it takes as long as it takes, and ends when the other side does. */
export const untilAnswered = Infinity;

/** Milliseconds between two looks whether the other side has said anything. */
export const beatMs = 300;

/**
 * Beats without a sign after which the other side counts as silent: a busy one is not, and no one types for two seconds
 * without being told. They are counted, not measured: a computer that has slept has missed one beat, not a thousand.
 */
export const silentAfter = 5;

/** Beats without a sign after which it is given up, about ten seconds: what is open fails. */
export const givenUpAfter = 34;

/** Beats that a request waits which is made once the other side has been given up. */
const lastChance = 2;

/** Beats after which an unanswered ping is repeated. The channel loses none but those that come before someone listens. */
const pingAgainAfter = 16;

/** Number of failures that can still be fixed: those before are asked for again. */
const mostRemedies = 20;

/** One end of the conversation: answers the methods `Local`, calls the methods `Remote`. */
export class RpcPeer<Local extends Methods<Local>, Remote extends Methods<Remote>> implements Disposable {
  readonly #channel: RpcChannel;
  readonly #handlers: Handlers<Local>;
  readonly #describe: (error: unknown) => RpcFailure;
  readonly #open = new Map<number, OpenRequest>();
  readonly #answering = new Map<number, AbortController>();
  /** Fixes for the failures that the other side was told of, by the number of its request. */
  readonly #remedies = new Map<number, RpcRemedy>();
  readonly #subscription: Disposable;
  readonly #watch: SilenceWatch | undefined;
  readonly #silenceChanged = new Emitter<boolean>();
  readonly #gaveUp = new Emitter<null>();
  #beating: ReturnType<typeof setInterval> | undefined;
  /** Beats in a row without a sign of the other side. */
  #missed = 0;
  /** True once something came since the last beat. */
  #heard = false;
  /** Beats since a ping was sent that is not answered yet. */
  #pinged: number | undefined;
  /** Begins anywhere: what is still said to a page that was here before is no answer to what this one asks. */
  #lastId = Math.floor(Math.random() * 2 ** 40);
  #disposed = false;

  /** Fires when the other side falls silent while something is asked of it, and when it is heard again. */
  readonly onDidChangeSilence = this.#silenceChanged.event;
  /** Fires when the other side has been silent for so long that what was asked of it has failed. */
  readonly onDidGiveUp = this.#gaveUp.event;

  /**
   * @param describe turns what a handler threw into what the other side is told.
   * @param watch for the side that cannot do without the other: it then notices when that is silent. The extension host has
   *   none, for pages that are hidden are silent.
   */
  constructor(
    channel: RpcChannel,
    handlers: Handlers<Local>,
    describe: (error: unknown) => RpcFailure,
    watch?: SilenceWatch,
  ) {
    this.#channel = channel;
    this.#handlers = handlers;
    this.#describe = describe;
    this.#watch = watch;
    this.#subscription = channel.listen((message) => {
      if (isMessage(message)) {
        this.#hear();
        inBackground(this.#receive(message));
      }
    });
  }

  /** True when the other side is silent although something was asked of it. */
  get isSilent(): boolean {
    return !this.#disposed && this.#missed >= silentAfter;
  }

  /** True when it has been silent for so long that what was asked of it has failed. */
  get hasGivenUp(): boolean {
    return this.#missed >= givenUpAfter;
  }

  /**
   * Asks the other side.
   *
   * @param options.timeoutMs `untilAnswered` when a person may be asked meanwhile.
   * @throws {RpcError} when the other side failed, did not answer in time, or is gone.
   */
  request<K extends keyof Remote & string>(
    method: K,
    parameters: Parameters<Remote[K]>[0],
    options: { signal?: AbortSignal; timeoutMs?: number } = {},
  ): Promise<Awaited<ReturnType<Remote[K]>>> {
    return this.#ask((id) => ({ rpc: 'request', id, method, parameters }), method, options);
  }

  /** Sends a message that is answered once. */
  #ask<T>(
    message: (id: number) => Message,
    what: string,
    options: { signal?: AbortSignal; timeoutMs?: number },
  ): Promise<T> {
    if (this.#disposed) {
      return Promise.reject(new RpcError('The panel is closed.'));
    }
    const id = ++this.#lastId;
    const { signal, timeoutMs = defaultTimeoutMs } = options;
    const answer = new Promise<T>((resolve, reject) => {
      const giveUp = (reason: Error): void => {
        this.#finish(id)?.reject(reason);
        this.#channel.post({ rpc: 'cancel', id } satisfies Message);
      };
      const onAbort = (): void => giveUp(new RpcError('Cancelled.'));
      const timer =
        timeoutMs === untilAnswered
          ? undefined
          : setTimeout(() => giveUp(new RpcError(`No answer to ${what}.`)), timeoutMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      this.#open.set(id, { resolve, reject, stop, beats: 0 });
      this.#channel.post(message(id));
      this.#listenForSigns();
      if (signal?.aborted) {
        onAbort();
      }
    });
    const open = this.#open.get(id);
    if (open) {
      open.answer = answer;
    }
    return answer;
  }

  /** Ends the conversation: rejects what is still open and tells the running handlers to stop. */
  dispose(): void {
    this.#disposed = true;
    this.#subscription.dispose();
    this.#stopBeating();
    this.#silenceChanged.dispose();
    this.#gaveUp.dispose();
    for (const id of [...this.#open.keys()]) {
      this.#finish(id)?.reject(new RpcError('The panel is closed.'));
    }
    for (const controller of this.#answering.values()) {
      controller.abort();
    }
    this.#answering.clear();
  }

  /** Looks from now on whether the other side says anything, as long as something is asked of it or it is silent. */
  #listenForSigns(): void {
    if (this.#watch && this.#beating === undefined) {
      this.#heard = false;
      this.#missed = 0;
      this.#ping();
      this.#beating = setInterval(() => this.#beat(), beatMs);
    }
  }

  #stopBeating(): void {
    clearInterval(this.#beating);
    this.#beating = undefined;
    this.#pinged = undefined;
  }

  #ping(): void {
    this.#pinged = 0;
    this.#channel.post({ rpc: 'ping', id: 0 } satisfies Message);
  }

  #beat(): void {
    if (this.#heard) {
      this.#heard = false;
    } else {
      this.#missed += 1;
      for (const request of this.#open.values()) {
        request.beats += 1;
      }
      if (this.#missed === silentAfter) {
        this.#silenceChanged.fire(true);
      }
      this.#giveUpOpen();
      if (this.#missed === givenUpAfter) {
        this.#gaveUp.fire(null);
      }
    }
    if (this.#open.size === 0 && !this.isSilent) {
      this.#stopBeating();
      return;
    }
    this.#pinged = this.#pinged === undefined ? undefined : this.#pinged + 1;
    if (this.#pinged === undefined || this.#pinged >= pingAgainAfter) {
      this.#ping();
    }
  }

  /** No one is told to stop: when the other side comes back after all, it has done what it was asked. */
  #giveUpOpen(): void {
    if (!this.#watch || !this.hasGivenUp) {
      return;
    }
    for (const [id, { beats, answer }] of [...this.#open]) {
      if (beats >= lastChance) {
        // The page tells of it: that nobody waits for this one, or not yet, is no failure that nobody has caught.
        inBackground(answer);
        this.#finish(id)?.reject(new SilenceError(this.#watch.describe()));
      }
    }
  }

  #hear(): void {
    const wasSilent = this.isSilent;
    this.#heard = true;
    this.#missed = 0;
    if (wasSilent) {
      this.#silenceChanged.fire(false);
    }
  }

  #finish(id: number): OpenRequest | undefined {
    const request = this.#open.get(id);
    this.#open.delete(id);
    request?.stop();
    return request;
  }

  async #receive(message: Message): Promise<void> {
    switch (message.rpc) {
      case 'ping':
        this.#post({ rpc: 'pong', id: message.id });
        break;
      case 'pong':
        this.#pinged = undefined;
        break;
      case 'result':
        this.#finish(message.id)?.resolve(message.result as never);
        break;
      case 'error':
        this.#finish(message.id)?.reject(new RpcError(message.message, this.#remedyFor(message)));
        break;
      case 'applyRemedy':
        await this.#applyRemedy(message.id, message.failed);
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

  /** Words a failure for the other side; its fix stays here. */
  #tellFailure(id: number, error: unknown): { message: string; remedy?: string } {
    const { message, remedy } = this.#describe(error);
    if (!remedy) {
      return { message };
    }
    this.#remedies.set(id, remedy);
    for (const old of [...this.#remedies.keys()].slice(0, -mostRemedies)) {
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
            this.#ask((remedyId) => ({ rpc: 'applyRemedy', id: remedyId, failed: id }), remedy, {
              timeoutMs: untilAnswered,
            }),
        };
  }

  async #applyRemedy(id: number, failed: number): Promise<void> {
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
