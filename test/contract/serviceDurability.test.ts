import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openRepository } from '../../src/service/git/repository.ts';
import { startService, type ServiceError } from '../../src/service/service.ts';
import { findStore } from '../../src/service/stores.ts';
import type { LocalServiceMessage } from '../../src/protocol/localService.ts';
import { Database, lockDataDirectory } from '../../src/service/storage/database.ts';
import { GitRepository } from '../support/gitRepository.ts';
import { callService, RunningService } from '../support/runningService.ts';
import { Program } from '../support/serviceProgram.ts';

describe('service: durability and start', () => {
  let data: string;
  let repository: GitRepository;
  const programs: Program[] = [];

  before(() => {
    repository = GitRepository.withMain();
    repository.branch('topic');
    repository.commitFile('a.txt', 'a\n', 'Mine\n\nMessage.');
  });

  after(() => repository.remove());

  beforeEach(() => {
    data = mkdtempSync(path.join(tmpdir(), 'patch-stacks-data-'));
  });

  afterEach(async () => {
    await RunningService.stopAll();
    for (const { child, ended } of programs.splice(0)) {
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(data, { recursive: true, force: true });
  });

  function run(...args: string[]): Program {
    const program = new Program(args);
    programs.push(program);
    return program;
  }

  it('serves what can be read while it imports the rest', async () => {
    const many = GitRepository.withMain();
    try {
      many.addCommits('long', 400, 'main');
      many.branch('mine', 'main');
      many.commitFile('a.txt', 'a\n', 'Mine');
      const early = await startService({
        dataDirectory: data,
        repository: many.directory,
        readyWhen: 'readable',
      });
      const branches = async () =>
        (await callService(early, 'GET', '/patch_stack/1')).list.map(({ branch_id }) => branch_id);
      assert.equal(early.imported, undefined);
      assert.deepEqual(await branches(), ['mine']);
      assert.equal((await early.importing)?.stacks.length, 2);
      assert.deepEqual((await branches()).sort(), ['long', 'mine']);
      await early.close();
      // With little or nothing left to do it is ready when it is done.
      const again = await startService({
        dataDirectory: data,
        repository: many.directory,
        readyWhen: 'readable',
      });
      assert.equal(again.imported?.stacks.length, 2);
      await again.close();
    } finally {
      many.remove();
    }
  });

  it('loses nothing that was acknowledged when it is killed', async () => {
    const first = run('--repo', repository.directory, '--data', data);
    const service = await first.ready();
    const stack = (await callService(service, 'GET', '/patch_stack/1')).list[0]!;
    const patchPath = `/patch_stack/${stack.uuid}/patch/${stack.patches[0]!.change_id}`;
    const acknowledged: string[] = [];
    // Killed in the middle of writing, after the hundredth yes.
    const writing = (async () => {
      for (let number = 0; ; number++) {
        const json = { type: 'text', text: `Note ${number}` };
        const { status } = await callService(service, 'POST', `${patchPath}/section`, { json });
        assert.equal(status, 201);
        acknowledged.push(`Note ${number}`);
        if (number === 100) {
          first.child.kill('SIGKILL');
        }
      }
    })();
    await assert.rejects(writing, { name: 'TypeError', message: /fetch failed|terminated/ });
    assert.equal(await first.ended, 'SIGKILL');

    const second = await run('--repo', repository.directory, '--data', data).ready();
    assert.equal(second.token, service.token);
    const { body } = await callService(second, 'GET', patchPath);
    const notes = body.sections.map((section) => section.data);
    assert.ok(acknowledged.length > 100);
    assert.deepEqual(
      acknowledged.filter((note) => !notes.includes(note)),
      [],
    );
  });

  it('forgets what was half-done when it was killed', async () => {
    const running = await RunningService.start({ dataDirectory: data });
    await running.call('POST', '/projects', { json: { name: 'P' } });
    await running.stop({ keepData: true });
    const database = new Database(path.join(data, 'patch-stacks.sqlite'));
    database.run(
      `INSERT INTO stacks (uuid, project_id, branch_id, oplog_sha, title, status, version, created_at, updated_at)
       VALUES ('u', 1, 'b', 'x', 't', 'loading', 1, 1, 1)`,
    );
    database.run(`INSERT INTO attachments (kind, file_name, size, sha256) VALUES ('logs', 'l', 0, '')`);
    database.close();
    const again = await RunningService.start({ dataDirectory: data });
    const { status, list } = await again.call('GET', '/patch_stack/1?status=all');
    assert.deepEqual([status, list], [200, []]);
    const beside = new Database(path.join(data, 'patch-stacks.sqlite'));
    assert.deepEqual(beside.query('SELECT * FROM attachments').all(), []);
    beside.close();
    await again.stop({ keepData: true });
  });

  it('closes a folder to others that was there before', async () => {
    chmodSync(data, 0o755);
    const running = await RunningService.start({ dataDirectory: data });
    assert.equal(statSync(data).mode & 0o777, 0o700);
    await running.stop({ keepData: true });
  });

  it('keeps the token in a file that only its user can read, and what was written', async () => {
    const running = await RunningService.start({ dataDirectory: data });
    await running.call('POST', '/projects', { json: { name: 'Kept' } });
    const file = path.join(data, 'token');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(readFileSync(file, 'utf8').trim(), running.service.token);
    await running.stop({ keepData: true });
    assert.ok(!readFileSync(path.join(data, 'patch-stacks.sqlite')).includes(running.service.token));
    const again = await RunningService.start({ dataDirectory: data });
    assert.equal(again.service.token, running.service.token);
    assert.equal((await again.call('GET', '/projects')).list[0]!.name, 'Kept');
    await again.stop({ keepData: true });
  });

  it('waits for the service of the window before, which ends when its host does', async () => {
    const before = lockDataDirectory(
      (await findStore(await openRepository(repository.directory), [])).directory,
    );
    const program = path.join(import.meta.dirname, '../../src/service/embedded.ts');
    const child = fork(program, [repository.directory, path.join(data, 'older')], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const told = async (): Promise<LocalServiceMessage> => {
      const [message] = (await once(child, 'message')) as [LocalServiceMessage];
      return message;
    };
    try {
      assert.deepEqual(await told(), { kind: 'waiting' });
      before.release();
      let message = await told();
      while (message.kind === 'progress') {
        message = await told();
      }
      assert.equal(message.kind, 'ready');
    } finally {
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    }
  });

  it('lets no second service onto the same data', async () => {
    const running = await RunningService.start({ dataDirectory: data });
    await assert.rejects(startService({ dataDirectory: data }), (error: ServiceError) => {
      assert.equal(error.code, 'data_locked');
      assert.match(error.message, /Stop it, or use another data directory/);
      return true;
    });
    const program = run('--repo', repository.directory, '--data', data);
    assert.equal(await program.ended, 1);
    assert.match(program.errors, /Another local service is using/);
    assert.equal((await running.call('GET', '/user')).status, 200);
    await running.stop({ keepData: true });
    await (await RunningService.start({ dataDirectory: data })).stop({ keepData: true });
  });

  it('lets running requests end when it stops, and takes no more', async () => {
    const running = await RunningService.start({ dataDirectory: data });
    const { url, token } = running.service;
    const sent = request(`${url}/projects`, {
      method: 'POST',
      headers: { 'X-Auth-Token': token, 'Content-Type': 'application/json' },
    });
    const answered = once(sent, 'response') as Promise<[{ statusCode: number }]>;
    sent.write('{"name": ');
    // Another answer says that the service has seen the first half of the request before.
    assert.equal((await running.call('GET', '/user')).status, 200);
    const closed = running.service.close();
    sent.end('"Late"}');
    const [{ statusCode }] = await answered;
    assert.equal(statusCode, 201);
    await closed;
    await assert.rejects(fetch(`${url}/user`));
    await running.service.close();
  });

  it('takes a data directory as it was left by an older version, and none of a newer one', async () => {
    const file = path.join(data, 'patch-stacks.sqlite');
    const database = new Database(file);
    database.run('PRAGMA user_version = 999');
    database.close();
    await assert.rejects(startService({ dataDirectory: data }), /newer version of Patch Stacks/);
    rmSync(file);
    writeFileSync(file, 'This is no database, but long enough to look like one.'.repeat(100));
    await assert.rejects(startService({ dataDirectory: data }), /is damaged and doesn't have a good copy/);
  });

  describe('runs for the person whom Git knows', () => {
    let ofPerson: string;
    const before = process.env['GIT_CONFIG_GLOBAL'];

    beforeEach(() => {
      ofPerson = path.join(data, 'gitconfig');
      writeFileSync(ofPerson, '[user]\n\tname = Grace Hopper\n\temail = grace@example.com\n');
      process.env['GIT_CONFIG_GLOBAL'] = ofPerson;
    });

    afterEach(() => {
      if (before === undefined) {
        delete process.env['GIT_CONFIG_GLOBAL'];
      } else {
        process.env['GIT_CONFIG_GLOBAL'] = before;
      }
    });

    async function personOf(folder?: string): Promise<unknown[]> {
      const service = await startService({
        dataDirectory: data,
        ...(folder !== undefined && { repository: folder }),
      });
      const { body } = await callService(service, 'GET', '/user');
      await service.close();
      return [body.name, body.email];
    }

    it('in the repository', async () => {
      const own = GitRepository.withMain();
      try {
        own.git('config', '--unset', 'user.name');
        own.git('config', 'user.email', 'grace@navy.example');
        assert.deepEqual(await personOf(own.directory), ['Grace Hopper', 'grace@navy.example']);
      } finally {
        own.remove();
      }
    });

    it('everywhere, where the first start found no repository', async () => {
      await assert.rejects(personOf(data), ({ code }: ServiceError) => code === 'no_repository');
      assert.deepEqual(await personOf(), ['Grace Hopper', 'grace@example.com']);
    });
  });

  it('starts without a repository, and says so when asked to import', async () => {
    const running = await RunningService.start({ dataDirectory: data });
    assert.equal(running.service.imported, undefined);
    await assert.rejects(running.service.importRepository(), /without a Git repository/);
    await running.stop({ keepData: true });
  });

  it('imports again when asked, one import after the other', async () => {
    const own = GitRepository.withMain('own');
    const running = await RunningService.start({ dataDirectory: data, repository: own.directory });
    try {
      own.branch('later');
      own.commit('More');
      const [first, second] = await Promise.all([
        running.service.importRepository(),
        running.service.importRepository(),
      ]);
      assert.deepEqual(
        [first, second].map(({ stacks }) => stacks[0]!.result),
        ['new', 'unchanged'],
      );
    } finally {
      await running.stop({ keepData: true });
      own.remove();
    }
  });

  it('can be ended while it starts', async () => {
    const stop = new AbortController();
    const started = startService({
      dataDirectory: data,
      repository: repository.directory,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('Enough.')),
    });
    await assert.rejects(started, /Enough/);
    await (await RunningService.start({ dataDirectory: data })).stop({ keepData: true });
  });

  describe('as a program', () => {
    it('prints one line when it is ready, imports, and stops on SIGTERM and SIGINT', async () => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        const program = run('--repo', repository.directory, '--data', data);
        const service = await program.ready();
        assert.deepEqual(Object.keys(service), ['url', 'token']);
        assert.match(service.url, /^http:\/\/127\.0\.0\.1:\d+\/api$/);
        const [project] = (await callService(service, 'GET', '/projects')).list;
        assert.equal(project!.active_reviews_count, 1);
        program.child.kill(signal);
        assert.equal(await program.ended, 0);
        assert.equal(program.output.trim().split('\n').length, 1);
        assert.match(
          program.errors,
          /^ada\/example has 1 patch stack \(\d new or changed\), compared with main\.\n$/,
        );
      }
    });

    it('serves a repository with no branch ahead, and says what to do', async () => {
      const plain = GitRepository.withMain('plain');
      try {
        const program = run('--repo', plain.directory, '--data', data);
        const service = await program.ready();
        assert.equal((await callService(service, 'GET', '/projects')).list.length, 1);
        assert.match(program.errors, /No branch is ahead of main.*Commit something to a branch/);
      } finally {
        plain.remove();
      }
    });

    it('serves a repository at a detached HEAD, and says what that means', async () => {
      const detached = GitRepository.withMain('detached');
      try {
        detached.git('switch', '--quiet', '--detach');
        const program = run('--repo', detached.directory, '--data', data);
        await program.ready();
        assert.match(program.errors, /detached HEAD.*git switch -c/);
      } finally {
        detached.remove();
      }
    });

    it('refuses a folder without commits or repository, each in a sentence that says what to do', async () => {
      const empty = GitRepository.create('empty');
      const none = mkdtempSync(path.join(tmpdir(), 'patch-stacks-none-'));
      mkdirSync(path.join(none, 'inner'));
      writeFileSync(path.join(none, 'file'), 'text');
      try {
        for (const [folder, message] of [
          [empty.directory, /doesn't have any commits yet\. Commit something/],
          [none, /isn't a Git repository\. Name one, or run "git init"/],
          [path.join(none, 'nowhere'), /Couldn't find the folder/],
          [path.join(none, 'file'), /file isn't a folder\. Name a Git repository/],
        ] as const) {
          const program = run('--repo', folder, '--data', data);
          assert.equal(await program.ended, 1);
          assert.match(program.errors, message);
          assert.equal(program.errors.trim().split('\n').length, 1);
          assert.equal(program.output, '');
        }
      } finally {
        empty.remove();
        rmSync(none, { recursive: true });
      }
    });

    it('says of a Git that is missing, broken or too old that it is that, and nothing of the repository', async () => {
      const bin = mkdtempSync(path.join(tmpdir(), 'patch-stacks-bin-'));
      const git = path.join(bin, 'git');
      try {
        for (const [script, message] of [
          [undefined, /^Couldn't find Git\. Install it/],
          ['#!/nowhere/sh\n', /^Couldn't (find|start) Git/],
          [
            '#!/bin/sh\necho "error while loading shared libraries: libpcre2" >&2\nexit 127\n',
            /^Couldn't run "git rev-parse": error while loading shared libraries/,
          ],
          [
            '#!/bin/sh\nprintf "%s\\n" --path-format=absolute "$PWD/.git" "$PWD"\n',
            /^Your Git is too old\. Install version 2\.31/,
          ],
        ] as const) {
          rmSync(git, { force: true });
          if (script !== undefined) {
            writeFileSync(git, script, { mode: 0o755 });
          }
          const program = new Program(['--repo', repository.directory, '--data', data], {
            PATH: `${bin}:/usr/bin-without-git`,
          });
          programs.push(program);
          assert.equal(await program.ended, 1);
          assert.match(program.errors, message);
          assert.doesNotMatch(program.errors, /isn't a Git repository|\n +at /);
        }
      } finally {
        rmSync(bin, { recursive: true });
      }
    });

    it('refuses a port that is taken', async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const program = run('--repo', repository.directory, '--data', data, '--port', String(port));
      assert.equal(await program.ended, 1);
      assert.match(
        program.errors,
        new RegExp(`^Port ${port} is already in use\\. Stop the program that uses it, use another`),
      );
      other.close();
    });

    it('explains its options', async () => {
      const help = run('--help');
      assert.equal(await help.ended, 0);
      for (const option of ['--repo', '--port', '--data', '--help']) {
        assert.ok(help.output.includes(option));
      }
      for (const args of [['--nonsense'], ['--port', 'x'], ['--port', '70000'], ['stray']]) {
        const program = run(...args);
        assert.equal(await program.ended, 1, args.join(' '));
        assert.match(program.errors, /Usage:/);
      }
    });
  });
});
