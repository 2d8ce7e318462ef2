/** A small git repository with everything that makes reading one hard, and a clone of it. */
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface ExampleRepository {
  /** The clone, on the branch. */
  readonly directory: string;
  readonly branch: string;
}

/** Runs git with nothing of this machine's configuration. */
export function git(directory: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: directory,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: path.join(directory, '.no-such-file'),
      GIT_CONFIG_NOSYSTEM: '1',
      // Else each commit starts git once more, to see whether there is something to tidy up.
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'maintenance.auto',
      GIT_CONFIG_VALUE_0: 'false',
      GIT_AUTHOR_NAME: 'Ada Löwe',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada Löwe',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    },
  });
}

export async function makeExampleRepository(parent: string): Promise<ExampleRepository> {
  const origin = path.join(parent, 'origin');
  const branch = 'greet/größer';
  await mkdir(path.join(origin, 'src'), { recursive: true });
  const write = (file: string, content: string | Uint8Array): Promise<void> =>
    writeFile(path.join(origin, file), content);
  const commit = (...args: string[]): void => {
    git(origin, 'add', '--all');
    git(origin, 'commit', '--quiet', ...args);
  };

  git(origin, 'init', '--quiet', '--initial-branch=main');
  await write('README.md', '# Greetings\n');
  await write('src/greet.ts', "export function greet(): string {\n  return 'Hello';\n}\n");
  await write('src/names.ts', 'export const names = [\n  "Ada",\n  "Grace",\n  "Emmy",\n];\n');
  commit('-m', 'Greet');

  git(origin, 'switch', '--quiet', '--create', branch);
  await write(
    'src/greet.ts',
    'export function greet(name: string): string {\n  return `Hello, ${name}`;\n}\n',
  );
  commit(
    '-m',
    'Greet people by name',
    '-m',
    'A greeting without a name is **rude**:\n\n- people notice\n- `greet()` now wants a name',
  );
  git(origin, 'mv', 'src/names.ts', 'src/people.ts');
  commit('-m', 'Call names people');
  await write(
    'picture.bin',
    Uint8Array.from({ length: 600 }, (_value, index) => index % 256),
  );
  commit('-m', 'Add a picture');

  git(origin, 'switch', '--quiet', 'main');
  await write('LICENSE', 'Free.\n');
  commit('-m', 'Add a license');
  git(origin, 'switch', '--quiet', branch);
  git(origin, 'merge', '--quiet', '--no-ff', '-m', 'Merge main', 'main');

  await write('notes.txt', 'nothing to say\n');
  commit('--allow-empty-message', '-m', '');
  await write('日本語.txt', 'こんにちは\n');
  commit('-m', 'Grüße auf 日本語 🎉');

  // The branch that is checked out here becomes the clone's default branch.
  git(origin, 'switch', '--quiet', 'main');
  const directory = path.join(parent, 'greetings');
  git(parent, 'clone', '--quiet', '--branch', branch, origin, directory);
  // Whoever reads it is not whoever runs the tests.
  git(directory, 'config', 'user.name', 'Ada Löwe');
  git(directory, 'config', 'user.email', 'ada@example.org');
  return { directory, branch };
}
