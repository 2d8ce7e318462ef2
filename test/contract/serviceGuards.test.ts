import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { gzipSync } from 'node:zlib';
import { RunningService } from '../support/runningService.ts';

/** Every operation but those of the sign-in. */
const operations = [
  'GET /user',
  'PUT /user',
  'POST /user/keys',
  'DELETE /user/keys?fingerprint=x',
  'GET /user/somebody',
  'GET /user/somebody/keys',
  'GET /projects',
  'POST /projects',
  'GET /projects/1',
  'DELETE /projects/1',
  'PUT /projects/1',
  'GET /projects/lookup/owner/slug',
  'POST /projects/1/connect',
  'POST /projects/1/disconnect',
  'GET /patch_stack/u/patch/c/section/s',
  'PATCH /patch_stack/u/patch/c/section/s',
  'DELETE /patch_stack/u/patch/c/section/s',
  'POST /patch_stack/u/patch/c/section',
  'GET /patch_stack/u/patch/c',
  'PATCH /patch_stack/u/patch/c',
  'PATCH /patch_stack/u',
  'GET /patch_stack/1/b/patch_status',
  'GET /patch_stack/1/b',
  'GET /patch_stack/1',
  'POST /patch_stack',
  'POST /releases',
  'PUT /feedback',
  // Beside the contract.
  'GET /contents?ids=x',
];

describe('service: guards', () => {
  let running: RunningService;

  before(async () => {
    running = await RunningService.start();
  });

  after(() => running.stop());

  describe('without a good access token', () => {
    for (const operation of operations) {
      it(`refuse ${operation}`, async () => {
        const [method = '', path = ''] = operation.split(' ');
        for (const token of [null, 'wrong', `${running.service.token}x`]) {
          const { status, body, headers } = await running.call(method, path, { token });
          assert.deepEqual([status, body.error_code], [401, 'unauthorized']);
          assert.equal(headers.get('www-authenticate'), 'Bearer');
        }
      });
    }

    it('refuse a token that was taken back', async () => {
      const { token, login } = running.service.addUser({ name: 'Gone', email: 'gone@example.com' });
      assert.equal((await running.call('GET', '/user', { token })).status, 200);
      assert.equal(running.service.revokeToken(token), true);
      assert.equal((await running.call('GET', '/user', { token })).status, 401);
      assert.equal(running.service.revokeToken(token), false);
      assert.equal(
        (await running.call('GET', '/user', { token: running.service.issueToken(login) })).status,
        200,
      );
    });
  });

  it('take the token as a bearer as well', async () => {
    const { token } = running.service;
    const bearer = (value: string) =>
      running.call('GET', '/user', { token: null, headers: { Authorization: value } });
    assert.equal((await bearer(`Bearer ${token}`)).status, 200);
    assert.equal((await bearer(`bearer ${token}`)).status, 200);
    assert.equal((await bearer(`Basic ${token}`)).status, 401);
    assert.equal((await bearer('Bearer wrong')).status, 401);
  });

  it('answer only under names of this machine, against DNS rebinding', async () => {
    const { port } = running;
    const status = async (host: string, path = '/api/user') =>
      (await running.callRaw('GET', path, { Host: host, 'X-Auth-Token': running.service.token })).status;
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      assert.equal(await status(host), 200, host);
    }
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
      `localhost.evil.example:${port}`,
    ]) {
      assert.equal(await status(host), 403, host);
      assert.equal(await status(host, '/login/x'), 403, host);
      assert.equal(await status(host, '/avatars/x'), 403, host);
    }
  });

  it('refuse pages of other sites, and never allow them', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      `http://127.0.0.1:${running.port + 1}`,
      'vscode-webview://x',
    ]) {
      for (const method of ['GET', 'OPTIONS']) {
        const { status, headers } = await running.call(method, '/user', { headers: { Origin: origin } });
        assert.equal(status, 403, `${method} from ${origin}`);
        assert.equal(headers.get('access-control-allow-origin'), null);
      }
      const token = await running.call('POST', '/login/token', { token: null, headers: { Origin: origin } });
      assert.equal(token.status, 403);
    }
    const own = await running.call('GET', '/user', {
      headers: { Origin: `http://127.0.0.1:${running.port}` },
    });
    assert.equal(own.status, 200);
  });

  it('tell strangers neither where a repository lies nor which project it belongs to', async () => {
    const { body } = await running.call('GET', '/user');
    const own = await running.call('POST', '/projects', { json: { name: 'Engine' } });
    const id = own.body.repository_id;
    running.service.addOrganization({ slug: 'secret', name: 'Secret', members: [body.login] });
    await running.call('POST', `/projects/${id}/connect`, { json: { organization_slug: 'secret' } });
    await running.call('PUT', `/projects/${id}`, { json: { share_level: 'public' } });
    const { token } = running.service.addUser({ name: 'Stranger', email: 'stranger@example.com' });
    const seen = await running.call('GET', `/projects/${id}`, { token });
    assert.equal(seen.status, 200);
    const mine = await running.call('GET', `/projects/${id}`);
    assert.equal(mine.body.parent_project.owner, 'secret');
    assert.equal(seen.body.parent_project, null);
    assert.equal((seen.body as unknown as { code_repository_id: unknown }).code_repository_id, null);
  });

  it('refuse a compressed body by its encoding, and dates, names and texts that would be changed silently', async () => {
    const compressed = await running.call('POST', '/projects', {
      body: gzipSync('{"name":"x"}'),
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    });
    assert.deepEqual([compressed.status, compressed.body.error_code], [415, 'unsupported_encoding']);
    assert.equal(compressed.headers.get('accept-encoding'), 'identity');
    for (const [method, path, json, field] of [
      ['POST', '/projects', { name: 'a\0b' }, 'name'],
      ['POST', '/projects', { name: 'x', description: 'half \ud83d' }, 'description'],
      ['POST', '/patch_stack', { project_id: '1', branch_id: 'b', oplog_sha: 'abc\ndef' }, 'oplog_sha'],
      ['PUT', '/user', { given_name: 'a\nb' }, 'given_name'],
      ['PUT', '/feedback', { message: 'half \ude00' }, 'message'],
      ['POST', '/releases', { version: '1.0.0\n', sha: 'abcdef0', channel: 'nightly' }, 'version'],
    ] as const) {
      const { status, body } = await running.call(method, path, { json });
      assert.deepEqual([status, body.errors[0]?.field], [422, field], `${method} ${path}`);
    }
  });

  it('listen on loopback only', async () => {
    const address = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
    if (address === undefined) {
      return;
    }
    await assert.rejects(
      new Promise((resolve, reject) => {
        const socket = connect({ host: address, port: running.port }, () => resolve(socket.destroy()));
        socket.on('error', reject);
      }),
      { code: 'ECONNREFUSED' },
    );
  });

  it('answer in JSON where there is nothing', async () => {
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['POST', '/user'],
      ['GET', '/user.json/x/y'],
      ['GET', '/user/'],
    ] as const) {
      const { status, body } = await running.call(method, path);
      assert.deepEqual([status, body.error_code], [404, 'not_found'], path);
    }
    assert.equal((await running.callRaw('GET', '/', { Host: `127.0.0.1:${running.port}` })).status, 404);
  });

  it('never let an answer be cached, framed or sniffed', async () => {
    const { headers } = await running.call('GET', '/user');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  });
});
