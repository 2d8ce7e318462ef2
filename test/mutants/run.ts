/**
 * npm run test:mutants: plants mistakes in the sources, one at a time, and says which of them no unit or contract test notices.
 *
 *   --only src/util,src/links/parse.ts   plants them in these folders or files alone
 *   --workers N                          so many at a time
 *   --all                                plants all of them anew
 *
 * The results lie in .vscode-test/mutants: the next run plants again only what was changed since, or is reached by tests that
 * were. Mistakes that change nothing are listed in equivalent.json, each with the reason.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { Refusal, say } from '../../tools/progress.ts';
import { root, testFolder } from '../../tools/provision.ts';
import { asOneRun, openRunFolder } from '../support/runFolder.ts';
import { runsWithoutWindow, testsThatReach } from './reach.ts';
import { plantedLine, scoresOf, survivors, type Equivalent, type Planted } from './score.ts';

/** All folders of the sources: of each, the files that run without a window. */
const folders = globSync('src/*/', { cwd: root })
  .map((folder) => folder.replaceAll(path.sep, '/'))
  .sort();

const leftOut = new Set([
  // Made from what others publish, and read as text by its test.
  'src/util/secrets/secretRules.ts',
  // Does nothing but to load what needs a window.
  'src/projects/commands.ts',
]);

const resultsFolder = path.join(testFolder, 'mutants');

const read = (file: string): string | undefined => {
  const full = path.join(root, file);
  return existsSync(full) ? readFileSync(full, 'utf8') : undefined;
};

/** The files of a folder, or the file itself. */
function filesIn(place: string): string[] {
  const files = /\.tsx?$/.test(place) ? [place] : globSync(`${place}/**/*.{ts,tsx}`, { cwd: root });
  if (files.length === 0) {
    throw new Refusal(`There is no source in ${place}.`);
  }
  return files
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !file.endsWith('.d.ts') && !leftOut.has(file));
}

/** Plants mistakes in one folder, and gives what came of each. */
async function plantIn(place: string, workers: number, isAnew: boolean): Promise<Planted[]> {
  const files = filesIn(place).filter((file) => runsWithoutWindow(file, read));
  const all = globSync('test/{unit,contract}/**/*.test.ts', { cwd: root }).map((file) =>
    file.replaceAll(path.sep, '/'),
  );
  const tests = testsThatReach(all, new Set(files), read);
  if (files.length === 0 || tests.length === 0) {
    return [];
  }
  const name = place.replaceAll(/[\\/]/g, '-');
  const stryker = new Stryker({
    testRunner: 'mocha',
    plugins: ['@stryker-mutator/mocha-runner'],
    mochaOptions: {
      spec: tests,
      'no-config': true,
      // Mocha as package.json sets it up is for windows: it builds, and ends the process.
      'no-package': true,
    },
    mutate: files,
    coverageAnalysis: 'perTest',
    // A mistake in the constants of a module would need a process of its own.
    ignoreStatic: true,
    incremental: true,
    incrementalFile: path.join(resultsFolder, `${name}.json`),
    force: isAnew,
    concurrency: workers,
    reporters: ['progress-append-only'],
    tempDirName: path.join(openRunFolder(), 'planted'),
    ignorePatterns: ['dist', '.vscode-test', '.git'],
    dryRunTimeoutMinutes: 20,
    timeoutMS: 10_000,
    allowConsoleColors: false,
    checkers: [],
  });
  const results = await stryker.runMutationTest();
  // Those of files that are left out by now come with the results of the last time.
  return results
    .map(({ fileName, mutatorName, replacement, status, location }) => ({
      file: path.relative(root, fileName).replaceAll(path.sep, '/'),
      line: location.start.line,
      mutator: mutatorName,
      replacement,
      status,
    }))
    .filter(({ file }) => files.includes(file));
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      workers: { type: 'string', default: String(availableParallelism()) },
      all: { type: 'boolean', default: false },
    },
  });
  const places = values.only?.split(',').map((place) => place.replace(/\/$/, '')) ?? folders;
  const equivalents = JSON.parse(
    await readFile(path.join(import.meta.dirname, 'equivalent.json'), 'utf8'),
  ) as Equivalent[];
  await mkdir(resultsFolder, { recursive: true });
  const planted: Planted[] = [];
  for (const place of places) {
    say(`\n=== ${place}`);
    const found = await plantIn(place, Math.max(1, Number(values.workers)), values.all);
    planted.push(...found);
    for (const { file, line, mutator, replacement } of survivors(found, equivalents)) {
      say(`${file}:${line} ${mutator} → ${replacement.replaceAll(/\s+/g, ' ').slice(0, 100)}`);
    }
  }
  const scores = scoresOf(planted, equivalents);
  say(`\n${[...scores.map(({ text }) => text), plantedLine(planted)].join('\n')}`);
  return scores.every(({ isReached }) => isReached) ? 0 : 1;
}

await asOneRun(main);
