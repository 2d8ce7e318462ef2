import assert from 'node:assert/strict';
import { Turns } from '../../../src/util/turns.ts';

describe('turns', () => {
  /** Tasks that end when they are told to, and which of them have begun. */
  function tasks(turns: Turns, count: number) {
    const begun: number[] = [];
    const ends = Array.from({ length: count }, () => Promise.withResolvers<string>());
    const results = ends.map(({ promise }, index) =>
      turns.take(() => {
        begun.push(index);
        return promise;
      }),
    );
    return { begun, ends, results };
  }

  it('are taken by so many at once, and by the others in the order in which they asked', async () => {
    const { begun, ends, results } = tasks(new Turns(2), 4);
    assert.deepEqual(begun, [0, 1]);
    ends[1]!.resolve('second');
    assert.equal(await results[1], 'second');
    await new Promise(setImmediate);
    assert.deepEqual(begun, [0, 1, 2]);
    ends.forEach(({ resolve }) => resolve('done'));
    await Promise.all(results);
    assert.deepEqual(begun, [0, 1, 2, 3]);
  });

  it('go on after a task that fails, which is told to whoever asked for it alone', async () => {
    const turns = new Turns(1);
    const { begun, ends, results } = tasks(turns, 2);
    ends[0]!.reject(new Error('failed'));
    ends[1]!.resolve('done');
    await assert.rejects(results[0]!, /failed/);
    assert.equal(await results[1], 'done');
    assert.deepEqual(begun, [0, 1]);
    assert.equal(await turns.take(async () => 'afterwards'), 'afterwards');
  });

  it('say when all who have asked before had theirs, whatever became of them', async () => {
    const turns = new Turns(1);
    const { ends, results } = tasks(turns, 2);
    let isNext = false;
    const next = turns.next().then(() => (isNext = true));
    ends[0]!.reject(new Error('failed'));
    await assert.rejects(results[0]!, /failed/);
    await new Promise(setImmediate);
    assert.equal(isNext, false);
    ends[1]!.resolve('done');
    assert.equal(await results[1], 'done');
    await next;
  });

  it('pass over nobody: who asks while others wait comes after them', async () => {
    const turns = new Turns(1);
    const { begun, ends, results } = tasks(turns, 2);
    ends[0]!.resolve('done');
    const last = turns.take(async () => {
      begun.push(2);
    });
    ends[1]!.resolve('done');
    await Promise.all([...results, last]);
    assert.deepEqual(begun, [0, 1, 2]);
  });
});
