import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PathParameterError, path, query } from '../../../src/api/path.ts';

describe('path', () => {
  it('fills parameters in and keeps their names for logs', () => {
    assert.deepEqual(path`/user/${{ login: 'ada' }}/keys`, {
      path: '/user/ada/keys',
      template: '/user/{login}/keys',
    });
    assert.deepEqual(path`/user`, { path: '/user', template: '/user' });
  });

  it('encodes a parameter once, whatever it holds', () => {
    assert.equal(path`/b/${{ branch: 'feature/ü #?%2e' }}`.path, '/b/feature%2F%C3%BC%20%23%3F%252e');
    assert.equal(path`/b/${{ branch: 'https://evil.example/' }}`.path, '/b/https%3A%2F%2Fevil.example%2F');
  });

  for (const value of ['', '.', '..', '\ud800']) {
    it(`refuses ${JSON.stringify(value)} and says which parameter`, () => {
      assert.throws(
        () => path`/a/${{ first: 'x' }}/b/${{ second: value }}/c`,
        (error) =>
          error instanceof PathParameterError &&
          error.parameter === 'second' &&
          error.template === '/a/{first}/b/{second}/c',
      );
    });
  }

  it('never lets a parameter leave its segment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (value) => {
        fc.pre(value !== '.' && value !== '..');
        const { pathname, search, hash } = new URL(path`/a/${{ value }}/z`.path, 'http://localhost');
        const [, a, segment = '', z, ...more] = pathname.split('/');
        assert.deepEqual(
          [a, decodeURIComponent(segment), z, more, search, hash],
          ['a', value, 'z', [], '', ''],
        );
      }),
    );
  });
});

describe('query', () => {
  it('leaves out what has no value', () => {
    assert.equal(query({}), '');
    assert.equal(query({ a: undefined, b: 0, c: 'x&y=z', d: '' }), '?b=0&c=x%26y%3Dz&d=');
  });
});
