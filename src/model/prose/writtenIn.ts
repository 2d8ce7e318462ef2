import type { Patch } from '../../api/types/patches.ts';
import type { PatchStack } from '../../api/types/stacks.ts';
import type { PatchRef } from '../../util/patchRef.ts';
import { paragraphsOf } from '../../util/paragraphs.ts';
import type { Model } from '../model.ts';
import { olderStacks } from '../reading/olderStacks.ts';

/** Versions that are asked for one after the other, the newest first. */
const mostAsked = 10;

/** A version of a patch. */
export interface WrittenVersion {
  patch: Patch;
  /** That of its stack; undefined for the version that this began with. */
  stackUuid?: string;
}

/** The versions of a patch, looked through for the one in which something was written. Each is asked for once, and only if need be. */
export class WrittenVersions {
  readonly #model: Pick<Model, 'located' | 'stacks' | 'patchUnopened'>;
  readonly #ref: PatchRef;
  readonly #patch: Patch;
  readonly #createdAt: string | undefined;
  readonly #older = new Map<number, Promise<WrittenVersion | undefined>>();
  #stacks: Promise<PatchStack[]> | undefined;

  /** @param createdAt when the stack was made that the patch is in: the version that is shown may be an older one itself. */
  constructor(
    model: Pick<Model, 'located' | 'stacks' | 'patchUnopened'>,
    ref: PatchRef,
    patch: Patch,
    createdAt: string | undefined,
  ) {
    this.#model = model;
    this.#ref = ref;
    this.#patch = patch;
    this.#createdAt = createdAt;
  }

  /** The version in which a text, or a paragraph of one, was written, as far as the service still has it: the oldest that has it. */
  async of(passage: string): Promise<WrittenVersion> {
    let written: WrittenVersion = { patch: this.#patch };
    for (let steps = 0; steps < mostAsked; steps += 1) {
      const older = await this.#olderBy(steps);
      if (!older || !passagesIn(older.patch).has(passage)) {
        break;
      }
      written = older;
    }
    return written;
  }

  #olderBy(steps: number): Promise<WrittenVersion | undefined> {
    const older = this.#older.get(steps) ?? this.#load(steps);
    this.#older.set(steps, older);
    return older;
  }

  async #load(steps: number): Promise<WrittenVersion | undefined> {
    this.#stacks ??= olderStacks(this.#model, this.#model.located(this.#ref)).catch(() => []);
    const createdAt = this.#createdAt;
    const older = (await this.#stacks).filter(
      (stack) => createdAt === undefined || (stack.createdAt ?? '') < createdAt,
    );
    const stackUuid = older[steps]?.uuid;
    const { changeId } = this.#patch;
    const patch =
      stackUuid === undefined
        ? undefined
        : await this.#model.patchUnopened({ stackUuid, changeId }).catch(() => undefined);
    return patch && stackUuid !== undefined ? { patch, stackUuid } : undefined;
  }
}

const known = new WeakMap<Patch, ReadonlySet<string>>();

/** The texts of a patch, and their paragraphs. */
function passagesIn(patch: Patch): ReadonlySet<string> {
  const passages =
    known.get(patch) ??
    new Set(
      (patch.sections ?? []).flatMap((section) =>
        section.sectionType === 'text'
          ? [section.text ?? '', ...paragraphsOf(section.text ?? '').map(({ text }) => text)]
          : [],
      ),
    );
  known.set(patch, passages);
  return passages;
}
