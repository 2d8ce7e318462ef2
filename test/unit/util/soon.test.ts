import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Soon } from '../../../src/util/soon.ts';

describe('something that is done soon', () => {
  let done: number;
  let soon: Soon;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    done = 0;
    soon = new Soon(100, () => {
      done += 1;
    });
  });

  afterEach(() => mock.timers.reset());

  it('is done once for all who have asked until then, and anew for who asks later', () => {
    soon.ask();
    mock.timers.tick(60);
    soon.ask();
    mock.timers.tick(40);
    assert.equal(done, 1);
    mock.timers.tick(100);
    assert.equal(done, 1);
    soon.ask();
    mock.timers.tick(100);
    assert.equal(done, 2);
  });

  it('is not done any more when it is given up, and is when it is asked for again', () => {
    soon.ask();
    soon.dispose();
    mock.timers.tick(100);
    assert.equal(done, 0);
    soon.ask();
    mock.timers.tick(100);
    assert.equal(done, 1);
  });
});
