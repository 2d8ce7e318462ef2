/**
 * npm test: every check of the project, as many at a time as this machine has processors, and lint and types beside them, with what
 * the others leave of these. Each file with windows is a job of its own. What a job prints is shown when it ends; at the end stand how
 * long each took, and the sum of all tests. A few files with windows that failed run once more, when all others have ended
 * (secondTry.ts).
 *
 *   --only unit,host   runs only these stages; `properties`, which runs in no other way, is each file with random cases by itself
 *   --quick            lint, types, unit and contract tests
 *   --keep-going       goes on after a stage that failed
 *   --full             lint of all files, every test, and the package with all of them: `npm run test:full`
 *   --workers N        so many jobs at a time
 *   --strict           allows no second try
 *   --rounds N         runs each end-to-end file, or each with random cases, so often, and says how often each test failed
 *                      (npm run test:steady)
 *   --slow K           gives the pages of windows a processor that is K times as slow
 *   --note-seconds     notes how long each took in test/seconds.json: the longest begin first
 *   NAME…              of the end-to-end tests, or of those with random cases, only the files that are called so
 */
import { globSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, constants, setPriority } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packageFile } from '../tools/makePackage.ts';
import { startGroup, stopRequested } from '../tools/processes.ts';
import { Refusal, say } from '../tools/progress.ts';
import { newestCodeServer, root, testFolder } from '../tools/provision.ts';
import { changedFiles, importersOf } from './changedFiles.ts';
import { readCounts, type Counts } from './host/results.ts';
import { closingLines, doJobs, timeTable, type Job } from './jobs.ts';
import { picturesIn, secondTryLines, tryAgain, type Tried } from './secondTry.ts';
import { failureRates } from './steady.ts';
import { openRunFolder } from './support/runFolder.ts';

interface Command extends Job {
  readonly stage: string;
  readonly command: string;
  readonly hasTests: boolean;
  /** It has tests in windows: what fails for want of a processor passes when it is alone. */
  readonly hasSecondTry: boolean;
  readonly env?: NodeJS.ProcessEnv;
}

const oldestCodeServer = '4.105.1';

/** Minutes after which a job hangs: more where its pages are slowed down. */
const limitMinutes = (): number => 15 * Number(process.env['PATCH_STACKS_TEST_SLOW'] ?? 1);

/**
 * The files that the package is tested with instead of the working tree: a part that runs every command, without a mouse, and
 * reaches every page, in which a missing file would show.
 */
const testsOfPackage = ['keyboardAlone', 'patchDocument', 'releases', 'feedback'];

/**
 * Files of end-to-end tests that run in `npm run test:full` alone, or when they are named. In every run: of startTwice,
 * test/unit/tools/builds.test.ts, and in start.test.ts which build a window is given.
 */
const filesOfFull = ['startTwice'];

const stageNames = [
  'lint',
  'check',
  'advisories',
  'unit',
  'contract',
  'adversary',
  'host',
  'host-oldest',
  'e2e',
  'package',
] as const;
/** Those that run only where they are named. */
const otherStages = ['properties'] as const;
type StageName = (typeof stageNames)[number] | (typeof otherStages)[number];

/** Those that need what was built. */
const withWindows: readonly StageName[] = ['adversary', 'host', 'host-oldest', 'e2e', 'package'];

const mocha = 'mocha --reporter ./test/host/reporter.ts';
const serviceTests = 'test/unit/service/**/*.test.ts';
const sharingTests = 'test/contract/{sharing,serviceSharing}*.test.ts';
const build = 'build';
const secondsFile = path.join(import.meta.dirname, 'seconds.json');

interface Options {
  readonly stages: readonly StageName[];
  readonly isQuick: boolean;
  readonly isFull: boolean;
  readonly files: readonly string[];
  readonly rounds: number;
}

