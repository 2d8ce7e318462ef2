import { spawnSync } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';

/**
 * A small disk of its own in memory, for tests that fill it up or have it refuse what is written.
 *
 * @param options of `mount`.
 * @returns whether there is one: not every user may have it.
 */
export async function mountDisk(folder: string, options: string): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return false;
  }
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0;
}

/** Takes such a disk away, whoever still has a file of it open. */
export function unmountDisk(folder: string): void {
  spawnSync('umount', ['-l', folder]);
}
