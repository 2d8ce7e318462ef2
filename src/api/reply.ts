import { parseRetryAfter } from './retry.ts';
import type { WireResponse } from './exchange.ts';

/** The complete answer of the service to a call, whatever its status. */
export interface Reply {
  status: number;
  headers: WireResponse['headers'];
  body: Buffer;
}

/** When the service answered, by its own clock; undefined when it did not say. */
export function dateOf({ headers }: Reply): Date | undefined {
  const said = headers['date'];
  const time = typeof said === 'string' ? Date.parse(said) : NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}

/** What the service offers beside the contract; undefined when it did not say. */
export function offersOf({ headers }: Reply): string[] | undefined {
  const said = headers['patch-stacks-offers'];
  return typeof said === 'string' ? said.split(',').map((offer) => offer.trim()) : undefined;
}

/** Milliseconds that the service asks for; a time that it names is one of its own clock. */
export function retryAfter(reply: Reply): number | undefined {
  return parseRetryAfter(reply.headers['retry-after'], dateOf(reply)?.getTime());
}
