import { isApiError, isOutOfReach } from '../api/errors.ts';
import type { Known } from '../model/cached.ts';
import type { NotUpdated } from '../protocol/panel.ts';

/** The age of what is known, and why there is nothing newer; undefined for what is up to date. */
export function notUpdated({ asOf, failure }: Known<unknown>): NotUpdated | undefined {
  if (failure === undefined) {
    return undefined;
  }
  const isGone = isApiError(failure) && failure.kind === 'notFound';
  return {
    asOf: asOf.toISOString(),
    why: isOutOfReach(failure) ? 'offline' : isGone ? 'gone' : 'failed',
  };
}

/** True for what the service no longer has, where what was read of it before is known. */
export function isGone(known: Known<unknown> | undefined): boolean {
  return known !== undefined && notUpdated(known)?.why === 'gone';
}
