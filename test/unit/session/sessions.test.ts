import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SessionStore, type SessionsChange } from '../../../src/session/sessions.ts';
import { Emitter } from '../../../src/util/event.ts';
import { until } from '../../support/until.ts';

describe('the sessions', () => {
  let directory: string;
  let folder: string;
  let secrets: Map<string, string>;
  let refuses: boolean;
  /** What the secret storage does before it gives something. */
  let beforeGet: () => Promise<void>;
  /** Says that another window has changed a secret. */
  let secretsChanged: Emitter<{ key: string }>;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-sessions-'));
    folder = path.join(directory, 'storage');
    secrets = new Map();
    refuses = false;
    beforeGet = async () => undefined;
    secretsChanged = new Emitter();
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
        get: async (key) => {
          await beforeGet();
          return secrets.get(key);
        },
        store: async (key, value) => {
          full();
          secrets.set(key, value);
        },
        delete: async (key) => void secrets.delete(key),
        onDidChange: secretsChanged.event as never,
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

  const listFile = (): string => path.join(folder, 'sessions.json');
  /** A store, and what it tells of changes. */
  function follow(): { store: SessionStore; changes: SessionsChange[] } {
    const store = open();
    const changes: SessionsChange[] = [];
    store.onDidChange((change) => changes.push(change));
    return { store, changes };
  }
  /** Waits until a store that was told of a change has read it. */
  const settled = async (store: SessionStore): Promise<void> => {
    await store.list();
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('are one for each account of a server, which keeps its id when it is renewed', async () => {
    const { store, changes } = follow();
    assert.deepEqual(await store.list(), []);
    const first = await store.save(ada);
    const other = await store.save({ ...ada, userId: '2' });
    const elsewhere = await store.save({ ...ada, serverUrl: 'https://two.example.com/' });
    assert.equal(new Set([first.id, other.id, elsewhere.id]).size, 3);
    const renewed = await store.save({ ...ada, accessToken: 'another' });
    assert.deepEqual(renewed, { ...ada, id: first.id, accessToken: 'another' });
    assert.deepEqual(await store.list(), [other, elsewhere, renewed]);
    assert.deepEqual(await open().list(), [other, elsewhere, renewed]);
    assert.deepEqual(changes, [
      { added: [first], removed: [] },
      { added: [other], removed: [] },
      { added: [elsewhere], removed: [] },
      { added: [renewed], removed: [first] },
    ]);
    assert.equal(store.unsavedReason(first.id), undefined);
    store.dispose();
  });

  it('have their tokens in the secret storage alone, which forgets that of one who signs out', async () => {
    const { store, changes } = follow();
    const [one, two] = [
      await store.save(ada),
      await store.save({ ...ada, userId: '2', accessToken: 'second' }),
    ];
    const { accessToken, ...entry } = one;
    assert.equal(accessToken, 'token');
    const written = await readFile(listFile(), 'utf8');
    assert.deepEqual((JSON.parse(written) as unknown[])[0], entry);
    assert.ok(!/"token"|second/.test(written));
    assert.deepEqual(Object.fromEntries(secrets), {
      [`patchStacks.token.${one.id}`]: 'token',
      [`patchStacks.token.${two.id}`]: 'second',
    });
    await store.remove(one.id);
    assert.deepEqual([...secrets.values()], ['second']);
    assert.deepEqual(await store.list(), [two]);
    assert.deepEqual(changes.slice(2), [{ added: [], removed: [one] }]);
    assert.equal((JSON.parse(await readFile(listFile(), 'utf8')) as unknown[]).length, 1);
    store.dispose();
  });

  it('end also where the list cannot be written, and those that were not saved', async () => {
    const { store, changes } = follow();
    const saved = await store.save(ada);
    refuses = true;
    const unsaved = await store.save({ ...ada, userId: '2' });
    await rm(listFile());
    await mkdir(listFile());
    await store.remove(saved.id);
    assert.deepEqual(await store.list(), [unsaved]);
    await store.remove(unsaved.id);
    assert.deepEqual(await store.list(), []);
    assert.equal(store.unsavedReason(unsaved.id), undefined);
    assert.deepEqual(changes.slice(2), [
      { added: [], removed: [saved] },
      { added: [], removed: [unsaved] },
    ]);
    store.dispose();
  });

  it('are renewed in this window where that cannot be saved, in the place of what was', async () => {
    const { store, changes } = follow();
    const saved = await store.save(ada);
    refuses = true;
    const renewed = await store.save({ ...ada, accessToken: 'another' });
    assert.equal(renewed.id, saved.id);
    assert.deepEqual(await store.list(), [renewed]);
    assert.deepEqual(changes.at(-1), { added: [renewed], removed: [saved] });
    refuses = false;
    const again = await store.save({ ...ada, accessToken: 'third' });
    assert.equal(again.id, saved.id);
    assert.deepEqual(await store.list(), [again]);
    assert.deepEqual(await open().list(), [again]);
    store.dispose();
  });

  for (const [what, content] of [
    ['no JSON', '{{{'],
    ['no list', '{"id": 1}'],
  ] as const) {
    it(`are none when the list holds ${what}`, async () => {
      await mkdir(folder);
      await writeFile(listFile(), content);
      const store = open();
      assert.deepEqual(await store.list(), []);
      const session = await store.save(ada);
      assert.deepEqual(await open().list(), [session]);
      store.dispose();
    });
  }

  it('are those of the list that are whole, and have a token', async () => {
    const { accessToken, ...known } = ada;
    const whole = { ...known, id: 'whole' };
    const without = (name: keyof typeof whole): object =>
      Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name));
    const entries: unknown[] = [
      null,
      1,
      'text',
      ...(['id', 'serverUrl', 'credentialScheme', 'userId', 'login'] as const).flatMap((name) => [
        without(name),
        { ...whole, [name]: 1 },
      ]),
      { ...whole, serverUrl: 'no address' },
      { ...whole, credentialScheme: 'basic' },
      { ...whole, allowInsecure: 'yes' },
      whole,
      { ...whole, id: 'bearer', credentialScheme: 'bearer', allowInsecure: true },
      { ...whole, id: 'secure', allowInsecure: false },
      { ...whole, id: 'without a token' },
    ];
    for (const id of ['whole', 'bearer', 'secure', '1', 'undefined']) {
      secrets.set(`patchStacks.token.${id}`, accessToken);
    }
    await mkdir(folder);
    await writeFile(listFile(), JSON.stringify(entries));
    assert.deepEqual(
      (await open().list()).map(({ id }) => id),
      ['whole', 'bearer', 'secure'],
    );
  });

  it('are read again when they could not be read, and when another window has changed a secret', async () => {
    const session = await open().save(ada);
    const text = await readFile(listFile(), 'utf8');
    await rm(listFile());
    await mkdir(listFile());
    const { store, changes } = follow();
    await assert.rejects(store.list(), { code: 'EISDIR' });
    await rm(listFile(), { recursive: true });
    await writeFile(listFile(), text);
    assert.deepEqual(await store.list(), [session]);
    secretsChanged.fire({ key: 'of another extension' });
    await settled(store);
    assert.deepEqual(changes, []);
    secrets.set(`patchStacks.token.${session.id}`, 'another');
    secretsChanged.fire({ key: `patchStacks.token.${session.id}` });
    await until(async () => changes.length > 0);
    const renewed = { ...session, accessToken: 'another' };
    assert.deepEqual(changes, [{ added: [renewed], removed: [session] }]);
    assert.deepEqual(await store.list(), [renewed]);
    store.dispose();
    secrets.clear();
    secretsChanged.fire({ key: '' });
    await settled(open());
    assert.equal(changes.length, 1);
  });

  it('are known as they were where a change leaves them unreadable', async () => {
    await mkdir(folder);
    await mkdir(listFile());
    const { store, changes } = follow();
    secretsChanged.fire({ key: '' });
    await until(async () => (await store.list()).length === 0);
    assert.deepEqual(changes, []);
    store.dispose();
  });

  describe('that could not be read', () => {
    const ways: [string, fail: () => Promise<() => Promise<void>>][] = [
      [
        'in the list',
        async () => {
          const text = await readFile(listFile(), 'utf8');
          await rm(listFile());
          await mkdir(listFile());
          return async () => {
            await rm(listFile(), { recursive: true });
            await writeFile(listFile(), text);
          };
        },
      ],
      [
        'in the secret storage',
        async () => {
          beforeGet = () => Promise.reject(Object.assign(new Error('locked'), { code: 'EISDIR' }));
          return async () => void (beforeGet = async () => undefined);
        },
      ],
    ];

    for (const [where, fail] of ways) {
      it(`${where} are read again by whoever asks`, async () => {
        const session = await open().save(ada);
        const mend = await fail();
        const store = open();
        await assert.rejects(store.list(), { code: 'EISDIR' });
        await assert.rejects(store.list(), { code: 'EISDIR' });
        await mend();
        assert.deepEqual(await store.list(), [session]);
        store.dispose();
      });

      it(`${where} when something changed are those of before, then those of now`, async () => {
        const { store, changes } = follow();
        const session = await store.save(ada);
        changes.length = 0;
        const mend = await fail();
        const fails = beforeGet;
        let asked = 0;
        beforeGet = async () => {
          asked += 1;
          await fails();
        };
        secretsChanged.fire({ key: '' });
        await until(async () => asked > 0);
        await new Promise((resolve) => setImmediate(resolve));
        assert.deepEqual(await store.list(), [session]);
        assert.deepEqual(changes, []);
        await mend();
        secrets.set(`patchStacks.token.${session.id}`, 'another');
        secretsChanged.fire({ key: '' });
        await until(async () => changes.length > 0);
        assert.deepEqual(await store.list(), [{ ...session, accessToken: 'another' }]);
        store.dispose();
      });
    }

    it('are not taken for those of now when somebody has read them since', async () => {
      const { store, changes } = follow();
      const session = await store.save(ada);
      changes.length = 0;
      const [first, second] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      const gates = [first.promise, second.promise];
      beforeGet = () => gates.shift() ?? Promise.resolve();
      secretsChanged.fire({ key: '' });
      secretsChanged.fire({ key: '' });
      await until(async () => gates.length === 0);
      secrets.set(`patchStacks.token.${session.id}`, 'another');
      first.reject(new Error('locked'));
      await new Promise((resolve) => setImmediate(resolve));
      second.resolve(undefined);
      const renewed = { ...session, accessToken: 'another' };
      await until(async () => (await store.list())[0]?.accessToken === 'another');
      await settled(store);
      assert.deepEqual(await store.list(), [renewed]);
      assert.deepEqual(
        changes.map(({ added }) => added),
        [[renewed]],
      );
      store.dispose();
    });
  });

  it('begin and end as another window says by the list', async () => {
    const { store, changes } = follow();
    await store.watch();
    const other = open();
    const session = await other.save(ada);
    await until(async () => changes.length === 1);
    assert.deepEqual(changes, [{ added: [session], removed: [] }]);
    await other.remove(session.id);
    await until(async () => changes.length === 2);
    assert.deepEqual(changes[1], { added: [], removed: [session] });
    assert.deepEqual(await store.list(), []);
    other.dispose();
    store.dispose();
  });
});
