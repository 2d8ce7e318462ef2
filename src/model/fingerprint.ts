import { createHash } from 'node:crypto';
import type { Patch, PatchSection } from '../api/types/patches.ts';

/** Patches stay as they were read, and are asked for again and again. */
const known = new WeakMap<Patch, string>();

/**
 * Returns a fingerprint that tells if a patch is still the one that was on the screen: the same for the same version with the same
 * words and diffs in the same order, whatever people have said of it since.
 */
export function fingerprintOf(patch: Patch): string {
  const fingerprint = known.get(patch) ?? makeFingerprint(patch);
  known.set(patch, fingerprint);
  return fingerprint;
}

function makeFingerprint({ commitSha, version, title, description, sections = [] }: Patch): string {
  const seen = [commitSha, version, title, description, sections.map(sectionParts)];
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex');
}

function sectionParts(section: PatchSection): unknown[] {
  const { identifier, sectionType } = section;
  switch (section.sectionType) {
    case 'text':
      return [identifier, sectionType, section.text];
    case 'diff': {
      const { oldPath, newPath, diffSha, baseFileSha, newFileSha, diffPatch } = section;
      return [identifier, sectionType, oldPath, newPath, diffSha, baseFileSha, newFileSha, diffPatch];
    }
    case 'unknown':
      return [identifier, sectionType, section.title, section.version];
  }
}
