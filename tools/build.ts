/** Builds the extension as `npm run build` does. */
import { spawnSync } from 'node:child_process';
import { Refusal, step } from './progress.ts';
import { root } from './provision.ts';

/** Builds the extension, unless whoever started this process has done so, and uses it meanwhile (`PATCH_STACKS_BUILT`). */
export async function buildExtension(args: readonly string[] = []): Promise<void> {
  if (process.env['PATCH_STACKS_BUILT'] !== undefined) {
    return;
  }
  await step('Building the extension', async () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['esbuild.mjs', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
    if (status !== 0) {
      throw new Refusal(`${stdout}${stderr}\nCouldn't build the extension. See above.`);
    }
  });
}
