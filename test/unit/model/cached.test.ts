import assert from 'node:assert/strict';
import { Cached } from '../../../src/model/cached.ts';

const start = new Date('2026-01-01T00:00:00Z');

describe('Cached', () => {
  it('loads once for several callers, and not again while it is fresh', async () => {
    let loads = 0;
    const cached = new Cached(
      async () => ++loads,
      () => start,
    );
    const [first, second] = await Promise.all([cached.get(), cached.get()]);
    assert.equal(first.value, 1);
    assert.equal(second.value, 1);
    assert.equal((await cached.get()).value, 1);
    assert.deepEqual(cached.known, { value: 1, asOf: start });
  });

  it('loads again after it was marked as stale, and is told what was known', async () => {
    const told: (number | undefined)[] = [];
    const cached = new Cached(
      async (before: number | undefined) => {
        told.push(before);
        return (before ?? 0) + 1;
      },
      () => start,
    );
    await cached.get();
    cached.markStale();
    assert.equal((await cached.get()).value, 2);
    assert.deepEqual(told, [undefined, 1]);
  });

  it('throws when nothing was known, and tries again the next time', async () => {
    let fail = true;
    const cached = new Cached(
      async () => {
        if (fail) {
          throw new Error('down');
        }
        return 'up';
      },
      () => start,
    );
    await assert.rejects(cached.get(), /down/);
    fail = false;
    assert.equal((await cached.get()).value, 'up');
  });

  it('keeps what was known when loading fails, says since when, and tries again the next time', async () => {
    let now = start;
    let answer: () => string = () => 'old';
    const cached = new Cached(
      async () => answer(),
      () => now,
    );
    await cached.get();
    cached.markStale();
    now = new Date('2026-01-02T00:00:00Z');
    const failure = new Error('down');
    answer = () => {
      throw failure;
    };
    assert.deepEqual(await cached.get(), { value: 'old', asOf: start, failure });
    answer = () => 'new';
    assert.deepEqual(await cached.get(), { value: 'new', asOf: now });
  });

  it('does not let an older load that ends later overwrite a newer one', async () => {
    const answers: ((value: string) => void)[] = [];
    const cached = new Cached(
      () => new Promise<string>((resolve) => answers.push(resolve)),
      () => start,
    );
    const older = cached.get();
    cached.markStale();
    const newer = cached.get();
    answers[1]?.('newer');
    assert.equal((await newer).value, 'newer');
    answers[0]?.('older');
    assert.equal((await older).value, 'older');
    assert.equal(cached.known?.value, 'newer');
  });

  it('tells of a load that someone else has begun, to whom it has given the old value meanwhile', async () => {
    const answers: ((value: string) => void)[] = [];
    const cached = new Cached(
      () => new Promise<string>((resolve) => answers.push(resolve)),
      () => start,
    );
    const first = cached.get();
    answers[0]?.('old');
    await first;
    cached.markStale();
    const loading = cached.get();
    const told = new Promise<void>((resolve) => {
      void cached.getAtOnce(resolve).then(({ value }) => assert.equal(value, 'old'));
    });
    answers[1]?.('new');
    assert.equal((await loading).value, 'new');
    await told;
    assert.equal(answers.length, 2);
  });

  it('has its age and why it is not up to date still after a part of it was changed', async () => {
    const failure = new Error('down');
    let isDown = false;
    let now = start;
    const cached = new Cached(
      async () => {
        if (isDown) {
          throw failure;
        }
        return 'old';
      },
      () => now,
    );
    await cached.get();
    cached.markStale();
    isDown = true;
    await cached.get();
    now = new Date('2026-01-02T00:00:00Z');
    cached.edit((value) => `${value}, edited`);
    assert.deepEqual(cached.known, { value: 'old, edited', asOf: start, failure });
  });

  it('loads again what was on its way as a part was changed, and what was not is as fresh as before', async () => {
    const answers: ((value: string) => void)[] = [];
    const cached = new Cached(
      () => new Promise<string>((resolve) => answers.push(resolve)),
      () => start,
    );
    const first = cached.get();
    answers[0]?.('old');
    await first;
    cached.edit((value) => `${value}, edited`);
    assert.equal((await cached.get()).value, 'old, edited');
    cached.markStale();
    const cutShort = cached.get();
    cached.edit((value) => `${value} twice`);
    const again = cached.get();
    answers[1]?.('of before');
    answers[2]?.('new');
    assert.equal((await cutShort).value, 'of before');
    assert.equal((await again).value, 'new');
    assert.equal(cached.known?.value, 'new');
  });
});
