/**
 * Finds the subject of a command. A row or a menu may have named it; from the palette and by keys it is what the person works on:
 * the row that they have selected, or the document that they look at. A command asks only for what neither says.
 */
import type { Project } from '../api/types/projects.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import type { CommandHandlers, Subject } from '../commandTable.ts';
import { subjects } from '../commandTable.ts';
import type { CommandRow, ProjectRow, StackRow } from '../contributions.ts';
import type { AtHand, PlaceAtHand } from '../model/atHand.ts';
import { isPatch, type Ref, type SectionRef } from '../util/patchRef.ts';
import { keysOf } from '../util/fields.ts';

/** The sources for the subject of a command. */
export interface SubjectSources {
  atHand: Pick<AtHand, 'places'>;
  /** The server of the active account: what is at hand of another one counts for nothing. */
  connection: { readonly activeServer: string | undefined };
  /** The row of a menu or a key, also where VS Code has lost it; undefined from the palette. */
  rowOf: (args: readonly unknown[]) => Promise<unknown>;
  /** The row of a button. It throws where VS Code has lost it. */
  rowOfButton: (args: readonly unknown[]) => unknown;
  /** The part that has the focus in the document that the person looks at. */
  focusedPart: () => Promise<Partial<SectionRef> | undefined>;
  findProject: (projectId: string) => Promise<Project | undefined>;
  findStack: (projectId: string, stackUuid: string) => Promise<PatchStack | undefined>;
}

/** The same commands, but each is given what it is for, as far as that is known. */
export function withSubjects(handlers: CommandHandlers, sources: SubjectSources): CommandHandlers {
  const wrapped = keysOf(subjects).map((name) => {
    const subject = subjects[name];
    const handler = handlers[name] as (row: unknown) => Promise<void>;
    return [
      name,
      async (...args: unknown[]) => {
        const given = subject.inTitle
          ? args[0]
          : subject.hasButton
            ? sources.rowOfButton(args)
            : await sources.rowOf(args);
        await handler(await subjectOf(subject.kind, given, sources));
      },
    ];
  });
  return { ...handlers, ...(Object.fromEntries(wrapped) as Partial<CommandHandlers>) };
}

/** @param given the argument from VS Code: a row, or something else that stands for none. */
async function subjectOf(
  kind: Subject['kind'],
  given: unknown,
  sources: SubjectSources,
): Promise<CommandRow | undefined> {
  const row: object = typeof given === 'object' && given !== null ? given : {};
  if (isRow(row) && fits(kind, row)) {
    return row;
  }
  const server = sources.connection.activeServer ?? '';
  // The menu of the document names but a section of it.
  const part = isRow(row) ? undefined : sectionOf(row);
  const places = sources.atHand.places.filter(
    ({ place, from }) => place.serverUrl === server && (!part || from === 'document'),
  );
  if (isRow(row)) {
    places.unshift({ place: placeOf(row, server), from: 'row' });
  }
  switch (kind) {
    case 'project':
      return projectAt(places, sources);
    case 'stack':
      return stackAt(places, sources);
    case 'patch': {
      const patch = patchAt(places);
      return patch && { ...patch.place, ...part };
    }
    case 'section': {
      const patch = patchAt(places);
      // In the document it is the section with the focus, which the document knows.
      return patch?.from === 'row' ? patch.place : part;
    }
    case 'any': {
      const patch = patchAt(places);
      if (patch && (part || patch.place === places[0]?.place)) {
        const isOfDocument = patch.from === 'document' && !isRow(row);
        return { ...patch.place, ...(part ?? (isOfDocument ? await sources.focusedPart() : undefined)) };
      }
      return places[0]?.place.stackUuid === undefined ? projectAt(places, sources) : stackAt(places, sources);
    }
  }
}

async function projectAt(
  places: readonly PlaceAtHand[],
  { findProject }: SubjectSources,
): Promise<ProjectRow | undefined> {
  const projectId = places.find(({ place }) => place.projectId !== undefined)?.place.projectId;
  const project = projectId === undefined ? undefined : await findProject(projectId);
  return project && { project };
}

/** The stack at hand; else the project at hand, in which the command asks for one. */
async function stackAt(
  places: readonly PlaceAtHand[],
  sources: SubjectSources,
): Promise<StackRow | ProjectRow | undefined> {
  for (const { place } of places) {
    const { projectId, stackUuid } = place;
    // A document of elsewhere says nothing about the project that the person has turned to since.
    if (projectId !== undefined && stackUuid !== undefined && projectId === places[0]?.place.projectId) {
      const stack = await sources.findStack(projectId, stackUuid);
      if (stack) {
        return { projectId, stack };
      }
    }
  }
  return projectAt(places, sources);
}

function patchAt(
  places: readonly PlaceAtHand[],
): { place: SectionRef; from: PlaceAtHand['from'] } | undefined {
  for (const { place, from } of places) {
    if (isPatch(place)) {
      return { place, from };
    }
  }
  return undefined;
}

/** Picks the section from an argument that the menu of the document hands over. */
function sectionOf({ sectionCode, line }: Partial<SectionRef>): Partial<SectionRef> | undefined {
  return sectionCode === undefined ? undefined : { sectionCode, ...(line && { line }) };
}

function fits(kind: Subject['kind'], row: CommandRow): boolean {
  switch (kind) {
    case 'project':
      return 'project' in row;
    case 'stack':
      return 'stack' in row || 'project' in row;
    case 'patch':
    case 'section':
      return !('project' in row || 'stack' in row) && isPatch(row);
    case 'any':
      return true;
  }
}

function placeOf(row: CommandRow, serverUrl: string): Ref {
  if ('project' in row) {
    return { serverUrl, projectId: row.project.repositoryId };
  }
  return 'stack' in row
    ? { serverUrl, projectId: row.projectId, stackUuid: row.stack.uuid }
    : { serverUrl, ...row };
}

function isRow(given: object): given is CommandRow {
  return 'project' in given || ('stack' in given && 'projectId' in given) || isPatch(given);
}
