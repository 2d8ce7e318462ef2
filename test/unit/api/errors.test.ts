import assert from 'node:assert/strict';
import {
  ConnectionError,
  ForbiddenError,
  isOutOfReach,
  mayHaveArrived,
  RedirectError,
  ServerError,
  TimeoutError,
  TooLargeError,
  UnreadableError,
  type AnyApiError,
} from '../../../src/api/errors.ts';

const context = { operation: 'releases.create', method: 'POST', pathTemplate: '/releases', requestNumber: 1 };

describe('a failure', () => {
  it('says whether the service may have acted on a write', () => {
    assert.ok(mayHaveArrived(new Error('The answer could not be kept.')));
    const failures: [AnyApiError, boolean][] = [
      [new ConnectionError('down', context, { code: 'ECONNREFUSED' }), false],
      [new ConnectionError('down', context, { code: 'ENOTFOUND' }), false],
      [new ConnectionError('down', context, { code: 'ECONNRESET' }), true],
      [new ConnectionError('down', context), true],
      [new TimeoutError('late', context, { code: 'UND_ERR_CONNECT_TIMEOUT' }), false],
      [new TimeoutError('late', context, { code: 'HEADERS_TIMEOUT' }), true],
      [new UnreadableError('odd', context, { status: 200 }), true],
      [new ServerError('broken', context, { status: 500 }), true],
      [new TooLargeError('its answer', context, { status: 200 }), true],
      [new TooLargeError('what was sent', context, { status: 413 }), false],
      [new ForbiddenError('no', context, { status: 403 }), false],
      [new RedirectError('away', context, { status: 307 }), false],
    ];
    for (const [failure, expected] of failures) {
      assert.equal(mayHaveArrived(failure), expected, `${failure.kind} ${failure.code ?? ''}`);
    }
  });

  it('is one of reach when no answer came, and no other', () => {
    assert.ok(isOutOfReach(new ConnectionError('down', context)));
    assert.ok(isOutOfReach(new TimeoutError('late', context)));
    assert.ok(!isOutOfReach(new ServerError('broken', context, { status: 503 })));
    assert.ok(!isOutOfReach(new Error('connection')));
  });
});
