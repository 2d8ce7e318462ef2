/** Common ground of the kinds of changes that are about a patch. */
import * as v from 'valibot';
import { isApiError } from '../../api/errors.ts';
import type { PatchSection } from '../../api/types/patches.ts';
import type { Model } from '../model.ts';
import type { PatchRef } from '../../util/patchRef.ts';

/** A patch, in the journal. */
export const patchSchema = v.object({
  projectId: v.optional(v.string()),
  branchId: v.optional(v.string()),
  stackUuid: v.string(),
  changeId: v.string(),
});

/** Changes of one patch wait for each other, whichever version they were begun in: all go into the newest. */
export function patchQueue({ patch }: { patch: PatchRef }): string[] {
  return [patch.changeId];
}

/** The markdown of a section; one without any counts as empty. */
export function markdownOf(section: PatchSection): string {
  return section.sectionType === 'text' ? (section.text ?? '') : '';
}

/** Shows other sections in a patch, as far as its sections are loaded. */
export function showSections(
  patch: PatchRef,
  edit: (sections: PatchSection[]) => PatchSection[],
): (model: Model) => void {
  return (model) =>
    model.editPatch(patch, (shown) => ({
      ...shown,
      ...(shown.sections && { sections: edit(shown.sections) }),
    }));
}

/** What the service was asked for; undefined when that is gone. */
export async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isNotFound(error)) {
      return undefined;
    }
    throw error;
  }
}

export function isNotFound(error: unknown): boolean {
  return isApiError(error) && error.kind === 'notFound';
}
