import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maskLog } from '../../../src/feedback/maskLog.ts';

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
    ] as const) {
      const masked = mask(line);
      assert.ok(!masked.includes(secret), masked);
      assert.ok(masked.includes('***'), masked);
    }
  });

  it('keeps what helps', () => {
    const line = '2026-01-01T00:00:00.000Z [info] #12 GET /patch_stack/{uuid} 200 in 12 ms';
    assert.equal(mask(line), line);
    assert.equal(mask('ENOENT /home/ada/code/x.ts'), 'ENOENT ~/code/x.ts');
  });
});
