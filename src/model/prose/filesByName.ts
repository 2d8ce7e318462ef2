import type { DiffSection, PatchSection } from '../../api/types/patches.ts';

/** The files of a patch by all that they can be called: their paths, and the ends of them that only one has. */
export function filesByName(sections: readonly PatchSection[]): ReadonlyMap<string, DiffSection | undefined> {
  const found = known.get(sections) ?? findFiles(sections);
  known.set(sections, found);
  return found;
}

const known = new WeakMap<readonly PatchSection[], ReadonlyMap<string, DiffSection | undefined>>();

function findFiles(sections: readonly PatchSection[]): ReadonlyMap<string, DiffSection | undefined> {
  const files = sections.filter((section) => section.sectionType === 'diff');
  const names = new Map<string, DiffSection | undefined>();
  for (const file of files) {
    for (const path of new Set([file.newPath, file.oldPath, file.identifier])) {
      for (let name = path ?? ''; name !== ''; name = afterFolder(name)) {
        names.set(name, names.has(name) && names.get(name) !== file ? undefined : file);
      }
    }
  }
  // A whole path is that file, whatever other paths end with it.
  for (const file of files) {
    names.set(pathOf(file), file);
  }
  return names;
}

function afterFolder(path: string): string {
  const slash = path.indexOf('/');
  return slash < 0 ? '' : path.slice(slash + 1);
}

/** A file's path as its patch leaves it. */
export function pathOf({ newPath, oldPath, identifier }: DiffSection): string {
  return newPath ?? oldPath ?? identifier;
}
