/**
 * Takes the texts that people wrote over to the next version of a stack. Each goes with its change; where that was squashed,
 * to the patch that has its files now; where it was split, to the half that has the files next to the text; and where no patch has
 * them, it is kept as a text without a patch.
 */
import type { Database } from '../storage/database.ts';
import type { PatchRow } from '../storage/patches.ts';
import {
  insertTextSection,
  listSections,
  newSectionCode,
  readDiff,
  type NewTextSection,
  type SectionRow,
} from '../storage/sections.ts';
import type { StackRow } from '../storage/stacks.ts';
import { keepText, takeTextsBack } from '../storage/textsWithoutPatch.ts';
import { pairRenamed } from './renamedFiles.ts';

/** A patch of the next version that knows which change it is. */
export interface NamedPatch {
  id: number;
  changeId: string;
  patchSha: string;
  /** The last version of the change. */
  previous: PatchRow | undefined;
  /** True when it is a copy of that, with everything that people did. */
  isCopy: boolean;
}

/** A patch of the version before that this one takes texts over from. */
interface Source {
  row: PatchRow;
  sections: readonly SectionRow[];
  /** Those of its texts that go to the patch. */
  texts: ReadonlySet<SectionRow>;
}

/** Takes over all texts; see the module. @param before The patches of the version before. */
export function carryTexts(
  database: Database,
  stack: StackRow,
  before: readonly PatchRow[],
  patches: readonly NamedPatch[],
): void {
  const heirs = new Heirs(database, before, patches);
  const restored = new RestoredTexts(database, stack, before, patches);
  for (const patch of patches) {
    const { previous } = patch;
    if (previous && !patch.isCopy) {
      const sections = restored.of(patch, listSections(database, previous.id));
      const { own, others } = heirs.ofParts(patch, sections);
      heirs.give(patch, previous, sections, own);
      others.forEach((texts, other) => heirs.give(other, previous, sections, texts));
    }
  }
  const now = new Set(patches.map(({ changeId }) => changeId));
  for (const gone of before.filter(({ change_id }) => !now.has(change_id))) {
    const sections = listSections(database, gone.id);
    const texts = sections.filter((section) => isWritten(section) && !restored.has(section.code));
    const left = heirs.takeGone(gone, sections, texts);
    for (const { code, text } of left) {
      const { change_id, title } = gone;
      keepText(database, stack, { change_id, code, patch_title: title, text: text ?? '' });
    }
  }
  for (const [patch, sources] of heirs.sources) {
    compose(database, patch, sources, restored);
  }
}

/** Finds the patches that texts go to. */
class Heirs {
  readonly sources = new Map<NamedPatch, Source[]>();
  readonly #database: Database;
  readonly #before: readonly PatchRow[];
  readonly #places: ReadonlyMap<number, number>;
  readonly #now: ReadonlyMap<string, NamedPatch>;
  /** Those of changes that were not there before. */
  readonly #added: readonly NamedPatch[];
  readonly #files = new Map<number, ReadonlySet<string | null>>();

  constructor(database: Database, before: readonly PatchRow[], patches: readonly NamedPatch[]) {
    this.#database = database;
    this.#before = before;
    this.#places = new Map(before.map(({ id }, index) => [id, index]));
    this.#now = new Map(patches.map((patch) => [patch.changeId, patch]));
    this.#added = patches.filter(({ previous }) => !previous);
  }

  /** Has a patch take over texts, those first that were further down the stack. */
  give(patch: NamedPatch, row: PatchRow, sections: readonly SectionRow[], texts: Iterable<SectionRow>): void {
    const place = ({ id }: PatchRow): number => this.#places.get(id) ?? -1;
    const sources = this.sources.get(patch) ?? [];
    sources.push({ row, sections, texts: new Set(texts) });
    sources.sort((one, other) => place(one.row) - place(other.row));
    this.sources.set(patch, sources);
  }

  /** The texts that a patch keeps, and those that go to what was split off it. */
  ofParts(
    patch: NamedPatch,
    sections: readonly SectionRow[],
  ): { own: SectionRow[]; others: Map<NamedPatch, SectionRow[]> } {
    const texts = sections.filter(isText);
    const others = new Map<NamedPatch, SectionRow[]>();
    if (this.#added.length === 0 || patch.patchSha === patch.previous?.patch_sha) {
      return { own: texts, others };
    }
    const files = this.#filesOf(patch);
    const own = texts.filter((text) => {
      const neighbors = neighborsOf(text, sections);
      const isElsewhere = text.from_message === 0 && !neighbors.some((file) => files.has(file));
      const part = isElsewhere ? this.#addedWith(neighbors) : undefined;
      if (part) {
        others.set(part, [...(others.get(part) ?? []), text]);
      }
      return !part;
    });
    return { own, others };
  }

