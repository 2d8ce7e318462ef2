import assert from 'node:assert/strict';
import { avatarAddress } from '../../../src/session/avatars.ts';

const png = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000049444154',
  'hex',
);

describe("the address of someone's image", () => {
  const asked: { url: string; signal: AbortSignal | undefined }[] = [];
  /** A service that has this image of its own, or none. */
  const withImage = (image: Buffer | undefined): Parameters<typeof avatarAddress>[0] => ({
    image: async (url, options) => {
      asked.push({ url, signal: options?.signal });
      return image;
    },
  });

  beforeEach(() => {
    asked.length = 0;
  });

  it('is none where they have none, and nobody is asked', async () => {
    assert.equal(await avatarAddress(withImage(png), undefined, true), undefined);
    assert.deepEqual(asked, []);
  });

  it('is the image itself where it is on the service', async () => {
    const { signal } = new AbortController();
    const address = await avatarAddress(withImage(png), '/images/1', false, signal);
    assert.equal(address, `data:image/png;base64,${png.toString('base64')}`);
    assert.deepEqual(asked, [{ url: '/images/1', signal }]);
  });

  it('is none where the service has something else than an image', async () => {
    assert.equal(
      await avatarAddress(withImage(Buffer.from('<svg/>')), 'https://example.com/a', true),
      undefined,
    );
  });

  it('is that on another server where the person allows it, and only over https', async () => {
    const elsewhere = async (url: string, allows: boolean): Promise<string | undefined> =>
      avatarAddress(withImage(undefined), url, allows);
    assert.equal(await elsewhere('https://example.com/a b', true), 'https://example.com/a%20b');
    assert.equal(await elsewhere('https://example.com/a', false), undefined);
    assert.equal(await elsewhere('http://example.com/a', true), undefined);
    assert.equal(await elsewhere('javascript:alert(1)', true), undefined);
    assert.equal(await elsewhere('no address', true), undefined);
  });
});
