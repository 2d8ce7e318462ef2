/** The temporary folder of a run goes with it, or with the next run. */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { stillRunning } from '../../e2e/startedProcess.ts';
import { until } from '../../support/until.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const moduleUrl = pathToFileURL(path.join(root, 'test/support/runFolder.ts')).href;
/** Lines with which a program stays, but no longer than the test that has started it. */
const stays = "process.stdin.resume().on('end', () => process.exit());";

(process.platform === 'win32' ? describe.skip : describe)('the folder of a run', function () {
  this.timeout(60_000);
  let parent: string;
  const started: ChildProcess[] = [];
  beforeEach(() => (parent = mkdtempSync(path.join(tmpdir(), 'patch-stacks-runs-'))));
  afterEach(() => {
    started.splice(0).forEach((child) => child.kill('SIGKILL'));
    rmSync(parent, { recursive: true, force: true });
  });

  const folders = (): string[] => readdirSync(parent).filter((name) => name.startsWith('tests-'));

  function start(args: readonly string[], hasPlace = true): ChildProcess {
    const env: NodeJS.ProcessEnv = { ...process.env, TMPDIR: parent };
    Reflect.deleteProperty(env, 'PATCH_STACKS_RUN_FOLDER');
    if (!hasPlace) {
      Reflect.deleteProperty(env, 'TMPDIR');
    }
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['pipe', 'pipe', 'ignore'] });
    started.push(child);
    return child;
  }

  /** A run that prints its folder, has another process make a folder of its own, and goes on with some lines. */
  function run(lines: string, hasPlace?: boolean): ChildProcess {
    const begin = `import { openRunFolder } from '${moduleUrl}';
      import { mkdtempSync } from 'node:fs';
      import { tmpdir } from 'node:os';
      openRunFolder();`;
    const inner = `${begin} mkdtempSync(tmpdir() + '/inner-');`;
    const program = `${begin}
      import { execFileSync } from 'node:child_process';
      execFileSync(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(inner)}]);
      console.log(tmpdir());
      ${lines}`;
    return start(['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program], hasPlace);
  }

  async function startedRun(): Promise<ChildProcess> {
    const child = run(stays);
    await Promise.race([
      once(child.stdout!, 'data'),
      once(child, 'exit').then(() => assert.fail('it ended at once')),
    ]);
    return child;
  }

  for (const [how, lines, expected] of [
    ['ends', '', 0],
    ['fails', "throw new Error('on purpose');", 1],
    ['exits', 'process.exit(3);', 3],
  ] as const) {
    it(`goes when the run ${how}`, async () => {
      const child = run(lines);
      const [[printed], [code]] = (await Promise.all([once(child.stdout!, 'data'), once(child, 'exit')])) as [
        [Buffer],
        [number],
      ];
      assert.ok(printed.toString().startsWith(path.join(parent, `tests-${child.pid}-`)));
      assert.equal(code, expected);
      assert.deepEqual(readdirSync(parent), []);
    });
  }

  it('is in memory where Linux has room, or where temporary folders are, if nobody says where, and goes from there, too', async () => {
    const child = run('', false);
    const [[printed]] = (await Promise.all([once(child.stdout!, 'data'), once(child, 'exit')])) as [
      [Buffer],
      unknown,
    ];
    const folder = printed.toString().trim();
    const places = process.platform === 'linux' ? ['/dev/shm', '/tmp'] : ['/tmp'];
    assert.ok(places.includes(path.dirname(folder)), folder);
    assert.ok(path.basename(folder).startsWith(`tests-${child.pid}-`));
    assert.ok(!existsSync(folder));
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    it(`goes when the run ends by ${signal}`, async () => {
      const child = await startedRun();
      assert.equal(folders().length, 1);
      assert.ok(readdirSync(path.join(parent, folders()[0]!)).some((name) => name.startsWith('inner-')));
      child.kill(signal);
      const [code] = (await once(child, 'exit')) as [number];
      assert.ok(code > 128);
      assert.deepEqual(readdirSync(parent), []);
    });
  }

  it('stays when the run was killed, and goes with the next one, which leaves those that run and what is not of a run', async () => {
    const [killed, running] = [await startedRun(), await startedRun()];
    mkdirSync(path.join(parent, 'tests-of-others'));
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    assert.equal(folders().length, 3);
    await once(run(''), 'exit');
    assert.deepEqual(
      folders()
        .toSorted()
        .map((name) => name.replace(/^(tests-\d+)-.*/, '$1')),
      [`tests-${running.pid}`, 'tests-of-others'].toSorted(),
    );
  });

  it('goes from the memory, too, with a run that works on the disk', async function () {
    if (!existsSync('/dev/shm')) {
      this.skip();
    }
    const ended = run('');
    await once(ended, 'exit');
    const left = path.join('/dev/shm', `tests-${ended.pid}-left`);
    mkdirSync(left);
    await once(run(''), 'exit');
    assert.ok(!existsSync(left));
  });

  /** A script that is a run of its own: it makes a folder and starts a process that stays, says which, and goes on with a line. */
  async function startScript(
    line: string,
  ): Promise<{ script: ChildProcess; pids: readonly number[]; ended: Promise<unknown[]> }> {
    const file = path.join(parent, 'script.mjs');
    writeFileSync(
      file,
      `import { asOneRun } from '${moduleUrl}';
      import { spawn } from 'node:child_process';
      import { mkdtempSync } from 'node:fs';
      import { tmpdir } from 'node:os';
      await asOneRun(async () => {
        mkdtempSync(tmpdir() + '/inner-');
        const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
        child.unref();
        console.log('processes', process.pid, child.pid);
        ${line}
      });`,
    );
    const script = start(['--disable-warning=ExperimentalWarning', file]);
    // It may end before what it has printed is seen.
    const ended = once(script, 'exit');
    let output = '';
    script.stdout?.on('data', (text: Buffer) => (output += text.toString()));
    await until(async () => /processes \d+ \d+/.test(output));
    const pids = output.match(/\d+/g)?.map(Number) ?? [];
    assert.ok(pids.length === 2 && !pids.includes(script.pid ?? 0));
    return { script, pids, ended };
  }

  it('goes with all that a script has started as a run of its own, which is ended when the script is done', async () => {
    const { pids, ended } = await startScript('return 3;');
    assert.deepEqual(await ended, [3, null]);
    assert.deepEqual(stillRunning(pids), []);
    assert.deepEqual(readdirSync(parent), ['script.mjs']);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`goes so by ${signal}, too`, async () => {
      const { script, pids, ended } = await startScript(
        'await new Promise(() => setInterval(() => undefined, 1000));',
      );
      assert.equal(folders().length, 1);
      assert.deepEqual(stillRunning(pids), pids);
      script.kill(signal);
      assert.deepEqual(await ended, [1, null]);
      assert.deepEqual(stillRunning(pids), []);
      assert.deepEqual(readdirSync(parent), ['script.mjs']);
    });
  }

  it('goes where a script fails, which says why: a refusal in its own words, a mistake with where it was made', () => {
    const failing = (error: string): string => {
      const file = path.join(parent, 'script.mjs');
      writeFileSync(
        file,
        `import { asOneRun } from '${moduleUrl}';
        import { Refusal } from '${pathToFileURL(path.join(root, 'tools/progress.ts')).href}';
        await asOneRun(async () => { throw new ${error}; });`,
      );
      const env: NodeJS.ProcessEnv = { ...process.env, TMPDIR: parent };
      Reflect.deleteProperty(env, 'PATCH_STACKS_RUN_FOLDER');
      const args = ['--disable-warning=ExperimentalWarning', file];
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });
      assert.equal(status, 1);
      return stderr;
    };
    assert.equal(failing("Refusal('There is no such place.')"), 'There is no such place.\n');
    assert.match(failing("Error('A mistake.')"), /^Error: A mistake\.\n.*script\.mjs:3:/s);
    assert.deepEqual(readdirSync(parent), ['script.mjs']);
  });

  it('is opened for scripts that start others as one run alone: else these go on where it is stopped', () => {
    // Mocha starts nothing that outlives it; the others stop what they have started themselves.
    const others = ['test/host/run.ts', 'test/mutants/run.ts', 'test/run.ts', 'test/support/setUp.ts'];
    const opening = globSync('test/**/*.ts', { cwd: root })
      .map((file) => file.replaceAll(path.sep, '/'))
      .filter((file) => /\bopenRunFolder\(/.test(readFileSync(path.join(root, file), 'utf8')))
      .filter((file) => !/\/runFolder\.(test\.)?ts$/.test(file));
    assert.deepEqual(opening.toSorted(), others);
  });

  it('is that of mocha when nothing else has started it, which ends when the one that runs it was killed', async () => {
    const file = path.join(parent, 'some.test.mjs');
    writeFileSync(
      file,
      `it('stays', function () { this.timeout(0); console.log('process', process.pid); return new Promise(() => setInterval(() => undefined, 1000)); });`,
    );
    const mocha = start(['node_modules/mocha/bin/mocha.js', '--extension', 'mjs', file]);
    let output = '';
    mocha.stdout?.on('data', (text: Buffer) => (output += text.toString()));
    await until(async () => /process \d+/.test(output));
    const pid = Number(/process (\d+)/.exec(output)?.[1]);
    assert.notEqual(pid, mocha.pid);
    assert.equal(folders().length, 1);
    mocha.kill('SIGKILL');
    await until(async () => stillRunning([pid]).length === 0);
    assert.deepEqual(folders(), []);
  });
});