  /** Finds patches for the texts of one that is gone. @returns The texts for which there is none. */
  takeGone(gone: PatchRow, sections: readonly SectionRow[], texts: readonly SectionRow[]): SectionRow[] {
    if (texts.length === 0) {
      return [];
    }
    const heir = this.#heirOf(
      gone,
      sections.filter(isDiff).map(({ identifier }) => identifier),
    );
    if (heir) {
      this.give(heir, gone, sections, texts);
      return [];
    }
    const parts = Map.groupBy(texts, (text) => this.#addedWith(neighborsOf(text, sections)));
    parts.forEach((some, part) => part && this.give(part, gone, sections, some));
    return parts.get(undefined) ?? [];
  }

  /** The patch that a commit was squashed into: a neighbor that now changes its files too, or a new commit that does. */
  #heirOf(gone: PatchRow, files: readonly string[]): NamedPatch | undefined {
    const place = this.#before.indexOf(gone);
    const isThere = (row: PatchRow): boolean => this.#now.has(row.change_id);
    const neighbors = [
      this.#before.slice(0, place).findLast(isThere),
      this.#before.slice(place + 1).find(isThere),
    ].flatMap((row) => {
      const patch = row && this.#now.get(row.change_id);
      return patch && patch.patchSha !== row.patch_sha ? [patch] : [];
    });
    return files.length === 0
      ? undefined
      : [...neighbors, ...this.#added].find((patch) => this.#hasAll(patch, files));
  }

  #addedWith(files: readonly string[]): NamedPatch | undefined {
    return files.length === 0 ? undefined : this.#added.find((patch) => this.#hasAll(patch, files));
  }

  #hasAll(patch: NamedPatch, files: readonly string[]): boolean {
    const own = this.#filesOf(patch);
    return files.every((file) => own.has(file));
  }

  #filesOf({ id }: NamedPatch): ReadonlySet<string | null> {
    let files = this.#files.get(id);
    if (!files) {
      const diffs = listSections(this.#database, id).filter(isDiff);
      files = new Set(diffs.flatMap(({ old_path, identifier }) => [old_path, identifier]));
      this.#files.set(id, files);
    }
    return files;
  }
}

/** The texts of changes that the version before had not: another patch may have had them meanwhile, or nobody. */
class RestoredTexts {
  readonly #texts = new Map<string, SectionRow>();
  readonly #patches = new Set<NamedPatch>();
  /** Texts that were deleted, or put elsewhere, while they had no patch. */
  readonly #settled: ReadonlySet<string>;

