import assert from 'node:assert/strict';
import { ApiClient } from '../../src/api/client.ts';
import { isApiError } from '../../src/api/errors.ts';
import type { DiffSection, Patch, TextSection } from '../../src/api/types/patches.ts';
import type { PatchStack } from '../../src/api/types/stacks.ts';
import { fileFromBytes } from '../../src/api/uploads.ts';
import { GitRepository, grace } from '../support/gitRepository.ts';
import { RunningService } from '../support/runningService.ts';
import { sshKeys } from '../support/sshKeys.ts';

/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const branch = 'feature/größer #1?%';

describe('every operation against the local service', () => {
  let repository: GitRepository;
  let running: RunningService;
  let client: ApiClient;
  let projectId: string;

  before(async () => {
    repository = GitRepository.withMain();
    repository.branch('feature/größer-1');
    repository.write('a.txt', 'a\n');
    repository.commitFile('dir/b.txt', 'b\n', 'First\n\nThe **message**.', grace);
    repository.commitFile('c.txt', 'c\n', 'Second');
    repository.switch('main');
    running = await RunningService.start({ repository: repository.directory });
    projectId = String(running.service.imported?.projectId);
    client = new ApiClient({ serverUrl: running.service.url, getToken: async () => running.service.token });
  });
  after(async () => {
    await client.close();
    await running.stop();
    repository.remove();
  });

  const wire = async (path: string): Promise<unknown> => (await running.call('GET', path)).body;
  const theStack = (): Promise<PatchStack> => client.stacks.latestForBranch(projectId, 'feature/größer-1');
  const thePatch = async (): Promise<[uuid: string, patch: Patch]> => {
    const { uuid, patches = [] } = await theStack();
    return [uuid, await client.patches.get(uuid, patches[0]!.changeId)];
  };

  describe('users', () => {
    it('me, updateMe', async () => {
      const me = await client.users.me();
      assertShows(me, await wire('/user'));
      assert.equal(me.accessToken, running.service.token);
      assert.equal(me.projects[0]?.permissions?.canRead, true);
      const changed = await client.users.updateMe({
        name: 'Ada L',
        locale: 'de',
        givenName: 'Ada',
        familyName: 'L',
      });
      assert.deepEqual(
        [changed.name, changed.locale, changed.givenName, changed.familyName],
        ['Ada L', 'de', 'Ada', 'L'],
      );
      const pictured = await client.users.updateMe({ avatar: fileFromBytes('me.png', png) });
      assert.match(pictured.avatarUrl ?? '', /^http/);
      assert.equal(pictured.name, 'Ada L');
      assertShows(pictured, await wire('/user'));
    });

    it('addKey, keys, deleteKey', async () => {
      const { login = '' } = await client.users.me();
      const { line, fingerprint } = sshKeys.ed25519;
      const added = await client.users.addKey({ name: 'laptop', publicKey: line });
      assert.deepEqual([added?.name, added?.fingerprint], ['laptop', fingerprint]);
      const keys = await client.users.keys(login);
      assert.deepEqual(keys.dropped, 0);
      assertShows(keys.items, await wire(`/user/${login}/keys`));
      assert.equal(await kindOf(client.users.addKey({ name: 'x', publicKey: 'no key' })), 'invalid');
      await client.users.deleteKey(fingerprint);
      assert.deepEqual((await client.users.keys(login)).items, []);
      assert.equal(await kindOf(client.users.deleteKey(fingerprint)), 'notFound');
    });

    it('get', async () => {
      const { login } = running.service.addUser({ login: 'Gräce/H', name: 'Grace', email: 'g@example.com' });
      const user = await client.users.get(login);
      assert.equal(user.name, 'Grace');
      assertShows(user, await wire(`/user/${encodeURIComponent(login)}`));
      assert.equal(await kindOf(client.users.get('nobody')), 'notFound');
    });
  });

  describe('projects', () => {
    it('create, get, update, lookup, list, delete', async () => {
      const created = await client.projects.create({
        name: 'Engine',
        slug: 'engine',
        description: 'Analytical',
      });
      const id = created.repositoryId;
      assert.deepEqual([created.name, created.slug, created.description], ['Engine', 'engine', 'Analytical']);
      assertShows(await client.projects.get(id), await wire(`/projects/${id}`));
      const updated = await client.projects.update(id, {
        name: 'Engine 2',
        slug: 'engine-2',
        shareLevel: 'public',
      });
      assert.deepEqual(
        [updated.name, updated.slug, updated.description],
        ['Engine 2', 'engine-2', 'Analytical'],
      );
      assert.equal(await client.projects.lookup(updated.owner ?? '', 'engine-2'), id);
      const own = (await client.users.me()).projects.find(({ repositoryId }) => repositoryId === id);
      assert.equal(own?.permissions?.shareLevel, 'public');
      const list = await client.projects.list({ since: new Date(0), limit: 50 });
      assertShows(list.items, await wire('/projects'));
      assert.deepEqual((await client.projects.list({ before: new Date(0) })).items, []);
      assert.equal((await client.projects.list({ limit: 1 })).items.length, 1);
      await client.projects.delete(id);
      assert.equal(await kindOf(client.projects.get(id)), 'notFound');
    });

    it('connect, disconnect', async () => {
      const { repositoryId } = await client.projects.create({ name: 'Mine' });
      const organization = (await client.users.me()).organizations[0]!.slug;
      const connected = await client.projects.connect(repositoryId, { organizationSlug: organization });
      assert.ok(connected.repositoryId);
      assertShows(await client.projects.get(repositoryId), await wire(`/projects/${repositoryId}`));
      assert.ok((await client.projects.get(repositoryId)).parentProject);
      await client.projects.disconnect(repositoryId);
      assert.equal((await client.projects.get(repositoryId)).parentProject, undefined);
    });

    it('iterate gives each project once, whatever the page size', async () => {
      for (let number = 0; number < 25; number++) {
        await client.projects.create({ name: `Many ${number}` });
      }
      const all = (await client.projects.list({ limit: 500 })).items.map(({ repositoryId }) => repositoryId);
      for (const pageSize of [1, 7, 25, 100]) {
        const seen: string[] = [];
        for await (const { repositoryId } of client.projects.iterate({ pageSize })) {
          seen.push(repositoryId);
        }
        assert.deepEqual(seen.toSorted(), all.toSorted());
      }
    });
  });

  describe('stacks', () => {
    it('list, latestForBranch, patchStatuses', async () => {
      const list = await client.stacks.list(projectId);
      assert.ok(list.items.length > 0);
      assertShows(list.items, await wire(`/patch_stack/${projectId}`));
      const path = `/patch_stack/${projectId}/${encodeURIComponent('feature/größer-1')}`;
      assertShows(await theStack(), await wire(path));
      const statuses = await client.stacks.patchStatuses(projectId, 'feature/größer-1');
      assertShows(statuses, await wire(`${path}/patch_status`));
      assert.equal(await kindOf(client.stacks.latestForBranch(projectId, branch)), 'notFound');
    });

    it('create, update, list by branch and status', async () => {
      const { branchId = '', oplogSha = '' } = await theStack();
      const created = await client.stacks.create({ projectId, branchId, oplogSha });
      assert.equal(created.branchId, branchId);
      await client.stacks.update(created.uuid, { title: 'Renamed', description: 'D', status: 'closed' });
      const closed = await client.stacks.list(projectId, { branchId, status: 'closed' });
      const found = closed.items.find(({ uuid }) => uuid === created.uuid);
      assert.deepEqual([found?.title, found?.description, found?.status], ['Renamed', 'D', 'closed']);
      await client.stacks.update(created.uuid, { status: 'active' });
      const active = await client.stacks.list(projectId, { branchId });
      assert.ok(active.items.some(({ uuid, title }) => uuid === created.uuid && title === 'Renamed'));
    });
  });

  describe('patches', () => {
    it('get, with sections of text and of diffs', async () => {
      const [uuid, patch] = await thePatch();
      assertShows(patch, await wire(`/patch_stack/${uuid}/patch/${patch.changeId}`));
      assert.equal(patch.contributors[0]?.email, grace.email);
      const text = patch.sections?.find((section): section is TextSection => section.sectionType === 'text');
      assert.match(text?.text ?? '', /The \*\*message\*\*/);
      const diffs = patch.sections?.filter(
        (section): section is DiffSection => section.sectionType === 'diff',
      );
      assert.deepEqual(diffs?.map(({ identifier }) => identifier).sort(), ['a.txt', 'dir/b.txt']);
      assert.match(diffs[0]?.diffPatch ?? '', /^@@ /m);
    });

    it('createSection, getSection, updateSection, update of the order, deleteSection', async () => {
      const [uuid, { changeId, sections = [] }] = await thePatch();
      const added = await client.patches.createSection(uuid, changeId, {
        type: 'text',
        text: 'One\n',
        position: 0,
      });
      const read = () => client.patches.getSection(uuid, changeId, added.code);
      assertShows(await read(), await wire(`/patch_stack/${uuid}/patch/${changeId}/section/${added.code}`));
      assert.deepEqual([(added as TextSection).text, added.position], ['One\n', 0]);
      const changed = await client.patches.updateSection(uuid, changeId, added.code, { text: 'Two 🙂' });
      assert.deepEqual([(changed as TextSection).text, await read()], ['Two 🙂', changed]);

      const order = [...sections.map(({ identifier }) => identifier), added.identifier];
      const reordered = await client.patches.update(uuid, changeId, { sectionOrder: order });
      assert.deepEqual(
        reordered.sections?.map(({ identifier }) => identifier),
        order,
      );

      await client.patches.deleteSection(uuid, changeId, added.code);
      assert.equal(await kindOf(read()), 'notFound');
    });

    it('update signs off', async () => {
      const [uuid, { changeId }] = await thePatch();
      const { login } = await client.users.me();
      const signed = await client.patches.update(uuid, changeId, { signOff: true });
      assert.deepEqual(
        signed.review?.signedOff.map((user) => user.login),
        [login],
      );
      assert.deepEqual(
        signed.reviewAll?.signedOff.map((user) => user.login),
        [login],
      );
    });
  });

  it('login: createToken, userForToken', async () => {
    await using visitor = new ApiClient({ serverUrl: running.service.url, getToken: async () => undefined });
    const login = await visitor.login.createToken();
    assert.ok(login.token && login.url && login.expires);
    assert.equal(await visitor.login.userForToken(login.token), undefined);
    const confirmed = await fetch(new URL('/login', login.url), {
      method: 'POST',
      headers: { Origin: new URL(login.url).origin },
      body: new URLSearchParams({
        browser_token: login.browserToken ?? '',
        decision: 'confirm',
        code: running.codeOf({ name: login.name ?? '' }),
      }),
      redirect: 'manual',
    });
    assert.equal(confirmed.status, 303);
    const user = await visitor.login.userForToken(login.token);
    assert.equal(user?.login, (await client.users.me()).login);
    const token = user?.accessToken;
    await using signedIn = new ApiClient({ serverUrl: running.service.url, getToken: async () => token });
    assert.equal((await signedIn.users.me()).id, user?.id);
    assert.equal(await kindOf(visitor.users.me()), 'unauthorized');
  });

  it('releases: create', async () => {
    const release = { version: '1.2.3', sha: '0123456789abcdef', channel: 'nightly' } as const;
    const created = await client.releases.create(release);
    assert.deepEqual(
      [created.version, created.sha, created.channel],
      ['1.2.3', '0123456789abcdef', 'nightly'],
    );
    assert.ok(created.releasedAt && Array.isArray(created.builds));
    assert.equal(await kindOf(client.releases.create(release)), 'conflict');
    const bad = client.releases.create({ ...release, sha: 'no' });
    await assert.rejects(
      bad,
      (error) => isApiError(error) && error.kind === 'invalid' && error.fields[0]?.field === 'sha',
    );
  });

  for (const uploadForm of ['json', 'multipart'] as const) {
    it(`feedback: send, with attachments as ${uploadForm}`, async () => {
      await using sender = new ApiClient({
        serverUrl: running.service.url,
        getToken: async () => running.service.token,
        uploadForm,
      });
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_value, index) => index % 251));
      const progress: number[] = [];
      await sender.feedback.send(
        {
          email: 'ada@example.com',
          message: 'It’s great',
          context: '{}',
          logs: fileFromBytes('logs.zip', bytes),
          repo: fileFromBytes('project.zip', bytes.subarray(0, 100_001)),
        },
        { onProgress: ({ sent }) => progress.push(sent) },
      );
      assert.equal(progress.at(-1), 400_001);
      assert.equal(await kindOf(sender.feedback.send({ email: 'nobody' })), 'invalid');
    });
  }
});

async function kindOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    return isApiError(error) ? error.kind : String(error);
  }
}

/** Everything the service said must be found in what the client made of it, under the client's names. */
function assertShows(resource: unknown, said: unknown, where = ''): void {
  if (said === null) {
    // A resource that is nothing on the wire is left out, or an empty list.
    assert.ok(resource === undefined || (Array.isArray(resource) && resource.length === 0), where);
  } else if (Array.isArray(said)) {
    assert.ok(Array.isArray(resource), where);
    assert.equal(resource.length, said.length, where);
    said.forEach((entry, index) => assertShows(resource[index], entry, `${where}[${index}]`));
  } else if (typeof said === 'object') {
    assert.ok(typeof resource === 'object' && resource !== null, where);
    for (const [name, value] of Object.entries(said)) {
      const own = names[name] ?? name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
      // The kind of a section is said twice.
      if (name === 'type') {
        continue;
      }
      assertShows((resource as Record<string, unknown>)[own], value, `${where}.${name}`);
    }
  } else {
    assert.equal(String(resource), String(said as string | number | boolean), where);
  }
}

/** Names that differ by more than their spelling. */
const names: Record<string, string> = { data: 'text' };
