/** The version that a document's patch is compared with, and the result. */
import type { Patch } from '../api/types/patches.ts';
import type { ContentSources, MissingReason } from '../git/contentSources.ts';
import type { CompareVersions } from '../git/versionComparison.ts';
import { fingerprintOf } from '../model/fingerprint.ts';
import type { Model } from '../model/model.ts';
import type { VersionPair } from '../model/reading/outcome.ts';
import type { PatchVersion } from '../model/reading/patchVersion.ts';
import type { PatchReading } from '../model/reading/readingStates.ts';
import type { Readings } from '../model/reading/readings.ts';
import type { Baseline, FoundVersion, Versions, VersionSources } from '../model/reading/versions.ts';
import type {
  ComparedWith,
  ComparisonView,
  PatchView,
  SectionComparison,
} from '../protocol/patchDocument.ts';
import type { Log } from '../ui/log.ts';
import { isSamePatch, type PatchRef } from '../util/patchRef.ts';
import { lacksContents, type ShownComparison } from '../util/shownComparison.ts';
import { stackNameOf } from '../model/reading/stackName.ts';
import { isMe, type Me } from '../model/review.ts';

/** The collaborators of `Comparing`. */
export interface ComparingContext {
  model: Model;
  /** The readings of the account that is signed in; undefined when none is. */
  readings: () => Promise<Readings | undefined>;
  compareVersions: CompareVersions;
  contentSources: Pick<ContentSources, 'whyMissing'>;
  log: Log;
  /** Finds what git has of a commit, in the place of the open repositories; for tests. */
  ofCommit?: VersionSources['ofCommit'];
}

/** The part of a comparison that goes to the page. */
export type ComparingView = Pick<PatchView, 'comparison' | 'changedSince'>;

/** A version that the patch is compared with. */
interface Compared {
  kind: Baseline['kind'];
  found: FoundVersion;
}

/** See the module. One for each document: each may be compared with something else. */
export class Comparing {
  readonly #context: ComparingContext;
  /** Of the person who is signed in: nobody is told what another account has read. */
  #readings: Readings | undefined;
  /** The patch that this is about; another one begins as patches do. */
  #ref: PatchRef | undefined;
  #with: Compared | undefined;
  #known: { content: string; with: Compared; view: ComparisonView } | undefined;
  /** Counts up when there may be more contents of files: what was compared before is of fewer. */
  #contents = 0;
  /** The number of choices that the person has made, and which of them is in force. */
  #choices = { made: 0, inForce: 0 };

  constructor(context: ComparingContext) {
    this.#context = context;
  }

