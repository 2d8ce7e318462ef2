/** The local service and the git repository that the suite in the extension host works with. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { makeExampleRepository } from '../support/exampleRepository.ts';
import { openService } from './localService.ts';

export interface TestService {
  /** For the extension host: how to sign in, and what there is to be found. */
  readonly environment: NodeJS.ProcessEnv;
  readonly repository: string;
  readonly close: () => Promise<void>;
}

export async function startTestService(directory: string): Promise<TestService> {
  await mkdir(directory, { recursive: true });
  const { directory: repository, branch } = await makeExampleRepository(directory);
  const { url, token, environment, close } = await openService({
    repository,
    dataDirectory: path.join(directory, 'data'),
  });
  return {
    repository,
    environment: {
      ...environment,
      PATCH_STACKS_TEST_SERVICE: JSON.stringify({ url, token, repository, branch }),
    },
    close,
  };
}
