import assert from 'node:assert/strict';
import { ConnectionError, NotFoundError, ServerError, TimeoutError } from '../../../src/api/errors.ts';
import { isGone, notUpdated } from '../../../src/ui/notUpdated.ts';

describe('why something is shown as it was', () => {
  const context = {
    operation: 'projects.get',
    method: 'GET',
    pathTemplate: '/project/{id}',
    requestNumber: 1,
  };
  const asOf = new Date('2026-11-26T10:00:00Z');
  const of = (failure: unknown) => notUpdated({ value: 1, asOf, failure });

  it('is nothing where it is up to date', () => {
    assert.equal(notUpdated({ value: 1, asOf }), undefined);
  });

  it('is that the service is out of reach, or no longer has it, or that something else failed', () => {
    const why = [
      new ConnectionError('refused', context),
      new TimeoutError('late', context),
      new NotFoundError('gone', context),
      new ServerError('broken', context),
      new Error('any'),
      'a text',
    ].map((failure) => of(failure)?.why);
    assert.deepEqual(why, ['offline', 'offline', 'gone', 'failed', 'failed', 'failed']);
    assert.equal(of(new Error('any'))?.asOf, asOf.toISOString());
  });

  it('tells what is gone from what is not known at all, and from what may be there', () => {
    assert.equal(isGone({ value: 1, asOf, failure: new NotFoundError('gone', context) }), true);
    assert.equal(isGone({ value: 1, asOf, failure: new ConnectionError('refused', context) }), false);
    assert.equal(isGone({ value: 1, asOf }), false);
    assert.equal(isGone(undefined), false);
  });
});
