/** The local service, attacked by whoever can reach it: over HTTP, through the repository, and on the disk. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, constants, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { repositoryAt } from '../../src/git/repository.ts';
import { runGit } from '../../src/service/git/git.ts';
import { startService } from '../../src/service/service.ts';
import { systemCode } from '../../src/util/systemCode.ts';
import { GitRepository } from '../support/gitRepository.ts';
import { RunningService } from '../support/runningService.ts';
import { sshKeys } from '../support/sshKeys.ts';
import { until } from '../support/until.ts';
import { Trial, type Attack } from './attack.ts';

/** Every operation that takes text, with what else it needs, and the texts that it takes. */
const writes: readonly [string, string, Record<string, unknown>, readonly string[]][] = [
  ['POST', '/projects', { name: 'Engine' }, ['name', 'description', 'slug']],
  ['PUT', '/projects/1', {}, ['name', 'description', 'slug', 'share_level']],
  ['POST', '/projects/1/connect', {}, ['organization_slug', 'name', 'slug', 'description']],
  ['POST', '/patch_stack', { project_id: '1', branch_id: 'b', oplog_sha: 'abc' }, ['branch_id', 'oplog_sha', 'project_id']],
  ['PATCH', '/patch_stack/STACK', {}, ['title', 'description', 'status']],
  ['PUT', '/user', {}, ['name', 'given_name', 'family_name', 'locale', 'avatar']],
  ['POST', '/user/keys', { name: 'Laptop', public_key: sshKeys.ed25519.line }, ['name', 'public_key']],
  ['PUT', '/feedback', { message: 'Hello' }, ['message', 'context', 'email']],
  ['POST', '/releases', { version: '1.0.0', sha: 'abcdef0', channel: 'nightly' }, ['version', 'sha', 'channel']],
]; // prettier-ignore

/** Texts that a database, a log or another program would take for something else. */
const treacherous: readonly string[] = [
  'half \ud83d',
  '\ude00 half',
  'a@b.c\ud800',
  'a\0b',
  'a\0b@c.d',
  '\u0000',
  'a\u0007b',
  'a\u001b[31mb',
  'a\u007fb',
  'a\u0085b',
  'a\nb',
  'a\r\nb: c',
];

/** Of these, several lines are text. */
const longTexts = new Set(['description', 'message', 'context']);

const values: Attack = {
  name: 'local service: values that would be changed or misread',
  async run() {
    const trial = new Trial();
    const running = await RunningService.start();
    await running.call('POST', '/projects', { json: { name: 'First' } });
    const json = { project_id: '1', branch_id: 'b', oplog_sha: 'abc' };
    const { body: stack } = await running.call('POST', '/patch_stack', { json });
    for (const [method, route, rest, fields] of writes) {
      for (const field of fields) {
        for (const text of treacherous) {
          await trial.try(`${method} ${route}, ${field}: ${JSON.stringify(text)}`, async () => {
            const { status } = await running.call(method, route.replace('STACK', stack.uuid), {
              json: { ...rest, [field]: text },
            });
            const isLongText = longTexts.has(field) && text.isWellFormed();
            assert.ok(isLongText ? status < 500 : status >= 400 && status < 500, `it answers ${status}`);
          });
        }
      }
      const body = JSON.stringify(rest);
      for (const [encoding, compressed] of Object.entries({
        gzip: gzipSync(body),
        'x-gzip': gzipSync(body),
        GZIP: gzipSync(body),
        deflate: deflateSync(body),
        br: brotliCompressSync(body),
        zstd: zstdCompressSync(body),
        'identity, gzip': gzipSync(body),
      })) {
        await trial.try(`${method} ${route}, compressed with ${encoding}`, async () => {
          const { status } = await running.call(method, route.replace('STACK', stack.uuid), {
            body: compressed,
            headers: { 'Content-Type': 'application/json', 'Content-Encoding': encoding },
          });
          assert.equal(status, 415);
        });
      }
    }
    for (const name of ['since', 'before']) {
      for (const day of ['02-30', '02-29', '02-31', '04-31', '06-31', '09-31', '11-31', '13-01', '00-10', '01-00', '01-32']) {
        for (const time of ['T00:00:00Z', 'T23:59:59.999Z', 'T00:00:00%2B14:00', 'T23:00-12:00']) {
          await trial.try(`${name}=2025-${day}${time}`, async () => {
            const { status } = await running.call('GET', `/projects?${name}=2025-${day}${time}`);
            assert.equal(status, 422);
          });
        }
      }
      for (const time of ['T24:00:01Z', 'T25:00:00Z', 'T00:60:00Z', 'T00:00:61Z', 'T00:00:00%2B25:00', '']) {
        await trial.try(`${name}=2025-01-01${time}`, async () => {
          assert.equal((await running.call('GET', `/projects?${name}=2025-01-01${time}`)).status, 422);
        });
      }
    }
    await running.stop();
    return trial;
  },
}; // prettier-ignore

