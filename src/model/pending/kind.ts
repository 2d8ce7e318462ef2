/** What each kind of pending change says of itself: all that is not for people. */
import * as v from 'valibot';
import type { ChangeFailureKind, ConflictDetails } from './failure.ts';
import type { ChangeAttempt, Sending, SendResult } from './sending.ts';

/** A change of some kind: what it is about, and what it holds. */
export interface ChangeOf<Subject, Content> {
  subject: Subject;
  content: Content;
}

/** A change that a kind makes of one of its own; `kinds/index.ts` holds each of them to what there is. */
type AnyChange = ChangeOf<{ kind: string }, object>;

/** What a kind says of its changes. `Written` is one that the service has taken, `Other` a change of any kind. */
export interface Kind<Subject, Content, Written = never, Other = AnyChange> {
  /** What a change is in the journal. */
  schema: v.GenericSchema<unknown, ChangeOf<Subject, Content>>;
  /** Tells subjects of this kind apart: equal for the same thing, whichever way it was reached. */
  key(subject: Subject): string[];
  /** What may only be sent one after the other has the same one. */
  queue(subject: Subject): string[];
  /** Whether it changes nothing, so that there is nothing to keep. */
  isNothing(content: Content): boolean;
  /** What it holds when this is typed into it: it began where it began. */
  goOn(before: Content, typed: Content): Content;
  /**
   * What stays of it when the service has taken an earlier content, in the state that it then has.
   *
   * @param code that of the section that was added by it.
   */
  rest(change: ChangeOf<Subject, Content>, taken: Content, code?: string): Other & { state?: 'queued' };
  /** How someone else's change that does not go with it is decided; missing where there is nothing to decide. */
  conflict?: {
    /** What was there before, and what it would be, beside what is on the service. */
    sides(content: Content, details: ConflictDetails): { base: string; mine: string };
    /** What it holds when a person has decided on a text, having seen the service's. */
    decide(content: Content, text: string, details: ConflictDetails): Content;
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
}

/** See `Kind.addition`. */
export interface Addition<Subject, Content, Other = AnyChange> {
  /** What a change is as soon as the service has this content of it, under this code. */
  become(change: ChangeOf<Subject, Content>, code: string, taken: Content): Other;
  /** What the service has when a person says that a section is the one that was to be added. */
  takenAs(content: Content, attempt: ChangeAttempt | undefined): Content;
  /** What another one learns of one that was added; undefined when that is nothing to it. */
  learn(
    one: ChangeOf<Subject, Content> & { attempt?: ChangeAttempt },
    added: Subject,
    code: string,
  ): { content?: Content; attempt?: ChangeAttempt } | undefined;
  /** What is noted of one that two windows have had: each may have added it. */
  attemptOfTwo(content: Content, codes: string[]): ChangeAttempt;
}

/** The schema of a kind's changes. */
export function changeSchema<S extends v.ObjectEntries, C extends v.ObjectEntries>(subject: S, content: C) {
  return v.object({ subject: v.object(subject), content: v.object(content) });
}
