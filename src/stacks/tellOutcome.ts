import type { KnownChange, SendOutcome } from '../model/pending/pendingChange.ts';

/** Tells the person what became of sending a pending change, and offers what can be done next. */
export type TellOutcome = (pending: KnownChange, outcome: SendOutcome) => Promise<void>;
