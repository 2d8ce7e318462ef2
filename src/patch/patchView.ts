import type { Contributor, Patch, PatchSection, PatchUser } from '../api/types/patches.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import { parseTimestamp } from '../api/timestamp.ts';
import { fingerprintOf } from '../model/fingerprint.ts';
import type { PatchOpinions } from '../model/review.ts';
import {
  inlineDiffLength,
  type PatchDocumentState,
  type PatchView,
  type PersonView,
  type SectionView,
} from '../protocol/patchDocument.ts';
import { settledStatus } from './stackStatus.ts';
import { newlineCount } from '../util/newlineCount.ts';
import { plainText, visibleText } from '../util/visibleText.ts';

/** A patch as the document shows it. */
export function patchView(
  address: PatchDocumentState,
  patch: Patch,
  { viewed, signedOff, changesRequested, mine }: PatchOpinions,
  viewedSections: string[],
  place?: { stack: PatchStack; patches: Patch[] },
  asOf?: Date,
): PatchView {
  const { statistics } = patch;
  const index = place?.patches.findIndex((candidate) => candidate.changeId === patch.changeId) ?? -1;
  return {
    address,
    title: titleOf(patch),
    ...(patch.description !== undefined && { description: patch.description }),
    ...(patch.commitSha !== undefined && { commitSha: patch.commitSha }),
    ...(patch.version !== undefined && { version: patch.version }),
    ...(patch.createdAt !== undefined && {
      createdAt: parseTimestamp(patch.createdAt)?.toISOString() ?? patch.createdAt,
    }),
    authors: patch.contributors.map(contributorView),
    ...(statistics && {
      statistics: {
        ...(statistics.fileCount !== undefined && { files: statistics.fileCount }),
        ...(statistics.lines !== undefined && { added: statistics.lines }),
        ...(statistics.deletions !== undefined && { deleted: statistics.deletions }),
      },
    }),
    viewed: people(viewed),
    signedOff: people(signedOff),
    rejected: people(changesRequested),
    ...(mine && { ownReview: mine }),
    fingerprint: fingerprintOf(patch),
    ...(place &&
      index >= 0 && {
        position: {
          stackTitle: visibleText(place.stack.title) ?? plainText(place.stack.branchId ?? place.stack.uuid),
          index: index + 1,
          count: place.patches.length,
        },
      }),
    ...statusView(place?.stack),
    sections: sectionViews(patch.sections ?? []),
    viewedSections,
    ...(asOf && { asOf: asOf.toISOString() }),
  };
}

/** What a patch is called. */
export function titleOf({ title, changeId }: Patch): string {
  return visibleText(title) ?? plainText(changeId);
}

function statusView(stack: PatchStack | undefined): Pick<PatchView, 'stackStatus'> {
  const stackStatus = settledStatus(stack);
  return stackStatus ? { stackStatus } : {};
}

/** The sections, with the diffs of the first of them: as many as fill the screen come at once, the others when they are wanted. */
function sectionViews(sections: readonly PatchSection[]): SectionView[] {
  let left = inlineDiffLength;
  return sections.map((section) => {
    const length = section.sectionType === 'diff' ? (section.diffPatch ?? '').length : 0;
    const inline = length <= left;
    left -= inline ? length : 0;
    return sectionView(section, inline);
  });
}

function sectionView(section: PatchSection, inline: boolean): SectionView {
  const { code, title } = section;
  switch (section.sectionType) {
    case 'text':
      return { type: 'text', code, ...(title !== undefined && { title }), text: section.text ?? '' };
    case 'diff': {
      const { oldPath, newPath, oldSize, newSize, lines, deletions, diffPatch = '' } = section;
      return {
        type: 'diff',
        code,
        path: newPath ?? oldPath ?? section.identifier,
        ...(oldPath !== undefined && { oldPath }),
        ...(lines !== undefined && { added: lines }),
        ...(deletions !== undefined && { deleted: deletions }),
        ...(oldSize !== undefined && { oldSize }),
        ...(newSize !== undefined && { newSize }),
        ...(inline && { diff: diffPatch }),
        diffLength: diffPatch.length,
        diffLines: newlineCount(diffPatch),
      };
    }
    case 'unknown':
      return { type: 'unreadable', code, ...(title !== undefined && { title }) };
  }
}

function contributorView({ user, email, text }: Contributor): PersonView {
  return user ? personView(user, email) : { name: plainText(text ?? email ?? '?') };
}

function people(users: readonly PatchUser[]): PersonView[] {
  return users.map((user) => personView(user));
}

function personView(user: PatchUser, email = user.email): PersonView {
  return {
    name: plainText(user.name ?? user.login ?? email ?? '?'),
    ...(user.login !== undefined && { login: user.login }),
    ...(user.avatarUrl !== undefined && { avatar: user.avatarUrl }),
  };
}
