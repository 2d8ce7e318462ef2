/** The local service tells windows of what has changed, and they ask for that. */
import assert from 'node:assert/strict';
import { ApiClient } from '../../src/api/client.ts';
import type { AskService } from '../../src/model/askService.ts';
import type { ContentStore, KeptContent } from '../../src/model/keptContent.ts';
import { Model, type ModelChange } from '../../src/model/model.ts';
import { startService } from '../../src/service/service.ts';
import type { PatchRef } from '../../src/util/patchRef.ts';
import { ExampleService } from '../support/exampleService.ts';
import { forwardTo, passOn } from '../support/forward.ts';
import { until } from '../support/until.ts';

describe('service: news', function () {
  this.timeout(60_000);
  let example: ExampleService;
  let patch: PatchRef & { projectId: string };
  let mine: ApiClient;
  let theirs: ApiClient;

  beforeEach(async () => {
    example = await ExampleService.start();
    mine = windowOf(example.service.url);
    theirs = windowOf(example.service.url);
    const [project] = (await mine.projects.list()).items;
    const projectId = project!.repositoryId;
    const [stack] = (await theirs.stacks.list(projectId)).items;
    const { changeId } = stack!.patches![0]!;
    patch = { projectId, branchId: stack!.branchId, stackUuid: stack!.uuid, changeId };
  });

  afterEach(async () => {
    await mine.close();
    await theirs.close();
    await example.stop();
  });

  function windowOf(serverUrl: string): ApiClient {
    return new ApiClient({ serverUrl, getToken: async () => example.service.token });
  }

  const write = async (client: ApiClient, text: string): Promise<unknown> =>
    client.patches.createSection(patch.stackUuid, patch.changeId, { type: 'text', text });

  it('come when somebody else changes something', async () => {
    assert.ok(mine.news.isOffered);
    const mark = await mine.news.next(undefined);
    const next = mine.news.next(mark);
    await write(theirs, 'Theirs');
    assert.notEqual(await next, mark);
  });

  it('come when a branch of the repository has moved', async () => {
    const mark = await mine.news.next(undefined);
    const next = mine.news.next(mark);
    await theirs.stacks.create({ ...patch, branchId: patch.branchId!, oplogSha: 'abc123' });
    assert.notEqual(await next, mark);
  });

  it('are none where one has done it oneself, until somebody else does something', async () => {
    const mark = await mine.news.next(undefined);
    let isTold = false;
    const next = mine.news.next(mark).then((told) => {
      isTold = true;
      return told;
    });
    await write(mine, 'Mine');
    // Whoever is answered after that would have been told by now.
    const fresh = await theirs.news.next(mark);
    assert.notEqual(fresh, mark);
    assert.equal(isTold, false);
    await write(theirs, 'Theirs');
    assert.notEqual(await next, mark);
  });

  it('keep nobody waiting when the service ends', async () => {
    const service = await startService({ dataDirectory: `${example.directory}/other` });
    const client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
    const mark = await client.news.next(undefined, {}).catch(() => undefined);
    assert.ok(mark);
    const next = client.news.next(mark);
    // Answered after the other one has arrived.
    await client.users.me();
    await service.close();
    assert.equal(await next, mark);
    await client.close();
  });

  it('are not asked of a service that does not offer them', async () => {
    example.proxy.use(forwardTo(example.service.url));
    const model = new Model(askOf(example.throughProxy));
    model.freshness.watch(() => 'projects');
    await model.projects();
    await model.stacks(patch.projectId, 'active');
    model.dispose();
    assert.deepEqual(
      example.proxy.seen.map(({ url }) => url.split('?')[0]),
      ['/api/projects', `/api/patch_stack/${patch.projectId}`],
    );
  });

  it('have what is on the screen read again, and nothing else', async () => {
    example.proxy.use(async (response, request) => {
      const answer = await passOn(example.service.url, request);
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? '',
        'patch-stacks-offers': answer.headers.get('patch-stacks-offers') ?? '',
      });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    const model = new Model(askOf(example.throughProxy));
    const view = model.freshness.watch(() => ({ projectId: patch.projectId }));
    await model.stackOfPatch(patch);
    const sections = async (): Promise<(string | undefined)[]> =>
      (await model.patch(patch)).value.sections?.map((section) =>
        section.sectionType === 'text' ? section.text : '',
      ) ?? [];
    assert.equal((await sections()).includes('Theirs'), false);
    await until(async () => example.proxy.seen.filter(({ url }) => url.includes('news?after')).length === 1);
    const told = new Promise<ModelChange>((resolve) => model.onDidChange(resolve));
    const before = example.proxy.seen.length;
    await write(theirs, 'Theirs');
    assert.deepEqual(await told, { kind: 'project', projectId: patch.projectId });
    assert.ok((await sections()).includes('Theirs'));
    const asked = example.proxy.seen.slice(before).map(({ method, url }) => `${method} ${url.split('?')[0]}`);
    assert.deepEqual(
      asked.filter((each) => !each.endsWith('/news')),
      [
        `GET /api/projects/${patch.projectId}`,
        `GET /api/patch_stack/${patch.stackUuid}/patch/${patch.changeId}`,
      ],
    );
    view.dispose();
    model.dispose();
  });

  it('come again after a new token, also where the first thing that is asked with it is what is new', async () => {
    let client = mine;
    let waits = 0;
    const model = new Model(async (operation, options) => {
      waits += options?.isUnasked === true ? 1 : 0;
      return operation(client);
    });
    model.freshness.watch(() => ({ projectId: patch.projectId }));
    let changes = 0;
    model.onDidChange(() => (changes += 1));
    await model.stackOfPatch(patch);
    await until(async () => waits > 0);
    client = windowOf(example.service.url);
    await mine.close();
    const before = waits;
    await until(async () => waits > before);
    assert.ok(!client.news.isOffered);
    await model.project(patch.projectId);
    changes = 0;
    await write(theirs, 'Theirs');
    await until(async () => changes > 0);
    model.dispose();
    await client.close();
  });

  it('come also to a window that begins with what the one before knew', async () => {
    let kept: KeptContent | undefined;
    const store = (content: KeptContent | undefined): ContentStore => ({
      read: async () => content,
      writeSoon: (make) => void (kept = make()),
      dispose: () => undefined,
    });
    const before = new Model(askOf(mine), { store: store(undefined) });
    await before.projects();
    await before.stacks(patch.projectId, 'active');
    before.dispose();
    const client = windowOf(example.service.url);
    const model = new Model(askOf(client), { store: store(kept) });
    model.freshness.watch(() => 'projects');
    assert.equal((await model.projects('atOnce')).fromBefore, true);
    await until(async () => client.news.isOffered);
    const told = new Promise<void>((resolve) =>
      model.onDidChange(({ kind }) => (kind === 'project' ? resolve() : undefined)),
    );
    await write(theirs, 'Theirs');
    await told;
    model.dispose();
    await client.close();
  });

  function askOf(client: ApiClient): AskService {
    return (operation) => operation(client);
  }
});
