import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiClient } from '../../src/api/client.ts';
import { startService, type LocalService } from '../../src/service/service.ts';
import { makeExampleRepository } from './exampleRepository.ts';
import { FaultServer } from './faultServer.ts';

/** A local service over the example repository, as clients reach it: straight, and through a proxy that can have faults. */
export class ExampleService {
  /** Room for whatever a test writes; it goes with the service. */
  readonly directory: string;
  readonly repository: string;
  readonly service: LocalService;
  readonly proxy: FaultServer;
  readonly client: ApiClient;
  readonly throughProxy: ApiClient;

  private constructor(parts: Pick<ExampleService, 'directory' | 'repository' | 'service' | 'proxy'>) {
    const { directory, repository, service, proxy } = parts;
    this.directory = directory;
    this.repository = repository;
    this.service = service;
    this.proxy = proxy;
    const clientOf = (serverUrl: string): ApiClient =>
      new ApiClient({ serverUrl, getToken: async () => service.token });
    this.client = clientOf(service.url);
    this.throughProxy = clientOf(proxy.url);
  }

  static async start(): Promise<ExampleService> {
    const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-example-'));
    const { directory: repository } = await makeExampleRepository(directory);
    const service = await startService({ repository, dataDirectory: path.join(directory, 'data') });
    return new ExampleService({ directory, repository, service, proxy: await FaultServer.start() });
  }

  /** A folder of pending changes, as an account that is new has it. */
  async accountFolder(): Promise<string> {
    return path.join(await mkdtemp(path.join(this.directory, 'account-')), 'pending');
  }

  async stop(): Promise<void> {
    await this.client.close();
    await this.throughProxy.close();
    await this.proxy.stop();
    await this.service.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}
