/** Files that must not go along with feedback: those that are secrets by name or by content, and those that links lead to. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { maskLog } from '../../src/feedback/maskLog.ts';
import { repositoryFiles } from '../../src/feedback/repositoryFiles.ts';
import { repositoryAt } from '../../src/git/repository.ts';
import { findSecrets } from '../../src/util/secrets/findSecrets.ts';
import { isSecretPath } from '../../src/util/secrets/secretNames.ts';
import { encodings, tellsOf } from '../support/encodings.ts';
import { GitRepository } from '../support/gitRepository.ts';
import { Trial, type Attack } from './attack.ts';

const names = `
.env .env.local .env.production app/.env prod.env env.local .envrc .dev.vars .env~ .env.bak .ENV server.pem private.key auth.p8
cert.p12 cert.pfx store.jks app.keystore login.keychain svc.keytab passwords.kdbx deploy.ppk home.ovpn id_rsa id_ed25519.old
deploy_rsa github_ed25519 .netrc _netrc .npmrc .npmrc.bak .yarnrc.yml .pypirc .pgpass .my.cnf .htpasswd .git-credentials
.dockercfg .docker/config.json kubeconfig prod.kubeconfig .kube/config .s3cfg .boto .vault-token .vault_pass .vault_pass.txt
.terraformrc terraform.tfstate terraform.tfstate.backup prod.tfvars .databrickscfg .sentryclirc .ssh/config .gnupg/trustdb
.aws/config .aws/credentials .azure/token .config/gh/hosts.yml .config/hub .config/gcloud/legacy.db .gem/credentials
.cargo/credentials.toml .m2/settings.xml gradle.properties .idea/webServers.xml .vscode/sftp.json sftp-config.json rclone.conf
ngrok.yml kaggle.json auth.json heroku.json filezilla.xml local.settings.json appsettings.Production.json database.yml
config/database.yml wp-config.php LocalSettings.php secret_token.rb google-services.json x-firebase-adminsdk-1a2b.json
gcp-key.json my-service-account-prod.json service_account.json client_secret_1.json .bash_history .zsh_history .python_history
.psql_history .mysql_history fish_history credentials credentials.json aws-credentials.yml secrets.yaml app-secrets.yaml
app.secrets.yml secrets/prod deploy/secrets/db.yaml .secrets/all my.secret password.txt passwords-2026.txt api_key api_key.txt
apikey.json .token token.txt tokens.json
`.trim(); // prettier-ignore

const random = 'a8Kd93jfLq02mZx71bVtR5';
const contents: Record<string, string> = {
  'a cloud secret': `aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzQ81hG2s4T`,
  'a payment key': `stripe: sk_live_${random}`,
  'a model key': `sk-${random}${random}`,
  'a map key': `src="https://maps.example.com/?k=" + "AIzaSyD3asdkj2-pEZVq9rKd8fHq0Lm4nXw71Bc"`,
  'a token of a runner': `glrt-${random}`,
  'a token of a droplet': `dop_v1_${'0a1b2c3d'.repeat(8)}`,
  'a hook of a chat': `https://hooks.slack.com/services/T0AB1CD2E/B0AB1CD2E/${random}ab`,
  'a token of a code host': `ghp_${random}${random.slice(0, 14)}`,
  'an address with a password': `postgres://app:${random}@db.example.com/app`,
  'a header': `curl -H 'Authorization: Bearer ${random}'`,
  'a password in a program': `const password = '${random}';`,
  'a private key within a line': `"key": "-----BEGIN PRIVATE KEY-----\\n${random}\\n-----END PRIVATE KEY-----"`,
  'a private key in a large file': `${'x\n'.repeat(100_000)}-----BEGIN EC PRIVATE KEY-----\n${random}\n`,
  'a private key without its end': `-----BEGIN RSA PRIVATE KEY-----\n${random}${random}`,
  'a manifest of a cluster': 'apiVersion: v1\nkind: Secret\ndata:\n  a: aHVudGVyMg==\n',
  'a key in UTF-16': Buffer.from(`api_key = "${random}"\n`, 'utf16le').toString('latin1'),
};

/** A line, and what must not be read in it afterwards. */
const lines: readonly (readonly [line: string, secret: string])[] = [
  [`sk-${random}`, random],
  [`AIza${random}Lm4nXw71Bcd9`, random],
  [`sk_live_${random}`, random],
  [`glrt-${random}`, random],
  [`dop_v1_${'0a1b2c3d'.repeat(8)}`, '0a1b2c3d'],
  [`aws_secret_access_key = ${random}`, random],
  [`https://hooks.slack.com/services/T0AB1CD2E/B0AB1CD2E/${random}ab`, random],
  [`GET https://store.example.com/file?sv=1&sig=${random}`, random],
  [`GET /x?key=${random}`, random],
  [`GET /x?tkn=${random}`, random],
  [`GET /login/${random}`, random],
  [`["Authorization", "Bearer ${random}"]`, random],
  [`[ 'x-auth-token', '${random}' ]`, random],
  [`-----BEGIN RSA PRIVATE KEY-----\n${random}\n${random}`, random],
  [`${random}\n-----END RSA PRIVATE KEY-----`, random],
  [`%22token%22%3A%22${random}%22`, random],
  [`{\\"password\\":\\"${random}\\"}`, random],
];

