import type { ApiClient } from '../../src/api/client.ts';
import { fileFromBytes } from '../../src/api/uploads.ts';

/** The use that an operation makes of the response. */
export type Shape =
  /** It must be a record. */
  | 'record'
  /** It is a list with records that can be read; nothing is an empty list. */
  | 'list'
  /** It is a list whose records may all be unreadable, for they are counted where it is shown. */
  | 'countedList'
  /** It is a record, or whatever else, or nothing. */
  | 'optional'
  /** It is ignored. */
  | 'nothing'
  /** A record, or not yet. */
  | 'poll';

/** One operation of the contract, ready to be called. */
export interface Operation {
  name: string;
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Method and path as the contract writes them. */
  contract: string;
  /** The path that must reach the server, without the prefix. */
  url: string;
  shape: Shape;
  /** A good response. */
  good: unknown;
  /** True when it sends a file, and so has two forms of body. */
  upload?: boolean;
  call: (client: ApiClient, options?: { signal?: AbortSignal }) => Promise<unknown>;
}

const user = { id: 7, login: 'ada', name: 'Ada' };
const project = { repository_id: 'r-1', slug: 'engine', name: 'Engine' };
const stack = { uuid: 'u-1', branch_id: 'feature/x', title: 'A stack' };
const patch = { change_id: 'c-1', title: 'A patch' };
const section = { section_type: 'text', code: 's-1', identifier: 's-1', data: 'Words' };
const key = { id: 1, name: 'laptop', fingerprint: 'SHA256:abc' };
const file = fileFromBytes('logs.zip', Buffer.from('twelve bytes'));

/** The login token that `login.userForToken` is called with; a secret as well. */
export const loginTokenCanary = '4815162342';

