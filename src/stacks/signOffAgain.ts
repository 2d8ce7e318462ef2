/** Signs the patches of a stack off again of which nothing has changed since they were signed off. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Patch } from '../api/types/patches.ts';
import type { DecideSignOffs } from '../git/versionComparison.ts';
import type { SignOffOutcome } from '../git/decideWithContents.ts';
import { fingerprintOf } from '../model/fingerprint.ts';
import type { Model } from '../model/model.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import { versionOf } from '../model/reading/patchVersion.ts';
import type { Readings } from '../model/reading/readings.ts';
import { SignedVersions, type SignedVersion } from '../model/reading/signedVersions.ts';
import { chooseSeveral, type SeveralRow } from '../ui/chooseSeveral.ts';
import { escapeIcons } from '../ui/icons.ts';
import { capitalized, patchLabel } from '../ui/labels.ts';
import type { PatchRef, StackRef } from '../util/patchRef.ts';
import { loadUnopened } from '../model/reading/loadUnopened.ts';
import { stackNameOf } from '../model/reading/stackName.ts';

/** The collaborators of *Sign Off Unchanged Patches Again*. */
export interface SignOffAgainContext {
  model: Model;
  readings: Readings;
  pendingChanges: PendingChanges;
  decideSignOffs: DecideSignOffs;
}

/**
 * See the module: a list says which patches these are, and why others are not among them.
 *
 * @param stack the newest version of it.
 * @param patches its patches, in their order.
 */
export async function signOffAgain(
  context: SignOffAgainContext,
  title: string,
  stack: StackRef,
  patches: readonly Patch[],
): Promise<void> {
  const { model, readings, pendingChanges } = context;
  const chosen = await chooseSeveral<Patch>({
    title,
    placeholder: vscode.l10n.t('Select the patches to sign off again'),
    empty: vscode.l10n.t('None of your sign-offs can be renewed.'),
    load: async () => rowsOf(context, stack, patches),
  });
  const batch = { id: randomUUID(), size: chosen.length };
  for (const patch of chosen) {
    // So that it can be told what has changed, should the service have something else by then.
    await readings.note(stackNameOf(stack), patch, [], {});
    const ref: PatchRef = { ...model.located({ ...stack, changeId: patch.changeId }) };
    const content = { review: 'signedOff' as const, seen: fingerprintOf(patch) };
    await pendingChanges.queue(
      { kind: 'signOff', patch: ref },
      chosen.length > 1 ? { ...content, batch } : content,
      patchLabel(patch),
    );
  }
}

async function rowsOf(
  { model, readings, decideSignOffs }: SignOffAgainContext,
  stack: StackRef,
  patches: readonly Patch[],
): Promise<SeveralRow<Patch>[]> {
  const current = await loadUnopened(model, stack.stackUuid, patches);
  const signed = await new SignedVersions({ model, readings }).of(stack, current);
  const decisions = await decideSignOffs({
    signed: signed.map(({ changeId, version }) => ({ changeId, version })),
    current: current.map(versionOf),
    isSigned: current.flatMap((patch) => (model.opinions(patch).mine === 'signedOff' ? patch.changeId : [])),
  });
  return current.flatMap((patch, index): SeveralRow<Patch>[] => {
    const decision = decisions[index];
    const before = signed.find(({ changeId }) => changeId === patch.changeId);
    if (decision?.kind !== 'offered' && decision?.kind !== 'refused') {
      return [];
    }
    const label = escapeIcons(patchLabel(patch));
    // Below the title, which may take all of the line: nobody signs off without the reason.
    const detail = capitalized(reasonText(decision, before));
    return decision.kind === 'offered'
      ? [{ label, detail, choice: { value: patch } }]
      : [{ label: `$(circle-slash) ${label}`, detail }];
  });
}

function reasonText(
  { reason }: Extract<SignOffOutcome, { kind: 'offered' | 'refused' }>,
  { number }: Partial<SignedVersion> = {},
): string {
  switch (reason) {
    case 'unchanged':
      return number === undefined
        ? vscode.l10n.t('unchanged')
        : vscode.l10n.t('unchanged since version {0}', number);
    case 'rebased':
      return number === undefined
        ? vscode.l10n.t('only rebased')
        : vscode.l10n.t('only rebased since version {0}', number);
    case 'changed':
      return number === undefined
        ? vscode.l10n.t("can't be selected: changed since you signed off")
        : vscode.l10n.t("can't be selected: changed since version {0}, which you signed off", number);
    case 'split':
      return vscode.l10n.t("can't be selected: split from a patch you signed off");
    case 'uncertain':
      return vscode.l10n.t(
        "can't be selected: without the files in Git, it isn't certain that it's unchanged",
      );
    case 'lost':
      return vscode.l10n.t("can't be selected: the version you signed off is no longer available");
  }
}
