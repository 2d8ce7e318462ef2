/**
 * Builds of the extension for `npm start`, each in a folder of its own, named by what it was made of. None is ever changed, so that a
 * window keeps the one it began with, whatever is edited, built, or started meanwhile; and an unchanged clone is not built again.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { runBuild } from './build.ts';
import { isAlive, withLock } from './install.mjs';
import { say } from './progress.ts';
import { root, testFolder } from './provision.ts';

/** What VS Code reads of an extension beside its code. */
const shipped = [
  'package.json',
  'package.nls*.json',
  'l10n/**',
  'media/**',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
];

/** What the code is built from. npm writes into the last one which packages are installed. */
const sources = [
  'src/**',
  'esbuild.mjs',
  'tsconfig.json',
  'tools/*.mjs',
  'tools/build*.ts',
  'node_modules/.package-lock.json',
];

/** Builds that nobody uses and that stay, for whoever goes back and forth between branches. */
const spareBuilds = 3;

export interface Build {
  /** The extension, whole, for VS Code. */
  readonly folder: string;
  /** Says that this process has no window any more that uses it. */
  readonly release: () => void;
}

/** The files of a clone that a build is made of, by their paths in it. */
export function builtFrom(clone: string): string[] {
  return filesOf(clone, [...shipped, ...sources]);
}

/** Names a state of the clone: another one where a build would come out differently. */
export function fingerprintOf(clone: string): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of builtFrom(clone)) {
    const content = readFileSync(path.join(clone, file));
    hash.update(`\n${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * Takes the build of the clone as it is now, making it where it is missing, and keeps it from being removed for as long as this process
 * runs. Removes those that nobody uses, but for the newest.
 *
 * @param builds the folder that they are in.
 * @param make fills the folder that it is given.
 * @throws {Refusal} when it can't be built.
 */
export async function takeBuild(
  clone = root,
  builds = path.join(testFolder, 'builds'),
  make = (target: string) => buildInto(target, clone),
): Promise<Build> {
  await mkdir(builds, { recursive: true });
  return withLock(
    path.join(builds, 'lock'),
    async () => {
      const name = await provideBuild(clone, builds, make);
      const mark = path.join(builds, `${name}.used-${process.pid}`);
      writeFileSync(mark, '');
      await prune(builds);
      return { folder: path.join(builds, name), release: () => rmSync(mark, { force: true }) };
    },
    () => say('Waiting for another process that builds the extension …'),
  );
}

/** Returns the name of the build. */
async function provideBuild(
  clone: string,
  builds: string,
  make: (target: string) => Promise<void>,
): Promise<string> {
  for (;;) {
    const name = fingerprintOf(clone);
    const folder = path.join(builds, name);
    if (existsSync(folder)) {
      return name;
    }
    const part = partOf(folder);
    await make(part);
    // Where something was saved meanwhile, it is in some of the files only.
    if (fingerprintOf(clone) === name) {
      await rename(part, folder);
    }
  }
}

/** A name for what is no whole build, or is none any more. */
function partOf(folder: string): string {
  return `${folder}.part-${randomUUID().slice(0, 8)}`;
}

async function buildInto(target: string, clone: string): Promise<void> {
  await runBuild(['--out', path.join(target, 'dist')]);
  for (const file of filesOf(clone, shipped)) {
    await cp(path.join(clone, file), path.join(target, file));
  }
}

function filesOf(clone: string, patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: clone, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(clone, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** Removes what nobody uses: the lock is held, so what is not whole was left by a process that was killed. */
async function prune(builds: string): Promise<void> {
  const names = await readdir(builds);
  const used = new Set<string>();
  for (const name of names) {
    const [, build, pid] = /^(\w+)\.used-(\d+)$/.exec(name) ?? [];
    if (build !== undefined && isAlive(Number(pid))) {
      used.add(build);
    } else if (build !== undefined) {
      rmSync(path.join(builds, name), { force: true });
    }
  }
  const age = (name: string): number => -statSync(path.join(builds, name)).mtimeMs;
  const spare = names
    .filter((name) => /^\w{16}$/.test(name) && !used.has(name))
    .sort((a, b) => age(a) - age(b))
    .slice(spareBuilds);
  const parts = names.filter((name) => name.includes('.part-')).map((name) => path.join(builds, name));
  for (const name of spare) {
    const folder = path.join(builds, name);
    const part = partOf(folder);
    // Half of it must never be taken for the whole.
    await rename(folder, part);
    parts.push(part);
  }
  for (const part of parts) {
    // What can't be removed now, the next start will.
    await rm(part, { recursive: true, force: true }).catch(() => undefined);
  }
}
