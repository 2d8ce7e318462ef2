import assert from 'node:assert/strict';
import { Emitter } from '../../../src/util/event.ts';
import { noteBackgroundFailures } from '../../../src/util/inBackground.ts';

describe('an event', () => {
  it('is heard by all who listen, in order, until they end that', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    const first = emitter.event((value) => heard.push(`first ${value}`));
    emitter.event((value) => heard.push(`second ${value}`));
    emitter.fire(1);
    first.dispose();
    emitter.fire(2);
    assert.deepEqual(heard, ['first 1', 'second 1', 'second 2']);
  });

  it('is not heard by whom another listener ends meanwhile, nor by whom one adds', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    emitter.event(() => {
      second.dispose();
      emitter.event(() => heard.push('added'));
    });
    const second = emitter.event(() => heard.push('second'));
    emitter.event(() => heard.push('third'));
    emitter.fire(1);
    assert.deepEqual(heard, ['third']);
  });

  it('is heard by no one once its owner is gone, also when that is while it is told', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    emitter.event(() => emitter.dispose());
    emitter.event(() => heard.push('second'));
    emitter.fire(1);
    emitter.fire(2);
    assert.deepEqual(heard, []);
  });

  it('is heard by the others where one fails, which is noted and no failure of who tells it', () => {
    const { error: logError } = console;
    const noted: string[] = [];
    noteBackgroundFailures((failure) => noted.push(failure));
    try {
      const emitter = new Emitter<number>();
      const heard: number[] = [];
      emitter.event(() => {
        throw new Error('the page is gone');
      });
      emitter.event((value) => heard.push(value));
      emitter.fire(1);
      assert.deepEqual(heard, [1]);
      assert.equal(noted.length, 1);
      assert.match(noted[0] ?? '', /the page is gone/);
    } finally {
      noteBackgroundFailures((failure) => logError(failure));
    }
  });
});
