/**
 * Finds what has changed of the code that a text is about, since it was written. A rebase changes nothing of it: hunks are the same
 * when they remove and add the same lines, wherever those are.
 */
import { hash } from 'node:crypto';
import type { DiffSection, PatchSection, TextSection } from '../../api/types/patches.ts';
import { machineWritten } from '../../util/machineWritten.ts';
import type { NamedFile } from '../../util/proseNames.ts';
import type { LinesChanged } from '../reading/hunks.ts';
import { changesOf, followersOf, namingTexts, touches } from './coverage.ts';
import { filesByName, pathOf } from './filesByName.ts';
import { namesOf } from './followNames.ts';
import { definedAlone } from './definitionWords.ts';

/** A file that is not what it was when a text about it was written. */
export interface ChangedFile {
  path: string;
  kind: 'changed' | 'added' | 'removed';
  /** The code of its section, unless it is gone, and the first line of it that is another. */
  code?: string;
  line?: number;
  /** Stands for the text and for what the patch does to the file now. */
  print: string;
}

/** The hunks of a file that only one of two versions has. */
interface HunksChanged {
  file: DiffSection;
  kind: ChangedFile['kind'];
  added: readonly Hunk[];
  removed: readonly Hunk[];
}

type Hunk = LinesChanged | undefined;

/** See the module. */
export class ChangedCode {
  readonly #written: readonly PatchSection[];
  readonly #now: readonly PatchSection[];
  readonly #changed: ReadonlyMap<DiffSection, HunksChanged>;
  readonly #bySymbol = new Map<string, Set<HunksChanged>>();
  readonly #writtenFollowers: ReadonlyMap<string, DiffSection>;
  readonly #followers: ReadonlyMap<string, DiffSection>;

  /** @param written the sections of the version that the texts were written in, and `now` of that which is shown. */
  constructor(written: readonly PatchSection[], now: readonly PatchSection[]) {
    this.#written = written;
    this.#now = now;
    this.#changed = changedFiles(written, now);
    const naming = namingTexts(written);
    this.#writtenFollowers = new Map(
      [...followersOf(written, naming)].map(([{ text }, file]) => [text ?? '', file]),
    );
    // What a text named may be gone: it isn't about whatever follows it for that.
    const named = new Set([...naming].map(({ text }) => text));
    this.#followers = new Map(
      [...followersOf(now, namingTexts(now))].flatMap(([{ code, text }, file]) =>
        named.has(text) ? [] : [[code, file]],
      ),
    );
    for (const change of this.#changed.values()) {
      for (const symbol of definitionsIn(change)) {
        this.#bySymbol.set(symbol, (this.#bySymbol.get(symbol) ?? new Set()).add(change));
      }
    }
  }

  /** The files that a text is about and that changed: those that it names, or the one that follows it. */
  of(section: TextSection): ChangedFile[] {
    const { code, text = '' } = section;
    if (this.#changed.size === 0) {
      return [];
    }
    const found = new Set<HunksChanged>();
    const add = (file: DiffSection | undefined): void => {
      const change = file && this.#changed.get(file);
      if (change) {
        found.add(change);
      }
    };
    add(this.#followers.get(code));
    // A file that follows another text now is for that one; of one that is gone, this one still speaks.
    add(this.#writtenFollowers.get(text));
    const { files, symbols } = namesOf(section);
    for (const named of files) {
      const change = this.#changeOf(named.path);
      if (change && (named.start === undefined || isTouched(change, named))) {
        found.add(change);
      }
    }
    for (const symbol of symbols) {
      this.#bySymbol.get(symbol)?.forEach((change) => found.add(change));
    }
    return [...found].map((change) => changedFile(change, text));
  }

  #changeOf(name: string): HunksChanged | undefined {
    const now = filesByName(this.#now).get(name);
    const written = filesByName(this.#written).get(name);
    return (now && this.#changed.get(now)) ?? (written && this.#changed.get(written));
  }
}

function changedFiles(
  written: readonly PatchSection[],
  now: readonly PatchSection[],
): ReadonlyMap<DiffSection, HunksChanged> {
  const before = new Map(filesOf(written).map((file) => [pathOf(file), file]));
  const changed = new Map<DiffSection, HunksChanged>();
  for (const file of filesOf(now)) {
    const path = pathOf(file);
    const older = before.get(path) ?? before.get(file.oldPath ?? path);
    before.delete(older ? pathOf(older) : path);
    if (older?.diffPatch !== file.diffPatch || !older) {
      const [was, is] = [older ? namedHunks(older) : [], namedHunks(file)];
      const [added, removed] = [without(is, was), without(was, is)];
      if (added.length + removed.length > 0) {
        changed.set(file, { file, kind: older ? 'changed' : 'added', added, removed });
      }
    }
  }
  for (const file of before.values()) {
    changed.set(file, { file, kind: 'removed', added: [], removed: changesOf(file) });
  }
  return changed;
}

function filesOf(sections: readonly PatchSection[]): DiffSection[] {
  return sections.filter(
    (section): section is DiffSection =>
      section.sectionType === 'diff' && machineWritten(pathOf(section), section.diffPatch) === undefined,
  );
}

function without(hunks: readonly NamedHunk[], others: readonly NamedHunk[]): Hunk[] {
  const known = new Set(others.map(({ name }) => name));
  return hunks.flatMap(({ name, hunk }) => (known.has(name) ? [] : [hunk]));
}

/** A hunk with all that tells it from others, wherever it is. */
interface NamedHunk {
  name: string;
  hunk: Hunk;
}

function namedHunks(file: DiffSection): NamedHunk[] {
  return changesOf(file).map((hunk) => ({ name: hunk ? hunk.lines.join('\n') : wholeName(file), hunk }));
}

/** The part of a diff that is about the file as a whole: its mode, its names, its bytes. */
function wholeName({ diffPatch = '' }: DiffSection): string {
  const start = diffPatch.search(/^@@ /m);
  return (start < 0 ? diffPatch : diffPatch.slice(0, start)).replace(
    /^(?:diff --git|index|similarity index) .*\n/gm,
    '',
  );
}

function* definitionsIn({ added, removed }: HunksChanged): Generator<string> {
  for (const hunk of [...added, ...removed]) {
    for (const line of hunk ? [hunk.heading, ...hunk.lines.map((changed) => changed.slice(1))] : []) {
      const symbol = definedAlone(line);
      if (symbol !== undefined) {
        yield symbol;
      }
    }
  }
}

/** Lines are named as they were in the version that the text was written in. */
function isTouched({ removed }: HunksChanged, { start = 0, end = start }: NamedFile): boolean {
  return removed.some((hunk) => !hunk || touches(hunk.place.new, { start, end }));
}

function changedFile({ file, kind, added }: HunksChanged, text: string): ChangedFile {
  const path = pathOf(file);
  const hunks = kind === 'removed' ? [] : namedHunks(file).map(({ name }) => name);
  const line = added.find((hunk) => hunk)?.place.new.start;
  return {
    path,
    kind,
    ...(kind !== 'removed' && { code: file.code }),
    ...(line !== undefined && { line }),
    print: hash('sha256', JSON.stringify([text, path, hunks]), 'base64url').slice(0, 22),
  };
}
