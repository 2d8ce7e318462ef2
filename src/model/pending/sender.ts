/** What all the ways to send a pending change share. */
import type { ApiClient } from '../../api/client.ts';
import type { Patch } from '../../api/types/patches.ts';
import type { CallOptions } from '../../api/request.ts';
import type { Review } from '../../util/review.ts';
import type { PatchAddress } from '../patchAddress.ts';
import type { Me } from '../review.ts';
import type {
  ChangeAttempt,
  ChangeContents,
  ChangeSubject,
  StackFields,
  TextConflict,
} from './pendingChange.ts';

/** A pending change on its way, and how to ask the service on its behalf. */
export interface Sending<K extends ChangeSubject['kind']> {
  subject: Extract<ChangeSubject, { kind: K }>;
  content: ChangeContents[K];
  /** What was tried before, and may have arrived. */
  attempt: ChangeAttempt | undefined;
  /** The version in which the change was begun, when that is not the newest one any more, which `subject` is in. */
  begunIn: PatchAddress | undefined;
  /** Who is signed in, as far as it is known. */
  me: Me | undefined;
  read: Ask;
  /** Notes on disk what is about to be tried, and tries it: from then on the service may have acted on it. */
  write: <T>(operation: Operation<T>, attempt?: ChangeAttempt) => Promise<T>;
}

type Operation<T> = (client: ApiClient, options: CallOptions) => Promise<T>;
/** Asks the service something that changes nothing. */
export type Ask = <T>(operation: Operation<T>) => Promise<T>;

/** How sending ended, when no request failed. */
export type SendResult<K extends ChangeSubject['kind']> =
  | {
      kind: 'sent';
      /** What was written; nothing when all was there already. */
      change?: WrittenChange;
      /** What of the content the service has, when it is not all of it. */
      taken?: ChangeContents[K];
      /** The text that was written, when it was joined with someone else's change. */
      merged?: string;
      /** The code of a section that was added. */
      code?: string;
      /** Shows the change in the patch that is loaded. */
      show?: (patch: Patch) => Patch;
    }
  | ({ kind: 'conflict' } & TextConflict)
  /** What it changes is gone from the service. */
  | { kind: 'deleted' }
  /** The newest version has nothing that it could go into, or several; see `ChangeFailureKind`. */
  | { kind: 'sectionGone' | 'ambiguous' }
  /** What is there is not what it was said of: it is in a newer version, or has another content. */
  | { kind: 'outdated'; patchVersion?: string };

/** Sends the pending changes of a kind. */
export type Sender<K extends ChangeSubject['kind']> = (sending: Sending<K>) => Promise<SendResult<K>>;

/** A change that the service has taken, with what is needed to undo it. */
export type WrittenChange =
  | { kind: 'sectionText'; patch: PatchAddress; code: string; before: string; after: string }
  /** `follows` is the code of the section before it; null where it is the first. */
  | { kind: 'newSection'; patch: PatchAddress; code: string; text: string; follows: string | null }
  | { kind: 'sectionDeletion'; patch: PatchAddress; code: string; text: string; follows: string | null }
  | { kind: 'sectionOrder'; patch: PatchAddress; before: string[]; after: string[] }
  | { kind: 'signOff'; patch: PatchAddress; review: Review }
  | {
      kind: 'stack';
      stack: Extract<ChangeSubject, { kind: 'stack' }>;
      before: StackFields;
      after: StackFields;
    };
