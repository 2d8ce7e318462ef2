import assert from 'node:assert/strict';
import type { Release } from '../../../src/api/types/releases.ts';
import { PastReleases } from '../../../src/releases/pastReleases.ts';
import { MemoryMemento } from '../../support/memento.ts';

describe('the releases that were created before', () => {
  const server = 'https://one.example/api/';
  const now = new Date('2026-11-26T10:00:00Z');
  let past: PastReleases;

  beforeEach(() => {
    past = new PastReleases(new MemoryMemento());
  });

  it('are none at first', () => assert.deepEqual(past.list(), []));

  it('have all that the service said of them, without what nobody could see', async () => {
    const release: Release = {
      version: '1.0.0\u202e',
      channel: 'nightly',
      sha: 'a'.repeat(40),
      buildVersion: '7',
      notes: '**New**',
      releasedAt: '2026-11-26T09:00:00+01:00',
      builds: [{ os: 'linux', file: 'app.tar.gz' }],
    };
    await past.add(server, release, now);
    const [one] = past.list();
    assert.match(one?.id ?? '', /^[0-9a-f-]{36}$/);
    assert.deepEqual(one, {
      id: one?.id,
      server,
      createdAt: now.toISOString(),
      release: { ...release, version: '1.0.0', releasedAt: '2026-11-26T08:00:00.000Z' },
    });
  });

  it('have nothing that it did not say', async () => {
    await past.add(server, { version: '1.0.0', builds: [] }, now);
    assert.deepEqual(past.list()[0]?.release, { version: '1.0.0', builds: [] });
  });

  it('are the latest ten, the newest first', async () => {
    for (let number = 0; number < 12; number++) {
      await past.add(server, { version: `1.${number}.0`, builds: [] });
    }
    assert.deepEqual(
      past.list().map(({ release: { version } }) => version),
      Array.from({ length: 10 }, (_, index) => `1.${11 - index}.0`),
    );
  });
});
