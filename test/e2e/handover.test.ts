/** The sign-in that a window is handed when it opens: nothing that the window starts gets to see it. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Editor } from '../support/editor.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

describe('a sign-in that is handed over', function () {
  this.timeout(400_000);
  let editor: Editor;
  let window: Workbench;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    const tasks = {
      version: '2.0.0',
      tasks: [
        {
          label: 'look around',
          type: 'shell',
          command: `env > '${fileOf('task')}'; echo >> '${fileOf('task')}'`,
        },
      ],
    };
    await mkdir(path.join(editor.repository, '.vscode'));
    await writeFile(path.join(editor.repository, '.vscode/tasks.json'), JSON.stringify(tasks));
    window = await editor.openWindow();
    // Signed in: the service has answered.
    await window.tree.row('greetings').waitFor();
  });

  pictureAfterFailure(() => window);

  after(async () => {
    await window.close();
    await editor.close();
  });

  const fileOf = (name: string): string => path.join(editor.directory, `environment-of-${name}`);

  /** The environment that a program has written down, which is whole once its last line is empty. */
  async function environmentOf(name: string): Promise<string> {
    const read = (): Promise<string> => readFile(fileOf(name), 'utf8').catch(() => '');
    await until(async () => (await read()).endsWith('\n\n'));
    return read();
  }

  function assertSecret(environment: string): void {
    const { token } = editor.service;
    const bytes = Buffer.from(token);
    for (const form of [token, encodeURIComponent(token), bytes.toString('base64'), bytes.toString('hex')]) {
      assert.ok(!environment.includes(form), 'the token stands in the environment');
    }
  }

  it('is gone from the disk once it is taken', async () => {
    assert.deepEqual(await readdir(path.join(editor.directory, 'vscode/hand-over')), []);
  });

  it('reaches no terminal', async () => {
    await window.runCommand('Terminal: Create New Terminal');
    await window.page
      .locator('.terminal-wrapper.active .xterm-helper-textarea')
      .waitFor({ state: 'attached' });
    await window.page.locator('.terminal-wrapper.active .xterm-screen').click();
    await window.page.keyboard.type(`env > '${fileOf('terminal')}'; echo >> '${fileOf('terminal')}'\n`);
    const environment = await environmentOf('terminal');
    assert.match(environment, /^TERM_PROGRAM=vscode$/m);
    assertSecret(environment);
  });

  it('reaches no task', async () => {
    await window.runCommand('Tasks: Run Task');
    await window.pick('look around');
    if (await window.quickPickRow('Continue without scanning the task output').isVisible()) {
      await window.pick('Continue without scanning the task output');
    }
    const environment = await environmentOf('task');
    assert.match(environment, /^PATH=/m);
    assertSecret(environment);
  });

  it('reaches the environment of no process at all', async function () {
    if (process.platform !== 'linux') {
      this.skip();
    }
    const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const environments = await Promise.all(
      processes.map((pid) => readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')),
    );
    const ofTheWindow = environments.filter((text) => text.includes(`${editor.directory}/vscode/hand-over`));
    assert.ok(ofTheWindow.length > 1, 'VS Code, and at least one process that it has started');
    environments.forEach(assertSecret);
  });
});
