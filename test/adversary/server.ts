/** A server that means harm, against the real client and the real window. */
import assert from 'node:assert/strict';
import { ApiClient } from '../../src/api/client.ts';
import { isApiError } from '../../src/api/errors.ts';
import { parseServerRoot } from '../../src/api/server.ts';
import {
  FaultServer,
  gzipBomb,
  hugeJson,
  hugeLength,
  nested,
  reply,
  type Fault,
} from '../support/faultServer.ts';
import { operations } from '../support/operations.ts';
import { Trial, type Attack } from './attack.ts';

const token = 'adversary-canary-token';
const gigabyte = 2 ** 30;

/** Texts of strangers: marks that turn the line around, controls, icons, markup, links that run something. */
const hostileTexts: readonly string[] = [
  '\u202egnp.exe',
  '\u2066a\u2069\u200f\u061c',
  'a\u0000b\u0007\u001b[31mred\u009b0m',
  'line\r\nset-cookie: a=b',
  '$(alert) $(sync~spin)',
  '[x](command:workbench.action.closeWindow)',
  '[x](javascript:alert(1)) [y](vscode://a.b/c) [z](file:///etc/passwd)',
  '<img src=x onerror=alert(1)><script>alert(1)</script>',
  '![track](https://tracker.invalid/pixel.png)',
  '{0} {1} %s ${x} `',
  'x'.repeat(100_000),
  '__proto__',
  '\ud800 half a pair',
];

const places: Record<string, (other: string) => Record<string, string>> = {
  'another origin': (other) => ({ location: `${other}/api/user` }),
  'a relative one': () => ({ location: '//127.0.0.1:9/api' }),
  'a script': () => ({ location: 'javascript:alert(1)' }),
  'a file': () => ({ location: 'file:///etc/passwd' }),
  'itself, for ever': () => ({ location: '?again' }),
  'a host with our name in it': (other) => ({ location: other.replace('//', '//127.0.0.1@') }),
  nothing: () => ({}),
};

const redirects: Attack = {
  name: 'server: redirects',
  async run() {
    const trial = new Trial();
    const [server, other] = await Promise.all([FaultServer.start(), FaultServer.start()]);
    for (const status of [301, 302, 303, 307, 308, 300, 304, 399]) {
      for (const [name, place] of Object.entries(places)) {
        for (const operation of operations) {
          await trial.try(`${operation.name}, ${status} to ${name}`, async () => {
            server.use(reply(status, '{}', place(other.url)));
            other.use(reply(200, JSON.stringify(operation.good)));
            await using client = new ApiClient({ serverUrl: server.url, getToken: async () => token });
            await assert.rejects(operation.call(client), (error) => isApiError(error));
            assert.equal(other.seen.length, 0, 'it followed');
            assert.ok(server.seen.length <= 10, 'it went on asking');
          });
        }
      }
    }
    await Promise.all([server.stop(), other.stop()]);
    return trial;
  },
};

const tooMuch: Attack = {
  name: 'server: gigabytes, depth and lies',
  async run(full) {
    const trial = new Trial();
    const server = await FaultServer.start();
    const size = full ? gigabyte : 64 * 2 ** 20;
    /** Answers that are given up as soon as they are too large. */
    const tooLarge: Record<string, Fault> = {
      'a gigabyte of JSON': hugeJson(size),
      'a length of a gigabyte': hugeLength(gigabyte),
      'a zip bomb': gzipBomb(size),
    };
    const answers: Record<string, Fault> = {
      ...tooLarge,
      'a hundred thousand arrays in each other': reply(200, nested(100_000)),
      'a hundred thousand objects in each other': reply(200, '{"parent_project":'.repeat(100_000)),
      'a million headers': (response) => {
        response.socket?.end(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(1_000_000)}\r\n`);
      },
      'a number of a million digits': reply(200, `{"id":${'9'.repeat(1_000_000)}}`),
    };
    for (const [name, answer] of Object.entries(answers)) {
      for (const operation of operations.filter(({ method }) => method === 'GET')) {
        await trial.try(`${operation.name}, ${name}`, async () => {
          server.use(answer);
          const transport = { maxResponseSize: 2 ** 20 };
          await using client = new ApiClient({
            serverUrl: server.url,
            getToken: async () => token,
            transport,
          });
          const before = process.memoryUsage().rss;
          const outcome = await operation.call(client).catch((error: unknown) => error);
          if (outcome instanceof Error) {
            assert.ok(isApiError(outcome), String(outcome));
          }
          if (name in tooLarge) {
            assert.equal(isApiError(outcome) && outcome.kind, 'tooLarge');
          }
          const grown = (process.memoryUsage().rss - before) / 2 ** 20;
          assert.ok(grown < 300, `${Math.round(grown)} MB more`);
        });
      }
    }
    await server.stop();
    return trial;
  },
};

const texts: Attack = {
  name: 'server: hostile texts everywhere',
  async run() {
    const trial = new Trial();
    const server = await FaultServer.start();
    for (const text of hostileTexts) {
      const hostile = (value: unknown): unknown =>
        typeof value === 'string'
          ? text
          : Array.isArray(value)
            ? value.map(hostile)
            : typeof value === 'object' && value !== null
              ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hostile(inner)]))
              : value;
      for (const operation of operations) {
        for (const status of [200, 422]) {
          await trial.try(`${operation.name}, ${status}, ${JSON.stringify(text).slice(0, 40)}`, async () => {
            const body =
              status === 200
                ? hostile(operation.good)
                : { error: text, errors: [{ field: text, message: text }] };
            server.use(reply(status, JSON.stringify(body)));
            await using client = new ApiClient({ serverUrl: server.url, getToken: async () => token });
            try {
              await operation.call(client);
            } catch (error) {
              assert.ok(isApiError(error), String(error));
              assert.ok(error.message.length < 2000, 'an endless message');
              assert.doesNotMatch(error.message, /[\u0000-\u0008\u001b\u202a-\u202e\u2066-\u2069]/);
            }
          });
        }
      }
    }
    await server.stop();
    return trial;
  },
};

/** Addresses that are not what they look like, and what they are. */
const origins: Record<string, string | undefined> = {
  'https://рatches.example.com': 'https://xn--atches-9qf.example.com',
  'https://patches.example.com@evil.example': undefined,
  'https://patches.example.com:pass@evil.example': undefined,
  'https://patches.example.com\u2044.evil.example': 'https://patches.example.xn--com-qt0a.evil.example',
  'https://patches.example.com%2f.evil.example': undefined,
  'https://patches.example.com\\.evil.example': 'https://patches.example.com',
  'https:patches.example.com': undefined,
  'javascript://patches.example.com/%0aalert(1)': undefined,
  'file:///etc/passwd': undefined,
  'vscode://patch-stacks.patch-stacks': undefined,
  'http://127.0.0.1.evil.example': 'http://127.0.0.1.evil.example',
  'http://localhost.evil.example': 'http://localhost.evil.example',
  'https://patches.example.com?x=https://evil.example': undefined,
  'https://patches.example.com#@evil.example': undefined,
};

const addresses: Attack = {
  name: 'server: addresses that are not what they look like',
  async run() {
    const trial = new Trial();
    for (const [address, origin] of Object.entries(origins)) {
      await trial.try(address, () => {
        const root = parseServerRoot(address);
        assert.equal(root?.origin, origin);
        assert.ok(root?.loopback !== true, 'it counts as this computer');
      });
    }
    return trial;
  },
};

export const attacks: readonly Attack[] = [redirects, tooMuch, texts, addresses];
