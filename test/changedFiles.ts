import { execFileSync } from 'node:child_process';

/** The files of a clone that are not as its main branch has them, committed or not, and are still there. */
export function changedFiles(directory: string): string[] {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = (text: string): string[] => text.split('\0').filter((line) => line !== '');
  const firstOf = (...branches: string[]): string => {
    for (const branch of branches) {
      try {
        return git('merge-base', 'HEAD', branch).trim();
      } catch {
        // There is no such branch.
      }
    }
    return 'HEAD';
  };
  const base = firstOf('origin/HEAD', 'origin/main', 'main');
  return [
    ...new Set([
      ...lines(git('diff', '--name-only', '--diff-filter=d', '-z', base)),
      ...lines(git('ls-files', '--others', '--exclude-standard', '-z')),
    ]),
  ];
}
