import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttp, type Server as HttpServer } from 'node:http';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { createServer as createHttps, type Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect, promisify } from 'node:util';
import { ApiClient, type TransportOptions } from '../../src/api/client.ts';
import { isApiError } from '../../src/api/errors.ts';
import { ProxyServer } from '../support/proxyServer.ts';
import { makeAuthority, makeCertificate, type Certificate } from '../support/tls.ts';

const token = 'canary-token-91c2';
const proxyPassword = 'canary-pass word';
/** A host that exists only for the proxy. */
const host = 'stacks.test';

describe('proxies and certificates', () => {
  let authority: Certificate;
  let secure: HttpsServer;
  let plain: HttpServer;
  let http2: Http2SecureServer;
  let proxy: ProxyServer;
  let target = 0;
  const answered: { host: string | undefined; token: string | string[] | undefined; http: string }[] = [];

  before(async () => {
    authority = await makeAuthority();
    const certificate = await makeCertificate(authority, [host, 'localhost']);
    const answer: Parameters<typeof createHttp>[1] = (request, response) => {
      answered.push({
        host: request.headers.host ?? String(request.headers[':authority']),
        token: request.headers['x-auth-token'],
        http: request.httpVersion,
      });
      response.setHeader('content-type', 'application/json');
      response.setHeader('patch-stacks-offers', 'contents');
      response.end('{"id":1}');
    };
    secure = createHttps(certificate, answer);
    plain = createHttp(answer);
    http2 = createSecureServer({ ...certificate, allowHTTP1: true }, answer as never);
    for (const server of [secure, plain, http2]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    proxy = await ProxyServer.start(() => target);
  });
  after(async () => {
    await proxy.stop();
    for (const server of [secure, plain, http2]) {
      server.close();
      await once(server, 'close');
    }
  });
  beforeEach(() => {
    answered.length = 0;
    proxy.seen.length = 0;
    proxy.credentials = undefined;
    proxy.refuseWith = undefined;
    target = portOf(secure);
  });

  const trusting = () => ({ extraCertificates: [authority.cert] });
  const viaProxy = () => ({ proxy: { url: `http://${proxy.address}` } });

  describe('a TLS server', () => {
    it('is trusted through a private authority', async () => {
      assert.equal(await ask(`https://localhost:${portOf(secure)}`, trusting()), 'ok');
      assert.equal(answered[0]?.token, token);
    });

    it('is trusted through an authority of the environment', async () => {
      const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-ca-'));
      const file = path.join(directory, 'ca.pem');
      await writeFile(file, authority.cert);
      const script = `
        import { ApiClient } from ${JSON.stringify(import.meta.resolve('../../src/api/client.ts'))};
        const client = new ApiClient({ serverUrl: process.argv[1], getToken: async () => 'x' });
        console.log((await client.users.me()).id);
        await client.close();`;
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: file };
      const args = ['--input-type=module', '--eval', script, `https://localhost:${portOf(secure)}`];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      assert.equal(stdout, '1\n');
      await rm(directory, { recursive: true });
    });

    it('is refused when no one vouches for it, before the token is sent', async () => {
      const outcome = await ask(`https://localhost:${portOf(secure)}`);
      assert.equal(outcome, 'tls');
      assert.equal(answered.length, 0);
    });

    it('is refused under another name', async () => {
      target = portOf(secure);
      assert.equal(await ask('https://other.test', { ...trusting(), ...viaProxy() }), 'tls');
      assert.equal(answered.length, 0);
    });

    it('is refused with a certificate that has expired', async () => {
      const expired = await makeCertificate(authority, ['localhost'], new Date(Date.now() - 86_400_000));
      const server = createHttps(expired, (_request, response) => response.end('{"id":1}')).listen(
        0,
        '127.0.0.1',
      );
      await once(server, 'listening');
      assert.equal(await ask(`https://localhost:${portOf(server)}`, trusting()), 'tls');
      server.close();
    });

    it('is taken as it is when the user turned strict SSL off', async () => {
      assert.equal(await ask(`https://localhost:${portOf(secure)}`, { strictSSL: false }), 'ok');
    });

    it('is spoken to in HTTP/2 when it offers that, over one connection', async () => {
      let sessions = 0;
      http2.on('session', () => sessions++);
      await using client = makeClient(`https://localhost:${portOf(http2)}`, {
        ...trusting(),
        shareReads: false,
      });
      await client.users.me();
      await Promise.all(Array.from({ length: 20 }, () => client.users.me()));
      assert.deepEqual(new Set(answered.map(({ http }) => http)), new Set(['2.0']));
      assert.equal(sessions, 1);
    });
  });

  describe('a proxy', () => {
    it('tunnels to a TLS server, and sees neither path nor token', async () => {
      assert.equal(await ask(`https://${host}`, { ...trusting(), ...viaProxy() }), 'ok');
      assert.deepEqual(
        proxy.seen.map(({ line }) => line),
        [`CONNECT ${host}:443`],
      );
      assert.doesNotMatch(inspect(proxy.seen, { depth: 9 }), new RegExp(token));
      assert.equal(answered[0]?.token, token);
    });

    it('forwards plain HTTP to a server the user allowed', async () => {
      target = portOf(plain);
      assert.equal(await ask(`http://${host}`, { ...viaProxy(), allowInsecure: true }), 'ok');
      assert.equal(proxy.seen.length, 1);
      assert.equal(answered[0]?.host, host);
    });

    it('is found in the environment', async () => {
      const environment = { HTTPS_PROXY: `http://${proxy.address}` };
      assert.equal(await ask(`https://${host}`, { ...trusting(), proxy: { environment } }), 'ok');
      assert.equal(proxy.seen.length, 1);
    });

    it('is not used for hosts that are excepted, nor for this computer', async () => {
      const outcome = await ask(`https://${host}`, {
        proxy: { url: `http://${proxy.address}`, noProxy: ['.test'] },
      });
      assert.match(outcome, /^connection (ENOTFOUND|EAI_AGAIN)$/);
      assert.equal(await ask(`https://localhost:${portOf(secure)}`, { ...trusting(), ...viaProxy() }), 'ok');
      assert.equal(proxy.seen.length, 0);
    });

    it('gets its own credentials, and only those', async () => {
      proxy.credentials = `ada:${proxyPassword}`;
      const url = `http://ada:${encodeURIComponent(proxyPassword)}@${proxy.address}`;
      assert.equal(await ask(`https://${host}`, { ...trusting(), proxy: { url } }), 'ok');
      target = portOf(plain);
      assert.equal(await ask(`http://${host}`, { allowInsecure: true, proxy: { url } }), 'ok');
      assert.equal(proxy.seen.length, 2);
    });

    it('that asks for credentials, or refuses, is a connection that failed at once', async () => {
      proxy.credentials = `ada:${proxyPassword}`;
      const url = `http://ada:wrong-${encodeURIComponent(proxyPassword)}@${proxy.address}`;
      assert.equal(await ask(`https://${host}`, { ...trusting(), proxy: { url } }), 'connection PROXY_407');
      target = portOf(plain);
      assert.equal(
        await ask(`http://${host}`, { allowInsecure: true, proxy: { url } }),
        'connection PROXY_407',
      );
      proxy.credentials = undefined;
      proxy.refuseWith = 403;
      assert.equal(await ask(`https://${host}`, { ...trusting(), ...viaProxy() }), 'connection PROXY_403');
      assert.equal(answered.length, 0);
      assert.equal(proxy.seen.length, 3);
    });

    it('that is not there is a connection that failed', async () => {
      const gone = await ProxyServer.start(() => 0);
      const url = `http://${gone.address}`;
      await gone.stop();
      assert.equal(await ask(`https://${host}`, { proxy: { url } }), 'connection ECONNREFUSED');
    });
  });

  it('what a server offers beside the contract is believed of one on this computer alone', async () => {
    target = portOf(plain);
    const offers = async (serverUrl: string): Promise<boolean> => {
      await using client = makeClient(serverUrl, { ...viaProxy(), allowInsecure: true });
      await client.users.me();
      return client.contents.isOffered;
    };
    assert.equal(await offers(`http://127.0.0.1:${target}`), true);
    assert.equal(await offers(`http://${host}`), false);
  });

  function makeClient(serverUrl: string, transport: TransportOptions = {}): ApiClient {
    return new ApiClient({
      serverUrl,
      getToken: async () => token,
      transport: { retryDelayMs: 1, systemCertificates: false, ...transport },
    });
  }

  /** Asks for the user, and tells how that went; no secret may show in it. */
  async function ask(serverUrl: string, transport?: TransportOptions): Promise<string> {
    await using client = makeClient(serverUrl, transport);
    try {
      await client.users.me();
      return 'ok';
    } catch (error) {
      assert.ok(isApiError(error), inspect(error));
      const shown = inspect([error, client], { depth: 9, showHidden: true }) + String(error.stack);
      for (const secret of [token, proxyPassword, encodeURIComponent(proxyPassword)]) {
        assert.ok(!shown.includes(secret), shown);
      }
      return error.kind === 'connection' ? `${error.kind} ${error.code}` : error.kind;
    }
  }
});

function portOf(server: { address(): AddressInfo | string | null }): number {
  return (server.address() as AddressInfo).port;
}
