/** Git's merge of a change to one file onto another base, from its contents alone: the commits need not be there. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { GitMerge } from '../model/reading/compareFile.ts';
import type { OpenRepository } from './repository.ts';
import { isObject } from '../util/isObject.ts';

/** The exit code from which on git has not merged; below it is the number of conflicts. */
const failed = 128;

/**
 * Merges as git does; text has one character for each byte.
 *
 * @param scratch a folder for the files meanwhile; nothing stays in it.
 * @returns undefined when git cannot.
 * @throws the signal's reason.
 */
export async function mergeFile(
  repository: OpenRepository,
  { base, changed, onto }: { base: string; changed: string; onto: string },
  scratch: string,
  signal?: AbortSignal,
): Promise<GitMerge | undefined> {
  const folder = await mkdtemp(path.join(scratch, 'merge-'));
  try {
    const files = [];
    for (const [name, text] of Object.entries({ onto, base, changed })) {
      files.push(path.join(folder, name));
      await writeFile(path.join(folder, name), text, { encoding: 'latin1', mode: 0o600 });
    }
    const merged = await repository.gitBytes(['merge-file', '--stdout', '--quiet', ...files], { signal });
    return { kind: 'clean', text: merged.toString('latin1') };
  } catch (error) {
    signal?.throwIfAborted();
    const code = isObject(error) ? error['code'] : undefined;
    return typeof code === 'number' && code > 0 && code < failed ? { kind: 'conflict' } : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
