import * as vscode from 'vscode';
import type { CompareVersions } from '../git/versionComparison.ts';
import type { Model } from '../model/model.ts';
import type { Readings } from '../model/reading/readings.ts';
import { changeSummary } from '../ui/changeSummary.ts';
import type { PatchRef } from '../util/patchRef.ts';
import { stackNameOf } from '../model/reading/stackName.ts';

interface Sources {
  model: Model;
  /** The active account's readings; undefined when nobody is signed in. */
  readings: () => Promise<Readings | undefined>;
  compareVersions: CompareVersions;
}

/**
 * Sums up in a sentence the changes in a patch since it was on the screen, and finds the first changed section. Undefined when that
 * can't be told.
 *
 * @param patch its present place.
 * @param seen the fingerprint of what was on the screen.
 */
export async function changesSince(
  { model, readings, compareVersions }: Sources,
  patch: PatchRef,
  seen: string,
): Promise<{ text: string; sectionCode: string | undefined } | undefined> {
  try {
    const older = await (
      await readings()
    )?.versionRead(stackNameOf(model.located(patch)), patch.changeId, seen);
    if (!older) {
      return undefined;
    }
    const newer = await model.patchUnopened(patch);
    const { versionOf } = await import('../model/reading/patchVersion.ts');
    const shown = await compareVersions([older, versionOf(newer)]);
    const summary = changeSummary(newer, shown);
    const first = shown.sections.findIndex(({ verdict }) => verdict !== 'same' && verdict !== 'rebased');
    return summary === undefined
      ? undefined
      : { text: vscode.l10n.t('Since then: {0}.', summary), sectionCode: newer.sections?.[first]?.code };
  } catch {
    // That it was refused is told all the same.
    return undefined;
  }
}
