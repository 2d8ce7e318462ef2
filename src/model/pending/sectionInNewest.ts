/** Finds the place, in the newest version of a patch stack, of a change that was begun in an older one. */
import type { PatchSection } from '../../api/types/patches.ts';
import { isNotFound, markdownOf } from './inPatch.ts';
import type { Ask } from './sending.ts';
import type { PatchRef } from '../../util/patchRef.ts';

/**
 * The code of the section of a patch's newest version that a section of an older one is: the one with its code, as services
 * keep it from version to version; else the only one that is new there and has its text. Its own code when there is none;
 * undefined when there are several.
 *
 * @param begunIn the version in which the change was begun; undefined when that is the newest.
 * @param base the text that the change began from.
 * @throws what the client throws.
 */
export async function codeInNewest(
  section: { begunIn: PatchRef | undefined; patch: PatchRef; code: string; base: string },
  read: Ask,
): Promise<string | undefined> {
  const { begunIn, patch, code, base } = section;
  if (!begunIn) {
    return code;
  }
  const { stackUuid, changeId } = patch;
  try {
    await read((client, options) => client.patches.getSection(stackUuid, changeId, code, options));
    return code;
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
  }
  const before = await sectionsOf(begunIn, read);
  const codes = new Set(before.map((other) => other.code));
  const old = before.find((other) => other.code === code);
  const texts = new Set([base, ...(old ? [markdownOf(old)] : [])].map(comparable));
  const alike = (await sectionsOf(patch, read)).filter(
    (other) =>
      other.sectionType === 'text' && !codes.has(other.code) && texts.has(comparable(markdownOf(other))),
  );
  const [only, ...others] = alike;
  return others.length > 0 ? undefined : (only?.code ?? code);
}

async function sectionsOf({ stackUuid, changeId }: PatchRef, read: Ask): Promise<PatchSection[]> {
  try {
    return (await read((client, options) => client.patches.get(stackUuid, changeId, options))).sections ?? [];
  } catch (error) {
    // A service need not keep older versions.
    if (isNotFound(error)) {
      return [];
    }
    throw error;
  }
}

/** A service may change how lines and texts end. */
function comparable(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}
