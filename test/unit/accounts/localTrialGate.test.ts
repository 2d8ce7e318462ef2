/** Which requests may go to a local service: to the window's own, and to one that has proved to be ours. */
import assert from 'node:assert/strict';
import type { LocalTrialPlace } from '../../../src/accounts/localTrialFolders.ts';
import { LocalTrialGate } from '../../../src/accounts/localTrialGate.ts';
import { isOutOfReach } from '../../../src/api/errors.ts';
import type { ReachedService } from '../../../src/util/runningService.ts';

const serverUrl = 'http://127.0.0.1:4100/api';
const before = { serverUrl, accessToken: 'of the time before' };

describe('the gate of a local trial', () => {
  let places: Map<string, LocalTrialPlace>;
  let openFolder: string | undefined;
  /** What runs over each data directory, and proves that it is ours. */
  let running: Map<string, ReachedService & { end: () => void; isLeft: () => boolean }>;
  let started: string[];
  let signedIn: { url: string; token: string }[];
  let left: number;
  let gate: LocalTrialGate;

  function run(data: string, url: string, token: string) {
    const ended = Promise.withResolvers<undefined>();
    let isLeft = false;
    const service = {
      url,
      token,
      ended: ended.promise,
      leave: () => void (isLeft = true),
      end: () => ended.resolve(undefined),
      isLeft: () => isLeft,
    };
    running.set(data, service);
    return service;
  }

  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const isOpen = (url: string, accessToken: string): boolean =>
    gate.isOpenFor({ serverUrl: url, accessToken });

  beforeEach(() => {
    places = new Map([[serverUrl, { folder: '/repo', data: '/data' }]]);
    running = new Map();
    [openFolder, started, signedIn, left] = [undefined, [], [], 0];
    gate = new LocalTrialGate({
      folders: {
        placeOf: (url) => places.get(url),
        openFolderOf: () => openFolder,
        remember: async (url, place) => {
          places.set(url, place);
          return { serverUrl: url };
        },
      },
      start: async (folder) => {
        started.push(folder);
        gate.open({ url: serverUrl, token: 'of this start' });
      },
      signIn: async ({ serverUrl: url }, token) => signedIn.push({ url, token }),
      reachRunning: async (data) => running.get(data),
      onLeft: async () => {
        left++;
      },
    });
  });

  it('is none for other servers', () => {
    assert.ok(isOpen('https://stacks.example/api', 'any'));
    assert.ok(isOpen('http://127.0.0.1:4101/api', 'any'));
  });

  it('is shut for the token of the time before until the window has its own service', async () => {
    assert.ok(!gate.isOpenFor(before));
    openFolder = '/repo';
    await gate.admit(before);
    assert.deepEqual(started, ['/repo']);
    assert.ok(!gate.isOpenFor(before));
    assert.ok(isOpen(serverUrl, 'of this start'));
    assert.ok(!isOpen(serverUrl, 'another'));
  });

  it('lets an account through to where its service is, and to no other', async () => {
    const elsewhere = 'http://127.0.0.1:4999/api';
    gate.open({ url: elsewhere, token: 'of this start' });
    const session = { serverUrl, accessToken: 'of this start' };
    assert.ok(!gate.isOpenFor(session));
    assert.ok(!gate.isOpenFor({ ...session, address: 'http://127.0.0.1:4998/api' }));
    assert.ok(gate.isOpenFor({ ...session, address: elsewhere }));
    assert.ok(!gate.isOpenFor({ ...session, address: elsewhere, accessToken: 'another' }));
  });

  it('starts one service however many ask for it', async () => {
    openFolder = '/repo';
    await Promise.all([gate.admit(before), gate.admit(before), gate.admit(before)]);
    assert.deepEqual(started, ['/repo']);
  });

  it('stays shut where nothing runs and nothing can be started: the server is out of reach', async () => {
    await assert.rejects(gate.admit(before), isOutOfReach);
    assert.ok(!gate.isOpenFor(before));
    places.set(serverUrl, { folder: '/repo', data: undefined });
    await assert.rejects(gate.admit(before), isOutOfReach);
  });

  it('shuts where nothing listens any more, though nobody has told of its end, and starts it again', async () => {
    openFolder = '/repo';
    await gate.admit(before);
    gate.noteGone({ serverUrl, accessToken: 'an older one' });
    gate.noteGone({ serverUrl: 'https://stacks.example/api', accessToken: 'of this start' });
    assert.ok(isOpen(serverUrl, 'of this start'));
    gate.noteGone({ serverUrl, accessToken: 'of this start' });
    assert.ok(!isOpen(serverUrl, 'of this start'));
    await gate.admit(before);
    assert.deepEqual(started, ['/repo', '/repo']);
  });

  it('leaves the service of another window where nothing listens any more, whose end it need not hear of', async () => {
    const service = run('/data', serverUrl, 'of the other window');
    await gate.admit(before);
    gate.noteGone({ serverUrl, accessToken: 'of the other window' });
    assert.ok(service.isLeft());
    service.end();
    await settle();
    assert.equal(left, 0);
  });

  it('shuts when the service of the window has ended', async () => {
    openFolder = '/repo';
    await gate.admit(before);
    gate.close({ url: serverUrl, token: 'an older one' });
    assert.ok(isOpen(serverUrl, 'of this start'));
    gate.close({ url: serverUrl, token: 'of this start' });
    assert.ok(!isOpen(serverUrl, 'of this start'));
  });

  it('opens for the service of another window, with its token, before one is started', async () => {
    openFolder = '/repo';
    run('/data', serverUrl, 'of the other window');
    await gate.admit(before);
    assert.deepEqual([started, signedIn], [[], [{ url: serverUrl, token: 'of the other window' }]]);
    assert.ok(isOpen(serverUrl, 'of the other window'));
  });

  it('knows the service of another window at another port', async () => {
    const url = 'http://127.0.0.1:4200/api';
    run('/data', url, 'of the other window');
    await gate.admit(before);
    assert.ok(isOpen(url, 'of the other window'));
    assert.ok(!gate.isOpenFor(before));
    assert.deepEqual(places.get(url), { folder: '/repo', data: '/data' });
  });

  it('shuts and says so when the other window has gone with its service', async () => {
    const other = run('/data', serverUrl, 'of the other window');
    await gate.admit(before);
    running.clear();
    other.end();
    await settle();
    assert.ok(!isOpen(serverUrl, 'of the other window'));
    assert.equal(left, 1);
  });

  it('lets go of another window when it has a service of its own', async () => {
    const other = run('/data', serverUrl, 'of the other window');
    await gate.admit(before);
    gate.open({ url: serverUrl, token: 'of this start' });
    other.end();
    await settle();
    assert.ok(other.isLeft());
    assert.ok(isOpen(serverUrl, 'of this start'));
    assert.equal(left, 0);
  });
});
