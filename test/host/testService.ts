/** The local service and the git repository that the suite in the extension host works with. */
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface TestService {
  /** For the extension host: how to sign in, and what there is to be found. */
  readonly environment: NodeJS.ProcessEnv;
  readonly repository: string;
  readonly close: () => Promise<void>;
}

export async function startTestService(directory: string): Promise<TestService> {
  const repository = path.join(directory, 'repository');
  await mkdir(repository, { recursive: true });
  execFileSync('git', ['init', '--quiet'], { cwd: repository });
  await writeFile(path.join(repository, 'README.md'), '# Demo\n');
  return { repository, environment: {}, close: async () => undefined };
}
