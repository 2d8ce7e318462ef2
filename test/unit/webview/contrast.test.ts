import assert from 'node:assert/strict';
import fc from 'fast-check';
import { over, readableOn, readColor } from '../../../src/webview/common/contrast.ts';

describe('colors that can be read', () => {
  it('are read as themes and style sheets write them', () => {
    assert.deepEqual(readColor('#fff'), [255, 255, 255, 1]);
    assert.deepEqual(readColor(' #9bb95533'), [155, 185, 85, 0.2]);
    assert.deepEqual(readColor('#0f08'), [0, 255, 0, 136 / 255]);
    assert.deepEqual(readColor('rgba(255, 0, 0, 0.2)'), [255, 0, 0, 0.2]);
    assert.deepEqual(readColor('rgb(1, 2, 3)'), [1, 2, 3, 1]);
    for (const odd of ['', 'red', '#12345', 'rgb(1, 2)', 'rgb(1, , 2, .)']) {
      assert.equal(readColor(odd), undefined, odd);
    }
  });

  it('are those of the theme where these can be read', () => {
    const color = [0, 0, 0, 1] as const;
    assert.equal(readableOn(color, [[255, 255, 255, 1]]), color);
    assert.equal(readableOn(color, []), color);
  });

  it('are nearer to black on what is light, and to white on what is dark', () => {
    const light = over([255, 0, 0, 0.2], [255, 255, 255, 1]);
    assert.deepEqual(light, [255, 204, 204, 1]);
    // GitHub's red on a removed line: 3.7 : 1.
    const [red, green, blue] = readableOn([207, 34, 46, 1], [light]);
    assert.ok(red > 120 && red < 207 && green < 34 && blue < 46, `${red} ${green} ${blue}`);
    const [lighter] = readableOn([100, 102, 149, 1], [[75, 24, 24, 1]]);
    assert.ok(lighter > 100);
  });

  it('can be read at last, whatever they are', () => {
    const value = fc.nat(255);
    fc.assert(
      fc.property(fc.tuple(value, value, value), fc.tuple(value, value, value), (color, background) => {
        const behind = [...background, 1] as const;
        const found = readableOn([...color, 1], [behind]);
        // One that is readable is left as it is.
        assert.equal(readableOn(found, [behind]), found);
      }),
    );
  });
});