/** All 29 operations. */
export const operations: readonly Operation[] = [
  {
    name: 'users.me',
    method: 'GET',
    contract: 'GET /user',
    url: '/user',
    shape: 'record',
    good: user,
    call: (client, options) => client.users.me(options),
  },
  {
    name: 'users.updateMe',
    method: 'PUT',
    contract: 'PUT /user',
    url: '/user',
    shape: 'record',
    good: user,
    upload: true,
    call: (client, options) => client.users.updateMe({ name: 'Ada', avatar: file }, options),
  },
  {
    name: 'users.addKey',
    method: 'POST',
    contract: 'POST /user/keys',
    url: '/user/keys',
    shape: 'optional',
    good: key,
    call: (client, options) =>
      client.users.addKey({ name: 'laptop', publicKey: 'ssh-ed25519 AAAA' }, options),
  },
  {
    name: 'users.deleteKey',
    method: 'DELETE',
    contract: 'DELETE /user/keys',
    url: '/user/keys?fingerprint=SHA256%3Aa%2Fb%2Bc',
    shape: 'nothing',
    good: {},
    call: (client, options) => client.users.deleteKey('SHA256:a/b+c', options),
  },
  {
    name: 'users.get',
    method: 'GET',
    contract: 'GET /user/{login}',
    url: '/user/ada%2Fl',
    shape: 'record',
    good: user,
    call: (client, options) => client.users.get('ada/l', options),
  },
  {
    name: 'users.keys',
    method: 'GET',
    contract: 'GET /user/{login}/keys',
    url: '/user/ada/keys',
    shape: 'countedList',
    good: [key],
    call: (client, options) => client.users.keys('ada', options),
  },
  {
    name: 'projects.list',
    method: 'GET',
    contract: 'GET /projects',
    url: '/projects?limit=5',
    shape: 'list',
    good: [project],
    call: (client, options) => client.projects.list({ limit: 5 }, options),
  },
  {
    name: 'projects.create',
    method: 'POST',
    contract: 'POST /projects',
    url: '/projects',
    shape: 'record',
    good: project,
    call: (client, options) => client.projects.create({ name: 'Engine' }, options),
  },
  {
    name: 'projects.get',
    method: 'GET',
    contract: 'GET /projects/{repo_id}',
    url: '/projects/r-1',
    shape: 'record',
    good: project,
    call: (client, options) => client.projects.get('r-1', options),
  },
  {
    name: 'projects.delete',
    method: 'DELETE',
    contract: 'DELETE /projects/{repo_id}',
    url: '/projects/r-1',
    shape: 'nothing',
    good: {},
    call: (client, options) => client.projects.delete('r-1', options),
  },
  {
    name: 'projects.update',
    method: 'PUT',
    contract: 'PUT /projects/{repo_id}',
    url: '/projects/r-1',
    shape: 'record',
    good: project,
    call: (client, options) => client.projects.update('r-1', { name: 'Engine' }, options),
  },
  {
    name: 'projects.lookup',
    method: 'GET',
    contract: 'GET /projects/lookup/{owner}/{slug}',
    url: '/projects/lookup/ada/en%20gine',
    shape: 'record',
    good: { repository_id: 'r-1' },
    call: (client, options) => client.projects.lookup('ada', 'en gine', options),
  },
  {
    name: 'projects.connect',
    method: 'POST',
    contract: 'POST /projects/{repo_id}/connect',
    url: '/projects/r-1/connect',
    shape: 'record',
    good: project,
    call: (client, options) => client.projects.connect('r-1', { organizationSlug: 'acme' }, options),
  },
  {
    name: 'projects.disconnect',
    method: 'POST',
    contract: 'POST /projects/{repo_id}/disconnect',
    url: '/projects/r-1/disconnect',
    shape: 'nothing',
    good: {},
    call: (client, options) => client.projects.disconnect('r-1', options),
  },
  {
    name: 'stacks.list',
    method: 'GET',
    contract: 'GET /patch_stack/{project_id}',
    url: '/patch_stack/r-1?branch_id=feature%2Fx&status=all',
    shape: 'list',
    good: [stack],
    call: (client, options) => client.stacks.list('r-1', { branchId: 'feature/x', status: 'all' }, options),
  },
  {
    name: 'stacks.latestForBranch',
    method: 'GET',
    contract: 'GET /patch_stack/{project_id}/{branch_id}',
    url: '/patch_stack/r-1/feature%2F%C3%BC%23%3F%25',
    shape: 'record',
    good: stack,
    call: (client, options) => client.stacks.latestForBranch('r-1', 'feature/ü#?%', options),
  },
  {
    name: 'stacks.patchStatuses',
    method: 'GET',
    contract: 'GET /patch_stack/{project_id}/{branch_id}/patch_status',
    url: '/patch_stack/r-1/main/patch_status',
    shape: 'record',
    good: stack,
    call: (client, options) => client.stacks.patchStatuses('r-1', 'main', options),
  },
  {
    name: 'stacks.create',
    method: 'POST',
    contract: 'POST /patch_stack',
    url: '/patch_stack',
    shape: 'record',
    good: stack,
    call: (client, options) =>
      client.stacks.create({ projectId: 'r-1', branchId: 'main', oplogSha: 'abc' }, options),
  },
  {
    name: 'stacks.update',
    method: 'PATCH',
    contract: 'PATCH /patch_stack/{uuid}',
    url: '/patch_stack/u-1',
    shape: 'optional',
    good: stack,
    call: (client, options) => client.stacks.update('u-1', { status: 'closed' }, options),
  },
  {
    name: 'patches.get',
    method: 'GET',
    contract: 'GET /patch_stack/{uuid}/patch/{change_id}',
    url: '/patch_stack/u-1/patch/c-1',
    shape: 'record',
    good: patch,
    call: (client, options) => client.patches.get('u-1', 'c-1', options),
  },
  {
    name: 'patches.update',
    method: 'PATCH',
    contract: 'PATCH /patch_stack/{uuid}/patch/{change_id}',
    url: '/patch_stack/u-1/patch/c-1',
    shape: 'record',
    good: patch,
    call: (client, options) => client.patches.update('u-1', 'c-1', { signOff: true }, options),
  },
  {
    name: 'patches.getSection',
    method: 'GET',
    contract: 'GET /patch_stack/{uuid}/patch/{change_id}/section/{section_code}',
    url: '/patch_stack/u-1/patch/c-1/section/s-1',
    shape: 'record',
    good: section,
    call: (client, options) => client.patches.getSection('u-1', 'c-1', 's-1', options),
  },
  {
    name: 'patches.updateSection',
    method: 'PATCH',
    contract: 'PATCH /patch_stack/{uuid}/patch/{change_id}/section/{section_code}',
    url: '/patch_stack/u-1/patch/c-1/section/s-1',
    shape: 'record',
    good: section,
    call: (client, options) => client.patches.updateSection('u-1', 'c-1', 's-1', { text: 'Words' }, options),
  },
  {
    name: 'patches.deleteSection',
    method: 'DELETE',
    contract: 'DELETE /patch_stack/{uuid}/patch/{change_id}/section/{section_code}',
    url: '/patch_stack/u-1/patch/c-1/section/s-1',
    shape: 'nothing',
    good: {},
    call: (client, options) => client.patches.deleteSection('u-1', 'c-1', 's-1', options),
  },
  {
    name: 'patches.createSection',
    method: 'POST',
    contract: 'POST /patch_stack/{uuid}/patch/{change_id}/section',
    url: '/patch_stack/u-1/patch/c-1/section',
    shape: 'record',
    good: section,
    call: (client, options) =>
      client.patches.createSection('u-1', 'c-1', { type: 'text', text: 'Words', position: 0 }, options),
  },
  {
    name: 'login.createToken',
    method: 'POST',
    contract: 'POST /login/token',
    url: '/login/token',
    shape: 'record',
    good: { token: 12345, url: 'https://stacks.example/login/12345' },
    call: (client, options) => client.login.createToken(options),
  },
  {
    name: 'login.userForToken',
    method: 'GET',
    contract: 'GET /login/user/{token}',
    url: `/login/user/${loginTokenCanary}`,
    shape: 'poll',
    good: user,
    call: (client, options) => client.login.userForToken(loginTokenCanary, options),
  },
  {
    name: 'releases.create',
    method: 'POST',
    contract: 'POST /releases',
    url: '/releases',
    shape: 'record',
    good: { version: '1.0.0' },
    call: (client, options) =>
      client.releases.create({ version: '1.0.0', sha: 'abc', channel: 'release' }, options),
  },
  {
    name: 'feedback.send',
    method: 'PUT',
    contract: 'PUT /feedback',
    url: '/feedback',
    shape: 'nothing',
    good: {},
    upload: true,
    call: (client, options) => client.feedback.send({ message: 'Thanks', logs: file }, options),
  },
];