  /**
   * The comparison to show. A patch that has changed since it was read begins compared with the version that was read.
   *
   * @param reading how far it was read.
   */
  async view(ref: PatchRef, patch: Patch, reading: PatchReading | undefined): Promise<ComparingView> {
    const isLost = reading?.state === 'unknown';
    const isChanged =
      isLost || reading?.state === 'changed' || reading?.state === 'rebased' || reading?.state === 'alike';
    let comparedWith: Compared | undefined;
    try {
      await this.#keepToAccount();
      if (!this.#isAbout(ref)) {
        await this.#begin(ref, patch, isChanged);
      }
      comparedWith = this.#isAbout(ref) ? this.#with : undefined;
      if (comparedWith) {
        return { comparison: await this.#compare(ref, patch, comparedWith) };
      }
      const { lastRead } = isChanged ? await this.#earlier(ref, patch) : {};
      return lastRead
        ? { changedSince: { ...changedSince(lastRead, patch), ...(isLost && { isLost }) } }
        : {};
    } catch (error) {
      // The patch is there to be read all the same.
      this.#context.log.warn(`A patch could not be compared: ${String(error)}`);
      if (this.#with === comparedWith) {
        this.#with = undefined;
      }
      return {};
    }
  }

  /**
   * Compares with something else from now on.
   *
   * @returns false when that version is not to be had any more: then nothing has changed.
   * @throws why the service, which may have it, could not be asked.
   */
  async compareWith(ref: PatchRef, patch: Patch, baseline: Baseline | undefined): Promise<boolean> {
    const choice = (this.#choices.made += 1);
    await this.#keepToAccount();
    const readings = this.#readings;
    let comparedWith: Compared | undefined;
    if (baseline) {
      const found = await (await this.#versions()).find(ref, patch, baseline);
      if (!found) {
        return false;
      }
      comparedWith = { kind: baseline.kind, found };
      await this.#compare(ref, patch, comparedWith);
    }
    if (choice > this.#choices.inForce && this.#readings === readings) {
      this.#choices.inForce = choice;
      this.#ref = ref;
      this.#with = comparedWith;
    }
    return true;
  }

  /** Compares again when that is looked at next: there may be more contents of files. */
  compareAgain(): void {
    this.#contents += 1;
    this.#known = undefined;
  }

  /** The versions that are compared; undefined when none are. */
  async compared(patch: Patch): Promise<VersionPair | undefined> {
    const { versionOf } = await import('../model/reading/patchVersion.ts');
    return this.#with && [this.#with.found.version, versionOf(patch)];
  }

  /** Everything that the patch can be compared with. */
  async offers(ref: PatchRef, patch: Patch): ReturnType<Versions['offers']> {
    return (await this.#versions()).offers(ref, patch);
  }

  #isAbout(ref: PatchRef): boolean {
    return this.#ref !== undefined && isSamePatch(this.#ref, ref);
  }

  /** Begins as patches do, unless something was chosen meanwhile, or another look at the patch has begun. */
  async #begin(ref: PatchRef, patch: Patch, isChanged: boolean): Promise<void> {
    const before = this.#ref;
    const readings = this.#readings;
    let begun: Compared | undefined;
    try {
      const found = isChanged ? await (await this.#versions()).findKept(ref, patch) : undefined;
      begun = found && (await this.#asBegun(ref, patch, { kind: 'lastRead', found }));
    } finally {
      if (this.#ref === before && this.#readings === readings) {
        this.#ref = ref;
        this.#with = begun;
      }
    }
  }

  /**
   * The comparison to begin with, before the person has chosen one. Where only texts and their order have changed within a
   * version of what may be the person's own patch, nothing is folded away by itself: they go on writing, maybe on another computer.
   * The page says so, and offers to compare.
   */
  async #asBegun(ref: PatchRef, patch: Patch, comparedWith: Compared): Promise<Compared | undefined> {
    if (isAnother(comparedWith.found, patch) || isOfOthers(patch, this.#context.model.me)) {
      return comparedWith;
    }
    const { sections, removed } = await this.#compare(ref, patch, comparedWith);
    const hasOtherFiles = (patch.sections ?? []).some(
      ({ code, sectionType }) => sectionType === 'diff' && sections[code]?.verdict !== 'same',
    );
    return hasOtherFiles || removed.some(({ kind }) => kind === 'diff') ? comparedWith : undefined;
  }

  /** Begins anew for another account. */
  async #keepToAccount(): Promise<void> {
    const readings = await this.#context.readings();
    if (readings !== this.#readings) {
      this.#readings = readings;
      this.#ref = undefined;
      this.#with = undefined;
      this.#known = undefined;
    }
  }

  async #versions(): Promise<Versions> {
    const { model, readings, ofCommit = versionOfCommit } = this.#context;
    const { Versions } = await import('../model/reading/versions.ts');
    return new Versions({ model, readings: await readings(), ofCommit });
  }

  async #earlier(ref: PatchRef, patch: Patch): ReturnType<Readings['earlierVersions']> {
    const { model, readings } = this.#context;
    return (await (await readings())?.earlierVersions(stackNameOf(model.located(ref)), patch)) ?? {};
  }

  async #compare(ref: PatchRef, patch: Patch, comparedWith: Compared): Promise<ComparisonView> {
    const content = JSON.stringify([fingerprintOf(patch), patch.sections?.map(({ code }) => code)]);
    if (this.#known?.content === content && this.#known.with === comparedWith) {
      return this.#known.view;
    }
    const { model, readings, compareVersions } = this.#context;
    const { versionOf } = await import('../model/reading/patchVersion.ts');
    const { version } = comparedWith.found;
    const contents = this.#contents;
    const [shown, wasRead = []] = await Promise.all([
      compareVersions([version, versionOf(patch)]),
      readings().then((known) => known?.sectionsRead(stackNameOf(model.located(ref)), version)),
    ]);
    const missing = lacksContents(shown) ? await this.#context.contentSources.whyMissing() : undefined;
    const view = comparisonView(patch, comparedWith, shown, { wasRead, missing });
    if (contents === this.#contents) {
      this.#known = { content, with: comparedWith, view };
    }
    return view;
  }
}

