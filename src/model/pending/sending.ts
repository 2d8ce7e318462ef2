/** Common ground of all the ways to send a pending change. */
import type { ApiClient } from '../../api/client.ts';
import type { CallOptions } from '../../api/call.ts';
import type { PatchSection } from '../../api/types/patches.ts';
import type { Model } from '../model.ts';
import type { Me } from '../review.ts';
import type { ConflictDetails } from './failure.ts';
import type { PatchRef } from '../../util/patchRef.ts';

/** A pending change on its way, and how to ask the service on its behalf. */
export interface Sending<Subject, Content> {
  subject: Subject;
  content: Content;
  /** The earlier attempt, which may have arrived. */
  attempt: ChangeAttempt | undefined;
  /** The version in which the change was begun, when that is not the newest one any more, which `subject` is in. */
  begunIn: PatchRef | undefined;
  /** Who is signed in, as far as it is known. */
  me: Me | undefined;
  /**
   * The sections as they are known here, where the service compares what a write is to replace: what is the same there needn't be read
   * before. Undefined where it has something else.
   */
  believed: readonly PatchSection[] | undefined;
  read: Ask;
  /** Notes on disk what is about to be tried, and tries it: from then on the service may have acted on it. */
  write: <T>(operation: Operation<T>, trying?: Trying) => Promise<T>;
}

type Operation<T> = (client: ApiClient, options: CallOptions) => Promise<T>;
/** Asks the service something that changes nothing. */
export type Ask = <T>(operation: Operation<T>) => Promise<T>;

/** A try to send a pending change. */
interface Trying {
  /** What was read of what it takes the place of: a service that compares refuses when it has something else by then. */
  replaces?: string | readonly string[];
  /** Noted on disk before. */
  attempt?: ChangeAttempt;
}

/** An attempt to send a pending change. */
export interface ChangeAttempt {
  /** The text that was on its way. */
  text: string;
  /** The text that the person had typed, which that text was merged from. */
  typed?: string;
  /** The service's text before it. */
  before?: string;
  /** The text that the person had typed which that one has already, of a try before: missing where it is what the change began from. */
  base?: string;
  /** The codes of the patch's sections before a new one was on its way. */
  codes?: string[];
}

/** The end of sending, when no request failed. */
export type SendResult<Content, Written> =
  | {
      kind: 'sent';
      /** The service's new content; missing when it had all of it already. */
      written?: Written;
      /** The part of the content that the service has, when it isn't all of it. */
      taken?: Content;
      /** The text that was written, when it was merged with someone else's change. */
      merged?: string;
      /** The service has replaced a text by it that someone else wrote at the same moment, and that nobody has read. */
      replacedUnread?: true;
      /** The code of a section that was added. */
      code?: string;
      /** Shows the change in what is loaded. */
      show?: (model: Model) => void;
    }
  | ({ kind: 'conflict' } & ConflictDetails)
  /** The target is gone from the service; `notFound` where it can't be added again. */
  | { kind: 'deleted' | 'notFound' }
  /** The newest version has nothing that it could go into, or several; see `ChangeFailureKind`. */
  | { kind: 'sectionGone' | 'ambiguous' }
  /** The patch isn't the one that it was said of: it is in a newer version, or has another content. */
  | { kind: 'outdated'; patchVersion?: string }
  /** The service answered as if it had, but has something else; or it has, of what nobody had seen. */
  | { kind: 'notTaken' | 'changedMeanwhile' };
