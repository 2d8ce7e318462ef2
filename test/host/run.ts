/**
 * npm run test:host: builds the extension and its suite, and runs the suite in the extension host of a real VS Code,
 * whose window a browser shows. A local service over a small git repository stands by.
 *
 *   --grep TEXT   runs only the tests whose names contain TEXT
 *   --vscode V    the version of code-server that brings VS Code: see provision.ts
 *   --keep        keeps the folder of the run, with all logs, even when everything passes
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, parseArgs } from 'node:util';
import { buildExtension } from '../../tools/build.ts';
import { judge, resultsFile } from './results.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { logTail, stopRequested } from '../../tools/processes.ts';
import { Refusal, say } from '../../tools/progress.ts';
import {
  codeServerVersion,
  newestCodeServer,
  provideBrowser,
  provideVsCode,
  root,
  testFolder,
} from '../../tools/provision.ts';
import { openRunFolder } from '../support/runFolder.ts';
import { startTestService } from './testService.ts';
import { startVsCode } from '../../tools/vscode.ts';

const stopped = 'Stopped.';
const mark = 'patch-stacks-suite:';
/** A language model that says what the suite has it say. */
const scriptedModel = path.join(root, 'test/support/scriptedModel');
const timeLimit = 15 * 60_000;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      grep: { type: 'string' },
      keep: { type: 'boolean' },
      vscode: { type: 'string', default: newestCodeServer },
    },
  });
  openRunFolder({ endsAtSignal: false });
  const installation = await provideVsCode(codeServerVersion(values.vscode));
  await provideBrowser();
  await buildExtension(['--tests']);

  await mkdir(testFolder, { recursive: true });
  const directory = await mkdtemp(path.join(testFolder, 'host-'));
  await using cleanup = new AsyncDisposableStack();
  let keep = values.keep ?? false;
  cleanup.defer(async () => {
    if (keep) {
      say(`The logs of this run are in ${path.relative(process.cwd(), directory)}.`);
    } else {
      await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  });

  const service = await startTestService(path.join(directory, 'service'));
  cleanup.defer(service.close);
  const results = resultsFile(directory);
  const code = await startVsCode({
    installation,
    dataDirectory: path.join(directory, 'vscode'),
    logFile: path.join(directory, 'server.log'),
    env: {
      ...service.environment,
      PATCH_STACKS_TEST_MODEL: path.join(directory, 'model'),
      PATCH_STACKS_TEST_MARK: mark,
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
      ...(values.grep === undefined ? {} : { PATCH_STACKS_TEST_GREP: values.grep }),
      PATCH_STACKS_TEST_RESULTS: results,
    },
    signIn: service.signIn,
    extensions: [scriptedModel],
    runsTests: true,
    trustsFolders: true,
  });
  cleanup.defer(code.stop);
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());

  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const windowLog: string[] = [];
  const suiteEnded = Promise.withResolvers<number>();
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
    const line = format(...args);
    if (line.startsWith(mark)) {
      say(line.slice(mark.length));
    } else {
      windowLog.push(`${type}: ${line}`);
    }
  });
  await page.exposeFunction(
    'codeAutomationExit',
    async (exitCode: number, logs: { relativePath: string; contents: string }[] = []) => {
      if (exitCode !== 0) {
        for (const log of logs) {
          const file = path.join(directory, 'logs', path.normalize(`/${log.relativePath}`));
          await mkdir(path.dirname(file), { recursive: true });
          await writeFile(file, log.contents);
        }
      }
      suiteEnded.resolve(exitCode);
    },
  );
  let timer: NodeJS.Timeout | undefined;
  const problem = Promise.race([
    new Promise<string>((resolve) => page.on('crash', () => resolve('The window crashed.'))),
    new Promise<string>((resolve) => browser.on('disconnected', () => resolve('The browser ended.'))),
    code.exited.then((exitCode) => `VS Code ended with code ${exitCode}.`),
    stopRequested().then(() => stopped),
    new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('The suite did not end within 15 minutes.'), timeLimit);
    }),
  ]);
  await page.goto(
    code.windowUrl({
      folder: service.repository,
      extensionDevelopmentPath: root,
      extensionTestsPath: path.join(root, 'dist/test/host/index.cjs'),
    }),
  );
  const outcome = await Promise.race([suiteEnded.promise, problem]);
  clearTimeout(timer);
  await writeFile(path.join(directory, 'window.log'), windowLog.join('\n'));
  if (outcome === stopped) {
    say(outcome);
    return 1;
  }
  if (typeof outcome === 'string') {
    keep = true;
    say(`${outcome}\n--- the end of the server's log:\n${logTail(code.logFile, 20)}`);
    say(`--- the end of the window's log:\n${windowLog.map(shorten).slice(-10).join('\n')}`);
    return 1;
  }
  const complaint = judge(results);
  if (complaint !== undefined) {
    say(`${complaint}\n--- the end of the server's log:\n${logTail(code.logFile, 20)}`);
  }
  const failed = outcome !== 0 || complaint !== undefined;
  keep ||= failed;
  return failed ? 1 : 0;
}

/** The first line of a message: the rest is in the file. */
function shorten(message: string): string {
  return message.split('\n', 1).join('').slice(0, 200);
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : format(error)}\n`);
  process.exitCode = 1;
}
