import type { Contributor, Patch, PatchUser } from '../api/types/patches.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import { parseTimestamp } from '../api/timestamp.ts';
import { fingerprintOf } from '../model/fingerprint.ts';
import type { PatchOpinions } from '../model/review.ts';
import type { NotUpdated } from '../protocol/panel.ts';
import type { PatchView, PersonView } from '../protocol/patchDocument.ts';
import { settledStatus } from './stackStatus.ts';
import type { SectionRef } from '../util/patchRef.ts';
import { plainText, visibleText } from '../util/visibleText.ts';

/** A patch as the document shows it, without its sections and what the person has done with them. */
export function patchView(
  ref: SectionRef,
  patch: Patch,
  { viewed, signedOff, changesRequested, mine }: PatchOpinions,
  place?: { stack: PatchStack; patches: Patch[] },
  notUpdated?: NotUpdated,
): Omit<PatchView, 'sections' | 'tickedSections' | 'pending'> {
  const { statistics } = patch;
  const index = place?.patches.findIndex((candidate) => candidate.changeId === patch.changeId) ?? -1;
  return {
    ref,
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
    openedBy: people(viewed),
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
    ...(notUpdated && { notUpdated }),
  };
}

/** The title, safe to show; the change id for a patch without one. */
export function titleOf({ title, changeId }: Patch): string {
  return visibleText(title) ?? plainText(changeId);
}

function statusView(stack: PatchStack | undefined): Pick<PatchView, 'stackStatus'> {
  const stackStatus = settledStatus(stack);
  return stackStatus ? { stackStatus } : {};
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
    ...(user.signature !== undefined && { signature: user.signature }),
  };
}
