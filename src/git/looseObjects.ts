/** Objects in a folder of git's, each in a file of its own: written and read without starting git for them. */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';

/**
 * Writes an object.
 *
 * @param idLength hex digits of an id.
 * @returns its id.
 */
export function writeObject(
  folder: string,
  kind: 'commit' | 'tree',
  parts: readonly (string | Uint8Array)[],
  idLength = 40,
): string {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const object = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
  const id = hash(idLength === 64 ? 'sha256' : 'sha1', object);
  const place = placeOf(folder, id);
  mkdirSync(path.dirname(place), { recursive: true });
  // It is read once: nothing is gained by packing it tightly.
  writeFileSync(place, deflateSync(object, { level: 0 }));
  return id;
}

/** The content of an object; undefined when it isn't there, as one that the repository has had before. */
export function readObject(folder: string, id: string): Buffer | undefined {
  try {
    const object = inflateSync(readFileSync(placeOf(folder, id)));
    return object.subarray(object.indexOf(0) + 1);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/**
 * The ids of a tree's files, by their names.
 *
 * @param idBytes bytes of an id.
 * @returns undefined when it has folders: what is in those it doesn't tell.
 */
export function filesInTree(tree: Buffer, idBytes: number): Map<string, string> | undefined {
  const files = new Map<string, string>();
  for (let at = 0; at < tree.length;) {
    const end = tree.indexOf(0, at);
    const [, mode, name = ''] = /^(\d+) (.*)$/s.exec(tree.toString('latin1', at, end)) ?? [];
    if (mode === '40000' || end < 0) {
      return undefined;
    }
    at = end + 1 + idBytes;
    files.set(name, tree.toString('hex', end + 1, at));
  }
  return files;
}

function placeOf(folder: string, id: string): string {
  return path.join(folder, id.slice(0, 2), id.slice(2));
}
