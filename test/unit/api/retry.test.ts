import assert from 'node:assert/strict';
import { backoff, isRetryable, parseRetryAfter } from '../../../src/api/retry.ts';

describe('isRetryable', () => {
  const repeats = ['read', 'replace', 'remove', 'once'] as const;
  const which = (outcome: Omit<Parameters<typeof isRetryable>[0], 'repeat'>) =>
    repeats.filter((repeat) => isRetryable({ repeat, ...outcome })).join(' ');

  it('sends again what changes nothing or can be done twice, when the service is busy', () => {
    for (const status of [429, 502, 503, 504]) {
      assert.equal(which({ status }), 'read replace remove');
    }
    for (const status of [200, 301, 400, 401, 404, 408, 409, 500, 501]) {
      assert.equal(which({ status }), '');
    }
  });

  it('sends again when the connection failed before a response', () => {
    assert.equal(which({ failure: { kind: 'connection', code: 'ECONNRESET' } }), 'read replace remove');
  });

  it('sends only what changes nothing again when a response was lost or did not come', () => {
    assert.equal(which({ status: 200, failure: { kind: 'connection', code: 'ECONNRESET' } }), 'read');
    assert.equal(which({ failure: { kind: 'timeout', code: 'HEADERS_TIMEOUT' } }), 'read');
  });

  it('does not hope for what waiting cannot change', () => {
    assert.equal(which({ failure: { kind: 'connection', code: 'ECONNREFUSED' } }), '');
    assert.equal(which({ failure: { kind: 'connection', code: 'ENOTFOUND' } }), '');
    for (const kind of ['tls', 'tooLarge', 'unreadable', 'unsendable', 'cancelled'] as const) {
      assert.equal(which({ failure: { kind, code: undefined } }), '');
    }
  });
});

describe('backoff', () => {
  it('doubles, is jittered, and has an end', () => {
    const limits = { maxRetries: 5, retryDelayMs: 100, maxRetryDelayMs: 1000 };
    const range = (attempt: number) => [backoff(attempt, limits, () => 0), backoff(attempt, limits, () => 1)];
    assert.deepEqual(range(0), [50, 100]);
    assert.deepEqual(range(2), [200, 400]);
    assert.deepEqual(range(9), [500, 1000]);
  });
});

describe('parseRetryAfter', () => {
  const now = Date.UTC(2026, 0, 1);
  it('reads seconds and dates', () => {
    assert.equal(parseRetryAfter('120', now), 120_000);
    assert.equal(parseRetryAfter('Thu, 01 Jan 2026 00:00:05 GMT', now), 5000);
    assert.equal(parseRetryAfter('Wed, 31 Dec 2025 23:00:00 GMT', now), 0);
    assert.equal(parseRetryAfter(['7', '8'], now), 7000);
  });
  it('leaves everything else', () => {
    for (const value of [undefined, '', 'soon', '-5x']) {
      assert.equal(parseRetryAfter(value, now), undefined);
    }
  });
});
