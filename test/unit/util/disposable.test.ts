import assert from 'node:assert/strict';
import { DisposableStore } from '../../../src/util/disposable.ts';
import { Emitter } from '../../../src/util/event.ts';
import { lazy } from '../../../src/util/lazy.ts';

describe('DisposableStore', () => {
  it('disposes in reverse order, all of them even when one throws', () => {
    const disposed: string[] = [];
    const store = new DisposableStore();
    store.add({ dispose: () => disposed.push('first') });
    store.add({
      dispose: () => {
        throw new Error('stuck');
      },
    });
    store.add({ dispose: () => disposed.push('last') });
    assert.throws(() => store.dispose(), AggregateError);
    assert.deepEqual(disposed, ['last', 'first']);
  });

  it('disposes at once what is added after the end', () => {
    const store = new DisposableStore();
    store.dispose();
    let disposed = false;
    store.add({ dispose: () => (disposed = true) });
    assert.equal(disposed, true);
  });
});

describe('Emitter', () => {
  it('calls each subscription once, and none that was disposed', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    const listener = (value: number): number => heard.push(`a${value}`);
    emitter.event(listener);
    const second = emitter.event(listener);
    emitter.fire(1);
    second.dispose();
    emitter.fire(2);
    assert.deepEqual(heard, ['a1', 'a1', 'a2']);
  });
});

describe('lazy', () => {
  it('creates once, and again only after a failure', async () => {
    let calls = 0;
    const value = lazy(async () => {
      calls++;
      if (calls === 1) {
        throw new Error('not yet');
      }
      return calls;
    });
    assert.equal(value.created, false);
    await assert.rejects(value(), /not yet/);
    assert.equal(value.created, false);
    assert.deepEqual(await Promise.all([value(), value()]), [2, 2]);
    assert.equal(value.created, true);
  });
});
