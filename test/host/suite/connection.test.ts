import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { AccountFolders } from '../../../src/session/accountFolders.ts';
import { Accounts } from '../../../src/accounts/accounts.ts';
import { Connection, type ConnectionState } from '../../../src/session/connection.ts';
import { connectionWindow } from '../../../src/session/connectionWindow.ts';
import { RemediableError } from '../../../src/ui/failures.ts';
import { SessionStore, type Session } from '../../../src/session/sessions.ts';
import { CancelledError } from '../../../src/ui/commands.ts';
import { FaultServer } from '../../support/faultServer.ts';
import { silentLog } from '../../support/silentLog.ts';
import { Memory, Secrets } from './storage.ts';

const service = JSON.parse(process.env['PATCH_STACKS_TEST_SERVICE'] ?? '{}') as {
  url: string;
  token: string;
};

describe('the connection', () => {
  let folder: string;
  let sessions: SessionStore;
  let connection: Connection;
  let prompts: number;
  let answerPrompt: (session: Session) => Promise<Session>;
  const states: ConnectionState['kind'][] = [];

  const signIn = async (accessToken: string, userId = '1'): Promise<Session> => {
    const session = await sessions.save({
      serverUrl: service.url,
      credentialScheme: 'x-auth-token',
      userId,
      login: 'somebody',
      accessToken,
    });
    await connection.activate(session);
    return session;
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'patch-stacks-sessions-'));
    sessions = new SessionStore(new Secrets(), folder);
    prompts = 0;
    answerPrompt = () => Promise.reject(new CancelledError());
    connection = new Connection({
      window: connectionWindow,
      memory: new Memory(),
      sessions,
      log: silentLog,
      signInAgain: (session) => {
        prompts++;
        return answerPrompt(session);
      },
    });
    states.length = 0;
    connection.onDidChangeState((state) => states.push(state.kind));
  });

  afterEach(async () => {
    connection.dispose();
    sessions.dispose();
    await rm(folder, { recursive: true });
  });

  const whoAmI = (): Promise<string> => connection.use(async (client) => (await client.users.me()).id);

  it('keeps for the server how it takes files, over restarts', async () => {
    const server = await FaultServer.start();
    server.use((response, { headers }) => {
      response.writeHead(headers['content-type']?.startsWith('multipart/') === true ? 204 : 415).end();
    });
    try {
      const memory = new Memory();
      for (const times of [2, 3]) {
        const restarted = new Connection({
          window: connectionWindow,
          memory,
          sessions,
          log: silentLog,
          signInAgain: (session) => answerPrompt(session),
        });
        await restarted.activate(
          await sessions.save({
            serverUrl: `${server.url}/api`,
            credentialScheme: 'x-auth-token',
            userId: '1',
            login: 'somebody',
            accessToken: 'token',
          }),
        );
        await restarted.use((client) => client.feedback.send({ message: 'Thanks' }));
        restarted.dispose();
        assert.equal(server.seen.length, times);
      }
    } finally {
      await server.stop();
    }
  });

  it('asks nothing of anyone while no one is signed in', async () => {
    await assert.rejects(whoAmI(), RemediableError);
    assert.equal(prompts, 0);
  });

  it('takes a token over that is kept for the server without asking for it again, and asks for others', async () => {
    const folderUri = vscode.Uri.file(folder);
    const accounts = new Accounts({
      connection,
      sessions,
      folders: new AccountFolders(folderUri.fsPath),
      forgetPending: async () => undefined,
      log: silentLog,
    });
    const kept = await signIn('kept before, whoever may know it');
    await signIn('of another account', '2');
    const session = await accounts.signInWithKnownToken(kept, kept.accessToken);
    assert.deepEqual(session, kept);
    assert.equal((await connection.session())?.id, kept.id);
    await assert.rejects(accounts.signInWithKnownToken(kept, 'unknown'));
    assert.equal((await connection.session())?.id, kept.id);
  });

  it('makes one prompt of ten refusals at once, and goes on with all ten', async () => {
    await signIn('no-longer-good');
    answerPrompt = () => signIn(service.token);
    const answers = await Promise.all(Array.from({ length: 10 }, whoAmI));
    assert.equal(new Set(answers).size, 1);
    assert.equal(prompts, 1);
  });

  it('does not ask again after the person said no, until they have signed in', async () => {
    await signIn('no-longer-good');
    await assert.rejects(whoAmI(), { kind: 'unauthorized' });
    await assert.rejects(whoAmI(), { kind: 'unauthorized' });
    assert.equal(prompts, 1);
    assert.equal(connection.state.kind, 'expired');
    await signIn(service.token);
    assert.ok(await whoAmI());
    assert.equal(connection.state.kind, 'signedIn');
  });

  it('does not go on as someone else', async () => {
    await signIn('no-longer-good');
    answerPrompt = () => signIn(service.token, '2');
    await assert.rejects(whoAmI(), { kind: 'unauthorized' });
  });

  it('signs no one out, and asks nothing, for any other failure', async () => {
    await signIn(service.token);
    await assert.rejects(
      connection.use((client) => client.users.get('nobody-has-this-login')),
      { kind: 'notFound' },
    );
    assert.equal(prompts, 0);
    assert.equal(connection.state.kind, 'signedIn');
  });

  it('says that it is offline, and that it is back', async () => {
    await sessions.save({
      serverUrl: 'http://127.0.0.1:9/api',
      credentialScheme: 'bearer',
      userId: '1',
      login: 'somebody',
      accessToken: 'unused',
    });
    const [offline] = await sessions.list();
    assert.ok(offline);
    await connection.activate(offline);
    await assert.rejects(whoAmI(), { kind: 'connection' });
    assert.equal(connection.state.kind, 'offline');
    await signIn(service.token);
    await whoAmI();
    assert.equal(connection.state.kind, 'signedIn');
    assert.ok(states.includes('offline'));
  });
});

