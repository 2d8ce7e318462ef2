import assert from 'node:assert/strict';
import {
  isInlineImage,
  isRemoteImage,
  isRepositoryImage,
} from '../../../src/webview/common/imageAddresses.ts';

describe('the address of a picture', () => {
  const kinds = { isInlineImage, isRepositoryImage, isRemoteImage };
  const base64 = 'iVBORw0KGgo=';
  const addresses: [address: string, allowed: (keyof typeof kinds)[]][] = [
    ...['png', 'jpeg', 'gif', 'webp', 'PNG'].map((type): [string, (keyof typeof kinds)[]] => [
      `data:image/${type};base64,${base64}`,
      ['isInlineImage', 'isRepositoryImage'],
    ]),
    [`DATA:image/png;base64,${base64}`, ['isInlineImage', 'isRepositoryImage']],
    // A drawing can hold links, styles and scripts.
    [`data:image/svg+xml;base64,${base64}`, ['isRepositoryImage']],
    [`data:image/svg+xml;utf8,<svg/>`, []],
    [`data:image/png,${base64}`, []],
    [`data:image/png;charset=x;base64,${base64}`, []],
    [`data:image/bmp;base64,${base64}`, []],
    [`data:image/pngs;base64,${base64}`, []],
    [`data:text/html;base64,${base64}`, []],
    [` data:image/png;base64,${base64}`, []],
    [`x:data:image/png;base64,${base64}`, []],
    ['https://example.com/a.png', ['isRemoteImage']],
    ['HTTPS://example.com/a.png', ['isRemoteImage']],
    ['http://example.com/a.png', []],
    ['//example.com/a.png', []],
    ['file:///etc/passwd', []],
    ['vscode-resource://a.png', []],
    ['javascript:https://example.com', []],
    ['blob:https://example.com/1', []],
    ['a.png', []],
    ['', []],
  ];

  for (const [address, allowed] of addresses) {
    it(`says where it may be drawn from: ${address}`, () => {
      const seen = Object.entries(kinds).flatMap(([name, is]) => (is(address) ? [name] : []));
      assert.deepEqual(seen, allowed);
    });
  }
});
