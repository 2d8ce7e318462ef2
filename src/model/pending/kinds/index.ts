/** The kinds of pending changes. A new one is a file in this folder, and a line in `kinds`. */
import type * as v from 'valibot';
import type { PatchSection } from '../../../api/types/patches.ts';
import type { Kind } from '../kind.ts';
import { form } from './form.ts';
import { newSection } from './newSection.ts';
import { sectionDeletion } from './sectionDeletion.ts';
import { sectionOrder } from './sectionOrder.ts';
import { sectionText } from './sectionText.ts';
import { sharedConflict } from './sharedConflict.ts';
import { signOff } from './signOff.ts';
import { stack } from './stack.ts';

const kinds = {
  sectionText,
  sharedConflict,
  newSection,
  sectionDeletion,
  sectionOrder,
  signOff,
  stack,
  form,
};

type Kinds = typeof kinds;
export type KindName = keyof Kinds;
type ChangesByKind = { [K in KindName]: v.InferOutput<Kinds[K]['schema']> };
/** The service's part of each kind, with what is needed to undo it. */
export type WrittenByKind = {
  [K in KindName]: Kinds[K] extends { inverse: (written: infer Written) => unknown } ? Written : never;
};

export type Change = ChangesByKind[KindName];
export type ChangeSubjects = { [K in KindName]: ChangesByKind[K]['subject'] };
export type ChangeContents = { [K in KindName]: ChangesByKind[K]['content'] };
/** The subject of a change. A window has at most one pending change for each subject. */
export type ChangeSubject = ChangeSubjects[KindName];
export type ChangeContent<S extends ChangeSubject = ChangeSubject> = ChangeContents[S['kind']];
/** A change that the service has taken. */
export type WrittenChange = WrittenByKind[KindName];
type KindOf<K extends KindName> = Kind<ChangeSubjects[K], ChangeContents[K], WrittenByKind[K], Change>;

/** Here the compiler says what a kind lacks, and what it makes of a change that is none. */
const byName: { [K in KindName]: KindOf<K> } = kinds;

/** For reading the journal, whose entries may be of any kind. */
export const changeSchemas = Object.values(kinds).map(({ schema }) => schema);

/**
 * The kind of a change. That a subject and a content are of the same kind is taken for granted: a `PendingChange` has both, and
 * TypeScript can't follow that for a kind it doesn't know.
 */
export function kindOf<K extends KindName>({ kind }: { kind: K }): KindOf<K> {
  return byName[kind];
}

/** Tells subjects apart: equal for the same thing, whichever way it was reached. */
export function subjectKey(subject: ChangeSubject): string {
  return JSON.stringify([subject.kind, ...kindOf(subject).key(subject)]);
}

/** The sections of a patch as they were right before a change of them; undefined for changes of anything else. */
export function sectionsBefore(
  sections: readonly PatchSection[],
  written: WrittenChange,
): PatchSection[] | undefined {
  return kindOf(written).before?.(sections, written);
}

/** The change that undoes one that the service has taken; undefined where nothing does. */
export function inverseOf(written: WrittenChange): Change | undefined {
  return kindOf(written).inverse?.(written);
}
