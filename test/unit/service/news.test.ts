import assert from 'node:assert/strict';
import fc from 'fast-check';
import { News } from '../../../src/service/news.ts';

const never = new AbortController().signal;

describe('News', () => {
  it('come at once to whoever has a mark of another start, or of long ago', async () => {
    const news = new News();
    const first = await news.next(undefined, undefined, never);
    for (const mark of ['other.0', first.replace(/\d+$/, '99'), first.replace(/\d+$/, '-1'), '?', '']) {
      assert.equal(await news.next(mark, 'mine', never), first);
    }
    for (let time = 0; time < 1_001; time += 1) {
      news.note('mine');
    }
    assert.notEqual(await news.next(first, 'mine', never), first);
  });

  it('let everybody go when it ends, when they leave, and after a while', async () => {
    const news = new News();
    const mark = await news.next(undefined, undefined, never);
    const leaving = new AbortController();
    const left = news.next(mark, 'mine', leaving.signal);
    leaving.abort();
    assert.equal(await left, mark);
    assert.equal(await news.next(mark, 'mine', AbortSignal.abort()), mark);
    const waiting = news.next(mark, 'mine', never);
    news.dispose();
    assert.equal(await waiting, mark);
    assert.equal(await news.next(mark, 'mine', never), mark);
  });

  it('tell each window of all that others have done, and of nothing that it did itself', async () => {
    const by = fc.constantFrom('a', 'b', undefined);
    await fc.assert(
      fc.asyncProperty(fc.array(by, { maxLength: 20 }), by, fc.nat(20), async (notes, reader, from) => {
        const news = new News();
        let mark = await news.next(undefined, reader, never);
        notes.slice(0, from).forEach((one) => news.note(one));
        mark = await news.next(undefined, reader, never);
        const since = notes.slice(from);
        since.forEach((one) => news.note(one));
        let isTold = false;
        const stop = new AbortController();
        const next = news.next(mark, reader, stop.signal).then((told) => {
          isTold = true;
          return told;
        });
        await new Promise((resolve) => setImmediate(resolve));
        assert.equal(
          isTold,
          since.some((one) => one === undefined || one !== reader),
        );
        stop.abort();
        assert.equal(await next, await news.next(undefined, reader, never));
      }),
    );
  });
});
