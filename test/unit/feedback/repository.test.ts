import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { Attachments, AttachmentTooLargeError, distinctNames } from '../../../src/feedback/attachments.ts';
import { repositoryFiles } from '../../../src/feedback/repositoryFiles.ts';
import { isSecretPath } from '../../../src/util/secrets/secretNames.ts';
import { repositoryAt } from '../../../src/git/repository.ts';
import { GitRepository } from '../../support/gitRepository.ts';
import { readZip, zipModes } from '../../support/zip.ts';

describe('a repository that goes along with feedback', () => {
  let repository: GitRepository;
  let folder: string;

  before(() => {
    repository = GitRepository.withMain();
    repository.write('src/größe.ts', 'export {};\n');
    repository.write('日本語.txt', 'こんにちは\n');
    repository.write('bin/run', '#!/bin/sh\n');
    chmodSync(path.join(repository.directory, 'bin/run'), 0o755);
    repository.write('empty', '');
    repository.write('.env', 'PASSWORD=hunter2\n');
    repository.write('.env.example', 'PASSWORD=\n');
    repository.write('config/prod.key', 'k\n');
    repository.write(
      'deploy',
      `-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----\n`,
    );
    repository.write('logs/a.log', 'a\n');
    repository.write('gone.txt', 'gone\n');
    symlinkSync('../outside', path.join(repository.directory, 'link'));
    repository.commit('Everything');
    rmSync(path.join(repository.directory, 'gone.txt'));
    repository.write('untracked.txt', 'not in git\n');
    repository.write('src/größe.ts', 'export {}; // changed\n');
  });

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-zip-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));
  after(() => repository.remove());

  const here = () => repositoryAt('git', repository.directory);
  const never = new AbortController().signal;
  const leftovers = (): string[] => readdirSync(folder).filter((name) => name.startsWith('packed-'));

  async function zipOf(
    make: (attachments: Attachments) => ReturnType<Attachments['repository']>,
    limit = 1e9,
  ) {
    await using attachments = await Attachments.begin({
      folder,
      limit,
      signal: never,
      onProgress: () => undefined,
    });
    const attachment = await make(attachments);
    const chunks: Uint8Array[] = [];
    for await (const chunk of attachment.open()) {
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    assert.equal(bytes.length, attachment.size);
    return { name: attachment.fileName, bytes };
  }

  it('is what Git lists, without secrets, which are named', async () => {
    const { files, secrets, unreadable, ignored } = await repositoryFiles(here(), '');
    assert.deepEqual(secrets.sort(), ['.env', 'config/prod.key', 'deploy']);
    assert.deepEqual(unreadable, ['gone.txt']);
    assert.equal(ignored, 0);
    const listed = repository.git('ls-files', '-z').split('\0').filter(Boolean);
    const expected = listed.filter((name) => !secrets.includes(name) && !unreadable.includes(name));
    assert.deepEqual(files.map((file) => file.path).sort(), expected.sort());
  });

  it('leaves out what the person lists', async () => {
    const { files, ignored } = await repositoryFiles(here(), '*.log\n# a comment\n/src/\n!README.md');
    assert.equal(ignored, 2);
    assert.ok(!files.some(({ path: name }) => name.startsWith('src/') || name.endsWith('.log')));
  });

  it('is packed as it is in the working tree, links as links', async () => {
    const { name, bytes } = await zipOf((attachments) => attachments.repository(here(), ''));
    assert.equal(name, 'example.zip');
    const packed = await readZip(bytes);
    assert.deepEqual(
      [...packed.keys()].sort(),
      [
        '.env.example',
        'README.md',
        'bin/run',
        'empty',
        'link',
        'logs/a.log',
        'src/größe.ts',
        '日本語.txt',
      ].sort(),
    );
    assert.equal(packed.get('src/größe.ts')?.toString(), 'export {}; // changed\n');
    assert.equal(packed.get('日本語.txt')?.toString(), 'こんにちは\n');
    assert.equal(packed.get('empty')?.length, 0);
    assert.equal(packed.get('link')?.toString(), '../outside');
  });

  it('keeps programs as programs, as Git has them', async () => {
    const { bytes } = await zipOf((attachments) => attachments.repository(here(), ''));
    const staged = repository.git('ls-files', '--stage', '-z').split('\0').filter(Boolean);
    const modes = new Map(staged.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, 6)]));
    assert.equal(modes.get('bin/run'), '100755');
    for (const [name, mode] of await zipModes(bytes)) {
      // Git keeps no permissions of a link, and Unix gives it all.
      assert.equal(mode.replace(/^120777$/, '120000'), modes.get(name), name);
    }
  });

  it('stops at the limit and at the signal, and leaves nothing behind', async () => {
    const before = leftovers();
    const large = path.join(folder, 'large.bin');
    writeFileSync(large, randomBytes(3_000_000));
    await assert.rejects(
      zipOf((attachments) => attachments.data([large, large]), 1_000_000),
      (error) => error instanceof AttachmentTooLargeError && error.attachment === 'data',
    );
    const controller = new AbortController();
    const stopped = async (): Promise<void> => {
      await using attachments = await Attachments.begin({
        folder,
        limit: 1e9,
        signal: controller.signal,
        onProgress: () => controller.abort(new Error('enough')),
      });
      await attachments.data([large, large]);
    };
    await assert.rejects(stopped(), /enough/);
    assert.deepEqual(leftovers(), before);
  });

  it('fails with the reason when a file cannot be read, whoever reads it', async () => {
    const loop = path.join(folder, 'loop');
    symlinkSync(loop, loop);
    const reads = zipOf((attachments) => attachments.data([path.join(loop, 'a'), path.join(loop, 'b')]));
    await assert.rejects(reads, /ELOOP/);
  });

  it('packs chosen files under names of their own, and sends a zip file as it is', async () => {
    const files = ['one/log.txt', 'two/log.txt', 'two/LOG.txt'].map((name) => {
      const file = path.join(folder, name.replace('/', '-'), path.basename(name));
      repository.write(path.relative(repository.directory, file), name);
      return file;
    });
    const { bytes } = await zipOf((attachments) => attachments.data(files));
    const packed = await readZip(bytes);
    assert.deepEqual([...packed.keys()], ['log.txt', 'log-2.txt', 'LOG-3.txt']);
    const whole = path.join(folder, 'whole.zip');
    writeFileSync(whole, bytes);
    const again = await zipOf((attachments) => attachments.data([whole]));
    assert.equal(again.name, 'whole.zip');
    assert.deepEqual(again.bytes, bytes);
  });

  it('gives every name once', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a.txt', 'A.TXT', 'a-2.txt', 'b', '.x')), (names) => {
        const distinct = distinctNames(names);
        assert.equal(new Set(distinct.map((name) => name.toLowerCase())).size, names.length);
      }),
    );
  });
});

