import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Database } from '../../src/service/storage/database.ts';
import {
  attachmentsOf,
  chunkSize,
  listFeedback,
  readAttachment,
} from '../../src/service/storage/feedback.ts';
import { isFull } from '../support/full.ts';
import { RunningService } from '../support/runningService.ts';

const megabyte = 1024 * 1024;

describe('service: releases and feedback', () => {
  let running: RunningService;

  beforeEach(async () => {
    running = await RunningService.start();
  });

  afterEach(() => running.stop());

  /** Looks into the database beside the running service. */
  function read<Result>(look: (database: Database) => Result): Result {
    const database = new Database(path.join(running.dataDirectory, 'patch-stacks.sqlite'));
    try {
      return look(database);
    } finally {
      database.close();
    }
  }

  function stored(): { kind: string; fileName: string; size: number; sha256: string; bytes: Buffer }[] {
    return read((database) =>
      attachmentsOf(database, listFeedback(database)[0]!.id).map((row) => ({
        kind: row.kind,
        fileName: row.file_name,
        size: row.size,
        sha256: row.sha256,
        bytes: Buffer.concat([...readAttachment(database, row.id)]),
      })),
    );
  }

  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  describe('POST /releases', () => {
    const release = { version: '1.2.0', sha: 'ABCDEF0123456789', channel: 'release' };

    it('records a release', async () => {
      const { status, body } = await running.call('POST', '/releases', { json: release });
      assert.equal(status, 201);
      assert.deepEqual(
        { ...body, released_at: '' },
        {
          version: '1.2.0',
          notes: null,
          sha: 'abcdef0123456789',
          channel: 'release',
          build_version: '1.2.0+abcdef0',
          released_at: '',
          builds: [],
        },
      );
      const row = read((database) =>
        database.query<{ version: string; sha: string }>('SELECT * FROM releases').get(),
      );
      assert.deepEqual([row?.version, row?.sha], ['1.2.0', 'abcdef0123456789']);
    });

    it('records a version once in each channel', async () => {
      assert.equal((await running.call('POST', '/releases', { json: release })).status, 201);
      assert.equal((await running.call('POST', '/releases', { json: release })).status, 409);
      const nightly = { ...release, channel: 'nightly' };
      assert.equal((await running.call('POST', '/releases', { json: nightly })).status, 201);
    });

    it('is for admins', async () => {
      const { token } = running.service.addUser({ name: 'User', email: 'user@example.com' });
      assert.equal((await running.call('POST', '/releases', { json: release, token })).status, 403);
    });

    for (const [field, value] of [
      ['version', undefined],
      ['sha', 'xyz'],
      ['sha', 'abc'],
      ['channel', 'beta'],
    ] as const) {
      it(`refuses the ${field} ${String(value)}`, async () => {
        const { status, body } = await running.call('POST', '/releases', {
          json: { ...release, [field]: value },
        });
        assert.deepEqual([status, body.errors[0]!.field], [422, field]);
      });
    }
  });

  describe('PUT /feedback', () => {
    it('stores texts and attachments in Base64', async () => {
      const logs = Buffer.from(Array.from({ length: 3 * chunkSize + 7 }, (_, index) => (index * 7919) % 256));
      const { status, text } = await running.call('PUT', '/feedback', {
        json: {
          email: 'ada@example.com',
          message: 'It "works"\n✓',
          context: 'c',
          logs: logs.toString('base64'),
          repo: null,
          data: Buffer.from('d').toString('base64url'),
        },
      });
      assert.deepEqual([status, text], [204, '']);
      const [row] = read(listFeedback);
      assert.deepEqual([row!.email, row!.message, row!.context], ['ada@example.com', 'It "works"\n✓', 'c']);
      assert.deepEqual(
        stored().map(({ bytes, ...rest }) => ({ ...rest, same: digest(bytes) === rest.sha256 })),
        [
          { kind: 'logs', fileName: 'logs.zip', size: logs.length, sha256: digest(logs), same: true },
          { kind: 'data', fileName: 'data.zip', size: 1, sha256: digest(Buffer.from('d')), same: true },
        ],
      );
    });

    it('stores attachments as files', async () => {
      const form = new FormData();
      const logs = Buffer.alloc(2 * chunkSize + 5, 'log\r\n--');
      form.set('message', 'Hello');
      form.set('logs', new Blob([logs]), 'my logs.zip');
      form.set('repo', new Blob(['']), 'project.zip');
      assert.equal((await running.call('PUT', '/feedback', { body: form })).status, 204);
      assert.equal(read(listFeedback)[0]!.message, 'Hello');
      const files = stored();
      assert.deepEqual(
        files.map(({ kind, fileName, size }) => [kind, fileName, size]),
        [
          ['logs', 'my logs.zip', logs.length],
          ['repo', 'project.zip', 0],
        ],
      );
      assert.ok(files[0]!.bytes.equals(logs));
    });

    const refused: [string, object, number][] = [
      ['nothing', {}, 422],
      ['only empty texts', { message: '', email: '' }, 422],
      ['an address that is none', { email: 'ada', message: 'x' }, 422],
      ['a message that is no string', { message: 1 }, 400],
      ['an attachment that is no Base64', { logs: 'a$b=' }, 422],
      ['an attachment that goes on after its padding', { logs: 'YQ==YQ==' }, 422],
      ['an attachment cut short', { logs: 'YWJjZ' }, 422],
    ];
    for (const [name, json, expected] of refused) {
      it(`refuses ${name}, and keeps nothing of it`, async () => {
        assert.equal((await running.call('PUT', '/feedback', { json })).status, expected);
        assert.deepEqual(
          read((database) => [
            ...database.query('SELECT * FROM feedback').all(),
            ...database.query('SELECT * FROM attachments').all(),
          ]),
          [],
        );
      });
    }

    it('refuses files of another name, files cut short, and other kinds of body', async () => {
      const form = new FormData();
      form.set('logs', new Blob([Buffer.alloc(3 * megabyte)]), 'logs.zip');
      form.set('virus', new Blob(['x']), 'x.exe');
      assert.equal((await running.call('PUT', '/feedback', { body: form })).status, 422);
      const raw = (type: string, body: string) =>
        running.call('PUT', '/feedback', { body, headers: { 'Content-Type': type } });
      const cut = '--b\r\nContent-Disposition: form-data; name="logs"; filename="l.zip"\r\n\r\nhalf';
      assert.equal((await raw('multipart/form-data; boundary=b', cut)).status, 400);
      assert.equal((await raw('text/plain', '{"message": "x"}')).status, 415);
      assert.deepEqual(
        read((database) => database.query('SELECT * FROM attachments').all()),
        [],
      );
    });

    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;

    /** The bytes that something holds: what is only garbage depends on when that is collected. */
    function heldBytes(): number {
      // What is freed with an object that the first one finds goes with the next one.
      collectGarbage();
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    }

    /** Sends a body of any size without holding it, and gives the status and the most bytes that the service held more than before. */
    async function send(
      type: string,
      body: Iterable<Uint8Array>,
    ): Promise<{ status: number; grown: number }> {
      const before = heldBytes();
      let most = before;
      let chunks = 0;
      const status = await new Promise<number>((resolve, reject) => {
        const sent = request(
          `${running.service.url}/feedback`,
          { method: 'PUT', headers: { 'Content-Type': type, 'X-Auth-Token': running.service.token } },
          (response) => {
            response.resume();
            response.on('end', () => resolve(response.statusCode ?? 0));
          },
        );
        sent.on('error', reject);
        void (async () => {
          for (const chunk of body) {
            if (!sent.write(chunk)) {
              await new Promise((drained) => sent.once('drain', drained));
            }
            if (chunks++ % 16 === 0) {
              most = Math.max(most, heldBytes());
            }
          }
          sent.end();
        })();
      });
      return { status, grown: most - before };
    }

    const size = (isFull ? 200 : 128) * megabyte;
    const block = Buffer.from(Array.from({ length: 768 * 1024 }, (_, index) => (index * 31) % 251));

    function* repeated(piece: Uint8Array, times: number, start: string, end: string): Generator<Uint8Array> {
      yield Buffer.from(start);
      for (let time = 0; time < times; time++) {
        yield piece;
      }
      yield Buffer.from(end);
    }

    it(`takes ${size / megabyte} MB as a file, and does not hold them in memory`, async () => {
      const head = '--b\r\nContent-Disposition: form-data; name="repo"; filename="project.zip"\r\n\r\n';
      const body = repeated(block, Math.ceil(size / block.length), head, '\r\n--b--\r\n');
      const { status, grown } = await send('multipart/form-data; boundary=b', body);
      assert.equal(status, 204);
      assert.ok(grown < 16 * megabyte, `${Math.round(grown / megabyte)} MB were held`);
      assert.ok(read((database) => attachmentsOf(database, 1)[0]!.size) >= size);
    }).timeout(60_000);

    it(`takes ${size / megabyte} MB as Base64 in JSON, and does not hold them in memory`, async () => {
      const base64 = Buffer.from(block.toString('base64'));
      const body = repeated(base64, Math.ceil(size / block.length), '{"repo": "', '"}');
      const { status, grown } = await send('application/json', body);
      assert.equal(status, 204);
      assert.ok(grown < 16 * megabyte, `${Math.round(grown / megabyte)} MB were held`);
      assert.ok(read((database) => attachmentsOf(database, 1)[0]!.size) >= size);
    }).timeout(60_000);
  });
});
