import type { LoginToken } from '../api/types/login.ts';

/** Milliseconds after which a login token is given up, whatever the service says of its end. */
const longestSignInMs = 20 * 60_000;

/**
 * For how long somebody can confirm a login token, in milliseconds from when it came. Its end is a time on the service's clock,
 * which may be hours from this computer's: without the time at which the service answered, it says nothing.
 */
export function loginWaitMs({ lifetimeMs }: LoginToken): number {
  return lifetimeMs !== undefined && lifetimeMs > 0 ? Math.min(lifetimeMs, longestSignInMs) : longestSignInMs;
}
