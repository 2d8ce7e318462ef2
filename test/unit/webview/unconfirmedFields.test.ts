import assert from 'node:assert/strict';
import { Outbox } from '../../../src/webview/common/outbox.ts';
import { StateShelf } from '../../../src/webview/common/shelf.ts';
import { UnconfirmedFields } from '../../../src/webview/common/unconfirmedFields.ts';

interface Fields {
  name: string;
}

describe('fields that nobody has confirmed', () => {
  const about = 'form';
  let outbox: Outbox;
  let told: (Partial<Fields> | 'discard')[];
  let answers: PromiseWithResolvers<boolean>[];
  let fields: UnconfirmedFields<Fields>;

  beforeEach(() => {
    outbox = new Outbox({
      shelf: new StateShelf({}, () => undefined),
      page: 'page',
      showLife: () => undefined,
      isAlive: async () => false,
    });
    outbox.account = 'account';
    told = [];
    answers = [];
    const tell = (what: (typeof told)[number]): Promise<boolean> => {
      told.push(what);
      const answer = Promise.withResolvers<boolean>();
      answers.push(answer);
      return answer.promise;
    };
    fields = new UnconfirmedFields<Fields>({
      outbox,
      about,
      begun: {},
      send: (typed) => tell(typed.fields),
      discard: () => tell('discard'),
    });
  });

  afterEach(() => outbox.confirm(about, Infinity));

  const answer = async (isOnDisk = true): Promise<void> => {
    answers.shift()?.resolve(isOnDisk);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const fail = async (): Promise<void> => {
    answers.shift()?.reject(new Error('Nobody answers.'));
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('are told once more when somebody is there again, until they are on disk', async () => {
    fields.save({ name: 'Ada' });
    await fail();
    fields.saveAgain();
    await answer(false);
    fields.saveAgain();
    await answer();
    assert.equal(outbox.has(about), false);
    fields.saveAgain();
    assert.deepEqual(told, [{ name: 'Ada' }, { name: 'Ada' }, { name: 'Ada' }]);
  });

  it('are not told once more while they are sent or discarded: they would be there again afterwards', async () => {
    fields.save({ name: 'Ada' });
    fields.isEnding = true;
    fields.saveAgain();
    fields.forget();
    fields.saveAgain();
    assert.deepEqual([told, outbox.has(about)], [[{ name: 'Ada' }], false]);

    const discarding = fields.discard();
    fields.saveAgain();
    await answer();
    await answer();
    await discarding;
    fields.saveAgain();
    assert.deepEqual([told, outbox.has(about)], [[{ name: 'Ada' }, 'discard'], false]);
  });

  it('are told once more again after more was typed, though it was never said that nothing was sent', async () => {
    fields.save({ name: 'Ada' });
    fields.isEnding = true;
    await answer();
    fields.save({ name: 'Ada L' });
    await fail();
    fields.saveAgain();
    assert.deepEqual(told, [{ name: 'Ada' }, { name: 'Ada L' }, { name: 'Ada L' }]);
  });

  it('stay discarded when nobody has heard of that, and are told so once more', async () => {
    fields.save({ name: 'Ada' });
    await answer();
    const discarding = fields.discard();
    await fail();
    await discarding;
    assert.equal(outbox.has(about), true);
    fields.saveAgain();
    assert.deepEqual(told, [{ name: 'Ada' }, 'discard', {}]);
    await answer();
    assert.equal(outbox.has(about), false);
  });
});
