import assert from 'node:assert/strict';
import { grace, GitRepository } from '../support/gitRepository.ts';
import { RunningService, type Fields } from '../support/runningService.ts';

describe('service: patch stacks', () => {
  let repository: GitRepository;
  let running: RunningService;
  let project: string;

  before(async () => {
    repository = GitRepository.withMain();
    repository.branch('feature/ä#1');
    repository.write('a.txt', 'a\n');
    repository.write('b.txt', 'b\n');
    repository.commitFile('c.txt', 'c\n', 'First\n\nThe **message**.', grace);
    repository.commitFile('d.txt', 'd\n', 'Second');
    repository.switch('main');
    repository.branch('100%');
    repository.commitFile('e.txt', 'e\n', 'Only');
    running = await RunningService.start({ repository: repository.directory });
    project = String(running.service.imported?.projectId);
  });

  after(async () => {
    await running.stop();
    repository.remove();
  });

  async function latest(branch = 'feature/ä#1'): Promise<Fields> {
    const { status, body } = await running.call(
      'GET',
      `/patch_stack/${project}/${encodeURIComponent(branch)}`,
    );
    assert.equal(status, 200);
    return body;
  }

  /** The texts without a patch of one stack among those of a status. */
  async function lostOf(status: string, { uuid }: Fields): Promise<unknown> {
    const { list } = await running.call('GET', `/patch_stack/${project}?status=${status}`);
    return list.find((stack) => stack.uuid === uuid)?.texts_without_patch ?? [];
  }

  it('are listed with their patches, without the sections', async () => {
    const { status, list } = await running.call('GET', `/patch_stack/${project}`);
    assert.equal(status, 200);
    assert.deepEqual(list.map(({ branch_id }) => branch_id).sort(), ['100%', 'feature/ä#1']);
    const stack = list.find(({ branch_id }) => branch_id !== '100%')!;
    assert.deepEqual(Object.keys(stack), [
      'branch_id',
      'oplog_sha',
      'uuid',
      'title',
      'description',
      'status',
      'version',
      'created_at',
      'stack_size',
      'contributors',
      'patches',
      'base',
    ]);
    assert.equal(stack.base, 'main');
    assert.deepEqual(Object.keys(stack.patches[0]!), [
      'change_id',
      'commit_sha',
      'patch_sha',
      'title',
      'description',
      'position',
      'version',
      'created_at',
      'contributors',
      'statistics',
      'review',
      'review_all',
    ]);
    assert.equal(stack.stack_size, 2);
    assert.deepEqual(
      stack.patches.map(({ title }) => title),
      ['First', 'Second'],
    );
  });

  it('are found by a branch of any name, decoded once', async () => {
    assert.equal((await latest('feature/ä#1')).title, 'feature/ä#1');
    assert.equal((await latest('100%')).title, 'Only');
    assert.equal((await running.call('GET', `/patch_stack/${project}/100%2525`)).status, 404);
    assert.equal((await running.call('GET', `/patch_stack/${project}/%ff`)).status, 400);
    assert.equal((await running.call('GET', `/patch_stack/${project}/100%`)).status, 400);
    assert.equal((await running.call('GET', `/patch_stack/${project}/nothing`)).status, 404);
    assert.equal((await running.call('GET', `/patch_stack/999/100%25`)).status, 404);
  });

  it('are filtered by branch and status, and paged by update', async () => {
    const list = async (query: string) => {
      const { status, list: stacks } = await running.call('GET', `/patch_stack/${project}?${query}`);
      assert.equal(status, 200);
      return stacks.map(({ branch_id }) => branch_id);
    };
    assert.deepEqual(await list(`branch_id=${encodeURIComponent('100%')}`), ['100%']);
    assert.deepEqual(await list('branch_id=none'), []);
    for (const status of ['inactive', 'closed', 'loading']) {
      assert.deepEqual(await list(`status=${status}`), []);
    }
    assert.equal((await list('status=all')).length, 2);
    const { uuid } = await latest('100%');
    await running.call('PATCH', `/patch_stack/${uuid}`, { json: { title: 'Touched' } });
    assert.deepEqual(await list('limit=1'), ['100%']);
    assert.deepEqual(await list('since=2000-01-01T00:00:00Z'), ['100%', 'feature/ä#1']);
    assert.deepEqual(await list('before=2000-01-01T00:00:00Z'), []);
    for (const query of ['status=open', 'limit=0', 'since=x']) {
      assert.equal((await running.call('GET', `/patch_stack/${project}?${query}`)).status, 422, query);
    }
    assert.equal((await running.call('GET', '/patch_stack/999')).status, 404);
  });

  it('list what was written about commits that are gone, to be thrown away and brought back', async () => {
    repository.git('switch', '--quiet', '--create', 'rewritten', 'main');
    repository.commitFile('f.txt', 'f\n', 'Kept');
    const kept = repository.head();
    repository.commitFile('g.txt', 'g\n', 'Dropped');
    await running.service.importRepository();
    const before = await latest('rewritten');
    const changeId = before.patches[1]!.change_id;
    const path = `/patch_stack/${before.uuid}/patch/${changeId}`;
    const { body: section } = await running.call('POST', `${path}/section`, {
      json: { type: 'text', text: 'Still true.' },
    });
    repository.git('reset', '--quiet', '--hard', kept);
    await running.service.importRepository();
    const lost = async () => (await latest('rewritten')).texts_without_patch ?? [];
    const expected = [
      { change_id: changeId, code: section.code, patch_title: 'Dropped', data: 'Still true.' },
    ];
    assert.deepEqual(await lost(), expected);
    assert.deepEqual(await lostOf('inactive', before), []);

    const place = `/patch_stack/${(await latest('rewritten')).uuid}/patch/${changeId}/section/${section.code}`;
    const stranger = running.service.addUser({ login: 'mallory', name: 'M', email: 'm@example.com' }).token;
    for (const method of ['DELETE', 'PATCH'] as const) {
      assert.equal((await running.call(method, place, { token: stranger, json: {} })).status, 404);
      assert.equal((await running.call(method, `${place}x`, { json: {} })).status, 404);
    }
    assert.equal((await running.call('DELETE', place)).status, 204);
    assert.deepEqual(await lost(), []);
    const again = await running.call('PATCH', place, { json: { text: 'Still true.' } });
    assert.deepEqual([again.status, again.body], [200, expected[0]]);
    assert.deepEqual(await lost(), expected);
    // An older version takes none of that.
    const old = `${path}/section/${section.code}`;
    assert.equal((await running.call('DELETE', old)).status, 409);
    // They follow where the branch is renamed.
    repository.git('branch', '--move', 'rewritten', 'renamed');
    await running.service.importRepository();
    assert.deepEqual((await latest('renamed')).texts_without_patch, expected);
    repository.switch('main');
    repository.git('branch', '--quiet', '--delete', '--force', 'renamed');
    await running.service.importRepository();
  });

  it('are closed, reopened, retitled and described', async () => {
    const { uuid } = await latest('100%');
    const reviews = async () => (await running.call('GET', `/projects/${project}`)).body.active_reviews_count;
    const patch = (json: object) => running.call('PATCH', `/patch_stack/${uuid}`, { json });
    assert.equal(await reviews(), 2);
    const closed = await patch({ status: 'closed', title: 'T', description: 'D' });
    assert.deepEqual(
      [closed.status, closed.body.status, closed.body.title, closed.body.description],
      [200, 'closed', 'T', 'D'],
    );
    assert.equal(await reviews(), 1);
    assert.equal((await patch({ status: 'active' })).body.status, 'active');
    assert.equal((await patch({})).body.title, 'T');
    for (const json of [{ status: 'inactive' }, { status: 'loading' }, { title: '' }, { description: 3 }]) {
      assert.equal((await patch(json)).status, 422, JSON.stringify(json));
    }
    assert.equal((await running.call('PATCH', '/patch_stack/none', { json: {} })).status, 404);
  });

  it('show what the caller did with each patch', async () => {
    const stack = await latest();
    const { token } = running.service.addUser({ name: 'Reviewer', email: 'reviewer@example.com' });
    await running.call('PUT', `/projects/${project}`, { json: { share_level: 'public' } });
    const path = `/patch_stack/${stack.uuid}/patch/${stack.patches[0]!.change_id}`;
    const signed = await running.call('PATCH', path, { json: { sign_off: true }, token });
    assert.equal(signed.status, 200);
    assert.equal(signed.body.review.signed_off[0]!.name, 'Reviewer');
    const statuses = await running.call(
      'GET',
      `/patch_stack/${project}/${encodeURIComponent('feature/ä#1')}/patch_status`,
      {
        token,
      },
    );
    assert.equal(statuses.status, 200);
    assert.equal(statuses.body.uuid, stack.uuid);
    assert.equal(statuses.body.patches[0]!.review.signed_off.length, 1);
    const mine = await latest();
    assert.equal(mine.patches[0]!.review.signed_off.length, 0);
    assert.deepEqual(
      mine.patches[0]!.review_all.signed_off.map(({ login }) => login),
      ['reviewer'],
    );
    const requested = await running.call('PATCH', path, { json: { sign_off: false }, token });
    for (const { signed_off, rejected } of [requested.body.review, requested.body.review_all]) {
      assert.deepEqual(
        [signed_off, rejected.map(({ login }) => login)],
        [[], ['reviewer']],
        'sign_off: false requests changes',
      );
    }
    const again = await running.call('PATCH', path, { json: { sign_off: false }, token });
    assert.equal(again.body.review_all.rejected.length, 1, 'once more does not take it back');
    const signedAfterAll = await running.call('PATCH', path, { json: { sign_off: true }, token });
    assert.deepEqual(
      [signedAfterAll.body.review_all.signed_off.length, signedAfterAll.body.review_all.rejected],
      [1, []],
      'the one takes the place of the other',
    );
    await running.call('PUT', `/projects/${project}`, { json: { share_level: 'private' } });
    assert.equal((await running.call('PATCH', path, { json: { sign_off: true }, token })).status, 404);
    assert.equal((await running.call('GET', `/patch_stack/${project}/none/patch_status`)).status, 404);
  });

  describe('are created', () => {
    it('as the next version of a branch, the older one inactive', async () => {
      const before = await latest('100%');
      const created = await running.call('POST', '/patch_stack', {
        json: { project_id: project, branch_id: '100%', oplog_sha: repository.git('rev-parse', '100%') },
      });
      assert.equal(created.status, 201);
      assert.deepEqual([created.body.version, created.body.status], [before.version + 1, 'active']);
      assert.notEqual(created.body.uuid, before.uuid);
      assert.equal((await latest('100%')).uuid, created.body.uuid);
      const all = await running.call('GET', `/patch_stack/${project}?status=inactive&branch_id=100%25`);
      assert.deepEqual(
        all.list.map(({ uuid }) => uuid),
        [before.uuid],
      );
      // The older version can still be read.
      const [patch] = before.patches;
      assert.equal(
        (await running.call('GET', `/patch_stack/${before.uuid}/patch/${patch!.change_id}`)).status,
        200,
      );
    });

    it('open, where the version before was closed', async () => {
      const { uuid } = await latest('100%');
      await running.call('PATCH', `/patch_stack/${uuid}`, { json: { status: 'closed' } });
      const json = { project_id: project, branch_id: '100%', oplog_sha: 'event' };
      assert.equal((await running.call('POST', '/patch_stack', { json })).body.status, 'active');
    });

    it('from what the branch has become', async () => {
      repository.switch('100%');
      repository.commitFile('f.txt', 'f\n', 'One more');
      const { body } = await running.call('POST', '/patch_stack', {
        json: { project_id: Number(project), branch_id: '100%', oplog_sha: 'event' },
      });
      assert.deepEqual([body.stack_size, body.oplog_sha], [2, 'event']);
    });

    it('without a repository too, with the patches of the version before', async () => {
      const other = (await running.call('POST', '/projects', { json: { name: 'No repository' } })).body
        .repository_id;
      const create = () =>
        running.call('POST', '/patch_stack', {
          json: { project_id: other, branch_id: 'my-branch', oplog_sha: 'abc' },
        });
      const first = await create();
      assert.deepEqual(
        [first.status, first.body.version, first.body.title, first.body.patches],
        [201, 1, 'my-branch', []],
      );
      assert.equal((await create()).body.version, 2);
      assert.equal((await running.call('GET', `/patch_stack/${other}?status=all`)).list.length, 2);
    });

    const refused: [string, object, number][] = [
      ['no branch', { project_id: 'P', oplog_sha: 'x' }, 422],
      ['no event', { project_id: 'P', branch_id: '100%' }, 422],
      ['no project', { branch_id: '100%', oplog_sha: 'x' }, 422],
      ['a project that is not there', { project_id: '999', branch_id: '100%', oplog_sha: 'x' }, 404],
      ['a branch that is not there', { project_id: 'P', branch_id: 'nothing', oplog_sha: 'x' }, 422],
      ['the default branch', { project_id: 'P', branch_id: 'main', oplog_sha: 'x' }, 422],
    ];
    for (const [name, json, expected] of refused) {
      it(`not with ${name}`, async () => {
        const filled = {
          ...json,
          ...('project_id' in json && json.project_id === 'P' && { project_id: project }),
        };
        assert.equal((await running.call('POST', '/patch_stack', { json: filled })).status, expected);
      });
    }
  });

  describe('patches', () => {
    let path: string;

    beforeEach(async () => {
      const stack = await latest();
      path = `/patch_stack/${stack.uuid}/patch/${stack.patches[0]!.change_id}`;
    });

    async function sections(): Promise<Fields[]> {
      return (await running.call('GET', path)).body.sections;
    }

    async function add(json: object): Promise<string> {
      const { status, body } = await running.call('POST', `${path}/section`, {
        json: { type: 'text', ...json },
      });
      assert.equal(status, 201);
      return body.code;
    }

    const order = async () => (await sections()).map(({ identifier }) => identifier);

    it('are read with all sections, which makes the reader a viewer', async () => {
      const { token, login } = running.service.addUser({ name: 'Viewer', email: 'viewer@example.com' });
      await running.call('PUT', `/projects/${project}`, { json: { share_level: 'public' } });
      const ahead = { 'sec-purpose': 'prefetch' };
      await running.call('GET', path, { token, headers: ahead });
      assert.deepEqual((await running.call('GET', path, { token, headers: ahead })).body.review.viewed, []);
      await running.call('GET', path, { token });
      const { body } = await running.call('GET', path, { token });
      assert.deepEqual(
        body.review.viewed.map((user) => user.login),
        [login],
      );
      assert.deepEqual(
        body.contributors.map(({ email, user }) => [email, user.name]),
        [[grace.email, grace.name]],
      );
      const [text, file] = body.sections;
      assert.deepEqual(text, {
        id: text!.id,
        section_type: 'text',
        identifier: text!.code,
        version: 1,
        type: 'text',
        code: text!.code,
        position: 0,
        title: 'The **message**.',
        data: 'The **message**.',
      });
      assert.equal(file!.identifier, 'a.txt');
      assert.match(file!.diff_patch, /^diff --git a\/a.txt b\/a.txt\n/);
      assert.equal((await running.call('GET', path.replace(/[^/]+$/, 'nothing'))).status, 404);
      assert.equal(
        (await running.call('GET', path.replace(/patch_stack\/[^/]+/, 'patch_stack/nothing'))).status,
        404,
      );
    });

    it('let no one but members change their sections', async () => {
      await running.call('PUT', `/projects/${project}`, { json: { share_level: 'public' } });
      const { token } = running.service.addUser({ name: 'Stranger', email: 'stranger@example.com' });
      const text = (await sections())[0]!;
      for (const [method, sub, json] of [
        ['POST', '/section', { type: 'text' }],
        ['PATCH', `/section/${text.code}`, { text: 'x' }],
        ['DELETE', `/section/${text.code}`, undefined],
        ['PATCH', '', { section_order: [] }],
      ] as const) {
        assert.equal(
          (await running.call(method, path + sub, { token, json })).status,
          403,
          `${method} ${sub}`,
        );
      }
      const grace = running.service.issueToken('grace');
      const added = await running.call('POST', `${path}/section`, {
        token: grace,
        json: { type: 'text', text: 'Hers' },
      });
      assert.equal(added.status, 201);
      assert.equal((await running.call('DELETE', `${path}/section/${added.body.code}`)).status, 204);
    });

    it('get text sections at a zero-based position, at the end without one', async () => {
      const before = await order();
      const first = await add({ text: '# First\nText', position: 0 });
      const second = await add({ text: '', position: 2 });
      const last = await add({});
      const far = await add({ position: 999 });
      assert.deepEqual(await order(), [first, before[0], second, ...before.slice(1), last, far]);
      const added = (await sections())[0]!;
      assert.deepEqual(
        [added.data, added.title, added.position, added.version],
        ['# First\nText', 'First', 0, 1],
      );
      for (const code of [first, second, last, far]) {
        assert.equal((await running.call('DELETE', `${path}/section/${code}`)).status, 204);
      }
      assert.deepEqual(await order(), before);
      assert.deepEqual(
        (await sections()).map(({ position }) => position),
        before.map((_, index) => index),
      );
    });

    it('give and change one section, each change a version', async () => {
      const code = await add({ text: 'One' });
      const section = `${path}/section/${code}`;
      const changed = await running.call('PATCH', section, { json: { text: 'Two ✓' } });
      assert.deepEqual([changed.status, changed.body.data, changed.body.version], [200, 'Two ✓', 2]);
      assert.equal((await running.call('PATCH', section, { json: { text: 'Two ✓' } })).body.version, 2);
      assert.equal((await running.call('PATCH', section, { json: {} })).body.version, 2);
      assert.deepEqual((await running.call('GET', section)).body, changed.body);
      assert.equal((await running.call('PATCH', section, { json: { text: 5 } })).status, 422);
      assert.equal(
        (await running.call('PATCH', section, { json: { text: 'x'.repeat(1_000_001) } })).status,
        422,
      );
      assert.equal(
        (await running.call('PATCH', section, { json: { text: 'x'.repeat(3_000_000) } })).status,
        413,
      );
      assert.equal((await running.call('DELETE', section)).status, 204);
      for (const method of ['GET', 'DELETE']) {
        assert.equal((await running.call(method, section)).status, 404);
      }
      assert.equal((await running.call('PATCH', section, { json: { text: 'x' } })).status, 404);
    });

    it('give a diff section by its path too, and keep it as it is', async () => {
      const section = `${path}/section/${encodeURIComponent('a.txt')}`;
      const { status, body } = await running.call('GET', section);
      assert.deepEqual([status, body.section_type, body.new_path], [200, 'diff', 'a.txt']);
      for (const [method, json] of [
        ['PATCH', { text: 'x' }],
        ['DELETE', undefined],
      ] as const) {
        const refused = await running.call(method, section, { json });
        assert.deepEqual([refused.status, refused.body.error_code], [422, 'not_a_text_section']);
      }
    });

    const refused: [string, object, string][] = [
      ['another type', { type: 'diff' }, 'type'],
      ['no type', {}, 'type'],
      ['a position before the first', { type: 'text', position: -1 }, 'position'],
      ['half a position', { type: 'text', position: 0.5 }, 'position'],
      ['a position in words', { type: 'text', position: '1' }, 'position'],
    ];
    for (const [name, json, field] of refused) {
      it(`get no section of ${name}`, async () => {
        const { status, body } = await running.call('POST', `${path}/section`, { json });
        assert.equal(status, 422);
        assert.equal(body.errors[0]!.field, field);
      });
    }

    it('are ordered by paths and codes; what is left out follows', async () => {
      const message = (await sections())[0]!.code;
      const reorder = (section_order: unknown) => running.call('PATCH', path, { json: { section_order } });
      const { status, body } = await reorder(['c.txt', message]);
      assert.equal(status, 200);
      assert.deepEqual(
        body.sections.map(({ identifier }) => identifier),
        ['c.txt', message, 'a.txt', 'b.txt'],
      );
      const unknown = await reorder(['nothing']);
      assert.deepEqual([unknown.status, unknown.body.errors[0]!.field], [422, 'section_order']);
      assert.equal((await reorder(['a.txt', 'a.txt'])).status, 422);
      assert.equal((await reorder('a.txt')).status, 422);
      assert.equal((await reorder([1])).status, 422);
      assert.deepEqual(await order(), ['c.txt', message, 'a.txt', 'b.txt']);
      await reorder([message, 'a.txt', 'b.txt', 'c.txt']);
      assert.equal((await running.call('PATCH', path, { json: { sign_off: 'yes' } })).status, 422);
    });

    it('called patch_status can be read', async () => {
      const { uuid } = await latest();
      assert.match(
        (await running.call('GET', `/patch_stack/${uuid}/patch/patch_status`)).body.error,
        /patch patch_status/,
      );
    });
  });
});
