import assert from 'node:assert/strict';
import { ApiClient } from '../../../src/api/client.ts';
import { isApiError } from '../../../src/api/errors.ts';
import { chooseProxy } from '../../../src/api/proxy.ts';
import { isLoopback, parseServerRoot, serverRoot } from '../../../src/api/server.ts';

describe('serverRoot', () => {
  const roots: Record<string, string[]> = {
    'https://stacks.example/api': [
      'stacks.example',
      ' https://stacks.example ',
      'https://stacks.example/',
      'https://stacks.example/api',
      'https://Stacks.Example/api/',
      'https://stacks.example:443/api//',
    ],
    'https://stacks.example:8443/team/api': [
      'stacks.example:8443/team',
      'https://stacks.example:8443/team/api/',
    ],
    'http://127.0.0.1:8080/api': ['127.0.0.1:8080', 'http://127.0.0.1:8080/'],
    'http://localhost/api': ['localhost', 'http://localhost/api'],
    'https://localhost/api': ['https://localhost'],
  };
  for (const [root, settings] of Object.entries(roots)) {
    for (const setting of settings) {
      it(`${JSON.stringify(setting)} → ${root}`, () => assert.equal(serverRoot(setting), root));
    }
  }

  for (const setting of [
    '',
    'ftp://a',
    'https://',
    'https://user:secret@a/',
    'https://a/?x',
    'https://a/#x',
    'a b',
    'file:///etc',
  ]) {
    it(`refuses ${JSON.stringify(setting)}`, () => {
      assert.equal(parseServerRoot(setting), undefined);
      assert.throws(
        () => serverRoot(setting),
        (error: Error) => !error.message.includes('secret'),
      );
    });
  }
});

describe('isLoopback', () => {
  it('knows this computer, and nothing that only looks like it', () => {
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', '127.0.0.1', '127.9.8.7', '[::1]']) {
      assert.ok(isLoopback(host), host);
    }
    for (const host of [
      'localhost.example',
      '127.0.0.1.example',
      '128.0.0.1',
      '[::2]',
      '10.0.0.1',
      'mylocalhost',
    ]) {
      assert.ok(!isLoopback(host), host);
    }
  });
});

describe('ApiClient settings', () => {
  const kindOf = (serverUrl: string, transport = {}) => {
    try {
      new ApiClient({ serverUrl, getToken: async () => undefined, transport });
      return 'ok';
    } catch (error) {
      return isApiError(error) ? error.kind : error;
    }
  };

  it('refuses plain http: but to this computer, unless it is allowed', () => {
    assert.equal(kindOf('http://stacks.example'), 'insecure');
    assert.equal(kindOf('http://stacks.example', { allowInsecure: true }), 'ok');
    assert.equal(kindOf('http://127.0.0.1:1'), 'ok');
  });

  it('refuses what is no address', () => {
    assert.equal(kindOf('not an address'), 'invalid');
    assert.equal(kindOf('stacks.example', { proxy: { url: 'http://' } }), 'invalid');
  });
});

describe('chooseProxy', () => {
  const origin = 'https://stacks.example';

  it('prefers the setting to the environment', () => {
    const environment = { https_proxy: 'http://env:1', no_proxy: 'a' };
    assert.deepEqual(chooseProxy(origin, { url: 'proxy:8080', environment }), {
      url: 'http://proxy:8080',
      noProxy: 'a',
    });
    assert.deepEqual(chooseProxy(origin, { environment, noProxy: ['b', 'c'] }), {
      url: 'http://env:1',
      noProxy: 'b,c',
    });
  });

  it('reads the variable for the scheme, in either case, else the one for all', () => {
    assert.equal(
      chooseProxy(origin, { environment: { HTTPS_PROXY: 'http://s', http_proxy: 'http://p' } })?.url,
      'http://s',
    );
    assert.equal(
      chooseProxy('http://stacks.example', { environment: { HTTP_PROXY: 'http://p' } })?.url,
      'http://p',
    );
    assert.equal(chooseProxy(origin, { environment: { http_proxy: 'http://p' } }), undefined);
    assert.equal(
      chooseProxy(origin, { environment: { all_proxy: 'socks5://s:1080' } })?.url,
      'socks5://s:1080',
    );
  });

  it('reaches this computer directly', () => {
    assert.equal(chooseProxy('http://localhost:1', { url: 'http://proxy' }), undefined);
  });

  it('refuses a bad address without repeating it', () => {
    assert.throws(
      () => chooseProxy(origin, { url: 'ftp://user:secret@host' }),
      (error: Error) => error instanceof TypeError && !error.message.includes('secret'),
    );
  });
});
