/** A server whose every text means harm, looked at in the real window. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { BenchWorkbench } from '../bench/workbench.ts';
import type { Workbench } from '../support/workbench.ts';
import { Trial, type Attack } from './attack.ts';
import { hostileTexts } from './server.ts';

const token = 'hostile-window-token';

/** Everything a server says, with the text wherever a text may be. */
function answerWith(hostile: string, url: string): unknown {
  const person = {
    id: 1,
    login: hostile,
    name: hostile,
    email: hostile,
    avatar_url: 'https://tracker.invalid/a.png',
  };
  const patch = {
    change_id: 'change',
    title: `patch ${hostile}`,
    description: hostile,
    commit_sha: hostile,
    version: hostile,
    created_at: hostile,
    contributors: [{ email: hostile, user: person }],
    statistics: { file_count: 1, files: [hostile] },
    review_all: { viewed: [person], signed_off: [person], rejected: [person] },
  };
  const sections = [
    {
      section_type: 'text',
      code: 'text',
      identifier: 'text',
      title: hostile,
      data: `${hostile}\n\n[link](${hostile})`,
    },
    {
      section_type: 'diff',
      code: 'diff',
      identifier: hostile,
      title: hostile,
      new_path: hostile,
      old_path: hostile,
      diff_patch: `--- a/x\n+++ b/x\n@@ -1 +1 @@ ${hostile}\n-a\n+${hostile}\n`,
    },
  ];
  if (url.startsWith('/api/user')) return person;
  if (url.startsWith('/api/projects'))
    return [
      { repository_id: 'r', slug: hostile, owner: hostile, name: `project ${hostile}`, description: hostile },
    ];
  if (url.includes('/patch/')) return { ...patch, sections };
  return [
    {
      uuid: 'u',
      branch_id: hostile,
      title: `stack ${hostile}`,
      description: hostile,
      status: 'active',
      patches: [patch],
    },
  ];
}

export const attacks: readonly Attack[] = [
  {
    name: 'window: hostile texts, links and pictures',
    onlyInFull: true,
    async run() {
      const trial = new Trial();
      let hostile = '';
      const server = createServer((request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answerWith(hostile, request.url ?? '')));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
      {
        await using code = await BenchWorkbench.start({ service: { url, token } });
        for (const text of hostileTexts) {
          hostile = text;
          await trial.try(JSON.stringify(text).slice(0, 60), async () => {
            const window = await code.openWindow();
            try {
              await lookAtEverything(window);
            } finally {
              await window.close();
            }
          });
        }
      }
      server.closeAllConnections();
      server.close();
      return trial;
    },
  },
];

async function lookAtEverything(window: Workbench): Promise<void> {
  const { page, tree } = window;
  const foreign = watchRequests(page);
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs += 1;
    void dialog.dismiss();
  });
  await page.getByRole('tab', { name: 'Patch Stacks' }).first().click();
  await tree.expand(/project/);
  await tree.expand(/stack/);
  const labels = (await tree.labels()).join('');
  assert.doesNotMatch(labels, /[\u0000-\u0008\u001b\u202a-\u202e\u2066-\u2069]/, 'a mark in a row');
  await tree.open(/patch/);
  await window.webview.locator('main h1').waitFor();
  const links = await window.webview
    .locator('a[href]')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
  assert.deepEqual(
    links.filter((link) => !/^(https?:|mailto:|#)/.test(link)),
    [],
    'a link that is none',
  );
  assert.equal(dialogs, 0, 'a script ran');
  assert.deepEqual(foreign, [], 'something was asked of somebody else');
  await page.locator('.part.statusbar').waitFor();
}

/** The addresses outside this computer that the window asks for from now on. */
function watchRequests(page: Page): string[] {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    // VS Code serves web views under a name of its own, which leads to nowhere but itself.
    const own = ['127.0.0.1', 'localhost'].includes(hostname) || hostname.endsWith('.vscode-cdn.net');
    if (protocol.startsWith('http') && !own) foreign.push(request.url());
  });
  return foreign;
}
