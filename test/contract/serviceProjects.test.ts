import assert from 'node:assert/strict';
import { RunningService, type Fields } from '../support/runningService.ts';

describe('service: projects', () => {
  let running: RunningService;
  let login: string;

  beforeEach(async () => {
    // A clock that stands still: the service must tell the order of updates apart anyway.
    running = await RunningService.start({ now: () => Date.UTC(2026, 0, 1) });
    login = (await running.call('GET', '/user')).body.login;
  });

  afterEach(() => running.stop());

  async function create(json: object): Promise<Fields> {
    const { status, body } = await running.call('POST', '/projects', { json });
    assert.equal(status, 201);
    return body;
  }

  it('are created, read, changed, and deleted', async () => {
    const created = await create({ name: 'My Tool!', description: 'What it does', directory: 'my-tool' });
    assert.deepEqual<unknown>(created, {
      slug: 'my-tool',
      owner: login,
      parent_project: null,
      name: 'My Tool!',
      description: 'What it does',
      repository_id: created.repository_id,
      code_repository_id: null,
      active_reviews_count: 0,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    });
    const path = `/projects/${created.repository_id}`;
    assert.deepEqual((await running.call('GET', path)).body, created);
    const changed = await running.call('PUT', path, { json: { name: 'Tool', share_level: 'public' } });
    assert.equal(changed.status, 200);
    assert.deepEqual({ ...changed.body, updated_at: '' }, { ...created, name: 'Tool', updated_at: '' });
    assert.ok(changed.body.updated_at > created.updated_at);
    const [own] = (await running.call('GET', '/user')).body.projects;
    assert.deepEqual(own!.permissions, { can_read: true, can_write: true, share_level: 'public' });
    const deleted = await running.call('DELETE', path);
    assert.deepEqual([deleted.status, deleted.text], [204, '']);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      assert.equal((await running.call(method, path, method === 'PUT' ? { json: {} } : {})).status, 404);
    }
  });

  it('have slugs of their own', async () => {
    assert.deepEqual(
      [await create({ name: 'Tool' }), await create({ name: 'Tool' }), await create({ name: '!!!' })].map(
        ({ slug }) => slug,
      ),
      ['tool', 'tool-2', 'project'],
    );
    const taken = await running.call('POST', '/projects', { json: { name: 'X', slug: 'tool' } });
    assert.deepEqual(
      [taken.status, taken.body.error_code, taken.body.errors[0]!.field],
      [409, 'slug_taken', 'slug'],
    );
    const other = await create({ name: 'X', slug: 'x' });
    const change = (slug: string) =>
      running.call('PUT', `/projects/${other.repository_id}`, { json: { slug } });
    assert.equal((await change('tool')).status, 409);
    assert.equal((await change('x')).status, 200);
  });

  it('are looked up by owner and slug, whatever characters those have', async () => {
    for (const slug of ['a/b', 'ä#1?', '100%', '%2F', 'a b+c', '日本']) {
      const { repository_id } = await create({ name: 'X', slug });
      const found = await running.call(
        'GET',
        `/projects/lookup/${encodeURIComponent(login)}/${encodeURIComponent(slug)}`,
      );
      assert.deepEqual([found.status, found.body], [200, { repository_id }], slug);
    }
    assert.equal((await running.call('GET', `/projects/lookup/${login}/nothing`)).status, 404);
    assert.equal((await running.call('GET', '/projects/lookup/nobody/a')).status, 404);
  });

  describe('are listed', () => {
    it('newest update first, fifty at a time', async () => {
      for (let number = 0; number < 53; number++) {
        await create({ name: `P${number}` });
      }
      await running.call('PUT', '/projects/1', { json: { name: 'Newest' } });
      const first = (await running.call('GET', '/projects')).list;
      assert.equal(first.length, 50);
      assert.equal(first[0]!.repository_id, '1');
      assert.equal(first[1]!.slug, 'p52');
      const before = encodeURIComponent(first.at(-1)!.updated_at);
      const second = (await running.call('GET', `/projects?before=${before}`)).list;
      assert.deepEqual(
        second.map(({ slug }) => slug),
        ['p3', 'p2', 'p1'],
      );
    });

    it('between two times, both exclusive, and with a limit', async () => {
      const all: Fields[] = [];
      for (let number = 0; number < 5; number++) {
        all.push(await create({ name: `P${number}` }));
      }
      const slugs = async (query: string) =>
        (await running.call('GET', `/projects?${query}`)).list.map(({ slug }) => slug);
      const at = (index: number) => encodeURIComponent(all[index]!.updated_at);
      assert.deepEqual(await slugs(`since=${at(1)}`), ['p4', 'p3', 'p2']);
      assert.deepEqual(await slugs(`since=${at(1)}&before=${at(4)}`), ['p3', 'p2']);
      assert.deepEqual(await slugs('limit=2'), ['p4', 'p3']);
      assert.deepEqual(await slugs('limit=2147483647'), ['p4', 'p3', 'p2', 'p1', 'p0']);
      // The same moment in another zone, its + not encoded.
      assert.deepEqual(await slugs('before=2026-01-01T02:00:00.001+02:00'), ['p0']);
    });

    const refused = [
      'limit=0',
      'limit=-1',
      'limit=x',
      'limit=2147483648',
      'since=yesterday',
      'before=2026-13-01T00:00:00Z',
      'since=2026-01-01',
      'since=2026-02-30T00:00:00Z',
      'before=2026-04-31T23:00:00%2B02:00',
      'since=2025-02-29T00:00:00Z',
    ];
    for (const query of refused) {
      it(`refuse ${query}`, async () => {
        const { status, body } = await running.call('GET', `/projects?${query}`);
        assert.equal(status, 422);
        assert.equal(body.errors[0]!.field, query.split('=')[0]);
      });
    }
  });

  const refused: [string, object, string][] = [
    ['no name', {}, 'name'],
    ['a blank name', { name: ' ' }, 'name'],
    ['a slug that is a folder above', { name: 'X', slug: '..' }, 'slug'],
    ['a slug with a control character', { name: 'X', slug: 'a\nb' }, 'slug'],
    ['a description that is no string', { name: 'X', description: 1 }, 'description'],
  ];
  for (const [name, json, field] of refused) {
    it(`are not created with ${name}`, async () => {
      const { status, body } = await running.call('POST', '/projects', { json });
      assert.equal(status, 422);
      assert.equal(body.errors[0]!.field, field);
    });
  }

  it('are not found by an id that is none', async () => {
    for (const id of ['0', '01', '-1', 'x', '1e3', '9'.repeat(30), '%2e']) {
      assert.equal((await running.call('GET', `/projects/${id}`)).status, 404, id);
    }
    assert.equal((await running.call('PUT', '/projects/1', { json: { share_level: 'secret' } })).status, 404);
  });

  it('refuse a share level there is none of', async () => {
    const { repository_id } = await create({ name: 'X' });
    const { status } = await running.call('PUT', `/projects/${repository_id}`, {
      json: { share_level: 'secret' },
    });
    assert.equal(status, 422);
  });

  it('are hidden from others while private, and read-only to them while public', async () => {
    const { repository_id } = await create({ name: 'X' });
    const path = `/projects/${repository_id}`;
    const { token } = running.service.addUser({ name: 'Other', email: 'other@example.com' });
    assert.equal((await running.call('GET', path, { token })).status, 404);
    assert.equal((await running.call('GET', `/projects/lookup/${login}/x`, { token })).status, 404);
    assert.equal((await running.call('DELETE', path, { token })).status, 404);
    await running.call('PUT', path, { json: { share_level: 'public' } });
    assert.equal((await running.call('GET', path, { token })).status, 200);
    assert.equal((await running.call('GET', `/projects/lookup/${login}/x`, { token })).status, 200);
    assert.deepEqual((await running.call('GET', '/projects', { token })).body, []);
    for (const [method, sub] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/connect'],
      ['POST', '/disconnect'],
    ] as const) {
      const { status, body } = await running.call(method, path + sub, { token, json: {} });
      assert.deepEqual([status, body.error_code], [403, 'forbidden'], `${method} ${sub}`);
    }
  });

  describe('are connected to an organization', () => {
    beforeEach(() => running.service.addOrganization({ slug: 'acme', name: 'Acme', members: [login] }));

    it('under a project of their own slug, and disconnected', async () => {
      const { repository_id } = await create({ name: 'Tool', description: 'D' });
      const connected = await running.call('POST', `/projects/${repository_id}/connect`, {
        json: { organization_slug: 'acme' },
      });
      assert.equal(connected.status, 200);
      const { owner, slug, name, description } = connected.body.parent_project;
      assert.deepEqual([owner, slug, name, description], ['acme', 'tool', 'Tool', 'D']);
      const disconnected = await running.call('POST', `/projects/${repository_id}/disconnect`);
      assert.equal(disconnected.status, 204);
      assert.equal((await running.call('GET', `/projects/${repository_id}`)).body.parent_project, null);
      const again = await running.call('POST', `/projects/${repository_id}/disconnect`);
      assert.deepEqual([again.status, again.body.error_code], [409, 'not_connected']);
    });

    it('to one of its projects, which all of its members can change', async () => {
      const first = await create({ name: 'Tool' });
      const second = await create({ name: 'Fork' });
      await running.call('POST', `/projects/${first.repository_id}/connect`, {
        json: { organization_slug: 'acme' },
      });
      const connected = await running.call('POST', `/projects/${second.repository_id}/connect`, {
        json: { organization_slug: 'acme', project_slug: 'tool' },
      });
      assert.equal(connected.body.parent_project.slug, 'tool');
      const member = running.service.addUser({ name: 'Member', email: 'member@example.com' });
      running.service.addOrganization({ slug: 'acme', name: 'Acme', members: [member.login] });
      const changed = await running.call('PUT', `/projects/${connected.body.parent_project.repository_id}`, {
        json: { name: 'Ours' },
        token: member.token,
      });
      assert.equal(changed.status, 200);
    });

    it('but not to a foreign or unknown one, nor in a circle', async () => {
      const { repository_id } = await create({ name: 'Tool' });
      const connect = (id: string, json: object) => running.call('POST', `/projects/${id}/connect`, { json });
      running.service.addOrganization({ slug: 'foreign', name: 'F', members: [] });
      assert.equal((await connect(repository_id, { organization_slug: 'foreign' })).status, 404);
      assert.equal(
        (await connect(repository_id, { organization_slug: 'acme', project_slug: 'none' })).status,
        404,
      );
      assert.equal((await connect(repository_id, {})).status, 422);
      const parent = (await connect(repository_id, { organization_slug: 'acme' })).body.parent_project;
      assert.equal((await connect(parent.repository_id, { organization_slug: 'acme' })).status, 422);
      assert.equal((await connect('999', { organization_slug: 'acme' })).status, 404);
    });
  });
});
