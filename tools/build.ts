/** Builds the extension as `npm run build` does. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Refusal, step } from './progress.ts';
import { root } from './provision.ts';

/**
 * Builds the extension into dist/, unless whoever started this process has done so, and uses it meanwhile (`PATCH_STACKS_BUILT`).
 *
 * @param args those of esbuild.mjs.
 * @throws {Refusal} see `runBuild`.
 */
export async function buildExtension(args: readonly string[] = []): Promise<void> {
  if (process.env['PATCH_STACKS_BUILT'] === undefined) {
    await runBuild(args);
  }
}

/**
 * Runs esbuild.mjs, which ends with this process.
 *
 * @throws {Refusal} with what it has printed when it fails.
 */
export async function runBuild(args: readonly string[]): Promise<void> {
  await step('Building the extension', async () => {
    const running = promisify(execFile)(process.execPath, ['esbuild.mjs', ...args], { cwd: root });
    const end = (): unknown => running.child.kill();
    process.once('exit', end);
    try {
      await running;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Refusal(`${stdout}${stderr}\nCouldn't build the extension. See above.`);
    } finally {
      process.removeListener('exit', end);
    }
  });
}
