import assert from 'node:assert/strict';
import { createApp } from '../../src/service/app.ts';
import { News } from '../../src/service/news.ts';
import { Database } from '../../src/service/storage/database.ts';
import { GitRepository, grace } from '../support/gitRepository.ts';
import { operations } from '../support/operations.ts';
import { RunningService, type Fields, type RequestParts } from '../support/runningService.ts';
import { sshKeys } from '../support/sshKeys.ts';

const people = ['stranger', 'reader', 'strangeAdmin', 'admin', 'member', 'owner'] as const;

/**
 * Someone who asks: a stranger of a private project, who is a reader of it once it is public; an admin to whom both applies;
 * a member; and the owner, who is an admin, too.
 */
type Person = (typeof people)[number];

/** The status that each person is answered with. */
type Statuses = Record<Person, number>;

/** What a path names: nothing of a stack, or a place in one. A text is lost when the newest version has no patch for it any more. */
type Place = 'no stack' | 'newest' | 'older' | 'lost text' | 'lost text in an older version';

const everyone = (status: number): Statuses => ({
  stranger: status,
  reader: status,
  strangeAdmin: status,
  admin: status,
  member: status,
  owner: status,
});
const readers = (status: number): Statuses => ({ ...everyone(status), stranger: 404, strangeAdmin: 404 });
const members = (status: number): Statuses => ({ ...readers(status), reader: 403, admin: 403 });

/** Writing takes a member and the newest version, and finds a patch that is gone only where its text is asked for. */
const written = (status: number, lost = 404): Partial<Record<Place, Statuses>> => ({
  newest: members(status),
  older: members(409),
  'lost text': members(lost),
  'lost text in an older version': members(409),
});

/** What a request names. */
type Names = Record<string, string>;

/** One operation as somebody asks for it. */
interface Row {
  /** Where there are several of one operation. */
  what?: string;
  json?: object | (() => object);
  query?: string;
  /** Makes what it needs, and gives what its path names, where that is not the project or a place in it. */
  prepare?: () => Promise<Names>;
  expected: Partial<Record<Place, Statuses>>;
}

