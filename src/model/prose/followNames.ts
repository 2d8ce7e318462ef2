/** Follows the lines of files that texts name into the version of the patch that is shown: what a text explains has moved with the code. */
import type { Patch, PatchSection, TextSection } from '../../api/types/patches.ts';
import { paragraphsOf } from '../../util/paragraphs.ts';
import type { PatchRef } from '../../util/patchRef.ts';
import { namesIn, type NamedFile, type ProseNames } from '../../util/proseNames.ts';
import type { Model } from '../model.ts';
import { followReference } from './followReference.ts';
import { WrittenVersions } from './writtenIn.ts';

/** The patch that texts are of, and where its older versions are asked for. */
export interface TextsOfPatch {
  model: Pick<Model, 'located' | 'stacks' | 'patchUnopened' | 'stackOfPatch'>;
  ref: PatchRef;
  patch: Patch;
}

/** Names of lines that are followed; those behind mean the lines of the version that is shown. */
const mostFollowed = 100;

/** What texts name, by their sections: most of a patch's texts are the same whenever one of them changes. */
const names = new WeakMap<TextSection, ProseNames>();

/** Everything that a text names, with lines as they were when it was written. */
export function namesOf(section: TextSection): ProseNames {
  const found = names.get(section) ?? namesIn(section.text ?? '');
  names.set(section, found);
  return found;
}

/** The files that texts name, by their sections, kept because texts change more often than what they name moves. */
const known = new WeakMap<TextSection, readonly NamedFile[]>();

/** The files that a text names, with their lines as they are now as far as they were followed. */
export function filesNamedBy(section: TextSection): readonly NamedFile[] {
  return known.get(section) ?? namesOf(section).files;
}

/** Follows the lines that texts name, so that `filesNamedBy` has them. A patch that has no older version isn't asked for any. */
export async function followNames(sections: readonly PatchSection[], texts: TextsOfPatch): Promise<void> {
  const { model, ref, patch } = texts;
  if (patch.version === '1') {
    return;
  }
  const naming = sections.filter(
    (section): section is TextSection =>
      section.sectionType === 'text' &&
      !known.has(section) &&
      namesOf(section).files.some(({ start }) => start !== undefined),
  );
  if (naming.length === 0) {
    return;
  }
  const place = await model.stackOfPatch(model.located(ref)).catch(() => undefined);
  const versions = new WrittenVersions(model, ref, patch, place?.stack.createdAt);
  let left = mostFollowed;
  for (const section of naming) {
    const files: NamedFile[] = [];
    for (const { text } of paragraphsOf(section.text ?? '')) {
      for (const file of namesIn(text).files) {
        const isFollowed = file.start !== undefined && left > 0;
        left -= isFollowed ? 1 : 0;
        files.push(...(isFollowed ? await fileNow(file, patch, (await versions.of(text)).patch) : [file]));
      }
    }
    known.set(section, files);
  }
}

/** The file with the lines that are meant, as the diffs of both versions tell; none where they are lost. */
async function fileNow(file: NamedFile, now: Patch, written: Patch): Promise<NamedFile[]> {
  const { path, start = 1, end = start } = file;
  const target =
    written === now
      ? undefined
      : await followReference({ path, start, end }, written, now, async () => undefined);
  if (!target) {
    return [file];
  }
  return target.kind === 'file' && target.start !== undefined && target.end !== undefined
    ? [{ path: target.path, start: target.start, end: target.end }]
    : [];
}
