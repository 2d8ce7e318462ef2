/** The things that a text of a patch can name, offered while it is written. */
import type { Patch, PatchUser } from '../api/types/patches.ts';
import { repositoryWith } from '../git/repositories.ts';
import { pathOf } from '../model/prose/filesByName.ts';
import { definitionsOf } from '../model/prose/symbols.ts';
import type { Model } from '../model/model.ts';
import type { PatchRef } from '../util/patchRef.ts';
import type { OfferedName } from '../util/proseProblem.ts';

/** Names of each kind, and bytes of git's list of files. */
const mostNames = 2_000;
const longestList = 1024 * 1024;

/** See the module: those of the patch first, then those of its stack and of the repository at its version. */
export async function offeredNames(model: Model, ref: PatchRef, signal: AbortSignal): Promise<OfferedName[]> {
  const { value } = await model.patch(ref);
  const patches = (await model.stackOfPatch(ref).catch(() => undefined))?.patches ?? [];
  const { sections = [] } = value;
  const paths = new Set([
    ...sections.flatMap((section) => (section.sectionType === 'diff' ? pathOf(section) : [])),
    ...(await pathsAt(value, signal)),
  ]);
  return [
    ...[...paths].slice(0, mostNames).map((name): OfferedName => ({ kind: 'file', name })),
    ...definitionsOf(sections)
      .slice(0, mostNames)
      .map(({ name, line }): OfferedName => ({ kind: 'symbol', name, detail: line.trim() })),
    ...patches.slice(0, mostNames).map(({ changeId, title }): OfferedName => ({
      kind: 'patch',
      name: changeId,
      ...(title !== undefined && { detail: title }),
    })),
    ...peopleOf([value, ...patches]).map((name): OfferedName => ({ kind: 'person', name })),
  ];
}

async function pathsAt({ commitSha = '' }: Patch, signal: AbortSignal): Promise<string[]> {
  const repository = await repositoryWith(commitSha, signal);
  const list = await repository
    ?.git(['ls-tree', '-r', '--name-only', '-z', commitSha], signal, longestList)
    // Of a repository with more files than that, none is offered.
    .catch(() => '');
  return list?.split('\0').filter((path) => path !== '') ?? [];
}

function peopleOf(patches: readonly Patch[]): string[] {
  const users = patches.flatMap(({ contributors, review, reviewAll }): (PatchUser | undefined)[] => [
    ...contributors.map(({ user }) => user),
    ...[review, reviewAll].flatMap((all) => [
      ...(all?.viewed ?? []),
      ...(all?.signedOff ?? []),
      ...(all?.rejected ?? []),
    ]),
  ]);
  return [...new Set(users.flatMap((user) => user?.login ?? []))];
}