function chooseStages(only: string | undefined, isQuick: boolean): readonly StageName[] {
  if (isQuick) {
    return ['lint', 'check', 'unit', 'contract'];
  }
  const all = [...stageNames, ...otherStages];
  const names: readonly string[] = only?.split(',').map((name) => name.trim()) ?? stageNames;
  const unknown = names.filter((name) => !all.some((stage) => stage === name));
  if (unknown.length > 0) {
    throw new Refusal(`There is no stage ${unknown.join(', ')}: the stages are ${all.join(', ')}.`);
  }
  return all.filter((name) => names.includes(name));
}

/** The end-to-end tests, each by the name of its file without the ending. */
function endToEndFiles(wanted: readonly string[], isFull: boolean): string[] {
  const all = globSync('test/e2e/**/*.test.ts', { cwd: root }).map(nameOf);
  requireAll('end-to-end test', wanted, all);
  return wanted.length > 0 ? [...wanted] : all.filter((name) => isFull || !filesOfFull.includes(name));
}

/** The unit and contract tests that try random cases, by their paths. */
function propertyFiles(wanted: readonly string[]): string[] {
  const all = globSync('test/{unit,contract}/**/*.test.ts', { cwd: root })
    .filter((file) => readFileSync(path.join(root, file), 'utf8').includes(`from 'fast-check'`))
    .toSorted();
  requireAll('test with random cases', wanted, all.map(nameOf));
  return all.filter((file) => wanted.length === 0 || wanted.includes(nameOf(file)));
}

function nameOf(file: string): string {
  return path.basename(file, '.test.ts');
}

function requireAll(what: string, wanted: readonly string[], all: readonly string[]): void {
  const unknown = wanted.filter((name) => !all.includes(name));
  if (unknown.length > 0) {
    throw new Refusal(`There is no ${what} ${unknown.join(', ')}: there are ${all.toSorted().join(', ')}.`);
  }
}

/** Round by round: whoever stops it has as many of each. */
function inRounds(rounds: number, commands: readonly Command[]): Command[] {
  return Array.from({ length: rounds }, (_value, index) =>
    commands.map((one) => ({
      ...one,
      name: rounds === 1 ? one.name : `${one.name} (${index + 1})`,
      round: one.round + index,
    })),
  ).flat();
}

