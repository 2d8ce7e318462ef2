/** The access token is in the secret storage and in the requests to its server, and nowhere else. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { Connection } from '../../../src/session/connection.ts';
import { connectionWindow } from '../../../src/session/connectionWindow.ts';
import { SessionStore } from '../../../src/session/sessions.ts';
import { checkToken } from '../../../src/accounts/signIn.ts';
import { CancelledError } from '../../../src/ui/commands.ts';
import { describeFailure } from '../../../src/ui/failures.ts';
import type { Log } from '../../../src/ui/log.ts';
import { FaultServer, reply, resetMidBody, type Fault } from '../../support/faultServer.ts';
import { Memory, Secrets } from './storage.ts';

const service = JSON.parse(process.env['PATCH_STACKS_TEST_SERVICE'] ?? '{}') as {
  url: string;
  token: string;
};

/** Fails when a secret stands in a text, also in forms that are easily turned back; says under which names. */
function assertSecret(texts: ReadonlyMap<string, string>, secret: string): void {
  const bytes = Buffer.from(secret);
  const forms = [secret, encodeURIComponent(secret), bytes.toString('base64'), bytes.toString('hex')];
  const found = [...texts].filter(([, text]) => forms.some((form) => text.includes(form)));
  assert.ok(found.length === 0, `it stands in: ${found.map(([name]) => name).join(', ')}`);
}

async function filesBelow(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }): Promise<[string, string]> => {
      const file = path.join(parentPath, name);
      return [file, await readFile(file, 'latin1').catch(() => '')];
    });
  return new Map(await Promise.all(files));
}

