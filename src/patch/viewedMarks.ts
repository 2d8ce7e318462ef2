/** Which sections a person has marked as viewed: a file in the folder of their account, read once. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PatchSection } from '../api/types/patches.ts';
import type { PatchAddress } from '../model/patchAddress.ts';
import { replaceFile } from '../util/atomicFile.ts';

/** By change id, what the marked sections held: a new version of a patch keeps the marks of what is the same in it. */
type Marks = Readonly<Record<string, readonly string[]>>;

/** Patches whose marks are kept. */
const mostPatches = 2_000;

/** See the module. */
export class ViewedMarks {
  readonly #file: string;
  #marks: Promise<Marks> | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** @param folder the folder of the account, which need not exist yet. */
  constructor(folder: string) {
    this.#file = path.join(folder, 'viewed.json');
  }

  /** The codes of the sections that are marked, and have not changed since. */
  async of({ changeId }: PatchAddress, sections: readonly PatchSection[]): Promise<string[]> {
    const marked = new Set(ofPatch(await this.#read(), changeId));
    return marked.size === 0
      ? []
      : sections.filter((section) => marked.has(fingerprint(section))).map(({ code }) => code);
  }

  /** Marks a section as viewed, or takes the mark away. */
  async set({ changeId }: PatchAddress, section: PatchSection, viewed: boolean): Promise<void> {
    const before = await this.#read();
    const mark = fingerprint(section);
    const others = ofPatch(before, changeId).filter((other) => other !== mark);
    const marks = viewed ? [...others, mark] : others;
    // The patch that was marked last is the last: the first are forgotten.
    const patches = Object.entries(before).filter(([other]) => other !== changeId);
    const next: Marks = Object.fromEntries([...patches.slice(1 - mostPatches), [changeId, marks]]);
    this.#marks = Promise.resolve(next);
    const written = this.#writing.then(() => this.#write(next));
    this.#writing = written.catch(() => undefined);
    await written;
  }

  #read(): Promise<Marks> {
    this.#marks ??= readFile(this.#file, 'utf8').then(
      (text) => readMarks(text),
      () => ({}),
    );
    return this.#marks;
  }

  async #write(marks: Marks): Promise<void> {
    await mkdir(path.dirname(this.#file), { recursive: true });
    await replaceFile(this.#file, JSON.stringify(marks), `${this.#file}.${randomUUID()}`);
  }
}

function ofPatch(marks: Marks, changeId: string): readonly string[] {
  return Object.hasOwn(marks, changeId) ? (marks[changeId] ?? []) : [];
}

/** What a section holds, so that a change of it is noticed; where it has only moved to in its file is no change. */
function fingerprint(section: PatchSection): string {
  const content =
    section.sectionType === 'text'
      ? section.text
      : section.sectionType === 'diff'
        ? [
            section.oldPath,
            section.newPath,
            section.diffPatch?.replaceAll(/^(?:index .*|@@ .* @@)/gm, '') ?? section.diffSha,
          ]
        : [section.code, section.version];
  return createHash('sha256')
    .update(JSON.stringify(content ?? null))
    .digest('base64url')
    .slice(0, 22);
}

/** A file that cannot be read has no marks: they are worth less than a message about them. */
function readMarks(text: string): Marks {
  try {
    const parsed: unknown = JSON.parse(text);
    const entries = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [];
    return Object.fromEntries(
      entries.map(([changeId, marks]: [string, unknown]) => [
        changeId,
        Array.isArray(marks) ? marks.filter((mark): mark is string => typeof mark === 'string') : [],
      ]),
    );
  } catch {
    return {};
  }
}
