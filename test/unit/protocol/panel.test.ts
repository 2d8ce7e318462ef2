import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { wordsWithoutHost } from '../../../src/protocol/panel.ts';

describe('what a page says when nobody answers', () => {
  it('is a text of the language bundle, which pages are given before they ask', async () => {
    const file = new URL('../../../l10n/bundle.l10n.de.json', import.meta.url);
    const bundle = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
    for (const text of wordsWithoutHost) {
      assert.ok(bundle[text] !== undefined && bundle[text] !== text, text);
    }
  });
});
