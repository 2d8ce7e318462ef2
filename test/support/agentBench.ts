/** The tools of agents over a local service, in a window that is not there; and all that reaches the service. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Tools } from '../../src/agents/tools.ts';
import type { Proposal } from '../../src/agents/writingTools.ts';
import { ApiClient } from '../../src/api/client.ts';
import type { PatchSection } from '../../src/api/types/patches.ts';
import { Model } from '../../src/model/model.ts';
import { PendingChanges } from '../../src/model/pending/pendingChanges.ts';
import { comparePatches } from '../../src/model/reading/comparePatches.ts';
import { Readings } from '../../src/model/reading/readings.ts';
import { showComparison } from '../../src/model/reading/showComparison.ts';
import { startService, type LocalService } from '../../src/service/service.ts';
import type { PatchRef } from '../../src/util/patchRef.ts';
import { makeExampleRepository } from './exampleRepository.ts';
import { FaultServer, reply, type Fault, type SeenRequest } from './faultServer.ts';
import { forwardTo, passOn } from './forward.ts';

/** See the module. */
export class AgentBench implements AsyncDisposable {
  readonly service: LocalService;
  /** Somebody else at the service, whose requests do not count. */
  readonly others: ApiClient;
  readonly model: Model;
  readonly pendingChanges: PendingChanges;
  readonly readings: Readings;
  readonly tools: Tools;
  readonly patch: PatchRef & { projectId: string };
  readonly proposals: Proposal[] = [];
  /** The folder of the account, which all windows share. */
  readonly accountFolder: string;
  readonly #proxy: FaultServer;
  readonly #cleanup: AsyncDisposableStack;

  private constructor(
    made: Pick<
      AgentBench,
      'service' | 'others' | 'model' | 'pendingChanges' | 'readings' | 'patch' | 'accountFolder'
    >,
    proxy: FaultServer,
    cleanup: AsyncDisposableStack,
  ) {
    ({ service: this.service, others: this.others, model: this.model } = made);
    ({ pendingChanges: this.pendingChanges, readings: this.readings, patch: this.patch } = made);
    this.accountFolder = made.accountFolder;
    this.#proxy = proxy;
    this.#cleanup = cleanup;
    this.tools = new Tools({
      model: made.model,
      pendingChanges: made.pendingChanges,
      readings: async () => made.readings,
      compareVersions: async ([older, newer]) => showComparison(older, newer, comparePatches(older, newer)),
      token: async () => made.service.token,
      onPropose: (proposal) => this.proposals.push(proposal),
    });
  }

  static async start(): Promise<AgentBench> {
    const cleanup = new AsyncDisposableStack();
    const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-agents-'));
    cleanup.defer(() => rm(directory, { recursive: true, force: true }));
    const { directory: repository } = await makeExampleRepository(directory);
    const service = await startService({ repository, dataDirectory: path.join(directory, 'data') });
    cleanup.defer(() => service.close());
    const proxy = await FaultServer.start();
    cleanup.defer(() => proxy.stop());
    proxy.use(forwardTo(service.url));
    const getToken = async (): Promise<string> => service.token;
    const others = new ApiClient({ serverUrl: service.url, getToken });
    cleanup.defer(() => others.close());
    const client = new ApiClient({ serverUrl: proxy.url, getToken });
    cleanup.defer(() => client.close());
    const model = new Model((operation) => operation(client));
    const pendingChanges = new PendingChanges({ ask: (operation) => operation(client), model });
    const accountFolder = path.join(directory, 'account');
    await pendingChanges.activate(path.join(accountFolder, 'pending'));
    cleanup.defer(() => pendingChanges.close());
    const readings = new Readings({
      folder: accountFolder,
      limit: () => 10_000_000,
      onFailure: (error) => {
        throw error;
      },
    });
    const projectId = (await others.projects.list()).items[0]!.repositoryId;
    const [stack] = (await others.stacks.list(projectId)).items;
    const { changeId } = stack!.patches!.at(-1)!;
    const patch = { projectId, branchId: stack!.branchId, stackUuid: stack!.uuid, changeId };
    const made = { service, others, model, pendingChanges, readings, patch, accountFolder };
    return new AgentBench(made, proxy, cleanup);
  }

  /** Has the service say something else of patches, as one that means harm does. */
  amendPatches(amend: (patch: Record<string, unknown>) => void): void {
    const { url } = this.service;
    const amended: Fault = async (response, request, attempt) => {
      const patch = (await (await passOn(url, request)).json()) as Record<string, unknown>;
      amend(patch);
      await reply(200, JSON.stringify(patch))(response, request, attempt);
    };
    this.#proxy.use(
      forwardTo(url, ({ method, url: asked }) =>
        method === 'GET' && /\/patch\/[^/]+$/.test(asked) ? amended : undefined,
      ),
    );
  }

  /** The requests of the window that could change something. */
  get writes(): SeenRequest[] {
    return this.#proxy.seen.filter(({ method }) => method !== 'GET');
  }

  /** The arguments by which tools are told the patch. */
  get place(): { stack: string; patch: string; project: string } {
    const { stackUuid, changeId, projectId } = this.patch;
    return { stack: stackUuid, patch: changeId, project: projectId };
  }

  /** The sections as the service has them. */
  async sections(): Promise<PatchSection[]> {
    const { stackUuid, changeId } = this.patch;
    return (await this.others.patches.get(stackUuid, changeId, { ahead: true })).sections ?? [];
  }

  /** Adds a text as somebody else does. @returns its code. */
  async addText(text: string): Promise<string> {
    const { stackUuid, changeId } = this.patch;
    const creation = { type: 'text', text, position: 0 } as const;
    return (await this.others.patches.createSection(stackUuid, changeId, creation)).code;
  }

  /** Has an agent call a tool. */
  async call(name: string, input: object = {}): Promise<string> {
    return (await this.tools.call(name, input)).text;
  }

  /** Discards what is pending, and forgets what reached the service. */
  async forget(): Promise<void> {
    for (const { id } of this.pendingChanges.list()) {
      await this.pendingChanges.takeBack(id);
    }
    this.proposals.length = 0;
    this.#proxy.use(forwardTo(this.service.url));
  }

  /** The fingerprint that a tool tells of the patch. */
  async fingerprint(): Promise<string> {
    return fingerprintIn(await this.call('readPatch', this.place));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup.disposeAsync();
  }
}

/** The fingerprint in an answer. */
export function fingerprintIn(answer: string): string {
  return /^fingerprint: ([0-9a-f]{32})$/m.exec(answer)?.[1] ?? '';
}
