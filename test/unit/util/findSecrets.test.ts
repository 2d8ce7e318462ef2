import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { findSecrets, SecretScan } from '../../../src/util/secrets/findSecrets.ts';
import { secretRules } from '../../../src/util/secrets/secretRules.ts';

/** The tokens that a generator makes. */
const token = fc.nat().map(
  (seed) =>
    `${createHash('sha256')
      .update(String(seed))
      .digest('base64')
      .replaceAll(/[+\/=]/g, '')
      .slice(0, 30)}Q7K`,
);

function secretsOf(text: string): string[] {
  return findSecrets(text).map(({ start, end }) => text.slice(start, end));
}

describe('secrets in a text', () => {
  it('are found by their form', () => {
    const random = 'a8Kd93jfLq02mZx71bVt';
    for (const [text, secret] of [
      [`aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzQ81hG2s4T`, 'wJalrXUtnFEMI'],
      [`API_KEY="${random}"`, random],
      [`const password = '${random}';`, random],
      [`sk_live_${random}`, random],
      [`OPENAI=sk-${random}${random}`, random],
      [`key: AIzaSyD3asdkj2-pEZVq9rKd8fHq0Lm4nXw71Bc`, 'AIzaSyD3asdkj2'],
      [`dop_v1_${'0a1b2c3d'.repeat(8)}`, '0a1b2c3d'],
      [`glrt-${random}`, random],
      [`https://hooks.slack.com/services/T0AB1CD2E/B0AB1CD2E/${random}abcd`, random],
      [`postgres://app:${random}@db.example.com/app`, random],
      [`Authorization: Bearer ${random}`, random],
      [`ghp_${random}${random.slice(0, 16)}`, random],
      [`AccountKey=${random}${random}==;EndpointSuffix`, random],
      [`kind: Secret\nmetadata:\n  name: db\ndata:\n  password: aHVudGVy\n`, 'kind: Secret'],
      [`-----BEGIN EC PRIVATE KEY-----\n${random}\n-----END EC PRIVATE KEY-----`, random],
      [`"private_key": "-----BEGIN PRIVATE KEY-----\\n${random}\\n-----END PRIVATE KEY-----\\n"`, random],
      [`-----BEGIN RSA PRIVATE KEY-----\n${random}${random}`, random],
      [`${random}${random}\n-----END RSA PRIVATE KEY-----`, random],
      [`PuTTY-User-Key-File-3: ssh-ed25519\n`, 'PuTTY'],
    ] as const) {
      assert.ok(
        secretsOf(text).some((found) => found.includes(secret)),
        text,
      );
    }
  });

  it('are found wherever they stand', () => {
    fc.assert(
      fc.property(fc.nat(3000), fc.nat(3000), token, (before, after, secret) => {
        const text = `${'word '.repeat(before / 5)}\napi_key = "${secret}"\n${'word '.repeat(after / 5)}`;
        assert.deepEqual(secretsOf(text), [secret]);
      }),
    );
  });

  it('are found in every form that the rules describe', () => {
    const rules = readFileSync(path.resolve('src/util/secrets/secretRules.ts'), 'utf8');
    const forms = [...rules.matchAll(/within\(1_000, \/(.*)\/i?\), [\d.]+\], \/\/ (.*)/g)];
    assert.equal(forms.length, secretRules.length);
    for (const [index, [, source = '', name = '']] of forms.entries()) {
      // Samples would have more signs than letters where signs are allowed. The word may stand anywhere before.
      const samples = fc.sample(
        fc.noBias(fc.stringMatching(new RegExp(`^(?:${source.replaceAll(/\\b|=\\-/g, '')})$`))),
        {
          numRuns: 20,
          seed: 1,
        },
      );
      assert.ok(
        samples.some((sample) => findSecrets(`${secretRules[index]?.[0]}\n ${sample} \n`).length > 0),
        `${name}: ${samples[0]}`,
      );
    }
  });

  it('are found in a file that is read in pieces, wherever it is cut, also in UTF-16', () => {
    const secret = 'api_key = "a8Kd93jfLq02mZx71bVt"\n';
    fc.assert(
      fc.property(fc.nat(2000), fc.integer({ min: 1, max: 200 }), fc.boolean(), (before, size, wide) => {
        const bytes = Buffer.from(`${'x\n'.repeat(before)}${secret}`, wide ? 'utf16le' : 'utf8');
        const scan = new SecretScan();
        for (let start = 0; start < bytes.length; start += size) {
          scan.push(bytes.subarray(start, start + size));
        }
        assert.ok(scan.end());
      }),
      { numRuns: 30 },
    );
  });

  describe('are found where a text ends, and wherever pieces of it end', () => {
    const random = 'a8Kd93jfLq02mZx71bVt';
    const forms = [
      `api_key = "${random}`,
      `sk_live_${random}`,
      `ghp_${random}${random.slice(0, 16)}`,
      `dop_v1_${'0a1b2c3d'.repeat(8)}`,
      `Authorization: Bearer ${random}`,
      `AccountKey=${random}${random}==`,
      // The word by which it is told stands before it.
      `airtable ${'. '.repeat(40)}patA8Kd93jfLq02mZ.${'0a1b2c3d'.repeat(8)}`,
    ];
    /** Pieces begin and end at multiples of these, as findSecrets.ts cuts them. */
    const borders = [0, 400, 600, 999, 1000, 1200, 1599, 1600];
    const place = fc
      .tuple(fc.constantFrom(...borders), fc.integer({ min: -90, max: 90 }))
      .map(([border, shift]) => Math.max(0, border + shift));
    const filler = (length: number): string => '. \n'.repeat(length).slice(0, length);

    for (const form of forms) {
      it(form.slice(0, 12), () => {
        fc.assert(
          fc.property(place, fc.constantFrom(0, 1, 700), (before, after) => {
            const text = `${filler(before)}\n${form}${filler(after && after + 2).slice(2)}`;
            assert.ok(
              secretsOf(text).some((found) => form.includes(found)),
              `${before} before, ${after} after`,
            );
          }),
          { numRuns: 60 },
        );
        fc.assert(
          fc.property(place, fc.integer({ min: 1, max: 1100 }), fc.boolean(), (before, size, wide) => {
            const bytes = Buffer.from(`${filler(before)}\n${form}`, wide ? 'utf16le' : 'utf8');
            const scan = new SecretScan();
            for (let start = 0; start < bytes.length; start += size) {
              scan.push(bytes.subarray(start, start + size));
            }
            assert.ok(scan.end());
          }),
          { numRuns: 30 },
        );
      });
    }
  });

  it('are not seen in what is none', () => {
    for (const text of [
      'const key = someFunction(argument);',
      'password: ${PASSWORD}',
      'token = "{{ secrets.TOKEN }}"',
      'api_key = "YOUR_API_KEY_GOES_HERE_1"',
      'export const publicKey = key.publicKey2;',
      "throw new Error('UND_ERR_SOCKS5_AUTH_FAILED')",
      'accessors: RandomAccessIterator2',
      'the commit 0f1e2d3c4b5a69788796a5b4c3d2e1f001122334 of today',
      'sk-ssh-ed25519@openssh.com AAAA',
      "if (text.startsWith('-----BEGIN PRIVATE KEY-----')) {",
      'a basic exception-safety-guarantee',
    ]) {
      assert.deepEqual(secretsOf(text), [], text);
    }
  });
});
