/**
 * The extension host's end of a conversation with a page. A page shows what strangers wrote, so nothing that it says is taken
 * for what it should be: each message is held against a schema before anything acts on it. Only the extension host loads this.
 */
import * as v from 'valibot';
import { RpcPeer, type Handlers, type Methods, type RpcChannel, type RpcFailure } from './rpc.ts';
import { keysOf } from '../util/fields.ts';

/** For each method of the extension host what the page has to send. */
type RequestSchemas<M extends Methods<M>> = {
  readonly [K in keyof M]: v.GenericSchema<unknown, Parameters<M[K]>[0]>;
};

/** For each method of the page what it has to answer. */
type AnswerSchemas<M extends Methods<M>> = {
  readonly [K in keyof M]: v.GenericSchema<unknown, ReturnType<M[K]>>;
};

/** A page runs a stranger's text through a browser: what it says is held against these before anything acts on it. */
export interface PageSchemas<Local extends Methods<Local>, Remote extends Methods<Remote>> {
  readonly requests: RequestSchemas<Local>;
  readonly answers: AnswerSchemas<Remote>;
}

/** Every part of a type, also those that may be missing. */
type Whole<T> = T extends string | number | boolean | null | undefined | Uint8Array
  ? T
  : { [K in keyof T]-?: Whole<T[K]> };

type IsSame<A, B> = [A, Whole<A>] extends [B, Whole<B>]
  ? [B, Whole<B>] extends [A, Whole<A>]
    ? true
    : false
  : false;

/**
 * The schemas of what a page asks. It compiles when each method has one, and when that says exactly what the protocol does: not
 * less, and no more.
 */
export function requestsOf<M extends Methods<M>>() {
  return <const S extends RequestSchemas<M>>(
    schemas: S & {
      [K in keyof M]: IsSame<v.InferOutput<S[K]>, Parameters<M[K]>[0]> extends true ? unknown : never;
    },
  ): S => schemas;
}

/** The schemas of what a page answers, as `requestsOf`. */
export function answersOf<M extends Methods<M>>() {
  return <const S extends AnswerSchemas<M>>(
    schemas: S & {
      [K in keyof M]: IsSame<v.InferOutput<S[K]>, ReturnType<M[K]>> extends true ? unknown : never;
    },
  ): S => schemas;
}

/** A page said what does not fit: it was not acted on. */
export class UnfitMessageError extends Error {
  override name = 'UnfitMessageError';

  constructor(method: string) {
    super(`What the page says of ${method} does not fit.`);
  }
}

/** The number of a message, which is checked before anything is known of what it is about. */
const id = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const envelope = v.variant('rpc', [
  v.object({ rpc: v.literal('request'), id, method: v.string(), parameters: v.optional(v.unknown()) }),
  v.object({ rpc: v.literal('cancel'), id }),
  v.object({ rpc: v.literal('ping'), id }),
  v.object({ rpc: v.literal('result'), id, result: v.optional(v.unknown()) }),
  v.object({ rpc: v.literal('error'), id, message: v.string(), remedy: v.exactOptional(v.string()) }),
  v.object({ rpc: v.literal('applyRemedy'), id, failed: id }),
]);

/** Told, in a line for the log, of every message that was refused. */
type Refused = (line: string) => void;

/** An end of a conversation that acts on nothing but what fits its schemas. */
export class CheckedPeer<Local extends Methods<Local>, Remote extends Methods<Remote>> extends RpcPeer<
  Local,
  Remote
> {
  readonly #answers: AnswerSchemas<Remote>;
  readonly #refused: Refused;

  /** @param describe as for `RpcPeer`; an `UnfitMessageError` is among what it is given. */
  constructor(
    channel: RpcChannel,
    { requests, answers }: PageSchemas<Local, Remote>,
    handlers: Handlers<Local>,
    describe: (error: unknown) => RpcFailure,
    refused: Refused,
  ) {
    super(checkedChannel(channel, refused), checkedHandlers(requests, handlers, refused), describe);
    this.#answers = answers;
    this.#refused = refused;
  }

  override async request<K extends keyof Remote & string>(
    method: K,
    parameters: Parameters<Remote[K]>[0],
    options?: { signal?: AbortSignal; timeoutMs?: number },
  ): Promise<Awaited<ReturnType<Remote[K]>>> {
    const answer = await super.request(method, parameters, options);
    return fitting(this.#answers[method], answer, method, this.#refused) as Awaited<ReturnType<Remote[K]>>;
  }
}

function checkedChannel(channel: RpcChannel, refused: Refused): RpcChannel {
  return {
    post: (message) => channel.post(message),
    listen: (listener) =>
      channel.listen((message) => {
        const result = v.safeParse(envelope, message);
        if (result.success) {
          listener(result.output);
        } else {
          refused(`A page sent what is no message: ${issuesOf(result.issues)}`);
        }
      }),
  };
}

function checkedHandlers<M extends Methods<M>>(
  requests: RequestSchemas<M>,
  handlers: Handlers<M>,
  refused: Refused,
): Handlers<M> {
  const checked = keysOf(handlers).map((method) => [
    method,
    (parameters: unknown, signal: AbortSignal) =>
      handlers[method](fitting(requests[method], parameters, method, refused), signal),
  ]);
  return Object.fromEntries(checked) as Handlers<M>;
}

/** Returns what was said, without what the schema doesn't know. @throws {UnfitMessageError} */
function fitting<T>(schema: v.GenericSchema<unknown, T>, said: unknown, method: string, refused: Refused): T {
  const result = v.safeParse(schema, said);
  if (!result.success) {
    refused(`What a page said of ${method} does not fit: ${issuesOf(result.issues)}`);
    throw new UnfitMessageError(method);
  }
  return result.output;
}

/** Returns what a page has kept over a reload of the window; undefined when it isn't what it should be. */
export function keptState<T>(schema: v.GenericSchema<unknown, T>, state: unknown): T | undefined {
  const result = v.safeParse(schema, state);
  return result.success ? result.output : undefined;
}

/** Issues that are told of one message. */
const mostIssues = 5;

/** Names what doesn't fit, and where; never what was said, which may be anything that was typed. */
function issuesOf(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues
    .slice(0, mostIssues)
    .map((issue) => `${v.getDotPath(issue) ?? 'it'} should be ${issue.expected ?? issue.type}`)
    .join('; ');
}