  constructor(
    database: Database,
    stack: StackRow,
    before: readonly PatchRow[],
    patches: readonly NamedPatch[],
  ) {
    const were = new Set(before.map(({ change_id }) => change_id));
    for (const patch of patches) {
      const { previous, changeId } = patch;
      if (previous && !were.has(changeId) && before.length > 0) {
        this.#patches.add(patch);
        listSections(database, previous.id)
          .filter(isWritten)
          .forEach((text) => this.#texts.set(text.code, text));
      }
    }
    this.#settled = takeTextsBack(database, stack, [...this.#texts.keys()]);
    if (this.#texts.size === 0) {
      return;
    }
    // Somebody may have gone on writing where the text was meanwhile.
    for (const { id } of before) {
      listSections(database, id)
        .filter(({ code }) => this.#texts.has(code))
        .forEach((text) => this.#texts.set(text.code, text));
    }
  }

  has(code: string): boolean {
    return this.#texts.has(code);
  }

  /** The sections of the last version of a patch: without those that are with another one again. */
  of(patch: NamedPatch, sections: readonly SectionRow[]): SectionRow[] {
    return this.#patches.has(patch)
      ? sections.filter(({ code }) => !this.#settled.has(code))
      : sections.filter(({ code, section_type }) => section_type === 'diff' || !this.#texts.has(code));
  }

  /** A text as it was left last. */
  newest(section: SectionRow): SectionRow {
    const { text, version, versions } = this.#texts.get(section.code) ?? section;
    return { ...section, text, version, versions };
  }
}

function isText({ section_type }: SectionRow): boolean {
  return section_type === 'text';
}

function isDiff({ section_type }: SectionRow): boolean {
  return section_type === 'diff';
}

/** True when a person wrote the text, or changed the one from the commit's message. */
function isWritten(section: SectionRow): boolean {
  return isText(section) && (section.from_message === 0 || section.edited === 1);
}

/** The files that a text is about: those up to the next text, else those before it. */
function neighborsOf(text: SectionRow, sections: readonly SectionRow[]): string[] {
  const place = sections.indexOf(text);
  const untilText = (some: readonly SectionRow[]): string[] => {
    const end = some.findIndex(isText);
    return some.slice(0, end === -1 ? undefined : end).map(({ identifier }) => identifier);
  };
  const after = untilText(sections.slice(place + 1));
  return after.length > 0 ? after : untilText(sections.slice(0, place).reverse());
}

/** Gives a patch the texts of those that it takes over from, in the order that people gave the sections there. */
function compose(
  database: Database,
  patch: NamedPatch,
  sources: readonly Source[],
  restored: RestoredTexts,
): void {
  const imported = listSections(database, patch.id);
  const message = imported.find((section) => section.from_message === 1);
  const own = sources.find(({ row }) => row === patch.previous);
  const codes = new Set(imported.filter(isDiff).map(({ code }) => code));
  const texts: NewTextSection[] = [];
  // The codes that the sources' sections have here.
  const renamed = own
    ? pairRenamed(own.sections, imported, (sha) => readDiff(database, sha))
    : new Map<string, string>();
  const sequence: string[] = [];
  for (const source of sources) {
    for (const section of source.sections) {
      if (!isText(section)) {
        sequence.push(renamed.get(section.code) ?? section.code);
        continue;
      }
      const newest = restored.newest(section);
      const text = !source.texts.has(section)
        ? undefined
        : source === own
          ? nextVersion(newest, message)
          : { ...textOf(newest), fromMessage: false, edited: true, editedMessage: null, versions: null };
      if (text) {
        const code = codes.has(text.code) ? newSectionCode() : text.code;
        codes.add(code);
        sequence.push(code);
        texts.push({ ...text, code });
      }
    }
  }
  // The message's section of the version before is gone where someone deleted it, and then it stays gone.
  const hadMessage =
    own?.row.message_body !== '' || own.sections.some(({ from_message }) => from_message === 1);
  if (message && !(own && hadMessage)) {
    texts.unshift(textOf(message));
  }
  database.run(`DELETE FROM sections WHERE patch_id = ? AND section_type = 'text'`, patch.id);
  texts.forEach((text) => insertTextSection(database, patch.id, 0, text));
  const order = mergeOrder(
    [...new Set(sequence)],
    [
      ...texts.filter(({ fromMessage }) => fromMessage).map(({ code }) => code),
      ...imported.filter(isDiff).map(({ code }) => code),
    ],
    new Set([...texts.map(({ code }) => code), ...imported.filter(isDiff).map(({ code }) => code)]),
  );
  writePlaces(database, patch.id, order, filesBefore(own, renamed));
}

/** The files of the version before, by the codes that they have now. */
function filesBefore(own: Source | undefined, renamed: ReadonlyMap<string, string>): Map<string, SectionRow> {
  const files = own?.sections.filter(isDiff) ?? [];
  return new Map(files.map((file) => [renamed.get(file.code) ?? file.code, file]));
}

function writePlaces(
  database: Database,
  patchId: number,
  order: readonly string[],
  before: ReadonlyMap<string, SectionRow>,
): void {
  const positions = new Map(order.map((code, position) => [code, position]));
  for (const section of listSections(database, patchId)) {
    const old = isDiff(section) ? before.get(section.code) : undefined;
    database.run(
      'UPDATE sections SET position = ?, version = ? WHERE id = ?',
      positions.get(section.code) ?? order.length,
      old ? old.version + Number(!isSameChange(old, section)) : section.version,
      section.id,
    );
  }
}

/** True when both change their file in the same way, wherever in it that is. */
function isSameChange(one: SectionRow, other: SectionRow): boolean {
  return one.change_sha === null ? one.diff_sha === other.diff_sha : one.change_sha === other.change_sha;
}

function textOf(section: SectionRow): NewTextSection {
  return {
    code: section.code,
    text: section.text ?? '',
    version: section.version,
    fromMessage: section.from_message === 1,
    edited: section.edited === 1,
    editedMessage: section.edited_message,
    versions: section.versions,
  };
}

/**
 * A text section as it goes on in the next version of its patch. People's texts stay; the commit message's text follows the
 * commit message, unless someone edited it.
 *
 * @returns undefined when it goes, together with the message it showed.
 */
function nextVersion(section: SectionRow, message: SectionRow | undefined): NewTextSection | undefined {
  const old = textOf(section);
  if (!old.fromMessage || old.edited) {
    return old;
  }
  if (!message) {
    return undefined;
  }
  const text = message.text ?? '';
  return text === old.text ? old : { ...old, text, version: old.version + 1 };
}

/**
 * Merges the order people gave the sections with the sections there are now: those that were there keep their order,
 * and each new one goes after the one it follows in the imported order.
 *
 * @param before The codes of the version before, in its order.
 * @param imported The codes of the message and the diffs, in the order of the import.
 * @param present The codes there are now.
 */
export function mergeOrder(
  before: readonly string[],
  imported: readonly string[],
  present: ReadonlySet<string>,
): string[] {
  const order = before.filter((code) => present.has(code));
  const known = new Set(order);
  imported.forEach((code, index) => {
    if (known.has(code)) {
      return;
    }
    const predecessor = imported[index - 1];
    order.splice(predecessor === undefined ? 0 : order.indexOf(predecessor) + 1, 0, code);
  });
  return order;
}
