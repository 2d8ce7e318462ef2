import assert from 'node:assert/strict';
import * as v from 'valibot';
import { SharingStore } from '../../../../src/service/sharing/store.ts';
import { Database } from '../../../../src/service/storage/database.ts';

describe('the store of what is shared', () => {
  const open = (): SharingStore => new SharingStore(new Database(':memory:'), 'test');

  it('has in a transaction what was written, changed and deleted in it', () => {
    const store = open();
    store.write({ text: 'before' }, 'a');
    store.transaction(() => {
      assert.deepEqual(store.read('a'), { text: 'before' });
      store.write({ text: 'after' }, 'a');
      store.write(1, 'list', 'b');
      assert.deepEqual([store.read('a'), store.list('list')], [{ text: 'after' }, [['b', 1]]]);
      store.forget('a');
      assert.equal(store.read('a'), undefined);
      store.forgetAll('list');
      assert.equal(store.read('list', 'b'), undefined);
    });
    assert.deepEqual([store.read('a'), store.list('list')], [undefined, []]);
  });

  it('forgets what there is much of bit by bit, and nothing else', () => {
    const store = open();
    store.transaction(() => {
      for (let index = 0; index < 7_000; index++) {
        store.write(index, 'list', String(index));
      }
      store.write(1, 'list');
      store.write(1, 'lists', 'a');
    });
    assert.equal(store.forgetSome('list'), true);
    assert.equal(store.list('list').length, 2_000);
    assert.equal(store.forgetSome('list'), true);
    assert.equal(store.forgetSome('list'), false);
    assert.deepEqual([store.read('list'), store.read('lists', 'a')], [1, 1]);
  });

  it('has what there was before when a transaction fails', () => {
    const store = open();
    store.write('before', 'a');
    assert.throws(() =>
      store.transaction(() => {
        store.write('after', 'a');
        throw new Error('no');
      }),
    );
    assert.equal(store.read('a'), 'before');
    store.transaction(() => assert.equal(store.read('a'), 'before'));
  });

  it('takes nothing for what it is not', () => {
    const store = open();
    const schema = v.object({ count: v.number() });
    store.write({ count: 1 }, 'list', 'a');
    store.write({ count: 'one' }, 'list', 'b');
    assert.deepEqual(store.readAs(schema, 'list', 'a'), { count: 1 });
    assert.equal(store.readAs(schema, 'list', 'b'), undefined);
    assert.equal(store.readAs(schema, 'list', 'c'), undefined);
    assert.deepEqual(store.listAs(schema, 'list'), [['a', { count: 1 }]]);
  });
});