async function commandsOf({ stages, isQuick, isFull, files, rounds }: Options): Promise<Command[]> {
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const script = (name: string): string => scripts[name] ?? '';
  const node = (file: string, ...args: string[]): string =>
    ['node --disable-warning=ExperimentalWarning', file, ...args].join(' ');
  const command = (stage: StageName, line: string, more: Partial<Command> = {}): Command => ({
    name: stage,
    stage,
    command: line,
    hasTests: true,
    hasSecondTry: withWindows.includes(stage) && more.hasTests !== false,
    round: withWindows.includes(stage) ? 2 : 1,
    needs: withWindows.includes(stage) ? build : undefined,
    ...more,
  });
  const full = isFull ? { PATCH_STACKS_TEST_FULL: '1' } : {};
  // Names are of the one or of the other.
  const all = stages.includes('properties') ? [] : endToEndFiles(files, isFull);
  const perFile = (stage: StageName, names: readonly string[], env: NodeJS.ProcessEnv = {}): Command[] =>
    names.map((name) =>
      command(stage, `${mocha} test/e2e/${name}.test.ts`, {
        name: `${stage}/${name}`,
        env: { ...env, ...full },
      }),
    );
  const inPackage = isFull || files.length > 0 ? all : testsOfPackage;
  const ofTree = stages.includes('package') ? all.filter((name) => !inPackage.includes(name)) : all;
  const commands: Record<StageName, () => Command[]> = {
    lint: () => {
      const line = isFull ? script('lint') : lintOf(changedFiles(root), script('lint'));
      return line === undefined ? [] : [command('lint', line, { hasTests: false, isPatient: true })];
    },
    check: () => [
      command('check', isQuick ? quickCheck : script('check'), { hasTests: false, isPatient: true }),
    ],
    advisories: () => [command('advisories', script('test:advisories'), { hasTests: false })],
    // Starting git takes a process the longer, the more memory it has: what starts it most often is by itself.
    unit: () => [
      command('unit', `${mocha} "${serviceTests}"`, { name: 'unit/service', env: full }),
      command('unit', `${mocha} --ignore "${serviceTests}" "test/unit/**/*.test.ts"`, {
        name: 'unit/others',
        env: full,
      }),
    ],
    // Most of their time goes into starting git, which takes four times as long on one machine as on another: what is about sharing, which is
    // most of it, has the limit of a job for each file.
    contract: () => [
      command('contract', `${mocha} --ignore "${sharingTests}" "test/contract/**/*.test.ts"`, {
        name: 'contract/others',
        env: full,
      }),
      ...globSync(sharingTests, { cwd: root }).map((file) =>
        command('contract', `${mocha} ${file}`, {
          name: `contract/${path.basename(file, '.test.ts')}`,
          env: full,
        }),
      ),
    ],
    adversary: () => [command('adversary', script('test:adversary'))],
    host: () => [command('host', script('test:host'))],
    'host-oldest': () => [command('host-oldest', `${script('test:host')} --vscode ${oldestCodeServer}`)],
    e2e: () => inRounds(rounds, perFile('e2e', ofTree)),
    properties: () =>
      inRounds(
        rounds,
        propertyFiles(files).map((file) =>
          command('properties', `${mocha} ${file}`, {
            name: file.replace(/^test\/|\.test\.ts$/g, ''),
            env: full,
          }),
        ),
      ),
    package: () => [
      // As soon as there is a package, beside whatever runs then: nobody waits for windows to hear that a list is out of date.
      command('package', node('test/checkPackage.ts'), {
        name: 'package/contents',
        hasTests: false,
        round: 1,
        isPatient: true,
      }),
      ...perFile('package', inPackage, { PATCH_STACKS_VSIX: packageFile }),
    ],
  };
  const chosen = stages.flatMap((stage) => commands[stage]());
  if (!chosen.some(({ needs }) => needs === build)) {
    return chosen;
  }
  const versions = [newestCodeServer, ...(stages.includes('host-oldest') ? [oldestCodeServer] : [])];
  const prepare: Command = {
    name: build,
    stage: build,
    command: node(
      'test/prepare.ts',
      ...(stages.includes('package') ? ['--package'] : []),
      ...versions.map((version) => `--vscode ${version}`),
    ),
    hasTests: false,
    hasSecondTry: false,
    round: 1,
  };
  return [prepare, ...chosen];
}

/** Like `npm run check`, but knows what was checked the last time. */
const quickCheck = ['', ' -p src/webview']
  .map(
    (project, index) =>
      `node node_modules/typescript-native/bin/tsc${project} --singleThreaded --incremental --tsBuildInfoFile node_modules/.cache/quick.${index}.tsbuildinfo`,
  )
  .join(' && ');

/** Files by which ESLint judges others; the manifest has the settings of Prettier alone. */
const lintedBy = /^(eslint\.config\.js|package-lock\.json|(src\/webview\/)?tsconfig\.json)$/;
const formattedBy = /^(package\.json|\.prettierignore)$/;

/**
 * Like `npm run lint`, for files that were changed and those that import them, whose types may be others now; nothing where there are
 * none, and the whole where that isn't known or it is judged by something else.
 */
function lintOf(files: readonly string[] | undefined, whole: string): string | undefined {
  if (files === undefined || files.some((file) => lintedBy.test(file))) {
    return whole;
  }
  const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(' ');
  const code = [...new Set([...files, ...importersOf(root, files)])].filter((file) =>
    /\.(ts|tsx|mjs|js)$/.test(file),
  );
  return files.length === 0
    ? undefined
    : [
        ...(code.length > 0 ? [`eslint --no-warn-ignored --max-warnings 0 ${quoted(code)}`] : []),
        `prettier --check --ignore-unknown --log-level warn ${files.some((file) => formattedBy.test(file)) ? '.' : quoted(files)}`,
      ].join(' && ');
}

let places = 0;

