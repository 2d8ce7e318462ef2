import { stat } from 'node:fs/promises';
import path from 'node:path';
import { buildExtension } from './build.ts';
import { packExtension } from './pack.ts';
import { complaintsAbout } from './packageContents.ts';
import { complaintsAboutNotedSizes, noteSizes } from './packageSizes.ts';
import { say, step } from './progress.ts';
import { root } from './provision.ts';

/** The place of the package when it is made. */
export const packageFile = path.join(root, 'patch-stacks.vsix');

/**
 * Builds the extension for use and packs it.
 *
 * @param address see `packExtension`.
 * @param areNoted whether the repository is to say of its sizes what they are now.
 * @returns what is wrong with the package, if anything.
 */
export async function makePackage(address?: string, areNoted = false): Promise<string[]> {
  await buildExtension(['--production']);
  await step('Packing patch-stacks.vsix', () => packExtension(packageFile, address));
  say(`patch-stacks.vsix  ${Math.round((await stat(packageFile)).size / 1024)} KB`);
  if (areNoted) {
    await noteSizes(packageFile);
  }
  return [...(await complaintsAbout(packageFile)), ...(await complaintsAboutNotedSizes(packageFile))];
}
