import assert from 'node:assert/strict';
import { shortPath } from '../../../tools/pictures/shortPath.ts';

describe('the path of an icon', () => {
  it('goes the same way in steps of an eighth of a pixel', () => {
    assert.equal(
      shortPath('M4 3.1C4 2.5 4.5 2 5.1 2H8V7L10.8 8ZM6 9V12Z'),
      'm32 25c0-5 4-9 9-9h23v40l22 8zm16 47v24z',
    );
  });

  it('has lines to the places that follow the first one', () => {
    assert.equal(shortPath('M1 1 2 2 1 3Z'), 'm8 8l8 8l-8 8z');
  });

  it('has numbers that are next to nothing', () => {
    assert.equal(shortPath('M8 3.05e-05H9Z'), 'm64 0h8z');
  });

  it('is none that goes otherwise', () => {
    assert.throws(() => shortPath('M1 1A2 2 0 0 1 3 3'), /not expected: A/);
  });
});