describe('the sessions', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'patch-stacks-sessions-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const entry = {
    serverUrl: 'https://patches.example.com/api',
    credentialScheme: 'x-auth-token',
    login: 'ada',
  } as const;

  it('keep one for each account, and its id when it is renewed', async () => {
    const sessions = new SessionStore(new Secrets(), folder);
    const first = await sessions.save({ ...entry, userId: '1', accessToken: 'one' });
    await sessions.save({ ...entry, userId: '2', accessToken: 'two' });
    const renewed = await sessions.save({ ...entry, userId: '1', accessToken: 'three' });
    assert.equal(renewed.id, first.id);
    assert.deepEqual((await sessions.list()).map(({ accessToken }) => accessToken).sort(), ['three', 'two']);
    sessions.dispose();
  });

  it('write no token into the list', async () => {
    const secrets = new Secrets();
    const sessions = new SessionStore(secrets, folder);
    const { id } = await sessions.save({ ...entry, userId: '1', accessToken: 'canary-token' });
    assert.ok(!(await readFile(path.join(folder, 'sessions.json'), 'utf8')).includes('canary'));
    await sessions.remove(id);
    assert.deepEqual(await secrets.keys(), []);
    sessions.dispose();
  });

  it('end in a window that does not hear of secrets', async () => {
    const [here, there] = [new Secrets(), new Secrets()];
    const window = new SessionStore(here, folder);
    const other = new SessionStore(there, folder);
    const session = await window.save({ ...entry, userId: '1', accessToken: 'one' });
    await there.store(`patchStacks.token.${session.id}`, 'one');
    await other.watch();
    assert.equal((await other.list()).length, 1);
    const ended = new Promise<void>((resolve) => {
      other.onDidChange(({ removed }) => {
        if (removed.length === 1) {
          resolve();
        }
      });
    });
    await window.remove(session.id);
    await ended;
    assert.deepEqual(await other.list(), []);
    window.dispose();
    other.dispose();
  });

  for (const [name, content] of [
    ['no JSON', '{{{'],
    ['no list', '{"id": 1}'],
    [
      'entries that are none',
      '[null, 1, {"id": "x"}, {"id": "y", "serverUrl": "::", "userId": "1", "login": "z"}]',
    ],
  ]) {
    it(`count as signed out when the list holds ${name}`, async () => {
      await vscode.workspace.fs.writeFile(
        vscode.Uri.file(path.join(folder, 'sessions.json')),
        Buffer.from(content ?? ''),
      );
      const sessions = new SessionStore(new Secrets(), folder);
      assert.deepEqual(await sessions.list(), []);
      await sessions.save({ ...entry, userId: '1', accessToken: 'one' });
      assert.equal((await sessions.list()).length, 1);
      sessions.dispose();
    });
  }
});
