import { isDeepStrictEqual } from 'node:util';
import type { PatchStack } from '../../api/types/stacks.ts';
import { Emitter } from '../../util/event.ts';
import { DisposableStore, type Disposable } from '../../util/disposable.ts';
import type { ChangeFailure } from './failure.ts';
import type { ChangeContent, ChangeSubjects } from './kinds/index.ts';
import { isOfKind, type KnownChange, type SendOutcome, type TypedOn } from './pendingChange.ts';
import type { PendingChanges } from './pendingChanges.ts';
import { continuation } from './restoredTyping.ts';

type Subject = ChangeSubjects['stack'];
type Content = ChangeContent<Subject>;
type Fields = Content['base'];

/** Fields as they are typed: those that are others by then, and what all of them were when the typing began. */
export type TypedFields = Partial<Fields> & { before?: Fields };

/** The stack that is edited. */
interface EditedStack {
  projectId: string;
  stack: PatchStack;
  /** Its name for people. */
  title: string;
}

/** The state of a form for the stack. */
export interface Editing {
  /** Another number when what was typed is another thing since: it was discarded, sent or brought back elsewhere. */
  start: number;
  /** The service's. */
  fields: Fields;
  pending: Partial<Fields>;
  failure?: ChangeFailure;
}

/**
 * The title and the description of a patch stack while they are edited: a pending change, until the service has it. What was typed
 * in an older version of the stack goes on in the newest, where it is sent to.
 */
export class PendingStack implements Disposable {
  readonly #pendingChanges: PendingChanges;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<null>());
  #edited: EditedStack | undefined;
  #isOpen = false;
  /** See `Editing.start`. */
  #start = 0;
  #isPutting = false;
  /** The change that had waited until another one was discarded. */
  #cameUp: string | undefined;
  /** The fields of the pending change that the form has. */
  #shown: Content['fields'] = {};

  /** Fires when what was typed was discarded, sent or brought back elsewhere. */
  readonly onDidChange = this.#changed.event;

