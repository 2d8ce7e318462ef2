/**
 * What a command is for. A row or a menu may have said it; from the palette and by keys it is what the person works on: the
 * row that they have selected, or the document that they look at. Only what neither says is asked for, by the command.
 */
import type { Project } from '../api/types/projects.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import type { CommandHandlers, Subject, SubjectCommand } from '../commandTable.ts';
import { subjects } from '../commandTable.ts';
import type { PatchReference, ProjectRow, SectionRow, StackRow } from '../contributions.ts';
import type { AtHand, Place, PlaceAtHand } from '../model/atHand.ts';

type Row = ProjectRow | StackRow | PatchReference | SectionRow;

/** Where a patch is, apart from the row, which goes on to change. */
export function referenceTo(row: PatchReference): PatchReference {
  const { serverUrl, projectId, branchId, stackUuid, changeId, sectionCode } = row;
  return { serverUrl, projectId, branchId, stackUuid, changeId, sectionCode };
}

/** What finding a subject needs of the rest. */
export interface SubjectSources {
  atHand: Pick<AtHand, 'places'>;
  /** The server of the active account: what is at hand of another one counts for nothing. */
  connection: { readonly activeServer: string | undefined };
  /** The row of a menu or a key, also where VS Code has lost it; undefined from the palette. */
  rowOf: (args: readonly unknown[]) => Promise<unknown>;
  /** The row of a button. It throws where VS Code has lost it. */
  rowOfButton: (args: readonly unknown[]) => unknown;
  /** What has the focus in the document that the person looks at. */
  focusedPart: () => Promise<SectionRow | undefined>;
  findProject: (projectId: string) => Promise<Project | undefined>;
  findStack: (projectId: string, stackUuid: string) => Promise<PatchStack | undefined>;
}

/** The same commands, but each is given what it is for, as far as that is known. */
export function withSubjects(handlers: CommandHandlers, sources: SubjectSources): CommandHandlers {
  const wrapped = Object.entries(subjects).map(([name, subject]) => {
    const handler = handlers[name as SubjectCommand] as (row: unknown) => Promise<void>;
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

/** What a command is for. @param given what VS Code has handed over: a row, or something else that stands for none. */
export async function subjectOf(
  kind: Subject['kind'],
  given: unknown,
  sources: SubjectSources,
): Promise<Row | undefined> {
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
): { place: PatchReference; from: PlaceAtHand['from'] } | undefined {
  for (const { place, from } of places) {
    if (isPatch(place)) {
      return { place, from };
    }
  }
  return undefined;
}

/** What the menu of the document hands over. */
function sectionOf({ sectionCode, line }: SectionRow): SectionRow | undefined {
  return sectionCode === undefined ? undefined : { sectionCode, ...(line && { line }) };
}

/** Whether a row is just what a command is for. */
function fits(kind: Subject['kind'], row: Row): boolean {
  switch (kind) {
    case 'project':
      return 'project' in row;
    case 'stack':
      return 'stack' in row || 'project' in row;
    case 'patch':
    case 'section':
      return isPatch(row as SectionRow);
    case 'any':
      return true;
  }
}

function placeOf(row: Row, serverUrl: string): Place {
  if ('project' in row) {
    return { serverUrl, projectId: row.project.repositoryId };
  }
  return 'stack' in row
    ? { serverUrl, projectId: row.projectId, stackUuid: row.stack.uuid }
    : { serverUrl, ...row };
}

function isRow(given: object): given is Row {
  return 'project' in given || ('stack' in given && 'projectId' in given) || isPatch(given);
}

function isPatch(given: Partial<Place>): given is PatchReference {
  return given.serverUrl !== undefined && given.stackUuid !== undefined && given.changeId !== undefined;
}
