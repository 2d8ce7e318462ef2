/** The kinds of pending changes. A new one is a file in this folder, and a line in `kinds`. */
import type * as v from 'valibot';
import type { PatchAddress } from '../../patchAddress.ts';
import type { Kind } from '../kind.ts';
import { form } from './form.ts';
import { newSection } from './newSection.ts';
import { sectionDeletion } from './sectionDeletion.ts';
import { sectionOrder } from './sectionOrder.ts';
import { sectionText } from './sectionText.ts';
import { signOff } from './signOff.ts';
import { stack } from './stack.ts';

const kinds = { sectionText, newSection, sectionDeletion, sectionOrder, signOff, stack, form };

type Kinds = typeof kinds;
/** What a kind is called. */
export type KindName = keyof Kinds;
type ChangesByKind = { [K in KindName]: v.InferOutput<Kinds[K]['schema']> };
/** What the service has taken of each kind, with what is needed to undo it. */
export type WrittenByKind = {
  [K in KindName]: Kinds[K] extends { inverse: (written: infer Written) => unknown } ? Written : never;
};

/** What a change of any kind is about, and what it holds. */
export type Change = ChangesByKind[KindName];
/** What changes of each kind are about. */
export type ChangeSubjects = { [K in KindName]: ChangesByKind[K]['subject'] };
/** What changes of each kind hold: where they began, and what it is now. */
export type ChangeContents = { [K in KindName]: ChangesByKind[K]['content'] };
/** What a change is about. A window has at most one pending change for each subject. */
export type ChangeSubject = ChangeSubjects[KindName];
/** What a change of a subject holds. */
export type ChangeContent<S extends ChangeSubject = ChangeSubject> = ChangeContents[S['kind']];
/** A change that the service has taken. */
export type WrittenChange = WrittenByKind[KindName];
type KindOf<K extends KindName> = Kind<ChangeSubjects[K], ChangeContents[K], WrittenByKind[K], Change>;

/** Here the compiler says what a kind lacks, and what it makes of a change that is none. */
const byName: { [K in KindName]: KindOf<K> } = kinds;

/** What a change of any kind is in the journal. */
export const changeSchemas = Object.values(kinds).map(({ schema }) => schema);

/**
 * What a kind says of its changes. The only place in which that a subject and a content are of the same kind is taken for
 * granted: a `PendingChange` has both, and TypeScript cannot follow that for a kind it does not know.
 */
export function kindOf<S extends ChangeSubject>({
  kind,
}: S): Kind<S, ChangeContent<S>, WrittenChange, Change> {
  return byName[kind] as unknown as Kind<S, ChangeContent<S>, WrittenChange, Change>;
}

/** Tells subjects apart: equal for the same thing, whichever way it was reached. */
export function subjectKey(subject: ChangeSubject): string {
  return JSON.stringify([subject.kind, ...kindOf(subject).key(subject)]);
}

/** The patch that a subject is in, if it is in one. */
export function patchOf(subject: ChangeSubject): PatchAddress | undefined {
  return 'patch' in subject ? subject.patch : undefined;
}

/** The change that undoes one that the service has taken; undefined where nothing does. */
export function inverseOf(written: WrittenChange): Change | undefined {
  // As in `kindOf`: a written change is of the kind that it names.
  const kind = byName[written.kind] as unknown as KindOf<WrittenChange['kind']>;
  return kind.inverse?.(written);
}
