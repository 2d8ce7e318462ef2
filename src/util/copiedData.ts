/** The note in a data directory that everything in it was copied to another one, where it goes on. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isObject } from './isObject.ts';

/** The name of the note. */
export const copiedName = 'copied-to.json';

/** Notes that a data directory was copied. */
export function noteCopied(from: string, to: string): void {
  writeFileSync(path.join(from, copiedName), JSON.stringify({ to }), { mode: 0o600 });
}

/** When a data directory was copied, in milliseconds since the epoch; undefined where it never was. */
export function copiedAt(directory: string): number | undefined {
  return statSync(path.join(directory, copiedName), { throwIfNoEntry: false })?.mtimeMs;
}

/** Where a data directory was copied to; undefined where that isn't known. */
export function copiedTo(directory: string): string | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(path.join(directory, copiedName), 'utf8'));
    return isObject(note) && typeof note['to'] === 'string' ? note['to'] : undefined;
  } catch {
    return undefined;
  }
}