const strangers: Attack = {
  name: 'local service: what strangers can find out',
  async run() {
    const trial = new Trial();
    const repository = GitRepository.withMain('private-place');
    repository.git('checkout', '--quiet', '-b', 'work');
    repository.write('a.txt', 'a\n');
    repository.commit('Work');
    const running = await RunningService.start({ repository: repository.directory });
    const { token } = running.service.addUser({ name: 'Stranger', email: 'stranger@example.com' });
    const { body: owner } = await running.call('GET', '/user');
    const [own] = (await running.call('GET', '/projects')).list;
    const id = own?.repository_id ?? '';
    running.service.addOrganization({ slug: 'secret-org', name: 'Secret', members: [owner.login] });
    await running.call('POST', `/projects/${id}/connect`, { json: { organization_slug: 'secret-org' } });
    await running.call('POST', '/user/keys', { json: { name: 'Secret key', public_key: sshKeys.rsa.line } });
    /** Values that no one but the owner may read anywhere. */
    const secrets = [
      repository.directory,
      'private-place',
      'secret-org',
      'Secret key',
      running.service.token,
    ];
    const routes = ['', '/user', '/projects', `/projects/${id}`, `/projects/full/${owner.login}/${own?.slug}`, `/user/${owner.login}`, `/user/${owner.login}/keys`, `/patch_stack/${id}?status=all`]; // prettier-ignore
    for (const level of ['private', 'unlisted', 'public']) {
      await running.call('PUT', `/projects/${id}`, {
        json: { share_level: level, name: 'Shown', slug: 'shown' },
      });
      for (const route of routes) {
        for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
          await trial.try(`${method} ${route}, of a project that is ${level}`, async () => {
            const { text, status } = await running.call(method, route, { token });
            assert.ok(status < 500, `it answers ${status}`);
            // The answer may contain what the question names; keys and organizations of users are public.
            const isProfile = route.includes(`/user/${owner.login}`);
            const found = secrets.filter((secret) => text.includes(secret) && !route.includes(secret));
            assert.deepEqual(
              isProfile ? found.filter((secret) => !['Secret key', 'secret-org'].includes(secret)) : found,
              [],
              'it tells',
            );
          });
        }
      }
    }
    for (const [what, key] of Object.entries(sshKeys)) {
      await trial.try(`whether somebody has the key ${what}`, async () => {
        const answer = await running.call('POST', '/user/keys', {
          json: { name: 'Mine', public_key: key.line },
          token,
        });
        assert.equal(answer.status, 201, 'it is another answer for a key that the owner has');
      });
    }
    await running.stop();
    rmSync(path.dirname(repository.directory), { recursive: true, force: true });
    return trial;
  },
};

const disk: Attack = {
  name: 'local service: what others on the computer can read',
  async run() {
    const trial = new Trial();
    if (process.platform === 'win32') {
      return trial;
    }
    const directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-disk-'));
    for (const mode of [0o777, 0o775, 0o755, 0o750, 0o711, 0o701]) {
      await trial.try(
        `a folder with the mode ${mode.toString(8)}, and a token that all may read`,
        async () => {
          const dataDirectory = path.join(directory, 'data');
          const first = await RunningService.start({ dataDirectory });
          await first.stop({ keepData: true });
          chmodSync(dataDirectory, mode);
          chmodSync(path.join(dataDirectory, 'token'), 0o644);
          const again = await RunningService.start({ dataDirectory });
          assert.equal(statSync(dataDirectory).mode & 0o777, 0o700);
          assert.equal(statSync(path.join(dataDirectory, 'token')).mode & 0o777, 0o600);
          await again.stop();
        },
      );
    }
    rmSync(directory, { recursive: true, force: true });
    return trial;
  },
};

/** Opens a pipe to write into, and so goes on keeping whoever reads it waiting; undefined where nobody reads it. */
function openToWrite(pipe: string): number | undefined {
  try {
    return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === 'ENXIO') {
      return undefined;
    }
    throw error;
  }
}

function isRead(pipe: string): boolean {
  const file = openToWrite(pipe);
  if (file !== undefined) {
    closeSync(file);
  }
  return file !== undefined;
}

const silence: Attack = {
  name: 'local service: a repository that never answers',
  async run() {
    const trial = new Trial();
    if (process.platform === 'win32') {
      return trial;
    }
    for (const setting of ['include.path', 'core.attributesFile', 'core.excludesFile', 'mailmap.file']) {
      const repository = GitRepository.withMain('silent');
      const pipe = path.join(repository.directory, 'pipe');
      execFileSync('mkfifo', [pipe]);
      repository.git('config', setting, pipe);
      /** Gives up what was begun as soon as git waits for the pipe: it ends for that reason, and git with it. */
      const endsWhenGivenUp = (
        what: string,
        begin: (signal: AbortSignal) => Promise<unknown>,
        reason: object = { name: 'AbortError' },
      ) =>
        trial.try(`${setting} is a pipe: ${what}`, async () => {
          const giveUp = new AbortController();
          let hasEnded = false;
          const end = (): void => void (hasEnded = true);
          const attempt = begin(giveUp.signal);
          attempt.then(end, end);
          let writer: number | undefined;
          await until(async () => hasEnded || (writer = openToWrite(pipe)) !== undefined);
          giveUp.abort();
          try {
            await until(async () => hasEnded);
            if (writer !== undefined) {
              await assert.rejects(attempt, reason);
            }
            await until(async () => !isRead(pipe));
          } finally {
            if (writer !== undefined) {
              closeSync(writer);
            }
          }
        });
      const dataDirectory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-silent-'));
      await endsWhenGivenUp('it is imported', async (signal) => {
        const service = await startService({ repository: repository.directory, dataDirectory, signal });
        await service.close();
      });
      await endsWhenGivenUp(
        'the service asks it, for no longer than it has patience',
        () => runGit(repository.directory, ['log', '-1'], undefined, 300),
        { code: 'git_silent' },
      );
      await endsWhenGivenUp('the window asks it', (signal) =>
        repositoryAt('git', repository.directory).git(['status'], signal),
      );
      rmSync(dataDirectory, { recursive: true, force: true });
      rmSync(path.dirname(repository.directory), { recursive: true, force: true });
    }
    return trial;
  },
};

export const attacks: readonly Attack[] = [values, strangers, disk, silence];
