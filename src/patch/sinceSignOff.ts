/** Says in the document of a patch what has changed since the person signed it off, in whatever version that was. */
import * as vscode from 'vscode';
import type { Patch } from '../api/types/patches.ts';
import type { CompareVersions } from '../git/versionComparison.ts';
import { fingerprintOf } from '../model/fingerprint.ts';
import type { Model } from '../model/model.ts';
import type { PatchVersion } from '../model/reading/patchVersion.ts';
import type { Readings } from '../model/reading/readings.ts';
import type { SinceSignOffView } from '../protocol/patchDocument.ts';
import { changeSummary } from '../ui/changeSummary.ts';
import type { Log } from '../ui/log.ts';
import type { PatchRef } from '../util/patchRef.ts';
import type { ShownComparison } from '../util/shownComparison.ts';
import { stackNameOf } from '../model/reading/stackName.ts';

/** The collaborators of `SinceSignOff`. */
export interface SinceSignOffContext {
  model: Model;
  /** The readings of the account that is signed in; undefined when none is. */
  readings: () => Promise<Readings | undefined>;
  compareVersions: CompareVersions;
  log: Log;
}

/** The result for one version. */
interface Found {
  key: string;
  view?: SinceSignOffView;
}

/** See the module. It is found out while the document is shown already. */
export class SinceSignOff {
  readonly #context: SinceSignOffContext;
  readonly #onFound: () => void;
  #known: Found | undefined;

  /** @param onFound told when there is something else to be said. */
  constructor(context: SinceSignOffContext, onFound: () => void) {
    this.#context = context;
    this.#onFound = onFound;
  }

  /** Finds it out again when that is looked at next: there may be more contents of files. */
  compareAgain(): void {
    this.#known = undefined;
  }

  /** A sentence, or two; undefined when there is nothing to say, or it is not known yet. */
  view(ref: PatchRef, patch: Patch): SinceSignOffView | undefined {
    const { model } = this.#context;
    const key = JSON.stringify([ref.stackUuid, fingerprintOf(patch), model.opinions(patch).mine, model.me]);
    if (this.#known?.key !== key) {
      const known: Found = { key };
      this.#known = known;
      this.#find(ref, patch).then(
        (view) => {
          if (this.#known === known && view) {
            known.view = view;
            this.#onFound();
          }
        },
        (error: unknown) => {
          this.#context.log.warn(
            `What has changed since the sign-off could not be found out: ${String(error)}`,
          );
          // The next time that the page is shown it may be.
          this.#known = this.#known === known ? undefined : this.#known;
        },
      );
    }
    return this.#known.view;
  }

  async #find(ref: PatchRef, patch: Patch): Promise<SinceSignOffView | undefined> {
    const { model, compareVersions } = this.#context;
    const readings = await this.#context.readings();
    if (!readings) {
      return undefined;
    }
    const stack = model.located(ref);
    const name = stackNameOf(stack);
    const { mine } = model.opinions(patch);
    const read = (await readings.signedOff(name)).get(patch.changeId);
    const fingerprint = fingerprintOf(patch);
    const isWrittenAnew = read?.number === patch.version && read?.fingerprint !== fingerprint;
    if (mine === 'changesRequested' || (mine === 'signedOff' && !(read && isWrittenAnew))) {
      await readings.noteReview(name, patch, mine);
      return undefined;
    }
    const { SignedVersions } = await import('../model/reading/signedVersions.ts');
    const [signed] = await new SignedVersions({ model, readings }).of(stack, [patch], [patch.changeId]);
    if (!signed || signed.fingerprint === fingerprint) {
      return undefined;
    }
    const { number } = signed;
    const first =
      number === undefined
        ? vscode.l10n.t('You signed off an earlier version.')
        : vscode.l10n.t('You signed off version {0}.', number);
    if (!signed.version) {
      const lost = vscode.l10n.t("That version is no longer available, so changes can't be shown.");
      return { text: `${first} ${lost}`, canCompare: false };
    }
    const { versionOf } = await import('../model/reading/patchVersion.ts');
    const shown = await compareVersions([signed.version, versionOf(patch)]);
    const summary = changeSummary(patch, shown, await this.#splitOff(ref, signed.version, shown));
    if (summary !== undefined) {
      return { text: `${first} ${vscode.l10n.t('Since then: {0}.', summary)}`, canCompare: true };
    }
    return shown.isFromDiffs
      ? {
          text: `${first} ${vscode.l10n.t('As far as the diffs show, nothing has changed since then.')}`,
          canCompare: true,
        }
      : { text: `${first} ${vscode.l10n.t('Nothing has changed since then.')}`, canCompare: false };
  }

  /** The number of the files that were only split off. */
  async #splitOff(ref: PatchRef, older: PatchVersion, { removed }: ShownComparison): Promise<number> {
    const gone = removed.flatMap((section) => (section.kind === 'diff' ? section.path : []));
    if (gone.length === 0) {
      return 0;
    }
    const { model } = this.#context;
    const [{ loadUnopened }, { splitOff }, { versionOf }] = await Promise.all([
      import('../model/reading/loadUnopened.ts'),
      import('../model/reading/splitOff.ts'),
      import('../model/reading/patchVersion.ts'),
    ]);
    const { patches = [] } = (await model.stackOfPatch(ref)) ?? {};
    const others = patches.filter(({ changeId }) => changeId !== ref.changeId);
    const { stackUuid } = ref;
    const known = await loadUnopened(model, stackUuid, others).catch(() =>
      others.flatMap(({ changeId }) => model.knownContent({ stackUuid, changeId }) ?? []),
    );
    return splitOff(older, gone, known.map(versionOf)).length;
  }
}
