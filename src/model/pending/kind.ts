/** The parts of a kind of pending change: all that is not for people. */
import * as v from 'valibot';
import type { PatchSection } from '../../api/types/patches.ts';
import type { Model } from '../model.ts';
import type { ChangeFailureKind, ConflictDetails } from './failure.ts';
import type { ChangeAttempt, Sending, SendResult } from './sending.ts';

/** A change of some kind: what it is about, and what it holds. */
interface ChangeOf<Subject, Content> {
  subject: Subject;
  content: Content;
}

/** A change that a kind makes of one of its own; `kinds/index.ts` holds each of them to what there is. */
type AnyChange = ChangeOf<{ kind: string }, object>;

/** A kind of pending change. `Written` is one that the service has taken, `Other` a change of any kind. */
export interface Kind<Subject, Content, Written = never, Other = AnyChange> {
  schema: v.GenericSchema<unknown, ChangeOf<Subject, Content>>;
  /** Tells subjects of this kind apart: equal for the same thing, whichever way it was reached. */
  key(subject: Subject): string[];
  /** Changes with a queue in common may only be sent one after the other. */
  queue(subject: Subject): string[];
  /** True when it changes nothing, so that there is nothing to keep. */
  isNothing(content: Content): boolean;
  /** The content after this was typed into it: it began where it began. */
  goOn(before: Content, typed: Content): Content;
  /**
   * The rest of it when the service has taken an earlier content, in the state that it then has.
   *
   * @param code that of the section that was added by it.
   */
  rest(change: ChangeOf<Subject, Content>, taken: Content, code?: string): Other & { state?: 'queued' };
  /** True when it began with something else than the service has, as far as the model knows; missing where nobody can say. */
  isBehind?(change: ChangeOf<Subject, Content>, model: Model): boolean;
  /** Resolves a conflict with someone else's change; missing where there is nothing to resolve. */
  conflict?: {
    /** The text before and the text as it would be, beside the service's. */
    sides(content: Content, details: ConflictDetails): { base: string; mine: string };
    /** The content when a person has decided on a text, having seen the service's. */
    resolve(content: Content, text: string, details: ConflictDetails): Content;
  };
  /** Of a change whose subject can be gone while its text is wanted: that text as something of its own. */
  lost?: {
    isLost(failure: ChangeFailureKind): boolean;
    anew(change: ChangeOf<Subject, Content>, key: string): Other;
  };
  /** Of a change that adds something: how it is not added twice, whatever becomes of the answers. */
  addition?: Addition<Subject, Content, Other>;
  /**
   * Sends it, having read what is there; missing where only the form does that.
   *
   * @throws what the client throws.
   */
  send?(sending: Sending<Subject, Content>): Promise<SendResult<Content, Written>>;
  /** The change that undoes one that was sent; undefined where nothing does. */
  inverse?(written: Written): Other | undefined;
  /** The sections of the patch as they were right before a change of them; missing for changes of anything else. */
  before?(sections: readonly PatchSection[], written: Written): PatchSection[];
}

/** See `Kind.addition`. */
export interface Addition<Subject, Content, Other = AnyChange> {
  /** The change that it becomes as soon as the service has this content of it, under this code. */
  become(change: ChangeOf<Subject, Content>, code: string, taken: Content): Other;
  /** The service's content when a person says that a section is the one that was to be added. */
  takenAs(content: Content, attempt: ChangeAttempt | undefined): Content;
  /** The change that another one becomes on learning of one that was added; undefined when that is nothing to it. */
  learn(
    one: ChangeOf<Subject, Content> & { attempt?: ChangeAttempt },
    added: Subject,
    code: string,
  ): { content?: Content; attempt?: ChangeAttempt } | undefined;
  /** The attempt to note for one that two windows have had: each may have added it. */
  attemptOfTwo(content: Content, codes: string[]): ChangeAttempt;
}

/** The schema of a kind's changes. */
export function changeSchema<S extends v.ObjectEntries, C extends v.ObjectEntries>(subject: S, content: C) {
  return v.object({ subject: v.object(subject), content: v.object(content) });
}
