import type { Patch } from '../../api/types/patches.ts';
import type { PatchRef } from '../../util/patchRef.ts';
import type { Model } from '../model.ts';
import { olderStacks } from '../reading/olderStacks.ts';

/** Versions that are asked for one after the other, the newest first. */
const mostAsked = 10;

/**
 * The version of a patch in which a text was written, as far as the service still has it: the oldest that has the text.
 *
 * @param createdAt when the stack was made that the patch is in.
 */
export async function writtenIn(
  model: Pick<Model, 'located' | 'stacks' | 'patchUnopened'>,
  ref: PatchRef,
  patch: Patch,
  text: string,
  createdAt: string | undefined,
): Promise<Patch> {
  let written = patch;
  const others = await olderStacks(model, model.located(ref)).catch(() => []);
  // The version that is shown may be an older one itself.
  const older = others.filter((stack) => createdAt === undefined || (stack.createdAt ?? '') < createdAt);
  for (const { uuid } of older.slice(0, mostAsked)) {
    const before = await model
      .patchUnopened({ stackUuid: uuid, changeId: patch.changeId })
      .catch(() => undefined);
    const has = before?.sections?.some((section) => section.sectionType === 'text' && section.text === text);
    if (!before || has !== true) {
      break;
    }
    written = before;
  }
  return written;
}