/** The folders in which a job puts its output, its counts, and its temporary files: paths of sockets there must stay short. */
async function placesOf(directory: string): Promise<{ logFile: string; results: string; temporary: string }> {
  places += 1;
  const temporary = path.join(directory, String(places));
  await mkdir(temporary);
  // As open as the one of the machine, which some tests have other users look into.
  await chmod(temporary, 0o1777);
  return { logFile: `${temporary}.log`, results: `${temporary}.json`, temporary };
}

interface Outcome extends Counts, Pick<Tried, 'pictures'> {
  readonly seconds: number;
  /** What was wrong with the job as a whole. */
  readonly complaint?: string | undefined;
  readonly wasStopped: boolean;
}

async function runCommand(
  { name, command, env, hasTests, needs, isPatient }: Command,
  directory: string,
  stop: Promise<void>,
): Promise<Outcome> {
  const started = performance.now();
  const { logFile, results, temporary } = await placesOf(directory);
  const group = startGroup(command, [], {
    cwd: root,
    shell: true,
    logFile,
    env: {
      ...process.env,
      ...env,
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
      ...(needs === build && { PATCH_STACKS_BUILT: '1' }),
      // A file that one process has read and compiled, all others need not.
      NODE_COMPILE_CACHE: path.join(testFolder, 'compiled'),
      PATCH_STACKS_TEST_RESULTS: results,
      // Nothing of another one, or of a window that has crashed, is in its way; and nothing of it is left.
      ...Object.fromEntries(['TMPDIR', 'TMP', 'TEMP'].map((variable) => [variable, temporary])),
    },
  });
  if (isPatient === true && group.pid !== 0) {
    // For all that it starts, too: tests of windows wait often, which is time enough for it.
    setPriority(group.pid, constants.priority.PRIORITY_LOW);
  }
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<'hung'>((resolve) => {
    timer = setTimeout(() => resolve('hung'), limitMinutes() * 60_000);
  });
  const code = await Promise.race([group.exited, hung, stop.then(() => 'stopped' as const)]);
  clearTimeout(timer);
  await group.stop();
  // Windows leave much, and the folder may be in memory.
  await rm(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(
    () => undefined,
  );
  const seconds = (performance.now() - started) / 1000;
  const {
    passed,
    failed,
    skipped,
    failures = [],
    tests: ended = [],
  } = readCounts(results) ?? { passed: 0, failed: 0, skipped: 0 };
  const complaint =
    code === 'hung'
      ? `${name} did not end within ${limitMinutes()} minutes, and was stopped.`
      : code === 'stopped'
        ? `${name} was stopped.`
        : hasTests && passed + failed === 0
          ? `${name} ran no test.`
          : code !== 0 && failed === 0
            ? `${name} ended with exit code ${code}.`
            : undefined;
  const isWell = failed === 0 && complaint === undefined;
  const tests = hasTests ? `, ${passed} passed, ${failed} failed` : '';
  say(`\n=== ${name} ${isWell ? 'passed' : 'failed'} in ${seconds.toFixed(1)} s${tests}`);
  const output = code === 'stopped' ? '' : (await readFile(logFile, 'utf8')).trimEnd();
  if (code !== 'stopped') {
    say(output);
  }
  if (complaint !== undefined) {
    say(complaint);
  }
  return {
    passed,
    failed: isWell ? 0 : Math.max(1, failed),
    skipped,
    failures: complaint === undefined ? failures : [...failures, complaint],
    tests: ended,
    complaint,
    wasStopped: code === 'stopped',
    pictures: picturesIn(output),
    seconds,
  };
}

/** The number from 1 that an option has. */
function countOf(option: string, value: string): number {
  const count = Number(value);
  if (!(count >= 1)) {
    throw new Refusal(`"${value}" isn't a number from 1: enter one for --${option}.`);
  }
  return count;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      'keep-going': { type: 'boolean', default: false },
      workers: { type: 'string', default: String(Math.min(availableParallelism(), 4)) },
      'note-seconds': { type: 'boolean', default: false },
      rounds: { type: 'string', default: '1' },
      slow: { type: 'string', default: '1' },
      strict: { type: 'boolean', default: false },
    },
  });
  const known = JSON.parse(await readFile(secondsFile, 'utf8')) as Record<string, number>;
  const commands = await commandsOf({
    stages: chooseStages(values.only, values.quick),
    isQuick: values.quick,
    isFull: values.full,
    files: positionals,
    rounds: countOf('rounds', values.rounds),
  });
  process.env['PATCH_STACKS_TEST_SLOW'] = String(countOf('slow', values.slow));
  const outcomes = new Map<string, Outcome>();
  let second: ReadonlyMap<string, Outcome> = new Map();
  const stop = stopRequested();
  const stopping = new AbortController();
  void stop.then(() => stopping.abort());
  const directory = openRunFolder({ endsAtSignal: false });
  const started = performance.now();
  await doJobs(
    commands.map((command) => ({ ...command, seconds: known[command.name] })),
    Math.max(1, Number(values.workers)),
    {
      goesOn: values['keep-going'],
      run: async (command) => {
        if (stopping.signal.aborted) {
          return false;
        }
        const outcome = await runCommand(command, directory, stop);
        outcomes.set(command.name, outcome);
        return outcome.failed === 0;
      },
    },
  );
  if (!values.strict && !stopping.signal.aborted) {
    second = await tryAgain(commands, outcomes, (command) => runCommand(command, directory, stop));
  }
  if (Number(values.rounds) > 1) {
    const ended = [...outcomes].filter(([name, { wasStopped }]) => name !== build && !wasStopped);
    const rates = failureRates(
      ended.map(([name, outcome]) => ({ file: name.replace(/ \(\d+\)$/, ''), tests: [], ...outcome })),
    );
    say(`\nHow often each test failed:\n${rates.join('\n')}`);
  }
  if (stopping.signal.aborted) {
    throw new Refusal('Stopped.');
  }
  return report(
    commands,
    outcomes,
    second,
    (performance.now() - started) / 1000,
    values['note-seconds'] && values.rounds === '1' ? known : undefined,
  );
}

