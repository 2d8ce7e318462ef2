import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { findSecrets, SecretScan } from '../../../src/util/secrets/findSecrets.ts';
import { secretRules } from '../../../src/util/secrets/secretRules.ts';
import { assignments, madeSecret, tokens } from '../../support/secretForms.ts';

/** The tokens that a generator makes, but for one in 300,000: what people write in the place of a token is in it. */
const token = fc
  .nat()
  .map(
    (seed) =>
      `${createHash('sha256')
        .update(String(seed))
        .digest('base64')
        .replaceAll(/[+\/=]/g, '')
        .slice(0, 30)}Q7K`,
  )
  .filter((made) => !/x{4}|X{4}/.test(made) && !/dummy|abcdef/i.test(made));

/** A hash of something. */
function digest(algorithm: 'sha256' | 'sha512', encoding: 'hex' | 'base64' | 'base64url'): string {
  return createHash(algorithm).update('content').digest(encoding);
}

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
      [`xoxe-${random}`, random],
      [`api_key = "IJDSNw5nSzvHm4vnxxxX1yTqX93Yuv"`, 'IJDSNw5nSzvHm4vnxxxX1yTqX93Yuv'],
      [`eyJhbGciOiJIUzI1.eyJzdWIiOiIx.${random}`, random],
      [`b3BlbnNzaC1rZXktdjEAAAA${random}`, random],
      [`PuTTY-User-Key-File-3: ssh-ed25519\n`, 'PuTTY'],
    ] as const) {
      assert.ok(
        secretsOf(text).some((found) => found.includes(secret)),
        text,
      );
    }
  });

  it('are not seen where somebody has crossed them out in part', () => {
    for (const crossed of ['IJDSNw5nSzvHm4vnxxxx1yTqX93Yuv', 'IJDSNw5nSzvHm4vnXXXX1yTqX93Yuv']) {
      assert.deepEqual(secretsOf(`api_key = "${crossed}"`), [], crossed);
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

  for (const [what, forms] of Object.entries({
    'tokens of services': tokens,
    'values of a name': assignments,
  })) {
    it(`are found as ${what}`, () => {
      const missed = forms.filter((form) =>
        Array.from({ length: 5 }, (_, seed) => madeSecret(form, seed)).some(({ text, parts }) => {
          const [longest = ''] = parts.toSorted((first, second) => second.length - first.length);
          return !secretsOf(`before\n${text}\nafter`).some((found) => found.includes(longest.slice(0, 150)));
        }),
      );
      assert.deepEqual(missed, []);
    });

    it(`are not seen where placeholders stand for ${what}`, () => {
      const signs = ['<token>', '${TOKEN_2}', '{{ secrets.TOKEN_2 }}', 'x'.repeat(28), '*'.repeat(16), '...'];
      const values = [
        '$TOKEN_2',
        '%TOKEN_2%',
        'process.env.TOKEN_2',
        'YOUR_API_KEY_1',
        'change_me_soon_1',
        '/etc/token_2',
      ];
      const single = forms.filter((form) => form.split(/<\w+ \d+>/).length === 2);
      const seen = single.flatMap((form) =>
        // Behind the beginning of a token, a word may be the rest of it.
        (/(?<=[\s"'=:,(])<\w+ \d+>(?![\w<.:=-])/.test(form) ? [...signs, ...values] : signs)
          .map((placeholder) => form.replaceAll(/<\w+ \d+>/g, placeholder))
          .filter((text) => secretsOf(`before\n${text}\nafter`).length > 0),
      );
      assert.deepEqual(seen, []);
    });
  }

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
      // What lock files say of what was downloaded.
      `"integrity": "sha512-${digest('sha512', 'base64')}",`,
      `  integrity sha512-${digest('sha512', 'base64')}`,
      `    resolution: {integrity: sha512-${digest('sha512', 'base64')}}`,
      `  checksum: 10c0/${digest('sha512', 'hex')}`,
      `checksum = "${digest('sha256', 'hex')}"`,
      `github.com/hashicorp/vault/api v1.22.0 h1:${digest('sha256', 'base64')}`,
      `github.com/hashicorp/vault/api v1.22.0/go.mod h1:${digest('sha256', 'base64')}`,
      `  keyring (1.0.1) sha256=${digest('sha256', 'hex')}`,
      `    {file = "keyring-1.0.1-py3-none-any.whl", hash = "sha256:${digest('sha256', 'hex')}"},`,
      `FROM node@sha256:${digest('sha256', 'hex')}`,
      // Names of values, and what stands beside a word that only sounds like a secret.
      'import { OAuth2, OAuth2PasswordRequestForm } from "security";',
      'redirect_oauth2_url = swagger_ui_oauth2_redirect_url',
      'before_action :authenticate_by_password, :require_valid_rfc822_message',
      'register_algorithm :argon2, SecurePassword::Argon2Password',
      'password: "urn:k8s:secret:my-secret2:bindPassword"',
      `<input type="hidden" name="authenticity_token" value="${digest('sha256', 'base64url')}">`,
      "'Content-Disposition: form-data; name=\"pass\"',\n'------WebKitFormBoundaryTB2MiQ36fnSJlrhY'",
      'authenticity_token: "cf50faa3fe97702ca1ae"',
      'OUT_PATHS=aB3dE9fG2hJ4kL6mN8pQ',
      'session_key = "00000000000000000000000000000001"',
      'DB_PASS=\nAPI_HOST_1=db1.internal.example2',
      'PATH=/usr/local/bin2:/usr/bin:/opt/Ab3dEf9hIjK1',
      'PWD=/home/ada/project2/aB3dE9',
      'docker run -p 8080:80 --name web2 registry.internal/web2:1.2.3',
      'mysql -h db2.internal -p 3306 app',
      'curl -u "$USER:$PASSWORD_2" https://api.example.com',
      'tool --key ./certs/server2.pem --token-file ~/.token2',
      'const passThrough2 = new PassThrough({ highWaterMark: 16384 });',
      'the id 3f2a91c4-77aa-4b1e-9d10-0a1b2c3d4e5f of a section',
      'pass: string | undefined; pwd?: Uint8Array;',
    ]) {
      assert.deepEqual(secretsOf(text), [], text);
    }
  });
});
