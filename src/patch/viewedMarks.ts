/** Which sections a person has marked as viewed: a file in the folder of their account, read once. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PatchSection } from '../api/resources/patches.ts';
import type { PatchAddress } from '../model/model.ts';
import { replaceFile } from '../util/atomicFile.ts';

/** By patch, then by section: what the section held when it was marked. The patch that was marked last is the last. */
type Marks = Record<string, Record<string, string>>;

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
  async of(patch: PatchAddress, sections: readonly PatchSection[]): Promise<string[]> {
    const marks = (await this.#read())[keyOf(patch)] ?? {};
    return sections
      .filter((section) => Object.hasOwn(marks, section.code) && marks[section.code] === fingerprint(section))
      .map(({ code }) => code);
  }

  /** Marks a section as viewed, or takes the mark away. */
  async set(patch: PatchAddress, section: PatchSection, viewed: boolean): Promise<void> {
    const marks = await this.#read();
    const key = keyOf(patch);
    const ofPatch = new Map(Object.entries(marks[key] ?? {}));
    if (viewed) {
      ofPatch.set(section.code, fingerprint(section));
    } else {
      ofPatch.delete(section.code);
    }
    const others = Object.entries(marks).filter(([other]) => other !== key);
    const kept = others.slice(-(mostPatches - 1));
    const next = Object.fromEntries([...kept, ...(ofPatch.size > 0 ? [[key, Object.fromEntries(ofPatch)]] : [])]) as Marks; // prettier-ignore
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

function keyOf({ stackUuid, changeId }: PatchAddress): string {
  return `${stackUuid}/${changeId}`;
}

/** What a section holds, so that a change of it is noticed. */
function fingerprint(section: PatchSection): string {
  const content =
    section.sectionType === 'text'
      ? section.text
      : section.sectionType === 'diff'
        ? [section.oldPath, section.newPath, section.diffPatch ?? section.diffSha]
        : section.version;
  return createHash('sha256')
    .update(JSON.stringify(content ?? null))
    .digest('base64url')
    .slice(0, 22);
}

/** A file that cannot be read has no marks: they are worth less than a message about them. */
function readMarks(text: string): Marks {
  const marks: Marks = {};
  try {
    const parsed: unknown = JSON.parse(text);
    for (const [patch, sections] of Object.entries(isRecord(parsed) ? parsed : {})) {
      if (isRecord(sections)) {
        const texts = Object.entries(sections).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string',
        );
        marks[patch] = Object.fromEntries(texts);
      }
    }
  } catch {
    return {};
  }
  return marks;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
