import assert from 'node:assert/strict';
import { RunningService } from '../support/runningService.ts';
import { sshKeys } from '../support/sshKeys.ts';

/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('service: users', () => {
  let running: RunningService;

  before(async () => {
    running = await RunningService.start();
  });

  after(() => running.stop());

  it('GET /user gives the caller with token, role, organizations and projects', async () => {
    const created = await running.call('POST', '/projects', { json: { name: 'Mine' } });
    const { status, body } = await running.call('GET', '/user');
    assert.equal(status, 200);
    assert.equal(body.access_token, running.service.token);
    assert.equal(body.role, 'admin');
    assert.equal(typeof body.id, 'number');
    assert.equal(body.supporter, false);
    assert.deepEqual(
      body.organizations.map(({ slug }) => slug),
      ['local'],
    );
    assert.deepEqual(body.projects, [
      { ...created.body, permissions: { can_read: true, can_write: true, share_level: 'private' } },
    ]);
    assert.match(body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('GET /user/{login} gives anyone, without what is their own', async () => {
    const { login } = running.service.addUser({
      login: 'Gräce/H',
      name: 'Grace',
      email: 'grace@example.com',
    });
    const { status, body } = await running.call('GET', `/user/${encodeURIComponent(login.toUpperCase())}`);
    // SQLite folds the case of ASCII letters only.
    assert.equal(status, 404);
    const found = await running.call('GET', `/user/${encodeURIComponent('GRäCE/h')}`);
    assert.equal(found.status, 200);
    assert.equal(body.error_code, 'not_found');
    assert.deepEqual(Object.keys(found.body).sort(), [
      'avatar_url',
      'created_at',
      'email',
      'family_name',
      'given_name',
      'id',
      'locale',
      'login',
      'name',
      'organizations',
      'picture',
      'supporter',
      'updated_at',
    ]);
  });

  describe('PUT /user', () => {
    it('changes what is sent, and nothing else', async () => {
      const before = await running.call('GET', '/user');
      const { status, body } = await running.call('PUT', '/user', {
        json: { name: 'Ada', locale: 'de', given_name: 'A', family_name: '' },
      });
      assert.equal(status, 200);
      assert.deepEqual([body.name, body.locale, body.given_name, body.family_name], ['Ada', 'de', 'A', '']);
      assert.equal(body.email, before.body.email);
      assert.equal(body.access_token, running.service.token);
      const again = await running.call('PUT', '/user', { json: {} });
      assert.deepEqual([again.body.name, again.body.locale], ['Ada', 'de']);
    });

    for (const [name, avatar] of [
      ['Base64', png.toString('base64')],
      ['a data URL', `data:image/png;base64,${png.toString('base64')}`],
    ] as const) {
      it(`takes a picture as ${name}, and serves it without a token`, async () => {
        const { body } = await running.call('PUT', '/user', { json: { avatar } });
        assert.equal(body.picture, body.avatar_url);
        const picture = await fetch(body.avatar_url);
        assert.equal(picture.headers.get('content-type'), 'image/png');
        assert.equal(picture.headers.get('x-content-type-options'), 'nosniff');
        assert.deepEqual(Buffer.from(await picture.arrayBuffer()), png);
      });
    }

    it('takes a picture and fields as multipart', async () => {
      const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(20)]);
      const form = new FormData();
      form.set('name', 'Ada B');
      form.set('avatar', new Blob([gif]), 'me.gif');
      const { status, body } = await running.call('PUT', '/user', { body: form });
      assert.equal(status, 200);
      assert.equal(body.name, 'Ada B');
      const picture = await fetch(body.avatar_url);
      assert.equal(picture.headers.get('content-type'), 'image/gif');
      assert.deepEqual(Buffer.from(await picture.arrayBuffer()), gif);
    });

    const refused: [string, object, string][] = [
      ['a locale it does not have', { locale: 'fr' }, 'locale'],
      ['an empty name', { name: '  ' }, 'name'],
      ['a name that is no string', { name: 7 }, 'name'],
      ['a picture that is no Base64', { avatar: '!!' }, 'avatar'],
      ['a picture that is none', { avatar: Buffer.from('<svg/>').toString('base64') }, 'avatar'],
    ];
    for (const [name, json, field] of refused) {
      it(`refuses ${name}`, async () => {
        const { status, body } = await running.call('PUT', '/user', { json });
        assert.equal(status, 422);
        assert.equal(body.error_code, 'invalid');
        assert.deepEqual(
          body.errors.map((error) => error.field),
          [field],
        );
      });
    }

    it('refuses a picture that is too large', async () => {
      const large = Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]);
      assert.equal(
        (await running.call('PUT', '/user', { json: { avatar: large.toString('base64') } })).status,
        422,
      );
      const larger = Buffer.alloc(12 * 1024 * 1024);
      assert.equal(
        (await running.call('PUT', '/user', { json: { avatar: larger.toString('base64') } })).status,
        413,
      );
    });

    it('refuses another kind of body, and one that is no JSON object', async () => {
      const as = (type: string, body: string) =>
        running.call('PUT', '/user', { body, headers: { 'Content-Type': type } });
      assert.equal((await as('text/plain', '{}')).status, 415);
      assert.equal((await as('application/json', '{')).status, 400);
      assert.equal((await as('application/json', '[]')).status, 422);
      assert.equal((await as('multipart/form-data', 'x')).status, 400);
      assert.equal((await as('multipart/form-data; boundary=b', 'x')).status, 400);
    });
  });

  describe('SSH keys', () => {
    it('are added, listed for everyone, and deleted by fingerprint', async () => {
      const { login } = (await running.call('GET', '/user')).body;
      const added = await running.call('POST', '/user/keys', {
        json: { name: 'Laptop', public_key: sshKeys.ed25519.line },
      });
      assert.equal(added.status, 201);
      assert.deepEqual(Object.keys(added.body), ['id', 'name', 'fingerprint', 'created_at']);
      assert.equal(added.body.fingerprint, sshKeys.ed25519.fingerprint);
      const { token } = running.service.addUser({ name: 'Reader', email: 'reader@example.com' });
      const listed = await running.call('GET', `/user/${encodeURIComponent(login)}/keys`, { token });
      assert.deepEqual(listed.body, [added.body]);

      const query = `/user/keys?fingerprint=${encodeURIComponent(sshKeys.ed25519.fingerprint)}`;
      assert.equal((await running.call('DELETE', query, { token })).status, 404);
      const deleted = await running.call('DELETE', query);
      assert.deepEqual([deleted.status, deleted.text], [204, '']);
      assert.equal((await running.call('DELETE', query)).status, 404);
      assert.deepEqual((await running.call('GET', `/user/${encodeURIComponent(login)}/keys`)).body, []);
    });

    it('are found by a fingerprint whose + was not encoded', async () => {
      const added = await running.call('POST', '/user/keys', {
        json: { name: 'B', public_key: sshKeys.ecdsa256.line },
      });
      assert.match(added.body.fingerprint, /\+/);
      assert.equal(
        (await running.call('DELETE', `/user/keys?fingerprint=${added.body.fingerprint}`)).status,
        204,
      );
    });

    it('are refused when malformed or registered already', async () => {
      const add = (json: object, token?: string) =>
        running.call('POST', '/user/keys', { json, ...(token !== undefined && { token }) });
      const { token } = running.service.addUser({ name: 'Other', email: 'other@example.com' });
      assert.equal((await add({ name: 'A', public_key: sshKeys.rsa.line })).status, 201);
      const twice = await add({ name: 'B', public_key: sshKeys.rsa.line });
      assert.deepEqual([twice.status, twice.body.error_code], [409, 'duplicate_key']);
      const others = await add({ name: 'B', public_key: sshKeys.rsa.line }, token);
      assert.equal(others.status, 201, 'nobody learns that somebody else has the key');
      assert.equal((await add({ name: 'B', public_key: sshKeys.rsa.line }, token)).status, 409);
      const own = await running.call('GET', '/user/other/keys', { token });
      assert.equal(own.list.length, 1);
      for (const name of ['a\0b', 'a\nb', 'a\u001bb', '\ud800']) {
        const { status, body } = await add({ name, public_key: sshKeys.ed25519.line });
        assert.deepEqual([status, body.errors[0]?.field], [422, 'name'], JSON.stringify(name));
      }
      assert.equal((await add({ name: 'B', public_key: 'ssh-rsa AAAA' })).status, 422);
      const missing = await add({});
      assert.deepEqual(missing.body.errors, [
        { field: 'name', message: 'is required' },
        { field: 'public_key', message: 'is required' },
      ]);
      assert.equal((await running.call('DELETE', '/user/keys')).status, 422);
      assert.equal((await running.call('GET', '/user/nobody/keys')).status, 404);
    });
  });
});