describe('a repository with links where git knows folders', () => {
  let repository: GitRepository;
  let outside: string;

  beforeEach(() => {
    repository = GitRepository.withMain();
    outside = mkdtempSync(path.join(tmpdir(), 'patch-stacks-outside-'));
    for (const name of ['first.txt', 'folder/inner.txt', 'folder/deep/er.txt']) {
      repository.write(name, 'inside\n'.repeat(20_000));
    }
    repository.commit('Everything');
    for (const name of ['inner.txt', 'deep/er.txt']) {
      mkdirSync(path.dirname(path.join(outside, name)), { recursive: true });
      writeFileSync(path.join(outside, name), 'not of the repository');
    }
  });

  afterEach(() => {
    repository.remove();
    rmSync(outside, { recursive: true });
  });

  const replace = (target: string): void => {
    const folder = path.join(repository.directory, 'folder');
    renameSync(folder, `${folder}-before`);
    symlinkSync(target, folder);
  };

  const packed = async (onProgress: () => void = () => undefined): Promise<Map<string, Buffer>> => {
    const signal = new AbortController().signal;
    await using attachments = await Attachments.begin({ folder: outside, limit: 1e9, signal, onProgress });
    const attachment = await attachments.repository(repositoryAt('git', repository.directory), '');
    const chunks: Uint8Array[] = [];
    for await (const chunk of attachment.open()) {
      chunks.push(chunk);
    }
    return await readZip(Buffer.concat(chunks));
  };

  it('lists and packs nothing that is outside', async () => {
    replace(outside);
    const { files, unreadable } = await repositoryFiles(repositoryAt('git', repository.directory), '');
    assert.deepEqual(files.map((file) => file.path).sort(), ['README.md', 'first.txt']);
    assert.deepEqual(unreadable.sort(), ['folder/deep/er.txt', 'folder/inner.txt']);
    assert.deepEqual([...(await packed()).keys()].sort(), ['README.md', 'first.txt']);
  });

  it('packs nothing that git does not list, when the link leads to another folder of the repository', async () => {
    repository.write('ignored/inner.txt', 'git knows nothing of it');
    repository.write('.git/inner.txt', 'url = https://ada:hunter2@example.com');
    for (const target of ['ignored', '.git']) {
      replace(target);
      assert.deepEqual([...(await packed()).keys()].sort(), ['README.md', 'first.txt'], target);
      const folder = path.join(repository.directory, 'folder');
      rmSync(folder);
      renameSync(`${folder}-before`, folder);
    }
  });

  it('packs nothing that is outside when the link is laid after the files were listed', async () => {
    const files = await packed(() => {
      if (!existsSync(path.join(repository.directory, 'folder-before'))) {
        replace(outside);
      }
    });
    assert.deepEqual([...files.keys()].sort(), ['README.md', 'first.txt']);
  });

  it('packs no secret that a file has got since it was listed', async () => {
    let written = false;
    const files = await packed(() => {
      if (written) {
        return;
      }
      written = true;
      repository.write('folder/inner.txt', `${'x\n'.repeat(50_000)}password = "aK9x2mQ7vB4nL1pR8tZ3"\n`);
    });
    assert.deepEqual([...files.keys()].sort(), ['README.md', 'first.txt', 'folder/deep/er.txt']);
  });

  it('waits for no pipe', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    rmSync(path.join(repository.directory, 'first.txt'));
    execFileSync('mkfifo', [path.join(repository.directory, 'first.txt')]);
    assert.ok(!(await packed()).has('first.txt'));
  });
});

