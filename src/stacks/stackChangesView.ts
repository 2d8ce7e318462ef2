/** What became of a stack's patches between two of its versions, as the stack's page shows it. */
import { hash } from 'node:crypto';
import * as vscode from 'vscode';
import type { Patch } from '../api/types/patches.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import type { CompareStacks } from '../git/versionComparison.ts';
import { versionOf } from '../model/reading/patchVersion.ts';
import { isQuiet, type StackChange } from '../model/reading/stackChange.ts';
import { stackChanges } from '../model/reading/stackChanges.ts';
import { stackNameOf } from '../model/reading/stackName.ts';
import {
  loadVersions,
  signedIn,
  stackVersions,
  type StackVersionOffers,
  type StackVersionSources,
} from '../model/reading/stackVersions.ts';
import type { ChangesView, StackPageState, VersionsView, WantedVersions } from '../protocol/stackPage.ts';
import { versionName } from '../ui/failures.ts';
import { changesSummary, changeText } from '../ui/readingTexts.ts';
import { plainText } from '../util/visibleText.ts';

/** Patches of a stack that are compared before anybody asks for it. */
const mostUnasked = 100;

/** Stands for what the person has read last, among the ids of versions. */
const lastReadId = 'lastRead';

/** The versions of a stack; undefined when there is none before it. */
export async function versionsView(
  sources: StackVersionSources,
  ref: StackPageState,
  stack: PatchStack,
  patches: readonly Patch[],
): Promise<VersionsView | undefined> {
  const shown = { ...stack, patches: [...patches] };
  const offers = await stackVersions(sources, ref, shown);
  if (!offers) {
    return undefined;
  }
  const { all, lastRead, older } = offers;
  const isMany = patches.length > mostUnasked;
  const stamp = patches.map((patch) => [
    patch.changeId,
    patch.commitSha,
    patch.version,
    sources.model.opinions(patch).mine,
  ]);
  return {
    all: all.map((version) => ({ id: version.uuid, label: labelOf(version) })),
    ...(lastRead && {
      lastRead: {
        id: lastReadId,
        label: `${vscode.l10n.t('What You Last Read')} (${labelOf(lastRead)})`,
      },
    }),
    older: lastRead ? lastReadId : older.uuid,
    newer: stack.uuid,
    stamp: hash('sha256', JSON.stringify(stamp), 'base64url'),
    ...(isMany && { summary: await roughSummary(older, shown) }),
  };
}

function labelOf({ uuid, version }: PatchStack): string {
  return vscode.l10n.t('Version {0}', plainText(version ?? uuid));
}

/** Counts by the lists of patches alone, of which nobody knows what is in them. */
async function roughSummary(older: PatchStack, newer: PatchStack): Promise<string> {
  const [before, now] = [older, newer].map(({ patches = [] }) => patches.map(versionOf));
  const changes = await stackChanges(before ?? [], now ?? [], async (pairs) =>
    pairs.map(() => ({ since: 'unknown', isCertain: false })),
  );
  return summaryText(older, newer, newer, changes);
}

function summaryText(
  older: PatchStack,
  newer: PatchStack,
  current: PatchStack,
  changes: readonly StackChange[],
): string {
  const counts = changesSummary(changes);
  return newer.uuid === current.uuid
    ? vscode.l10n.t('Since {0}: {1}', plainText(versionName(older)), counts)
    : vscode.l10n.t(
        'From {0} to {1}: {2}',
        plainText(versionName(older)),
        plainText(versionName(newer)),
        counts,
      );
}

/**
 * Compares two versions of a stack.
 *
 * @param current the version that the page shows.
 * @throws what the client throws; the signal's reason.
 */
export async function changesView(
  { compareStacks, ...sources }: StackVersionSources & { compareStacks: CompareStacks },
  ref: StackPageState,
  current: PatchStack,
  wanted: WantedVersions,
  signal: AbortSignal,
): Promise<ChangesView> {
  const offers = await stackVersions(sources, ref, current);
  const isAsRead = wanted.older === lastReadId;
  const older = isAsRead ? offers?.lastRead : versionById(offers, wanted.older);
  const newer = versionById(offers, wanted.newer);
  if (!offers || !older || !newer) {
    throw new Error(vscode.l10n.t('This version is no longer available.'));
  }
  const versions = await loadVersions(sources, ref, { older, newer, isAsRead }, signal);
  const changes = await compareStacks(versions, signal);
  const records = new Map(
    ((await sources.readings?.lastRead(stackNameOf(ref))) ?? []).map((record) => [record.changeId, record]),
  );
  const titles = {
    older: versions.older.map(({ title }) => title),
    newer: versions.newer.map(({ title }) => title),
  };
  const upToNewer = offers.all.slice(0, offers.all.indexOf(newer) + 1);
  return {
    summary: summaryText(older, newer, current, changes),
    older: { id: older.uuid, label: labelOf(older) },
    newer: { id: newer.uuid, label: labelOf(newer) },
    rows: changes.flatMap((change) => {
      const [before, now] = [versions.older[change.older ?? -1], versions.newer[change.newer ?? -1]];
      const patch = now ?? before;
      if (!patch) {
        return [];
      }
      const { changeId, title } = patch;
      const signed = signedIn(sources, upToNewer, changeId, records.get(changeId));
      const isGone = !now && change.splitInto.length === 0 && change.joinedInto === undefined;
      return [
        {
          changeId,
          stackUuid: (now ? newer : older).uuid,
          ...(change.older !== undefined && { older: change.older + 1 }),
          ...(change.newer !== undefined && { newer: change.newer + 1 }),
          title: plainText(title === '' ? changeId : title),
          text: changeText(change, titles),
          isQuiet: isQuiet(change),
          ...(signed && { signedOff: signedText(signed, newer) }),
          texts: isGone
            ? patch.sections.flatMap((section) => (section.kind === 'text' ? section.text : []))
            : [],
        },
      ];
    }),
  };
}

/** The version of a stack that a page names. */
function versionById(offers: StackVersionOffers | undefined, id: string): PatchStack | undefined {
  return offers?.all.find(({ uuid }) => uuid === id);
}

function signedText(signed: PatchStack, newer: PatchStack): string {
  const version = plainText(versionName(signed));
  return signed.uuid === newer.uuid
    ? vscode.l10n.t('you signed off on {0}', version)
    : vscode.l10n.t('you signed off on {0}, which no longer counts', version);
}
