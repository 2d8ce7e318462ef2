/** What all the ways to send a pending change share. */
import type { ApiClient } from '../../api/client.ts';
import type { CallOptions } from '../../api/request.ts';
import type { Model } from '../model.ts';
import type { PatchAddress } from '../patchAddress.ts';
import type { Me } from '../review.ts';
import type { ConflictDetails } from './failure.ts';

/** A pending change on its way, and how to ask the service on its behalf. */
export interface Sending<Subject, Content> {
  subject: Subject;
  content: Content;
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

/** What is known of a try to send a pending change. */
export interface ChangeAttempt {
  /** The text that was on its way. */
  text: string;
  /** What the person had typed, which that text was joined from. */
  typed?: string;
  /** What stood on the service before it. */
  before?: string;
  /** The codes of the patch's sections before a new one was on its way. */
  codes?: string[];
}

/** How sending ended, when no request failed. */
export type SendResult<Content, Written> =
  | {
      kind: 'sent';
      /** What was written; nothing when all was there already. */
      written?: Written;
      /** What of the content the service has, when it is not all of it. */
      taken?: Content;
      /** The text that was written, when it was joined with someone else's change. */
      merged?: string;
      /** The code of a section that was added. */
      code?: string;
      /** Shows the change in what is loaded. */
      show?: (model: Model) => void;
    }
  | ({ kind: 'conflict' } & ConflictDetails)
  /** What it changes is gone from the service; `notFound` where it cannot be added again. */
  | { kind: 'deleted' | 'notFound' }
  /** The newest version has nothing that it could go into, or several; see `ChangeFailureKind`. */
  | { kind: 'sectionGone' | 'ambiguous' }
  /** What is there is not what it was said of: it is in a newer version, or has another content. */
  | { kind: 'outdated'; patchVersion?: string };
