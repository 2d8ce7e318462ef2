import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import { startService } from '../../src/service/service.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { provideVsCode } from '../../tools/provision.ts';
import { Workbench } from '../support/workbench.ts';
import { itInFull } from '../support/full.ts';
import { git, makeExampleRepository, type ExampleRepository } from '../support/exampleRepository.ts';
import { expect, expectNone } from '../support/expect.ts';
import { until } from '../support/until.ts';
import { StartedProcess, stillRunning } from './startedProcess.ts';

describe('npm start', function () {
  this.timeout(180_000);
  let directory: string;
  let repository: ExampleRepository;
  let browser: Browser;
  let started: StartedProcess | undefined;
  let workbench: Workbench | undefined;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-start-'));
    repository = await makeExampleRepository(directory);
    browser = await launchBrowser();
    await provideVsCode();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      console.log(`--- npm start had printed:\n${started?.output ?? ''}`);
      if (workbench !== undefined) {
        console.log(`--- the window, at the end:\n${workbench.consoleLines.slice(-10).join('\n')}`);
        console.log(`--- a picture: ${await workbench.screenshot(`failed-${Date.now()}`)}`);
      }
    }
    await workbench?.close();
    workbench = undefined;
    await started?.stop();
    started = undefined;
  });

  after(async () => {
    await browser.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  describe('over a repository with a branch', () => {
    const data = (): string => path.join(directory, 'data');

    async function openPatch(title: string): Promise<Workbench> {
      started = StartedProcess.npmStart(
        ...['--repo', repository.directory, '--data', data()],
        ...['--no-open', '--port', String(await freePort())],
      );
      workbench = await Workbench.open(browser, await started.address());
      const { tree } = workbench;
      await tree.expand('greetings');
      await tree.expand(/größer/i);
      await tree.open(title);
      await workbench.webview.locator('[data-patch] h1', { hasText: title }).waitFor();
      return workbench;
    }

    it('begins with the page of a stack and its row, also where nobody trusts the folder, unless something is open', async () => {
      const folder = await mkdtemp(path.join(directory, 'second-'));
      const second = await makeExampleRepository(folder);
      // Comes first by its name, and is not the one that is checked out.
      git(second.directory, 'branch', 'a-second', 'greet/größer');
      started = StartedProcess.npmStart(
        ...['--repo', second.directory, '--data', path.join(folder, 'data')],
        ...['--no-open', '--port', String(await freePort())],
      );
      workbench = await Workbench.open(browser, await started.address());
      const { tree, webview } = workbench;
      await webview.locator('.stack-page').getByRole('button', { name: 'Greet people by name' }).waitFor();
      await tree.row(/größer/i).waitFor();
      await webview.getByRole('heading', { name: 'greet/größer', level: 1 }).waitFor();
      await workbench.screenshot('start-first-second');

      await tree.expand(/größer/i);
      await tree.open('Call names people');
      await workbench.editorTab('Call names people').dblclick();
      await workbench.runCommand('View: Close Other Editors in Group');
      await workbench.reload();
      await webview.locator('[data-patch] h1', { hasText: 'Call names people' }).waitFor();
      await tree.row(/größer/i).waitFor();
      await expect(workbench.page.locator('.tabs-container .tab')).toHaveCount(1);
    });

    it('shows project, stack, patches and sections, and a patch as a document', async () => {
      const { tree, webview, page } = await openPatch('Greet people by name');
      await tree.row('Grüße auf 日本語 🎉').waitFor();
      const patches = ['Greet people by name', 'Call names people', 'Add a picture'];
      const labels = await tree.labels();
      assert.deepEqual(
        labels.filter((label) => patches.includes(label)),
        patches,
      );

      await tree.expand('Greet people by name');
      await tree.row('src/greet.ts').waitFor();

      const text = webview.locator('section[data-section-type="text"]').first();
      await text.locator('strong', { hasText: 'rude' }).waitFor();
      await expect(text.locator('li')).toHaveText(['people notice', 'greet() now wants a name']);
      await expect(text.locator('li code')).toHaveText('greet()');

      const diff = webview.locator('section[data-section-type="diff"]');
      await expect(diff).toHaveCount(1);
      await expect(diff.locator('h2')).toHaveText(/src\/greet\.ts/);
      await expect
        .poll(() => diff.locator('[data-line-type="delete"] .code').allInnerTexts())
        .toEqual(['export function greet(): string {', "  return 'Hello';"]);
      await expect
        .poll(() => diff.locator('[data-line-type="add"] .code').allInnerTexts())
        .toEqual(['export function greet(name: string): string {', '  return `Hello, ${name}`;']);
      await expect
        .poll(() => diff.locator('[data-line-type="context"] .code').allInnerTexts())
        .toEqual(['}']);
      await diff.locator('[data-line-type="add"] [class^="tok-"]').first().waitFor();

      await tree.open('Call names people');
      await webview
        .locator('section[data-section-type="diff"] h2', { hasText: /names\.ts.*people\.ts/s })
        .waitFor();
      await tree.open('Add a picture');
      await webview.locator('section[data-section-type="diff"]', { hasText: /Binary file/ }).waitFor();
      await tree.open('Grüße auf 日本語 🎉');
      const japanese = webview.locator('section[data-section-type="diff"]', { hasText: '日本語.txt' });
      const added = japanese.locator('[data-line-type="add"]', { hasText: 'こんにちは' });
      await expectNone(page.locator('.notifications-toasts .notification-list-item'), { once: added });

      await workbench!.runCommand('Patch Stacks: Share Reviews…');
      await workbench!.told('start the server again with "--share origin"');
      await workbench!.screenshot('start-share');
    });

    it('ends everything it has started on Ctrl+C', async () => {
      await openPatch('Greet people by name');
      const running = started!.descendants();
      assert.ok(running.length > 4, 'npm, its shell, the script, VS Code, its extension host');
      started!.interrupt();
      await started!.ended;
      assert.match(started!.output, /Stopped\./);
      await expect.poll(() => stillRunning(running), { timeout: 10_000 }).toEqual([]);
    });

    it('is at the same address when it starts again, so that a tab which is still open goes on', async () => {
      const folder = path.join(directory, 'again');
      const args = ['--no-open', '--repo', repository.directory, '--data', folder];
      started = StartedProcess.start(args);
      const address = await started.address();
      await started.stop();
      started = StartedProcess.start(args);
      assert.equal(await started.address(), address);
      const { mode } = await stat(path.join(folder, 'vscode/connection-token'));
      assert.equal(mode & 0o777, 0o600);
      // A build of its own: npm run build and the like change dist.
      const extensions = await readFile(path.join(folder, 'vscode/extensions/extensions.json'), 'utf8');
      const [, build = ''] = /"path":"([^"]*\/builds\/\w{16})"/.exec(extensions) ?? assert.fail(extensions);
      assert.ok((await lstat(path.join(build, 'dist'))).isDirectory(), 'nothing that is built elsewhere');
      // Else VS Code would talk about our own service.
      const settings = await readFile(path.join(folder, 'vscode/data/Machine/settings.json'), 'utf8');
      assert.equal((JSON.parse(settings) as Record<string, unknown>)['remote.autoForwardPorts'], false);
    });

    // In every run: test/contract/serviceDurability.test.ts, without a window.
    itInFull('finds what was written before when it starts again', async () => {
      const service = await startService({
        dataDirectory: path.join(data(), 'service'),
        port: 0,
        repository: repository.directory,
      });
      try {
        const client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
        const [project] = (await client.projects.list()).items;
        const [stack] = (await client.stacks.list(project!.repositoryId)).items;
        const patch = stack!.patches!.find(({ title }) => title === 'Call names people')!;
        await client.patches.createSection(stack!.uuid, patch.changeId, {
          type: 'text',
          text: 'Written *between* two starts.',
          position: 0,
        });
        await client.close();
      } finally {
        await service.close();
      }
      const { webview } = await openPatch('Call names people');
      const text = webview.locator('section[data-section-type="text"]', {
        hasText: 'Written between two starts.',
      });
      await text.locator('em', { hasText: 'between' }).waitFor();
    });
  });

  it('runs nothing that a repository names, which is someone else’s, and shows it anyway', async () => {
    const foreign = path.join(directory, 'foreign');
    await mkdir(foreign);
    const { directory: clone } = await makeExampleRepository(foreign);
    const mark = path.join(foreign, 'executed');
    const program = path.join(foreign, 'program');
    await writeFile(program, `#!/bin/sh\necho "$0 $*" >> '${mark}'\n`, { mode: 0o755 });
    git(clone, 'config', 'core.fsmonitor', program);
    await mkdir(path.join(clone, '.vscode'));
    const task = { label: 'evil', type: 'process', command: program, runOptions: { runOn: 'folderOpen' } };
    await writeFile(
      path.join(clone, '.vscode/tasks.json'),
      JSON.stringify({ version: '2.0.0', tasks: [task] }),
    );
    await writeFile(
      path.join(clone, '.vscode/settings.json'),
      JSON.stringify({ 'task.allowAutomaticTasks': 'on', 'git.path': program }),
    );

    started = StartedProcess.start(['--no-open', '--repo', clone, '--data', path.join(foreign, 'data')]);
    workbench = await Workbench.open(browser, await started.address());
    await workbench.statusBarItem('Restricted Mode').waitFor();
    const { tree, webview } = workbench;
    await tree.expand('greetings');
    await tree.expand(/größer/i);
    await tree.open('Greet people by name');
    await webview.locator('[data-patch] h1', { hasText: 'Greet people by name' }).waitFor();
    assert.equal(existsSync(mark), false, existsSync(mark) ? readFileSync(mark, 'utf8') : '');

    // It would have been run: by whoever trusts it.
    await workbench.runCommand('Workspaces: Manage Workspace Trust');
    const trust = workbench.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust' });
    await trust.first().click();
    // Git asks for itself once more.
    await workbench.page.getByRole('button', { name: 'Trust Folder & Continue' }).click();
    await until(async () => existsSync(mark));
  });

  describe('refuses, in one sentence,', () => {
    async function refusal(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> {
      started = StartedProcess.start(['--no-open', '--data', path.join(directory, 'refused'), ...args], env);
      assert.equal(await started.ended, 1);
      assert.doesNotMatch(started.output, /^ {4}at /m, 'a stack trace helps nobody');
      return started.output;
    }

    it('a folder that does not exist', async () => {
      assert.match(
        await refusal(['--repo', path.join(directory, 'nowhere')]),
        /Couldn't find the folder .*nowhere/,
      );
    });

    it('a folder without a repository', async () => {
      assert.match(await refusal(['--repo', directory]), /isn't a Git repository/);
    });

    it('a repository without commits', async () => {
      const empty = path.join(directory, 'empty');
      await mkdir(empty);
      git(empty, 'init', '--quiet');
      assert.match(await refusal(['--repo', empty]), /doesn't have any commits yet/);
    });

    it('a port that is in use', async () => {
      const server = net.createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as net.AddressInfo;
      const output = await refusal(['--repo', repository.directory, '--port', String(port)]);
      assert.match(output, new RegExp(`Port ${port} is already in use`));
      server.close();
    });

    it('a port that is none, and an option that is none', async () => {
      assert.match(await refusal(['--port', 'http']), /"http" isn't a port/);
      assert.match(await refusal(['--rebo', '.']), /--rebo/);
    });

    it('a computer without Git', async () => {
      assert.match(
        await refusal(['--repo', repository.directory], { PATH: path.join(directory, 'nowhere') }),
        /Couldn't find Git/,
      );
    });

    it('a second start over the same data', async () => {
      const args = ['--no-open', '--repo', repository.directory, '--data', path.join(directory, 'twice')];
      const first = StartedProcess.start(args);
      try {
        const address = await first.address();
        const output = await refusal(args);
        assert.match(output, /already running/);
        assert.ok(output.includes(address));
      } finally {
        await first.stop();
      }
    });
  });

  // What the service says then, test/contract/serviceDurability.test.ts holds in every run.
  describe('goes on, and says so,', () => {
    async function startOver(folder: string, ...expected: RegExp[]): Promise<void> {
      started = StartedProcess.start([
        '--no-open',
        '--repo',
        folder,
        '--data',
        path.join(folder, '../data-go-on'),
      ]);
      await started.address();
      for (const pattern of expected) {
        assert.match(started.output, pattern);
      }
      await started.stop();
    }

    itInFull('with a detached HEAD', async () => {
      const clone = path.join(directory, 'detached/clone');
      git(directory, 'clone', '--quiet', repository.directory, clone);
      git(clone, 'switch', '--quiet', '--detach');
      await startOver(clone, /detached/i);
    });

    itInFull('without a branch that is ahead', async () => {
      const clone = path.join(directory, 'level/clone');
      git(directory, 'clone', '--quiet', '--branch', 'main', path.join(directory, 'origin'), clone);
      await startOver(clone, /no branch .*ahead/i);
    });
  });
});

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