/** Two megabytes each, and the milliseconds of the processor that looking through them may take. */
const large: Record<string, string> = {
  'a file of names and values': 'key = value, token: other, password=${X}\n'.repeat(50_000),
  'a file of one letter': 'A'.repeat(2_000_000),
  'beginnings of keys': '-----BEGIN PRIVATE KEY-----\n'.repeat(70_000),
  'ends of keys': '-----END PRIVATE KEY-----'.repeat(80_000),
  'words of keys': 'PRIVATE KEY'.repeat(180_000),
  'addresses without an end': 'a://b:c'.repeat(280_000),
  'escapes in each other': '%255c\\\\u0025&amp;'.repeat(120_000),
  'names of headers': 'authorization: "token","'.repeat(90_000),
  addresses: 'https://a/?key='.repeat(130_000),
  'a line of Base64': 'aA1+'.repeat(500_000),
  'names of services': 'discord = twitter = sk-'.repeat(90_000),
};
const scanLimit = 1500;

async function inRepository(attempt: (repository: GitRepository) => Promise<void>): Promise<void> {
  const repository = GitRepository.withMain();
  try {
    await attempt(repository);
  } finally {
    repository.remove();
  }
}

const filesOf = async (repository: GitRepository): Promise<string[]> =>
  (await repositoryFiles(repositoryAt('git', repository.directory), '')).files.map((file) => file.path);

export const attacks: readonly Attack[] = [
  {
    name: 'feedback: secrets by their names',
    async run() {
      const trial = new Trial();
      for (const name of names.split(/\s+/)) {
        await trial.try(name, () => assert.ok(isSecretPath(name), 'it goes along'));
      }
      return trial;
    },
  },
  {
    name: 'feedback: secrets by their content',
    async run() {
      const trial = new Trial();
      await inRepository(async (repository) => {
        for (const [what, content] of Object.entries(contents)) {
          await writeFile(path.join(repository.directory, `${what}.txt`), content, 'latin1');
        }
        repository.commit('Everything');
        const files = await filesOf(repository);
        for (const what of Object.keys(contents)) {
          await trial.try(what, () => assert.ok(!files.includes(`${what}.txt`), 'it goes along'));
        }
      });
      return trial;
    },
  },
  {
    name: 'feedback: links that lead elsewhere',
    async run() {
      const trial = new Trial();
      const outside = await mkdtemp(path.join(tmpdir(), 'patch-stacks-outside-'));
      await writeFile(path.join(outside, 'file.txt'), 'not of the repository');
      await inRepository(async (repository) => {
        repository.write('folder/file.txt', 'inside');
        repository.write('folder/inner/file.txt', 'inside');
        repository.commit('Everything');
        repository.write('.git/file.txt', 'of git');
        repository.write('ignored/file.txt', 'not known to git');
        const { directory } = repository;
        for (const [link, target] of [
          ['folder', outside],
          ['folder', '.git'],
          ['folder', 'ignored'],
          ['folder/inner', outside],
          ['folder/inner', '../.git'],
        ] as const) {
          await trial.try(`${link} leads to ${target}`, async () => {
            const place = path.join(directory, link);
            await rename(place, path.join(directory, 'kept'));
            await symlink(target, place);
            try {
              const files = await filesOf(repository);
              assert.deepEqual(
                files.filter((file) => file.startsWith(`${link}/`)),
                [],
              );
            } finally {
              await rm(place);
              await mkdir(path.dirname(place), { recursive: true });
              await rename(path.join(directory, 'kept'), place);
            }
          });
        }
      });
      await rm(outside, { recursive: true });
      return trial;
    },
  },
  {
    name: 'log: a token that is known, in every encoding',
    async run(full) {
      const trial = new Trial();
      for (const [name, encode] of Object.entries(encodings)) {
        for (let round = 0; round < (full ? 200 : 5); round += 1) {
          const secret = randomBytes(8 + (round % 40)).toString(round % 2 === 0 ? 'base64' : 'base64url');
          await trial.try(`${name}: ${secret}`, () => {
            const masked = maskLog(`before ${encode(secret)} after`, [secret], '/home/ada');
            assert.ok(!tellsOf(secret).some((form) => masked.includes(form)), masked);
            assert.match(masked, /^before .*after$/s);
          });
        }
      }
      return trial;
    },
  },
  {
    name: 'log: secrets that nobody knows',
    async run() {
      const trial = new Trial();
      for (const [line, secret] of lines) {
        await trial.try(line, () => assert.ok(!maskLog(line, [], '/home/ada').includes(secret)));
      }
      return trial;
    },
  },
  {
    name: 'budget: a log that is looked through for secrets',
    async run() {
      const trial = new Trial();
      for (const [what, text] of Object.entries(large)) {
        await trial.try(what, () => {
          // As much as is remembered of a log.
          const log = text.slice(0, 512 * 1024);
          const before = process.cpuUsage();
          maskLog(log, [random], '/home/ada');
          const { user, system } = process.cpuUsage(before);
          trial.took(what, (user + system) / 1000, scanLimit);
        });
      }
      return trial;
    },
  },
  {
    name: 'budget: two megabytes that are looked through for secrets',
    async run() {
      const trial = new Trial();
      for (const [what, text] of Object.entries(large)) {
        await trial.try(what, () => {
          const before = process.cpuUsage();
          findSecrets(text);
          const { user, system } = process.cpuUsage(before);
          trial.took(what, (user + system) / 1000, scanLimit);
        });
      }
      return trial;
    },
  },
];
