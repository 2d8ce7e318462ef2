import assert from 'node:assert/strict';
import { Dwelling, type Glimpse } from '../../../src/webview/patchDocument/reading/dwelling.ts';

const all = (key: string, height = 100): Glimpse => ({ key, height, top: 0, bottom: height });
const part = (top: number, bottom: number): Glimpse => ({ key: 'long', height: 1000, top, bottom });

describe('what was on the screen', () => {
  it('is seen after a second, and not when it only passes', () => {
    const dwelling = new Dwelling();
    assert.deepEqual(dwelling.note(0, [all('a'), all('b')]), []);
    assert.deepEqual(dwelling.note(750, [all('a'), all('b')]), []);
    assert.deepEqual(dwelling.note(1000, [all('a')]), ['a']);
    assert.deepEqual(dwelling.note(1250, [all('b')]), []);
    assert.deepEqual(dwelling.note(2250, [all('b')]), ['b']);
  });

  it('is seen in parts when it is longer than the screen', () => {
    const dwelling = new Dwelling();
    const stay = (from: number, ...parts: Glimpse[]): string[] =>
      parts.flatMap((glimpse, index) => dwelling.note(from + 250 * index, [glimpse]));
    assert.deepEqual(stay(0, ...Array<Glimpse>(5).fill(part(0, 400))), []);
    assert.deepEqual(stay(2000, ...Array<Glimpse>(6).fill(part(600, 1000))), []);
    assert.deepEqual(stay(4000, ...Array<Glimpse>(4).fill(part(300, 700))), []);
    assert.deepEqual(stay(5000, part(300, 700)), ['long']);
  });

  it('is seen as far as it stayed while it was scrolled', () => {
    const dwelling = new Dwelling();
    for (const [index, top] of [0, 100, 200, 300, 400].entries()) {
      assert.deepEqual(dwelling.note(250 * index, [part(top, top + 500)]), []);
    }
    // From 400 to 500: nothing else was there for the whole second.
    assert.deepEqual(dwelling.note(3000, [part(0, 400)]), []);
    assert.deepEqual(dwelling.note(4000, [part(0, 400)]), []);
    assert.deepEqual(dwelling.note(6000, [part(550, 1000)]), []);
    assert.deepEqual(dwelling.note(7000, [part(550, 1000)]), []);
    assert.deepEqual(dwelling.note(9000, [part(450, 600)]), []);
    assert.deepEqual(dwelling.note(10_000, [part(450, 600)]), ['long']);
  });

  it('begins anew when it is another one, and when nobody looked', () => {
    const dwelling = new Dwelling();
    dwelling.note(0, [all('a')]);
    dwelling.lookAway();
    assert.deepEqual(dwelling.note(1000, [all('a')]), []);
    assert.deepEqual(dwelling.note(2000, [all('a')]), ['a']);
    dwelling.forget('a');
    assert.deepEqual(dwelling.note(2250, [all('a')]), []);
  });
});
