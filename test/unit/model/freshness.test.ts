import assert from 'node:assert/strict';
import { install, type Clock } from '@sinonjs/fake-timers';
import fc from 'fast-check';
import { Freshness, type Shown } from '../../../src/model/freshness.ts';

const minute = 60_000;
const second = 1_000;

/** A service that tells of changes, as far as a window hears of it. */
class Telling {
  mark: string | undefined = 'start.0';
  down = false;
  /** Those who wait, by the mark after which they do. */
  waiting: { after: string | undefined; wake: () => void }[] = [];
  asked: (string | undefined)[] = [];

  readonly next = async (after: string | undefined, signal: AbortSignal): Promise<string | undefined> => {
    this.asked.push(after);
    while (!this.down && this.mark !== undefined && after === this.mark && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.waiting.push({ after, wake: resolve });
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    if (this.down) {
      throw new Error('down');
    }
    return this.mark;
  };

  change(mark: string): void {
    this.mark = mark;
    this.waiting.splice(0).forEach(({ wake }) => wake());
  }

  stop(): void {
    this.down = true;
    this.waiting.splice(0).forEach(({ wake }) => wake());
  }
}

describe('Freshness', () => {
  let clock: Clock;
  let service: Telling;
  let looks: { at: number; shown: readonly Shown[] }[];
  let fails: boolean;
  let freshness: Freshness;

  beforeEach(() => {
    clock = install({ now: 0 });
    service = new Telling();
    looks = [];
    fails = false;
    freshness = new Freshness({
      look: async (shown) => {
        looks.push({ at: clock.now, shown });
        if (fails) {
          throw new Error('down');
        }
      },
      nextMark: (after, signal) => service.next(after, signal),
    });
  });

  afterEach(() => {
    freshness.dispose();
    clock.uninstall();
  });

  describe('of a service that tells nothing', () => {
    beforeEach(() => (service.mark = undefined));

    it('asks at the interval for what is shown, and for nothing else', async () => {
      let shown: Shown | undefined = { projectId: '1' };
      const document = freshness.watch(() => shown);
      freshness.watch(() => undefined);
      freshness.configure(minute, true);
      freshness.noteAnswer(false);
      await clock.tickAsync(2.5 * minute);
      assert.deepEqual(looks, [
        { at: minute, shown: [{ projectId: '1' }] },
        { at: 2 * minute, shown: [{ projectId: '1' }] },
      ]);
      shown = undefined;
      document.note();
      await clock.tickAsync(10 * minute);
      assert.equal(looks.length, 2, 'nothing is shown');
      shown = 'projects';
      document.note();
      await clock.tickAsync(0);
      assert.deepEqual(looks.at(-1), { at: 12.5 * minute, shown: ['projects'] });
      document.dispose();
      await clock.tickAsync(10 * minute);
      assert.equal(looks.length, 3, 'nobody is there');
    });

    it('asks nothing while the person is elsewhere', async () => {
      freshness.watch(() => 'projects');
      freshness.configure(minute, false);
      freshness.noteAnswer(false);
      await clock.tickAsync(10 * minute);
      assert.deepEqual(looks, []);
    });

    it('is not asked again whether it tells', async () => {
      freshness.watch(() => 'projects');
      freshness.configure(minute, true);
      for (let time = 0; time < 5; time += 1) {
        freshness.noteAnswer(false);
        await clock.tickAsync(minute);
      }
      assert.deepEqual(service.asked, []);
    });
  });

  describe('of a service that tells', () => {
    /** Has the service answer, and forgets the look with which that begins. */
    async function begin(): Promise<void> {
      freshness.noteAnswer(true);
      await clock.tickAsync(second);
      looks = [];
    }

    it('looks when it begins to follow, for something may have come since what is shown was read', async () => {
      freshness.watch(() => 'projects');
      freshness.noteAnswer(true);
      await clock.tickAsync(minute);
      assert.deepEqual(looks, [{ at: 150, shown: ['projects'] }]);
    });

    it('looks as soon as there is something new, also while the person is elsewhere, and is never asked otherwise', async () => {
      freshness.watch(() => ({ projectId: '1' }));
      freshness.configure(minute, false);
      await begin();
      await clock.tickAsync(minute);
      assert.deepEqual(looks, [], 'nothing is new');
      service.change('start.1');
      await clock.tickAsync(second);
      assert.deepEqual(looks, [{ at: minute + second + 150, shown: [{ projectId: '1' }] }]);
      freshness.configure(minute, true);
      await clock.tickAsync(60 * minute);
      assert.equal(looks.length, 1);
    });

    it('looks once at what comes together', async () => {
      freshness.watch(() => 'projects');
      await begin();
      service.change('start.1');
      await clock.tickAsync(100);
      service.change('start.2');
      await clock.tickAsync(40);
      service.change('start.3');
      await clock.tickAsync(10);
      assert.equal(looks.length, 1);
      await clock.tickAsync(minute);
      // What came after the first answer may have come after the look, too.
      assert.equal(looks.length, 2);
    });

    it('follows nobody while nothing is shown, and sees then what it has missed', async () => {
      let isShown = true;
      const view = freshness.watch(() => (isShown ? 'projects' : undefined));
      await begin();
      isShown = false;
      view.note();
      await clock.tickAsync(0);
      const asked = service.asked.length;
      service.change('start.1');
      await clock.tickAsync(10 * minute);
      assert.equal(service.asked.length, asked);
      assert.deepEqual(looks, []);
      isShown = true;
      view.note();
      await clock.tickAsync(second);
      assert.equal(looks.length, 1);
    });

    it('looks again at what could not be looked at', async () => {
      freshness.watch(() => 'projects');
      await begin();
      fails = true;
      service.change('start.1');
      await clock.tickAsync(second);
      assert.equal(looks.length, 1);
      fails = false;
      await clock.tickAsync(minute);
      assert.equal(looks.length, 2);
      await clock.tickAsync(minute);
      assert.equal(looks.length, 2);
    });

    it('asks at the interval while the service is down, and follows it when it is there again', async () => {
      freshness.watch(() => 'projects');
      freshness.configure(minute, true);
      await begin();
      service.stop();
      await clock.tickAsync(2.5 * minute);
      assert.deepEqual(
        looks.map(({ at }) => at / minute),
        [1, 2],
      );
      assert.ok(service.asked.length < 12, `it was asked ${service.asked.length} times in 2.5 minutes`);
      service.down = false;
      service.mark = 'later.0';
      await clock.tickAsync(0.5 * minute);
      const seen = looks.length;
      assert.ok(seen >= 3, 'another start of the service may know of more');
      await clock.tickAsync(10 * minute);
      assert.equal(looks.length, seen);
    });

    it('follows one that was started again from when it says so again, and looks at what came meanwhile', async () => {
      freshness.watch(() => 'projects');
      await begin();
      // It has said nothing yet to whoever asks with its new token.
      service.stop();
      service.down = false;
      service.mark = undefined;
      await clock.tickAsync(minute);
      service.mark = 'again.0';
      freshness.noteAnswer(false);
      await clock.tickAsync(minute);
      assert.deepEqual(looks, []);
      freshness.noteAnswer(true);
      await clock.tickAsync(second);
      assert.equal(looks.length, 1);
      service.change('again.1');
      await clock.tickAsync(second);
      assert.equal(looks.length, 2);
    });

    it('takes nothing of the account before for news', async () => {
      freshness.watch(() => 'projects');
      await begin();
      freshness.reset();
      service.change('other.7');
      await begin();
      await clock.tickAsync(minute);
      assert.deepEqual(looks, []);
      assert.equal(service.asked.at(-2), undefined);
    });
  });

  it('has looked after each change once all is quiet, whatever happened', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constant('change' as const) },
      { weight: 2, arbitrary: fc.constantFrom('show' as const, 'hide' as const) },
      { weight: 1, arbitrary: fc.constantFrom('fail' as const, 'work' as const) },
      // Another start of the service, and an answer of it, before which it has told nobody that it tells of changes.
      { weight: 1, arbitrary: fc.constantFrom('restart' as const, 'answer' as const) },
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 5_000 }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        let count = 0;
        let seen = 0;
        let isShown = true;
        let isFailing = false;
        const told = new Telling();
        const kept = new Freshness({
          look: async () => {
            const now = count;
            await new Promise((resolve) => setTimeout(resolve, 20));
            if (isFailing) {
              throw new Error('down');
            }
            seen = now;
          },
          nextMark: (after, signal) => told.next(after, signal),
        });
        const view = kept.watch(() => (isShown ? 'projects' : undefined));
        kept.noteAnswer(true);
        const show = (shown: boolean): void => {
          isShown = shown;
          view.note();
        };
        let start = 0;
        const answer = (): void => {
          told.mark = `${start}.${count}`;
          kept.noteAnswer(true);
        };
        for (const one of steps) {
          if (one === 'change') {
            count += 1;
            if (told.mark !== undefined) {
              told.change(`${start}.${count}`);
            }
          } else if (one === 'restart') {
            start += 1;
            told.stop();
            told.down = false;
            told.mark = undefined;
          } else if (one === 'answer') {
            answer();
          } else if (typeof one === 'number') {
            await clock.tickAsync(one);
          } else if (one === 'show' || one === 'hide') {
            show(one === 'show');
          } else {
            isFailing = one === 'fail';
          }
        }
        isFailing = false;
        show(true);
        // An answer takes longer than to see that nothing was said yet.
        await clock.tickAsync(1);
        answer();
        await clock.tickAsync(2 * minute);
        kept.dispose();
        assert.equal(seen, count);
      }),
      { numRuns: 200 },
    );
  });
});
