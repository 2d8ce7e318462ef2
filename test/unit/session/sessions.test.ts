import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SessionStore, type SessionsChange } from '../../../src/session/sessions.ts';

describe('the sessions', () => {
  let directory: string;
  let folder: string;
  let secrets: Map<string, string>;
  let refuses: boolean;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-sessions-'));
    folder = path.join(directory, 'storage');
    secrets = new Map();
    refuses = false;
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  function open(): SessionStore {
    const full = (): void => {
      if (refuses) {
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      }
    };
    return new SessionStore(
      {
        keys: async () => [...secrets.keys()],
        get: async (key) => secrets.get(key),
        store: async (key, value) => {
          full();
          secrets.set(key, value);
        },
        delete: async (key) => void secrets.delete(key),
        onDidChange: (() => ({ dispose: () => undefined })) as never,
      },
      folder,
    );
  }

  const ada = {
    serverUrl: 'https://one.example.com/',
    userId: '1',
    login: 'ada',
    accessToken: 'token',
    credentialScheme: 'x-auth-token' as const,
  };

  it('are good in this window where nothing can be saved, and say so', async () => {
    const problems: { refuse: () => Promise<void>; code: string }[] = [
      // A file where the folder should be: no folder can be made, no list written.
      { refuse: () => writeFile(folder, ''), code: 'ENOTDIR' },
      {
        refuse: async () => {
          await rm(folder, { force: true });
          refuses = true;
        },
        code: 'ENOSPC',
      },
    ];
    for (const { refuse, code } of problems) {
      await refuse();
      const store = open();
      const changes: SessionsChange[] = [];
      store.onDidChange((change) => changes.push(change));
      await store.watch();
      const session = await store.save(ada);
      assert.equal((store.unsavedReason(session.id) as NodeJS.ErrnoException).code, code);
      assert.deepEqual(await store.list(), [session]);
      assert.deepEqual(changes, [{ added: [session], removed: [] }]);
      store.dispose();
    }
  });

  it('are saved where that is possible, also after it was not', async () => {
    refuses = true;
    const store = open();
    const { id } = await store.save(ada);
    refuses = false;
    const saved = await store.save(ada);
    assert.equal(store.unsavedReason(saved.id), undefined);
    assert.deepEqual(await open().list(), [saved]);
    assert.deepEqual(
      (await store.list()).map((session) => session.login),
      ['ada'],
    );
    assert.ok(id);
    store.dispose();
  });

  it('are not taken for signed out when the list cannot be read', async () => {
    const before = open();
    const session = await before.save(ada);
    await rm(path.join(folder, 'sessions.json'));
    await mkdir(path.join(folder, 'sessions.json'));
    await assert.rejects(open().list(), { code: 'EISDIR' });
    assert.deepEqual(await before.list(), [session]);
    // Nor are they when another one is handed in, which cannot be saved then.
    const handedIn = await before.save({ ...ada, userId: '2', login: 'grace' });
    assert.notEqual(before.unsavedReason(handedIn.id), undefined);
    assert.deepEqual(await before.list(), [session, handedIn]);
    before.dispose();
  });
});
