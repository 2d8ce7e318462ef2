import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Replaces a file as a whole, readable by its owner only: whoever reads it, or ends the process in between, finds what was
 * there before or all of the new. (The library `write-file-atomic` leaves half of it when the disk fills up, and says nothing.)
 *
 * @param temporary a name in the same folder that no one else writes to at the same time; a file that was left there is
 *   overwritten.
 * @param check called at the last moment: the file stays as it is when this throws.
 * @throws what the file system says, e.g. `ENOSPC`, or what `check` throws; the file is then as it was before.
 */
export async function replaceFile(
  file: string,
  content: string | Uint8Array,
  temporary: string,
  check?: () => void,
): Promise<void> {
  try {
    await writeFile(temporary, content, { mode: 0o600, flush: true });
    check?.();
    await rename(temporary, file);
  } catch (error) {
    // On a full disk, half a file would be in the way of the next try.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