/** Says how all of it went. */
async function report(
  commands: readonly Command[],
  outcomes: ReadonlyMap<string, Outcome>,
  second: ReadonlyMap<string, Outcome>,
  seconds: number,
  noted: Record<string, number> | undefined,
): Promise<number> {
  const all = [...outcomes];
  if (noted !== undefined) {
    const now = {
      ...noted,
      ...Object.fromEntries(all.map(([name, one]) => [name, Math.round(one.seconds)])),
    };
    const sorted = Object.fromEntries(Object.entries(now).toSorted(([a], [b]) => a.localeCompare(b)));
    await writeFile(secondsFile, `${JSON.stringify(sorted, undefined, 2)}\n`);
  }
  say(
    `\nHow long each took, and how many tests it has:\n${timeTable(
      all.map(([name, one]) => ({ name, seconds: one.seconds, tests: one.passed + one.failed })),
    ).join('\n')}`,
  );
  const notBegun = commands.filter(({ name }) => !outcomes.has(name)).map(({ name }) => name);
  const failed = all.filter(([, one]) => one.failed > 0);
  if (second.size > 0) {
    say(`\n${secondTryLines(second).join('\n')}`);
  }
  if (failed.length > 0) {
    // Once more, at the end: of a long output often only that is at hand.
    say('\nFailed:');
    for (const [name, { failures = [] }] of failed) {
      say([`  ${name}`, ...failures.map((failure) => `    ${failure}`)].join('\n'));
    }
  }
  if (notBegun.length > 0) {
    say(`Not begun: ${notBegun.join(', ')}`);
  }
  const sum = (of: (one: Outcome) => number): number => all.reduce((before, [, one]) => before + of(one), 0);
  const counts = {
    passed: sum((one) => one.passed),
    failed: sum((one) => one.failed),
    skipped: sum((one) => one.skipped),
  };
  say(`\n${closingLines(counts, seconds).join('\n')}`);
  return failed.length > 0 || notBegun.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
