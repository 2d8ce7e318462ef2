/** A new version comes at any moment between the click and the request: then nothing is said of what nobody has read. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc, { type Scheduler } from 'fast-check';
import { ApiClient } from '../../src/api/client.ts';
import { fingerprintOf } from '../../src/model/fingerprint.ts';
import { Model } from '../../src/model/model.ts';
import { PendingChanges } from '../../src/model/pending/pendingChanges.ts';
import { startService, type LocalService } from '../../src/service/service.ts';
import type { PatchRef } from '../../src/util/patchRef.ts';
import { makeExampleRepository } from '../support/exampleRepository.ts';
import { isFull } from '../support/full.ts';

/** Races in a round, of which there may be so many until the two have met in every way. */
const [races, rounds] = isFull ? [100, 5] : [30, 17];

describe('a sign-off and a new version at the same moment', function () {
  this.timeout(300_000);
  let directory: string;
  let service: LocalService;
  let reviewer: ApiClient;
  let author: ApiClient;
  let me: { id: string; login: string };
  let place: { projectId: string; branchId: string };

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-races-'));
    const { directory: repository } = await makeExampleRepository(directory);
    service = await startService({ repository, dataDirectory: path.join(directory, 'data') });
    author = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
    const [project] = (await author.projects.list()).items;
    const projectId = project!.repositoryId;
    await author.projects.update(projectId, { shareLevel: 'public' });
    const { login, token } = service.addUser({ name: 'Grace', email: 'grace@example.org' });
    reviewer = new ApiClient({ serverUrl: service.url, getToken: async () => token });
    me = { id: (await reviewer.users.me()).id, login };
    const [stack] = (await author.stacks.list(projectId)).items;
    place = { projectId, branchId: stack!.branchId! };
  });

  after(async () => {
    await reviewer.close();
    await author.close();
    await service.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** The author's changes to a patch that somebody is about to sign off. */
  const rewrites = {
    newVersion: async () => author.stacks.create({ ...place, oplogSha: randomUUID() }),
    reworded: async ({ stackUuid, changeId }: PatchRef) =>
      author.patches.createSection(stackUuid, changeId, { type: 'text', text: randomUUID() }),
    reordered: async ({ stackUuid, changeId }: PatchRef) => {
      const { sections = [] } = await author.patches.get(stackUuid, changeId);
      const sectionOrder = sections.map(({ identifier }) => identifier).toReversed();
      return author.patches.update(stackUuid, changeId, { sectionOrder });
    },
  };
  type Rewrite = keyof typeof rewrites;

  /** The delays of the sign-off: it may wait on disk, and be sent later. */
  const waits = ['not', 'untilOnline', 'inNextWindow'] as const;
  type Wait = (typeof waits)[number];

  /** The newest version of a patch that has several sections. */
  async function newest(): Promise<PatchRef> {
    const { uuid, patches = [] } = await author.stacks.latestForBranch(place.projectId, place.branchId);
    for (const { changeId } of patches) {
      const { sections = [] } = await author.patches.get(uuid, changeId);
      if (sections.length > 1) {
        return { ...place, stackUuid: uuid, changeId };
      }
    }
    throw new Error('No patch has several sections.');
  }

  /** Resolves to true when somebody has signed off the patch as it is now, or as it was. */
  async function isSignedOff({ stackUuid, changeId }: PatchRef): Promise<boolean> {
    const stacks = new Set([stackUuid, (await newest()).stackUuid]);
    const reviews = await Promise.all([...stacks].map((uuid) => author.patches.get(uuid, changeId)));
    return reviews.some(({ reviewAll }) => (reviewAll?.signedOff.length ?? 0) > 0);
  }

  /** The order in which the two meet; `lead` is the number of requests that the author lets go first. */
  interface Meeting {
    scheduler: Scheduler;
    wait: Wait;
    lead: number;
  }

  /** Has somebody sign off what they have read, while its author rewrites it at any moment before the request for that arrives. */
  async function race(
    { scheduler, wait, lead }: Meeting,
    rewrite: Rewrite,
  ): Promise<{ patch: PatchRef; became: string; requests: number }> {
    const patch = await newest();
    await reviewer.patches.update(patch.stackUuid, patch.changeId, { signOff: false });
    const folder = path.join(await mkdtemp(path.join(directory, 'account-')), 'pending');
    const rewritten = Promise.withResolvers<null>();
    const done = { isOnline: wait !== 'untilOnline', requests: 0 };
    const begun = Promise.withResolvers<null>();
    let asked = 0;
    let rewriting: Promise<unknown> | undefined;
    const moment = async (): Promise<void> => {
      asked += 1;
      if (asked > lead) {
        begun.resolve(null);
      }
      await scheduler.schedule(Promise.resolve());
      await rewriting;
      if (!done.isOnline) {
        throw new Error('offline');
      }
    };
    const client = {
      news: reviewer.news,
      stacks: {
        latestForBranch: async (...of: Parameters<ApiClient['stacks']['latestForBranch']>) => {
          await moment();
          return reviewer.stacks.latestForBranch(...of);
        },
      },
      patches: {
        get: async (...of: Parameters<ApiClient['patches']['get']>) => {
          await moment();
          return reviewer.patches.get(...of);
        },
        update: async (...of: Parameters<ApiClient['patches']['update']>) => {
          // However early it is sent, the author is there before it arrives.
          begun.resolve(null);
          await rewritten.promise;
          done.requests += 1;
          return reviewer.patches.update(...of);
        },
      },
    } as unknown as ApiClient;
    const open = async (): Promise<PendingChanges> => {
      const model = new Model((operation) => operation(client), { me });
      const pendingChanges = new PendingChanges({ ask: (operation) => operation(client), model });
      await pendingChanges.activate(folder);
      return pendingChanges;
    };
    const subject = { kind: 'signOff' as const, patch };
    const seen = fingerprintOf(await reviewer.patches.get(patch.stackUuid, patch.changeId));
    const signOff = async (): Promise<string> => {
      let window = await open();
      await window.queue(subject, { review: 'signedOff', seen }, 'A patch');
      if (wait === 'inNextWindow') {
        await window.close();
        window = await open();
      }
      const id = window.find(subject)!.id;
      if (wait === 'untilOnline') {
        assert.equal((await window.send(id)).kind, 'failed');
        done.isOnline = true;
      }
      const outcome = await window.send(id);
      await window.close();
      return outcome.kind === 'failed' ? outcome.failure.kind : outcome.kind;
    };
    const became = signOff();
    const write = async (): Promise<void> => {
      await begun.promise;
      await scheduler.schedule(Promise.resolve());
      rewriting = rewrites[rewrite](patch);
      await rewriting;
      rewritten.resolve(null);
    };
    await scheduler.waitFor(Promise.all([became, write()]));
    return { patch, became: await became, requests: done.requests };
  }

  const meetings = fc.record({
    scheduler: fc.scheduler(),
    wait: fc.constantFrom(...waits),
    lead: fc.nat(3),
  });

  /** Races until the author and the reviewer have met in all these ways: chance decides who is first. */
  async function raceUntil(
    ways: readonly string[],
    numRuns: number,
    property: (met: Set<string>) => fc.IRawProperty<unknown>,
  ): Promise<void> {
    const met = new Set<string>();
    for (let round = 0; round === 0 || (met.size < ways.length && round < rounds); round += 1) {
      await fc.assert(property(met), { numRuns });
    }
    assert.deepEqual([...met].sort(), [...ways].sort());
  }

  it('is refused, and signs nothing off, however they meet', async () => {
    // Some are sent and refused there, others never.
    const ways = waits.flatMap((wait) => [`${wait}, 0`, `${wait}, 1`]);
    await raceUntil(ways, races, (met) =>
      fc.asyncProperty(meetings, async (meeting) => {
        const { patch, became, requests } = await race(meeting, 'newVersion');
        assert.deepEqual([became, await isSignedOff(patch)], ['outdated', false]);
        met.add(`${meeting.wait}, ${requests}`);
      }),
    );
  });

  it('is refused when the words or the order are others by then, or told where nobody could know before', async () => {
    await raceUntil(['changedMeanwhile', 'outdated'], 25, (met) =>
      fc.asyncProperty(
        meetings,
        fc.constantFrom<Rewrite>('reworded', 'reordered'),
        async (meeting, rewrite) => {
          await author.stacks.create({ ...place, oplogSha: randomUUID() });
          const { patch, became, requests } = await race(meeting, rewrite);
          assert.deepEqual(
            [became, await isSignedOff(patch)],
            requests === 0 ? ['outdated', false] : ['changedMeanwhile', true],
          );
          met.add(became);
        },
      ),
    );
  });
});