  constructor(pendingChanges: PendingChanges) {
    this.#pendingChanges = pendingChanges;
    this.#disposables.add(pendingChanges.onDidChange(() => this.#follow()));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Begins to edit a stack. */
  open(edited: EditedStack): void {
    this.#turnTo(edited);
    this.#isOpen = true;
  }

  /** Ends that, and discards what was typed; the person is told, with *Undo*. */
  async close(): Promise<void> {
    if (this.#pending()?.id !== this.#cameUp) {
      await this.discard();
    }
    this.#isOpen = this.#pending() !== undefined;
  }

  /** The editing of a stack; undefined while nobody edits it. Where something is pending, somebody does. */
  editing(edited: EditedStack): Editing | undefined {
    this.#turnTo(edited);
    const { failure } = this.#pending() ?? {};
    return this.#isOpen && this.#pendingChanges.account !== undefined
      ? {
          start: this.#start,
          fields: fieldsOf(edited),
          pending: this.#shown,
          ...(failure && { failure }),
        }
      : undefined;
  }

  /** Keeps what is typed. Resolves with whether it is on disk. */
  async save(typed: TypedFields, typedOn: TypedOn): Promise<boolean> {
    if (!this.#edited || this.#pendingChanges.account === undefined) {
      return false;
    }
    this.#put(this.#edited, contentOf(this.#edited, typed), typedOn);
    return this.#isWritten();
  }

  /** Goes on with what an earlier page had when nobody heard it any more, or discards it as that page did; see `continuation`. */
  async restore(
    typed: TypedFields,
    after: TypedFields,
    typedOn: TypedOn,
  ): Promise<'restored' | 'known' | 'kept' | 'waits'> {
    const edited = this.#edited;
    if (!edited) {
      return 'waits';
    }
    await this.#pendingChanges.takeUp(subjectOf(edited), typedOn);
    const isDiscarded = typed.title === undefined && typed.description === undefined;
    const pending = this.#pending();
    if (!pending && isDiscarded) {
      return 'known';
    }
    const next = continuation<Content>(
      pending,
      {
        content: contentOf(edited, typed),
        after: contentOf(edited, { ...(typed.before && { before: typed.before }), ...after }),
        typedOn,
      },
      this.#pendingChanges.isKnown(subjectOf(edited), typedOn),
    );
    // Another change than the one that was discarded is none of that page's.
    if (next.kind === 'known' || (next.kind === 'beside' && isDiscarded)) {
      return 'known';
    }
    if (next.kind === 'beside') {
      const subject = pending?.subject ?? subjectOf(edited);
      this.#pendingChanges.keepBeside(subject, contentOf(edited, typed), edited.title, typedOn);
      return (await this.#isWritten()) ? 'kept' : 'waits';
    }
    if (isDiscarded) {
      this.#isOpen = false;
      await this.discard(typedOn);
      return 'restored';
    }
    this.#put(edited, next.content, typedOn);
    this.#isOpen = true;
    return (await this.#isWritten()) ? 'restored' : 'waits';
  }

  /** Throws away what was typed; the person is told, with *Undo*. */
  async discard(typedOn?: TypedOn): Promise<void> {
    const pending = this.#pending();
    if (pending) {
      this.#shown = {};
      await this.#pendingChanges.discard(pending.id, { typedOn });
      this.#cameUp = this.#pending()?.id;
    }
  }

  /** Sends what was typed, and ends the editing when the service has all of it; undefined when nothing was typed. */
  async send(): Promise<{ pending: KnownChange; outcome: SendOutcome } | undefined> {
    const pending = this.#pending();
    const outcome = pending && (await this.#pendingChanges.send(pending.id));
    if (!outcome || outcome.kind === 'sent') {
      this.#isOpen = this.#pending() !== undefined;
    }
    return outcome && { pending, outcome };
  }

  #follow(): void {
    const pending = this.#pending();
    const fields = pending?.content.fields ?? {};
    if (!this.#isPutting && !isDeepStrictEqual(fields, this.#shown)) {
      this.#shown = fields;
      this.#start += 1;
      this.#isOpen = pending !== undefined;
      this.#changed.fire(null);
    }
  }

  #turnTo(edited: EditedStack): void {
    const isSame = this.#edited !== undefined && isSameStack(subjectOf(this.#edited), subjectOf(edited));
    this.#edited = edited;
    if (!isSame) {
      const pending = this.#pending();
      this.#shown = pending?.content.fields ?? {};
      this.#isOpen = pending !== undefined;
      this.#start += 1;
    }
  }

  #put(edited: EditedStack, content: Content, typedOn: TypedOn): void {
    const subject = this.#pending()?.subject ?? subjectOf(edited);
    // Typing back to what was there before ends the pending change, and not the editing.
    this.#isPutting = true;
    this.#pendingChanges.put(subject, content, edited.title, typedOn);
    this.#isPutting = false;
    this.#shown = this.#pending()?.content.fields ?? {};
  }

  async #isWritten(): Promise<boolean> {
    await this.#pendingChanges.written();
    return this.#pendingChanges.problem === undefined;
  }

  /** The change of the stack, in whichever version it was begun. */
  #pending(): KnownChange<Subject> | undefined {
    if (!this.#edited) {
      return undefined;
    }
    const subject = subjectOf(this.#edited);
    return (
      this.#pendingChanges.find(subject) ??
      this.#pendingChanges
        .shown()
        .filter((pending) => isOfKind(pending, 'stack'))
        .find((pending) => isSameStack(pending.subject, subject))
    );
  }
}

function subjectOf({ projectId, stack: { branchId, uuid: stackUuid } }: EditedStack): Subject {
  return { kind: 'stack', projectId, ...(branchId !== undefined && { branchId }), stackUuid };
}

function isSameStack(one: Subject, other: Subject): boolean {
  return (
    one.stackUuid === other.stackUuid ||
    (one.projectId === other.projectId && one.branchId !== undefined && one.branchId === other.branchId)
  );
}

function fieldsOf({ stack: { title = '', description = '' } }: EditedStack): Fields {
  return { title, description };
}

/** The typed fields as a change; a title is none while it is blank. */
function contentOf(
  edited: EditedStack,
  { title, description, before = fieldsOf(edited) }: TypedFields,
): Content {
  return {
    base: before,
    fields: {
      ...(title !== undefined && title.trim() !== '' && { title: title.trim() }),
      ...(description !== undefined && { description }),
    },
  };
}