describe('files that look like secrets', () => {
  it('are told by their names, wherever they are and however they are written', () => {
    for (const name of [
      '.env',
      'app/.env.local',
      '.ENV',
      'a/b/server.PEM',
      'id_rsa',
      'keys/id_ed25519.old',
      '.npmrc',
      '.aws/config',
      'home/.ssh/config',
      'terraform.tfstate.backup',
      'gcp-credentials-prod.json',
      'Credentials',
      'secrets.yaml',
      'x.p12',
      '.config/gh/hosts.yml',
      'x-firebase-adminsdk-a1.json',
      'gcp-key.json',
      'my-service-account-prod.json',
      '.m2/settings.xml',
      'gradle.properties',
      'auth.json',
      'secrets/prod.yaml',
      'deploy/secrets/db',
      'app-secrets.yaml',
      'app.secrets.yml',
      'local.settings.json',
      'appsettings.Production.json',
      '.dev.vars',
      'env.local',
      '.databrickscfg',
      'config/database.yml',
      'wp-config.php',
      'prod.kubeconfig',
      'rclone.conf',
      '.vscode/sftp.json',
      'svc.keytab',
      '.vault_pass',
      'password.txt',
      'passwords-2026.txt',
      'api_key',
      'api_key.txt',
      '.token',
      'tokens.json',
      'kaggle.json',
      '.npmrc.bak',
      '.env~',
      'deploy_rsa',
      '.bash_history',
      '.zsh_history',
      '.python_history',
      '.psql_history',
      'fish_history',
      'ngrok.yml',
      '.sentryclirc',
      '.env.swp',
      '..env.swp',
      '.netrc.1',
      'server.pem.old',
      '.git-credentials.orig',
      '.env.bak~',
      'SECRETS/Prod.yaml',
    ]) {
      // prettier-ignore
      assert.ok(isSecretPath(name), name);
    }
  });

  it('are not taken for what only sounds like them', () => {
    for (const name of [
      'src/environment.ts',
      '.env.example',
      'id_rsa.pub',
      'keyboard.ts',
      'docs/secrets/README.md',
      'monkey.txt',
      'src/credentials/index.ts',
      'tokenizer.ts',
      'package.json',
      'keys.md',
      'HISTORY.md',
      'src/history.ts',
      'src/api_keys.rb',
      'passwords/index.ts',
      'src/secrets/rules.ts',
      'tokens.css',
      '.gitignore',
      'a.old',
      'auth.ts',
      'settings.xml',
      '~',
      'secretary.txt',
    ]) {
      // prettier-ignore
      assert.ok(!isSecretPath(name), name);
    }
  });
});
