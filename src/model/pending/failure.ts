/** Why a pending change was not taken, and what a person has to decide between. */
import type { ApiErrorKind } from '../../api/errors.ts';
import type { StackVersion } from '../newestVersion.ts';
import type { NamedSection } from './orderText.ts';

/** Details of someone else's change that conflicts with one's own. */
export interface ConflictDetails {
  /** The text that is on the service now. */
  theirs: string;
  /** In a conflict about a patch stack: which of its fields it is about. */
  field?: 'title' | 'description';
  /** True when it is between two versions that the service has: `theirs` is the one that isn't shown. */
  isShared?: true;
  /** The name of who wrote `theirs`, where that is known. */
  by?: string;
  /** In a conflict about a new section: the code of the section that it may have become, whose text is `theirs`. */
  code?: string;
  /** In a conflict about an order: the one on the service, each section with what it is called. */
  order?: NamedSection[];
}

/** Two changes of one text that cannot be merged without a person. */
export interface TextConflict extends ConflictDetails {
  base: string;
  mine: string;
}

/** Why a pending change was not taken. */
export interface ChangeFailure extends Partial<ConflictDetails> {
  kind: ChangeFailureKind;
  serviceMessage?: string;
  /** Of a sign-off of what is no longer there: the version of the patch that is there now. */
  patchVersion?: string;
  /** The newest version of the patch stack, when the change was begun in an older one. */
  newest?: StackVersion;
}

/**
 * The kind of an `ApiError`; `deleted` when its subject is gone from the service; `conflict`; `interrupted` when the window
 * ended while it was sent, or before; `closed` when it was closed before it was sent, and it is to be sent by the next one;
 * `elsewhere` when another window has it; `form` when only a form can send it; of a change that was begun in an older version
 * of the patch stack, `patchGone` and `sectionGone` when the newest has nothing that it could go into, `ambiguous` when it has
 * several; `outdated` when it was said of a patch that is another one by now, and `changedMeanwhile` when that was seen only after
 * the service had taken it; `notTaken` when the service said yes and did something else; else `unknown`.
 */
export type ChangeFailureKind =
  | ApiErrorKind
  | 'deleted'
  | 'interrupted'
  | 'elsewhere'
  | 'form'
  | 'patchGone'
  | 'sectionGone'
  | 'ambiguous'
  | 'outdated'
  | 'changedMeanwhile'
  | 'notTaken'
  | 'closed'
  | 'unknown';