describe('the access token', () => {
  it('reaches no page, message or setting of the running extension', async () => {
    const told = new Map<string, string>();
    const note = (what: string, text: unknown): void => {
      told.set(`${told.size + 1}: ${what}`, typeof text === 'string' ? text : inspect(text, { depth: 20 }));
    };
    const pages: vscode.WebviewPanel[] = [];
    const window = vscode.window as { -readonly [Name in keyof typeof vscode.window]: unknown };
    const original = { ...vscode.window };
    const messages = [
      'showErrorMessage',
      'showWarningMessage',
      'showInformationMessage',
      'showQuickPick',
    ] as const;
    window.createWebviewPanel = (...parameters: Parameters<typeof vscode.window.createWebviewPanel>) => {
      const panel = original.createWebviewPanel(...parameters);
      const post = panel.webview.postMessage.bind(panel.webview);
      panel.webview.postMessage = (message: unknown) => {
        note(`message to ${parameters[0]}`, message);
        return post(message);
      };
      pages.push(panel);
      return panel;
    };
    for (const name of messages) {
      window[name] = async (...parameters: unknown[]) => {
        note(name, parameters);
        return undefined;
      };
    }
    try {
      const { projectId, stackUuid, branchId, changeId } = await firstPatch();
      const { login } = (await read('user')) as { login: string };
      const address = { serverUrl: service.url, projectId, branchId, stackUuid, changeId };
      await vscode.commands.executeCommand('patchStacks.refresh');
      for (const [page, command, argument] of [
        ['patchDocument', 'openPatch', address],
        ['patchDocument', 'openPatch', { ...address, changeId: 'none' }],
        ['profile', 'editProfile', undefined],
        ['userCard', 'showUser', 'nobody'],
        ['userCard', 'showUser', login],
      ] as const) {
        const before = told.size;
        await vscode.commands.executeCommand(`patchStacks.${command}`, argument);
        // A page that is hidden asks for nothing: what each is told has to be awaited before the next one is shown.
        const answers = (): number =>
          [...told.keys()].slice(before).filter((name) => name.endsWith(`message to patchStacks.${page}`))
            .length;
        while (answers() < 2) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
      for (const { webview, viewType } of pages) {
        note(`page of ${viewType}`, webview.html);
      }
      note('settings', vscode.workspace.getConfiguration('patchStacks'));
      const variables = Object.entries(process.env);
      // Our own way to the service is not the extension's.
      note(
        'environment',
        variables.filter(([name]) => name !== 'PATCH_STACKS_TEST_SERVICE'),
      );
      assert.ok(pages.length >= 3);
      assertSecret(told, service.token);
    } finally {
      for (const name of ['createWebviewPanel', ...messages] as const) {
        window[name] = original[name];
      }
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('is in no line of the log, no error and no file, whatever the server answers', async () => {
    const canary = 'canary/token+7f3a=9c';
    const encoded = encodeURIComponent(canary);
    const telltale = JSON.stringify({
      error: `${canary} ${encoded} ${Buffer.from(canary).toString('base64')}`,
      errors: [{ field: canary, message: encoded }],
    });
    const answers: Record<string, Fault> = {
      'what it should': reply(200, JSON.stringify({ id: 1, login: 'ada', access_token: canary })),
      'with 401': reply(401, telltale),
      'with 403': reply(403, telltale),
      'with 404': reply(404, telltale),
      'with 422': reply(422, telltale),
      'with 500': reply(500, telltale),
      'with a page': reply(500, `<title>${canary}</title>`, { 'content-type': 'text/html' }),
      'with half of it': resetMidBody(telltale),
      'with no JSON': reply(200, `{${canary}`),
      'with another place': reply(302, telltale, { location: `http://127.0.0.1:9/${encoded}` }),
      'with a wrong record': reply(200, JSON.stringify({ [canary]: canary })),
    };
    const folder = await mkdtemp(path.join(tmpdir(), 'patch-stacks-secrecy-'));
    const written = new Map<string, string>();
    const write = (...parts: unknown[]): void => {
      written.set(`log line ${written.size + 1}`, inspect(parts, { depth: 20, showHidden: true }));
    };
    const log: Log = {
      debug: write,
      info: write,
      warn: write,
      error: write,
      show: async () => undefined,
      recent: () => '',
      dispose: () => undefined,
    };
    const server = await FaultServer.start();
    const sessions = new SessionStore(new Secrets(), folder);
    const memory = new Memory();
    const signInAgain = (): Promise<never> => Promise.reject(new CancelledError());
    const connection = new Connection({ window: connectionWindow, memory, sessions, log, signInAgain });
    try {
      server.use(answers['what it should']!);
      await connection.activate(
        await sessions.save(await checkToken({ serverUrl: `${server.url}/api` }, canary, log)),
      );
      for (const [name, answer] of Object.entries(answers)) {
        server.use(answer);
        const results = await Promise.allSettled([
          connection.use((client) => client.users.me()),
          connection.use((client) => client.projects.list()),
          connection.use((client) => client.patches.get(canary, canary)),
          connection.use((client) => client.users.updateMe({ name: canary })),
        ]);
        for (const result of results) {
          const { reason } = result as { reason?: unknown };
          const text =
            reason === undefined ? inspect(result, { depth: 20 }) : describeFailure('Reading', reason);
          written.set(`${name}: ${written.size + 1}`, `${text} ${inspect(reason, { depth: 20 })}`);
        }
      }
      written.set('memory', inspect(memory.keys().map((key) => memory.get(key))));
      assert.ok(written.size > 80, 'there is a log to be looked through');
      assertSecret(new Map([...written, ...(await filesBelow(folder))]), canary);
    } finally {
      connection.dispose();
      sessions.dispose();
      await server.stop();
      await rm(folder, { recursive: true });
    }
  });
});

/** A patch of the service, found without the extension. */
async function firstPatch(): Promise<{
  projectId: string;
  stackUuid: string;
  branchId: string;
  changeId: string;
}> {
  const [project] = (await read('projects')) as { repository_id: string }[];
  const projectId = project?.repository_id ?? '';
  const [stack] = (await read(`patch_stack/${projectId}?status=all`)) as {
    uuid: string;
    branch_id: string;
    patches: { change_id: string }[];
  }[];
  const changeId = stack?.patches[0]?.change_id ?? '';
  return { projectId, stackUuid: stack?.uuid ?? '', branchId: stack?.branch_id ?? '', changeId };
}

/** Asks the service without the extension. */
async function read(resource: string): Promise<unknown> {
  return (await fetch(`${service.url}/${resource}`, { headers: { 'x-auth-token': service.token } })).json();
}
