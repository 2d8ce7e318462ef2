/** Where a change that was begun in an older version of its patch stack belongs in the newest one. */
import { isApiError } from '../../api/errors.ts';
import type { PatchSection } from '../../api/types/patches.ts';
import type { PatchAddress } from '../patchAddress.ts';
import { sectionText } from './kinds/sectionText.ts';
import type { Ask } from './sender.ts';

/** A section in the newest version: its code; or why there is not exactly one. */
export type SectionThere = { kind: 'found'; code: string } | { kind: 'gone' } | { kind: 'ambiguous' };

/**
 * The section of a patch's newest version that a section of an older one is: the one with its code, as services keep it from
 * version to version; else the only one that is new there and has its text.
 *
 * @param base the text that the change began from.
 * @throws what the client throws.
 */
export async function sectionInNewest(
  section: { begunIn: PatchAddress; patch: PatchAddress; code: string; base: string },
  read: Ask,
): Promise<SectionThere> {
  const { begunIn, patch, code, base } = section;
  const { stackUuid, changeId } = patch;
  try {
    await read((client, options) => client.patches.getSection(stackUuid, changeId, code, options));
    return { kind: 'found', code };
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
  }
  const before = await sectionsOf(begunIn, read);
  const codes = new Set(before.map((other) => other.code));
  const old = before.find((other) => other.code === code);
  const texts = new Set([base, ...(old ? [sectionText(old)] : [])].map(comparable));
  const alike = (await sectionsOf(patch, read)).filter(
    (other) =>
      other.sectionType === 'text' && !codes.has(other.code) && texts.has(comparable(sectionText(other))),
  );
  const [only, ...others] = alike;
  return only === undefined
    ? { kind: 'gone' }
    : others.length > 0
      ? { kind: 'ambiguous' }
      : { kind: 'found', code: only.code };
}

async function sectionsOf({ stackUuid, changeId }: PatchAddress, read: Ask): Promise<PatchSection[]> {
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

function isNotFound(error: unknown): boolean {
  return isApiError(error) && error.kind === 'notFound';
}
