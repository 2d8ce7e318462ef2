import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { maskLog } from '../../../src/feedback/maskLog.ts';
import { encodings, tellsOf } from '../../support/encodings.ts';

describe('the log that goes along with feedback', () => {
  const mask = (text: string): string => maskLog(text, ['known-token-1234'], '/home/ada');

  it('has no token that is known, in any form', () => {
    const forms = ['known-token-1234', Buffer.from('known-token-1234').toString('base64')];
    for (const form of forms) {
      assert.equal(mask(`sent ${form} away`), 'sent *** away');
    }
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        assert.ok(!mask(`${before}known-token-1234${after}`).includes('known-token-1234'));
      }),
    );
  });

  /** The tokens that services make: letters, digits, and the signs that some encodings write otherwise. */
  const token = fc
    .tuple(
      fc.nat(),
      fc.integer({ min: 8, max: 60 }),
      fc.constantFrom('', '-', '_', '+/', '"', "'&<", '%41', '\\'),
    )
    .map(([seed, length, signs]) => {
      const text = createHash('sha512').update(String(seed)).digest('base64');
      return text.slice(0, length / 2) + signs + text.slice(length / 2, length);
    });

  for (const [name, encode] of Object.entries(encodings)) {
    it(`has no token that is known ${name}`, () => {
      const words = fc.string({
        unit: fc.constantFrom('a', 'Z', '0', ' ', '=', '\\', '%', '"', '\n', 'é', 'İ'),
      });
      fc.assert(
        fc.property(token, words, words, (secret, before, after) => {
          const masked = maskLog(`${before} ${encode(secret)} ${after}`, [secret], '/home/ada');
          const found = tellsOf(secret).filter((form) => masked.includes(form));
          assert.deepEqual(found, [], masked);
        }),
        { numRuns: 50 },
      );
    });
  }

  it('has nothing that looks like a secret', () => {
    for (const [line, secret] of [
      ['X-Auth-Token: abcdef123456', 'abcdef123456'],
      ['{"authorization":"Bearer abc.def-123"}', 'abc.def-123'],
      ['GET https://ada:hunter2@example.com/x', 'hunter2'],
      ['password=hunter2&x=1', 'hunter2'],
      ['"access_token": "s3cr3t-value"', 's3cr3t-value'],
      ['ghp_0123456789abcdefghijABCDEFGHIJ', 'ghp_0123456789'],
      ['AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
      ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'c2lnbmF0dXJl'],
      ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabcd\n-----END RSA PRIVATE KEY-----', 'MIIE'],
      ['-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nabcd12', 'abcd12'],
      ['MIIEowIBAAKCAQEA\nabcd12\n-----END RSA PRIVATE KEY-----', 'abcd12'],
      ['"-----BEGIN PRIVATE KEY-----\\nMIIEowIBAAKCAQEA\\nabcd12=\\n', 'abcd12'],
      ['Tf9Oo0DwqCPxXT9PAati6uDl2lecy4Ufjbnf6ExYsrN7iZA6dA4e4XLaeTpuedVg', '6uDl2lecy4Ufjbnf6ExY'],
      ['key sk-proj-a8Kd93jfLq02mZx7', 'a8Kd93jfLq02mZx7'],
      ['AIzaSyD3asdkj2-pEZVq9rKd8fHq0Lm4nXw71Bc&x', 'asdkj2-pEZVq9'],
      ['sk_live_a8Kd93jfLq02mZx7', 'a8Kd93jfLq02'],
      ['glrt-a8Kd93jfLq02mZx71bVt', 'a8Kd93jfLq02'],
      ['dop_v1_0a1b2c3d4e5f60718293a4b5c6d7e8f9', '0a1b2c3d4e5f'],
      ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG', 'wJalrXUtnFEMI'],
      ['https://hooks.slack.com/services/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', 'a8Kd93jfLq02'],
      ['https://a.blob.example.com/x?sv=1&sig=a8Kd%2F93jf', 'a8Kd%2F93jf'],
      ['GET /x?key=hunter', 'hunter'],
      ['GET /x?a=1&tkn=hunter&b=2', 'hunter'],
      ['GET /api/login/a8Kd93jfLq02', 'a8Kd93jfLq02'],
      ["[ 'Authorization', 'Bearer hunter22' ]", 'hunter22'],
      ['["x-auth-token","hunter22"]', 'hunter22'],
      ["headers: { 'x-auth-token': [ 'hunter22' ] }", 'hunter22'],
      ['%22access_token%22%3A%22hunter22%22', 'hunter22'],
      ['{\\"password\\":\\"hunter22\\"}', 'hunter22'],
      ['Basic YWRhOmh1bnRlcjI=', 'YWRhOmh1bnRlcjI'],
    ] as const) {
      const masked = mask(line);
      assert.ok(!masked.includes(secret), masked);
      assert.ok(masked.includes('***'), masked);
    }
  });

  it('keeps what helps', () => {
    for (const line of [
      '2026-01-01T00:00:00.000Z [info] #12 GET /patch_stack/{uuid} 200 in 12 ms',
      '2026-01-01T00:00:00.000Z [debug] #13 POST /login/{token}/confirm 204 in 1003 ms',
      '2026-01-01T00:00:00.000Z [warn] section 3f2a91c4-77aa-4b1e-9d10-0a1b2c3d4e5f could not be read: no text',
      'commit 0f1e2d3c4b5a69788796a5b4c3d2e1f001122334 of branch feature/login-page',
      'Signing in to https://patches.example.com:8443/api with an access token failed: it is not valid any more.',
      'Error: The password is wrong. Choose another key, or a basic authentication scheme.',
      '    at Connection.use (/opt/code/extensions/patch-stacks/dist/chunks/connection-ABCDEFGH.cjs:12:3456)',
      '    at async file:///opt/code/dist/window.cjs:1:23456 { code: "ECONNREFUSED" }',
      'GET /projects?limit=50&offset=100&status=active&since=2026-01-01T00:00:00Z 200',
      'The tokens of 12 sessions were read, the key bindings too; secret storage: ok',
      'Which account is active could not be written down: Error: ENOSPC: no space left on device, write',
      'sk-ssh-ed25519@openssh.com, global-state-changed-12345, npm_config_registry',
    ]) {
      assert.equal(mask(line), line);
    }
  });

  it('has no name of a person in paths, and other names whole', () => {
    for (const [line, masked] of [
      ['ENOENT /home/ada/code/x.ts', 'ENOENT ~/code/x.ts'],
      ['in /home/ada.', 'in ~.'],
      ['cd /home/ada', 'cd ~'],
      ['file:///home/ada/x', 'file://~/x'],
      ['%2Fhome%2Fada%2Fx and %2fhome%2fada%2fx', '~%2Fx and ~%2fx'],
      [
        '/home/adam /home/ada-old /home/ada.old /home/adä/x',
        '/home/adam /home/ada-old /home/ada.old /home/adä/x',
      ],
    ] as const) {
      assert.equal(mask(line), masked);
    }
    const windows = (text: string): string => maskLog(text, [], 'C:\\Users\\ada');
    assert.equal(windows('C:\\Users\\ada\\x c:\\Users\\ada C:\\Users\\adam'), '~\\x ~ C:\\Users\\adam');
    assert.equal(maskLog('C:\\Users\\ada\\x c:\\Users\\ada', [], 'c:\\Users\\ada'), '~\\x ~');
    assert.equal(windows('{"p":"C:\\\\Users\\\\ada\\\\x"} /c%3A/Users/ada/x'), '{"p":"~\\\\x"} /~/x');
  });

  it('takes the longest way of writing a folder first', () => {
    assert.equal(maskLog('{"p":"C:\\\\"}', [], 'C:\\'), '{"p":"~"}');
  });

  it('keeps everything where the folder is the root, or none', () => {
    assert.equal(maskLog('in /a/b', [], '/'), 'in /a/b');
    assert.equal(maskLog('in /a/b', [], ''), 'in /a/b');
    assert.equal(maskLog('in /r/b', [], '/r'), 'in ~/b');
  });
});