function changedSince(lastRead: { number?: string }, patch: Patch): ComparedWith {
  const { number } = lastRead;
  // Of one version, its number tells nothing.
  return { kind: 'lastRead', ...(number !== undefined && isAnother(lastRead, patch) && { number }) };
}

/** True for a version with another number. */
function isAnother({ number }: { number?: string }, patch: Patch): boolean {
  return number === undefined || number !== patch.version;
}

/** True when everybody who has written a patch is known to be someone else. */
function isOfOthers({ contributors }: Patch, me: Me | undefined): boolean {
  return (
    me !== undefined &&
    contributors.length > 0 &&
    contributors.every(({ user }) => user !== undefined && !isMe(user, me))
  );
}

/** A version as the open repositories have its commit. */
async function versionOfCommit(sha: string, changeId: string): Promise<PatchVersion | undefined> {
  const [{ versionOfCommit }, { openRepositories }] = await Promise.all([
    import('../git/commitVersion.ts'),
    import('../git/repositories.ts'),
  ]);
  for (const repository of await openRepositories()) {
    const version = await versionOfCommit(repository, sha, changeId);
    if (version) {
      return version;
    }
  }
  return undefined;
}

/**
 * @param more.wasRead of each section of the older version, whether all of it was read.
 * @param more.missing why contents of files weren't at hand.
 */
function comparisonView(
  { sections = [], version }: Patch,
  { kind, found }: Compared,
  { sections: shown, removed, ...whole }: ShownComparison,
  { wasRead, missing }: { wasRead: readonly boolean[]; missing: MissingReason | undefined },
): ComparisonView {
  const { number, from } = found;
  const comparedWith: ComparedWith = {
    kind,
    // Of one version, two numbers that are the same tell nothing.
    ...(number !== undefined && number !== version && { number }),
    ...(from === 'git' && { isFromGit: true }),
  };
  return {
    ...whole,
    with: comparedWith,
    ...(missing && { missing }),
    sections: Object.fromEntries(
      sections.flatMap(({ code }, index): [string, SectionComparison][] => {
        const section = shown[index];
        return section ? [[code, sectionComparison(section, kind, wasRead)]] : [];
      }),
    ),
    removed: removed.map((section) => ({ ...section, after: sections[section.after]?.code ?? null })),
  };
}

function sectionComparison(
  { older, ...section }: ShownComparison['sections'][number],
  kind: Baseline['kind'],
  read: readonly boolean[],
): SectionComparison {
  const { verdict, isMoved } = section;
  const wasRead = older !== undefined && read[older] === true;
  if (kind === 'lastRead' && older !== undefined && !wasRead) {
    // A section that was never read is to be read whole, whatever changed in it.
    return { verdict, isMoved, isFolded: false, wasRead };
  }
  return { ...section, isFolded: verdict === 'same' || verdict === 'rebased', wasRead };
}