describe('service: who may write what', () => {
  let repository: GitRepository;
  let running: RunningService;
  let tokens: Record<Person, string>;
  let project: string;
  /** The versions of the branch from which a text was lost, and the one in which it still had its patch. */
  let lostIn: string;
  let older: string;
  let kept: string;
  let dropped: string;
  let oldCode: string;
  let lostCode: string;
  let releases = 0;

  const { line, fingerprint } = sshKeys.ed25519;
  const keyQuery = `?fingerprint=${encodeURIComponent(fingerprint)}`;

  /** Every operation that may change something, by its name in the tests of the client. */
  const rows: Record<string, Row[]> = {
    'users.updateMe': [{ json: { given_name: 'Given' }, expected: { 'no stack': everyone(200) } }],
    'users.addKey': [
      {
        json: { name: 'laptop', public_key: line },
        prepare: forgetKeys,
        expected: { 'no stack': everyone(201) },
      },
    ],
    'users.deleteKey': [
      {
        what: "the owner's",
        query: keyQuery,
        prepare: async () => {
          await forgetKeys();
          await ask('POST', '/user/keys', { json: { name: 'laptop', public_key: line } });
          return {};
        },
        expected: { 'no stack': { ...everyone(404), owner: 204 } },
      },
    ],
    'projects.create': [{ json: { name: 'Another' }, expected: { 'no stack': everyone(201) } }],
    'projects.update': [
      { json: { name: 'Renamed' }, expected: { 'no stack': members(200) } },
      {
        what: 'for everyone to read',
        json: { share_level: 'public' },
        expected: { 'no stack': members(200) },
      },
    ],
    'projects.delete': [
      {
        what: "a member's own",
        prepare: async () => {
          const { repository_id } = await ask('POST', '/projects', {
            token: tokens.member,
            json: { name: 'Mine' },
          });
          return { repo_id: repository_id };
        },
        // Whoever runs the service is no member of it.
        expected: { 'no stack': { ...members(204), owner: 403 } },
      },
    ],
    'projects.connect': [
      { json: { organization_slug: 'everyone' }, expected: { 'no stack': members(200) } },
      {
        what: "to an organization that isn't theirs",
        json: { organization_slug: 'foreign' },
        expected: { 'no stack': members(404) },
      },
    ],
    'projects.disconnect': [
      {
        prepare: async () => {
          await ask('POST', `/projects/${project}/connect`, { json: { organization_slug: 'everyone' } });
          return {};
        },
        expected: { 'no stack': members(204) },
      },
    ],
    'stacks.create': [
      {
        json: () => ({ project_id: project, branch_id: 'feature', oplog_sha: 'event' }),
        expected: { 'no stack': members(201) },
      },
    ],
    'stacks.update': [
      {
        what: 'its texts',
        json: { title: 'T', description: 'D' },
        expected: { newest: members(200), older: members(409) },
      },
      {
        what: 'its status',
        json: { status: 'active' },
        expected: { newest: members(200), older: members(409) },
      },
    ],
    'patches.update': [
      {
        what: 'its order',
        json: { section_order: [] },
        expected: { newest: members(200), older: members(409), 'lost text': everyone(404) },
      },
      {
        what: 'a review',
        json: { sign_off: true },
        expected: {
          newest: readers(200),
          older: readers(409),
          'lost text': everyone(404),
          'lost text in an older version': everyone(404),
        },
      },
    ],
    'patches.createSection': [{ json: { type: 'text', text: 'Words' }, expected: written(201) }],
    'patches.updateSection': [
      { json: { text: 'Other words' }, expected: written(200, 200) },
      { what: 'to what it is', json: {}, expected: written(200, 200) },
    ],
    'patches.deleteSection': [{ expected: written(204, 204) }],
    'releases.create': [
      {
        json: () => ({ version: `1.0.${++releases}`, sha: 'abcdef0', channel: 'release' }),
        expected: { 'no stack': { ...everyone(403), strangeAdmin: 201, admin: 201, owner: 201 } },
      },
    ],
    'feedback.send': [{ json: { message: 'Thanks' }, expected: { 'no stack': everyone(204) } }],
    // Whoever is about to sign in.
    'login.createToken': [{ expected: { 'no stack': everyone(201) } }],
  };

  before(async () => {
    repository = GitRepository.withMain();
    repository.branch('feature');
    const keptSha = repository.commitFile('a.txt', 'a\n', 'Kept', grace);
    repository.commitFile('b.txt', 'b\n', 'Dropped');
    running = await RunningService.start({ repository: repository.directory });
    project = String(running.service.imported?.projectId);
    const add = (login: string, role: 'user' | 'admin') =>
      running.service.addUser({ login, name: login, email: `${login}@example.com`, role });
    const outsider = add('outsider', 'user');
    const admin = add('admin', 'admin');
    tokens = {
      stranger: outsider.token,
      reader: outsider.token,
      strangeAdmin: admin.token,
      admin: admin.token,
      member: running.service.issueToken('grace'),
      owner: running.service.token,
    };
    const me = await ask('GET', '/user');
    const logins = [outsider.login, admin.login, 'grace', me.login];
    running.service.addOrganization({ slug: 'everyone', name: 'Everyone', members: logins });
    running.service.addOrganization({ slug: 'foreign', name: 'Foreign', members: [] });

    const first = await newest();
    older = first.uuid;
    [kept, dropped] = first.patches.map(({ change_id }) => change_id) as [string, string];
    oldCode = await addSection(older, kept);
    lostCode = await addSection(older, dropped);
    repository.git('reset', '--quiet', '--hard', keptSha);
    await running.service.importRepository();
    lostIn = (await newest()).uuid;
    await ask('POST', '/patch_stack', {
      json: { project_id: project, branch_id: 'feature', oplog_sha: 'event' },
    });
  });

  after(async () => {
    await running.stop();
    repository.remove();
  });

  /** Asks for what must be granted: as the owner, where no other token is given. */
  async function ask(method: string, path: string, parts: RequestParts = {}): Promise<Fields> {
    const { status, body, text } = await running.call(method, path, parts);
    assert.ok(status < 300, `${method} ${path}: ${text}`);
    return body;
  }

  async function forgetKeys(): Promise<Names> {
    for (const token of Object.values(tokens)) {
      await running.call('DELETE', `/user/keys${keyQuery}`, { token });
    }
    return {};
  }

  const newest = (): Promise<Fields> => ask('GET', `/patch_stack/${project}/feature`);

  async function addSection(uuid: string, changeId: string): Promise<string> {
    const json = { type: 'text', text: 'Words' };
    return (await ask('POST', `/patch_stack/${uuid}/patch/${changeId}/section`, { json })).code;
  }

  /** What a path to a place names. There is something at each, whatever others have deleted before. */
  async function namesOf(place: Place): Promise<Names> {
    const { uuid } = await newest();
    switch (place) {
      case 'no stack':
        return {};
      case 'newest':
        return { uuid, change_id: kept, section_code: await addSection(uuid, kept) };
      case 'older':
        return { uuid: older, change_id: kept, section_code: oldCode };
      case 'lost text':
      case 'lost text in an older version':
        await ask('PATCH', `/patch_stack/${uuid}/patch/${dropped}/section/${lostCode}`, {
          json: { text: 'Words' },
        });
        return {
          uuid: place === 'lost text' ? uuid : lostIn,
          change_id: dropped,
          section_code: lostCode,
        };
    }
  }

  /** All that the owner is shown of the project and of who they are. */
  async function state(): Promise<unknown[]> {
    const { uuid } = await newest();
    const paths = [
      '/user',
      '/projects',
      `/patch_stack/${project}?status=all`,
      ...[uuid, older].map((version) => `/patch_stack/${version}/patch/${kept}`),
    ];
    // Nobody has viewed a patch by that.
    const headers = { 'sec-purpose': 'prefetch' };
    return Promise.all(paths.map((path) => ask('GET', path, { headers })));
  }

  async function check(name: string, row: Row, place: Place, expected: Statuses): Promise<void> {
    const { contract = '' } = operations.find((operation) => operation.name === name) ?? {};
    const [method = '', template = ''] = contract.split(' ');
    for (const person of people) {
      const names = {
        repo_id: project,
        ...(await namesOf(place)),
        ...(await row.prepare?.()),
      };
      const path = template.replaceAll(/\{(\w+)\}/g, (_all, key: string) => {
        assert.ok(key in names, `${key} isn't known`);
        return (names as Names)[key]!;
      });
      const { repo_id } = names;
      const token = repo_id === project ? tokens.owner : tokens.member;
      const json = { share_level: person.startsWith('strange') ? 'private' : 'public' };
      await ask('PUT', `/projects/${repo_id}`, { token, json });
      const before = await state();
      const { status, text } = await running.call(method, path + (row.query ?? ''), {
        token: tokens[person],
        ...(row.json && { json: typeof row.json === 'function' ? row.json() : row.json }),
      });
      assert.equal(status, expected[person], `${person}: ${text}`);
      if (status >= 400) {
        assert.deepEqual(await state(), before, `${person}: refused, and done all the same`);
      }
    }
  }

  for (const [name, ofOperation] of Object.entries(rows)) {
    for (const row of ofOperation) {
      const title = [name, ...(row.what === undefined ? [] : [row.what])].join(', ');
      for (const [place, expected] of Object.entries(row.expected)) {
        it(`${title}${place === 'no stack' ? '' : `: ${place}`}`, () =>
          check(name, row, place as Place, expected));
      }
    }
  }

  it('has a row here for every operation that changes something, of the client and of the service', () => {
    const writes = operations.filter(({ method }) => method !== 'GET');
    assert.deepEqual(Object.keys(rows).sort(), writes.map(({ name }) => name).sort());
    const database = new Database(':memory:');
    const { routes } = createApp({
      database,
      ownerId: 0,
      ownToken: '',
      tellCode: undefined,
      publishBranch: () => Promise.reject(new Error('Nothing is published here.')),
      onDefect: () => undefined,
      onWrite: () => undefined,
      whenRead: async () => undefined,
      news: new News(),
    });
    database.close();
    const served = routes
      .filter(({ method, path }) => !['GET', 'ALL'].includes(method) && path.startsWith('/api/'))
      .map(({ method, path }) => `${method} ${path.slice('/api'.length).replaceAll(/:(\w+)/g, '{$1}')}`);
    assert.deepEqual([...new Set(served)].sort(), writes.map(({ contract }) => contract).sort());
  });
});
