/** Builds the extension as `npm run build` does. */
import { spawnSync } from 'node:child_process';
import { Refusal, step } from './progress.ts';
import { root } from './provision.ts';

export async function buildExtension(args: readonly string[] = []): Promise<void> {
  await step('Building the extension', async () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['esbuild.mjs', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
    if (status !== 0) {
      throw new Refusal(`${stdout}${stderr}\nThe extension could not be built: see above.`);
    }
  });
}
