import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiClient } from '../../../src/api/client.ts';

describe('images', () => {
  let server: Server;
  let origin: string;
  let client: ApiClient;
  let requests: IncomingMessage[];

  before(async () => {
    server = createServer((request, response) => {
      requests.push(request);
      switch (request.url) {
        case '/avatars/1?size=64':
          response.end(Buffer.from([1, 2, 3]));
          break;
        case '/moved':
          response.writeHead(302, { location: '/avatars/1?size=64' }).end();
          break;
        case '/elsewhere':
          response.writeHead(302, { location: 'https://example.com/picture' }).end();
          break;
        case '/circle':
          response.writeHead(302, { location: '/circle' }).end();
          break;
        case '/broken':
          response.destroy();
          break;
        default:
          response.writeHead(404).end('no');
      }
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = new ApiClient({ serverUrl: origin, getToken: async () => 'canary-token' });
  });

  beforeEach(() => {
    requests = [];
  });

  after(async () => {
    await client.close();
    server.close();
  });

  it('come from the service, also over a redirect, and never with the token', async () => {
    assert.deepEqual(await client.image(`${origin}/avatars/1?size=64`), Buffer.from([1, 2, 3]));
    assert.deepEqual(await client.image('/moved'), Buffer.from([1, 2, 3]));
    assert.equal(requests.length, 3);
    assert.doesNotMatch(JSON.stringify(requests.map(({ headers }) => headers)), /canary/);
  });

  it('are not fetched from anywhere else', async () => {
    assert.equal(await client.image('https://example.com/picture'), undefined);
    assert.equal(await client.image('file:///etc/passwd'), undefined);
    assert.equal(await client.image('http://'), undefined);
    assert.equal(requests.length, 0);
    assert.equal(await client.image('/elsewhere'), undefined);
    assert.equal(requests.length, 1);
  });

  it('are none when they cannot be had', async () => {
    assert.equal(await client.image('/none'), undefined);
    assert.equal(await client.image('/broken'), undefined);
    assert.equal(await client.image('/circle'), undefined);
    assert.equal(await client.image('/avatars/1?size=64', { signal: AbortSignal.abort() }), undefined);
  });
});
