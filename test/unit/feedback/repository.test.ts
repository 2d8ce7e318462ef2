import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { Attachments, AttachmentTooLargeError, distinctNames } from '../../../src/feedback/attachments.ts';
import { repositoryFiles } from '../../../src/feedback/repositoryFiles.ts';
import { isSecretPath } from '../../../src/feedback/secretFiles.ts';
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

  it('is what git lists, without secrets, which are named', async () => {
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

  it('keeps programs as programs, as git has them', async () => {
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

  it('fails with the reason when a file cannot be read', async function () {
    if (process.getuid?.() === 0) {
      // Root can read everything: a file that is gone stands for it.
      await assert.rejects(
        zipOf((attachments) => attachments.data([path.join(folder, 'a'), folder])),
        /ENOENT/,
      );
      return;
    }
    const locked = path.join(folder, 'locked');
    writeFileSync(locked, 'x');
    chmodSync(locked, 0);
    await assert.rejects(
      zipOf((attachments) => attachments.data([locked, locked])),
      /EACCES/,
    );
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
    ]) {
      // prettier-ignore
      assert.ok(!isSecretPath(name), name);
    }
  });
});
