import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The files of a clone that are not as its main branch has them, committed or not, and are still there; undefined where there is
 * nothing to compare with.
 */
export function changedFiles(directory: string): string[] | undefined {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = (text: string): string[] => text.split('\0').filter((line) => line !== '');
  // The main branch before what a clone was made of, which may be a branch that is tested before it is on main.
  for (const branch of ['origin/main', 'origin/HEAD', 'main']) {
    try {
      const base = git('merge-base', 'HEAD', branch).trim();
      return [
        ...new Set([
          ...lines(git('diff', '--name-only', '--diff-filter=d', '-z', base)),
          ...lines(git('ls-files', '--others', '--exclude-standard', '-z')),
        ]),
      ];
    } catch {
      // There is no such branch, or no repository.
    }
  }
  return undefined;
}

/** The TypeScript files of a clone that import one of some files. */
export function importersOf(directory: string, files: readonly string[]): string[] {
  const imported = new Set(files);
  return globSync('{src,test,tools}/**/*.{ts,tsx}', { cwd: directory }).filter((file) => {
    const text = readFileSync(path.join(directory, file), 'utf8');
    return [...text.matchAll(/(?:from|import\() ?'(\.[^']*)'/g)].some(([, name = '']) =>
      imported.has(path.posix.join(path.posix.dirname(file), name)),
    );
  });
}
