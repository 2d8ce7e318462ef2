/** The local service and the git repository that the suite in the extension host works with. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { StartupSignIn } from '../../src/accounts/signInFile.ts';
import { makeExampleRepository } from '../support/exampleRepository.ts';
import { openService } from '../../tools/localService.ts';

export interface TestService {
  /** The account that the extension is to sign in with. */
  readonly signIn: StartupSignIn;
  /** For the suite in the extension host: what there is to be found. */
  readonly environment: NodeJS.ProcessEnv;
  readonly repository: string;
  readonly close: () => Promise<void>;
}

export async function startTestService(directory: string): Promise<TestService> {
  await mkdir(directory, { recursive: true });
  const { directory: repository, branch } = await makeExampleRepository(directory);
  const { url, token, close } = await openService({
    repository,
    dataDirectory: path.join(directory, 'data'),
  });
  return {
    repository,
    signIn: { url, token },
    environment: { PATCH_STACKS_TEST_SERVICE: JSON.stringify({ url, token, repository, branch }) },
    close,
  };
}
