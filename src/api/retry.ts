import type { FailureKind } from './exchange.ts';

/** Limits for trying requests again. Times are milliseconds. */
export interface RetryLimits {
  /** Tries after the first. Default 2. */
  maxRetries: number;
  /** The first wait; each further wait doubles it. Default 250. */
  retryDelayMs: number;
  /** The longest single wait; a service that asks for more is believed, and the call fails at once. Default 10,000. */
  maxRetryDelayMs: number;
}

/**
 * The effect of sending a request twice. It follows from what the service does, not from the name of the method:
 *
 * - `read`: it changes nothing.
 * - `replace`: it puts a state there that is the same however often it is put there.
 * - `remove`: it takes something away; what is gone already is what was wanted.
 * - `once`: each time it makes something new, or says something to people.
 */
export type Repeat = 'read' | 'replace' | 'remove' | 'once';

interface Outcome {
  repeat: Repeat;
  /** The status of a complete response, or of one that broke off. */
  status?: number | undefined;
  failure?: { kind: FailureKind; code: string | undefined } | undefined;
}

const busy = new Set([429, 502, 503, 504]);
/** Nothing listens, the name is unknown, or the proxy wants credentials: waiting a second does not change that. */
const hopeless = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_INVALID_ARG',
  'PROXY_403',
  'PROXY_407',
]);

/**
 * True when the same request may be sent again without the risk of doing something twice.
 *
 * A request with `once` is never sent again: even a service that says it is busy may be a gateway before one that has acted. What
 * replaces or removes something ends in the same state when it is done twice, but an answer that was lost half-way is left to the
 * caller: only a connection that failed before any response, or a service that is busy, is tried again.
 */
export function isRetryable({ repeat, status, failure }: Outcome): boolean {
  if (repeat === 'once') {
    return false;
  }
  if (failure === undefined) {
    return status !== undefined && busy.has(status);
  }
  if (failure.code !== undefined && hopeless.has(failure.code)) {
    return false;
  }
  if (failure.kind === 'connection') {
    return repeat === 'read' || status === undefined;
  }
  return failure.kind === 'timeout' && repeat === 'read';
}

/** Milliseconds to wait before try number `attempt` + 1: exponential, and jittered so that clients spread out. */
export function backoff(attempt: number, limits: RetryLimits, random: () => number = Math.random): number {
  const full = Math.min(limits.retryDelayMs * 2 ** attempt, limits.maxRetryDelayMs);
  return full * (0.5 + random() / 2);
}

/** Reads `Retry-After`: seconds or an HTTP date. Returns milliseconds from now, or undefined. */
export function parseRetryAfter(value: string | string[] | undefined, now = Date.now()): number | undefined {
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  if (!text) {
    return undefined;
  }
  if (/^\d+(\.\d+)?$/.test(text)) {
    return Number(text) * 1000;
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
