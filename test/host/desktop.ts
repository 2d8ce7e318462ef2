/**
 * npm run test:desktop: the suite of npm run test:host in a desktop VS Code, which is downloaded unless the environment
 * variable VSCODE_EXECUTABLE names an installed one.
 *
 *   --version V   the version to download: stable (default), insiders, or a number such as 1.105.0
 *   --grep TEXT   runs only the tests whose names contain TEXT
 */
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExtension } from '../../tools/build.ts';
import { hasDisplay } from '../../tools/desktopCode.ts';
import { Refusal, say } from '../../tools/progress.ts';
import { root, testFolder } from '../../tools/provision.ts';
import { asOneRun } from '../support/runFolder.ts';
import { judge, resultsFile } from './results.ts';
import { SignInFile } from '../../tools/signInFile.ts';
import { startTestService } from './testService.ts';

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { grep: { type: 'string' }, version: { type: 'string', default: 'stable' } },
  });
  const executable = await findExecutable(values.version);
  if (!hasDisplay()) {
    throw new Refusal(
      'A desktop VS Code needs a display: run `xvfb-run -a npm run test:desktop` on a machine without one.',
    );
  }
  await buildExtension(['--tests']);

  // VS Code puts a socket into its data folder, whose path must stay short.
  const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const service = await startTestService(path.join(directory, 'service'));
  cleanup.defer(service.close);
  const handedOver = new SignInFile(directory, service.signIn);
  handedOver.write();
  const results = resultsFile(directory);
  const exitCode = await runTests({
    vscodeExecutablePath: executable,
    extensionDevelopmentPath: [root, path.join(root, 'test/support/scriptedModel')],
    extensionTestsPath: path.join(root, 'dist/test/host/index.cjs'),
    extensionTestsEnv: {
      ...service.environment,
      ...handedOver.environment,
      PATCH_STACKS_TEST_MODEL: path.join(directory, 'model'),
      PATCH_STACKS_TEST_RESULTS: results,
      ...(values.grep === undefined ? {} : { PATCH_STACKS_TEST_GREP: values.grep }),
    },
    launchArgs: [
      service.repository,
      `--user-data-dir=${path.join(directory, 'data')}`,
      `--extensions-dir=${path.join(directory, 'extensions')}`,
      '--disable-extensions',
      // The repository is one that we have made.
      '--disable-workspace-trust',
      '--skip-welcome',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  }).catch((error: unknown) => {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  });
  const complaint = judge(results);
  if (complaint !== undefined) {
    say(complaint);
    return 1;
  }
  return exitCode;
}

async function findExecutable(version: string): Promise<string> {
  const named = process.env['VSCODE_EXECUTABLE'];
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) {
      throw new Refusal(`VSCODE_EXECUTABLE names ${named}, which does not exist.`);
    }
    return named;
  }
  await mkdir(testFolder, { recursive: true });
  try {
    return await downloadAndUnzipVSCode({ version, cachePath: testFolder });
  } catch (error) {
    throw new Refusal(
      `VS Code could not be downloaded (${error instanceof Error ? error.message : String(error)}): check the network` +
        ' connection, or name an installed one in the environment variable VSCODE_EXECUTABLE.',
    );
  }
}

await asOneRun(main);
