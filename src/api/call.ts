import type { Path } from './path.ts';
import type { Repeat } from './retry.ts';

/** The options that every operation takes as its last parameter. */
export interface CallOptions {
  /** Ends the call: it fails with an `AbortedError`. */
  signal?: AbortSignal | undefined;
  /**
   * Of a write: names what it takes the place of (`contentTag`). A service on this computer that offers to compare refuses with a
   * `ConflictError` when it has something else by then; no other service is told.
   */
  ifMatch?: string | undefined;
}

/** The way in which the service is asked for somebody. */
export interface AskOptions {
  /** True for what nobody has asked for or waits for: it doesn't count as work, and nobody signs in again for it. */
  isUnasked?: boolean;
}

export type CredentialScheme = 'x-auth-token' | 'bearer';

/** A body that is made afresh for every try. */
export interface StreamBody {
  contentType: string;
  /** Bytes. */
  contentLength: number;
  open: () => AsyncIterable<Uint8Array>;
}

/** One call of an operation. */
export interface Call {
  /** E.g. `patches.get`. */
  operation: string;
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Decides whether a failed call is tried again. */
  repeat: Repeat;
  /** Made when the call starts, so that a parameter that cannot be sent fails like everything else. */
  path: () => Path;
  /** With its `?`. */
  query?: string;
  /** A JSON body; properties that are undefined are left out. */
  json?: object;
  stream?: StreamBody;
  /** Takes a response that isn't JSON as text: for responses that the contract doesn't describe. */
  plainText?: boolean;
  /** Set when nobody has asked to read it yet: a service need not count it as read. */
  ahead?: boolean;
  /** Parameters that must not show in a message, beside the access token. */
  secrets?: readonly string[];
  /** Statuses that count as an empty answer. */
  notYet?: readonly number[];
  /** See `CallOptions`; missing where the service isn't told. */
  ifMatch?: string;
}
