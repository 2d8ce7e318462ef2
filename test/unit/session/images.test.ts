import assert from 'node:assert/strict';
import { checkImage, imageAddress } from '../../../src/session/images.ts';
import { largestAvatar } from '../../../src/protocol/profile.ts';

/** Beginnings of files, as long as it takes to tell them apart. */
const beginnings = {
  png: Buffer.from(
    '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000049444154',
    'hex',
  ),
  apng: Buffer.from(
    '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489000000086163544c00000001000000000000000000000000',
    'hex',
  ),
  jpg: Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb', 'hex'),
  gif: Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1'),
  webp: Buffer.from('RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00', 'latin1'),
};

describe('images of people', () => {
  for (const [name, type] of [
    ['png', 'image/png'],
    ['apng', 'image/png'],
    ['jpg', 'image/jpeg'],
    ['gif', 'image/gif'],
    ['webp', 'image/webp'],
  ] as const) {
    it(`may be ${name}`, async () => {
      const bytes = beginnings[name];
      const preview = `data:${type};base64,${bytes.toString('base64')}`;
      assert.deepEqual(await checkImage(`me.${name.toUpperCase()}`, bytes), { kind: 'image', preview });
      assert.equal(await imageAddress(bytes), preview);
    });
  }

  it('may have any of the endings of their kind, or none', async () => {
    assert.equal((await checkImage('me.jpeg', beginnings.jpg)).kind, 'image');
    assert.equal((await checkImage('me', beginnings.jpg)).kind, 'image');
    assert.equal((await checkImage('a.folder/me', beginnings.jpg)).kind, 'image');
    assert.equal((await checkImage('animated.png', beginnings.apng)).kind, 'image');
  });

  it('must not lie about their kind', async () => {
    assert.deepEqual(await checkImage('me.png', beginnings.jpg), {
      kind: 'lying',
      ending: 'png',
      found: 'JPEG',
    });
    assert.deepEqual(await checkImage('me.txt', beginnings.gif), {
      kind: 'lying',
      ending: 'txt',
      found: 'GIF',
    });
  });

  it('must not be anything else, whatever they are called', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    assert.equal((await checkImage('me.png', svg)).kind, 'otherType');
    assert.equal(await imageAddress(svg), undefined);
    assert.deepEqual(await checkImage('me.png', Buffer.from('%PDF-1.7\n')), {
      kind: 'otherType',
      found: 'PDF',
    });
    assert.deepEqual(await checkImage('me.png', Buffer.from('<script>')), { kind: 'otherType' });
    assert.deepEqual(await checkImage('me.bmp', Buffer.from(`BM${'\0'.repeat(60)}`)), {
      kind: 'otherType',
      found: 'BMP',
    });
  });

  it('must be neither empty nor too large', async () => {
    assert.deepEqual(await checkImage('me.png', Buffer.alloc(0)), { kind: 'empty' });
    const largest = Buffer.concat([beginnings.gif, Buffer.alloc(largestAvatar - beginnings.gif.length)]);
    assert.equal((await checkImage('me.gif', largest)).kind, 'image');
    const larger = Buffer.concat([largest, Buffer.alloc(1)]);
    assert.deepEqual(await checkImage('me.gif', larger), { kind: 'tooLarge' });
    assert.equal(await imageAddress(larger), undefined);
  });
});
