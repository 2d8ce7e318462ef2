/** Prose that no one means, drawn in the real page without its content security policy: nothing of it may do anything. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { launchBrowser } from '../../tools/browser.ts';
import { buildExtension } from '../../tools/build.ts';
import { expect } from '../support/expect.ts';
import { harmfulElements, PatchPage, patchView } from '../support/patchPage.ts';
import type { Attack } from './attack.ts';
import { fuzzer } from './fuzzers.ts';

const known = readFileSync(path.resolve(import.meta.dirname, '../support/xssVectors.txt'), 'utf8')
  .split(/\r?\n/)
  .filter((line) => line.trim() !== '');

const syntax = [
  '[', ']', '(', ')', '![', '<', '>', '`', '```', '~~~', '*', '**', '_', '~~', '|', '|-|', '#', '- ', '- [ ] ', '1. ',
  '> ', '\n', '\n\n', '    ', '\\', '&', '&#', ';', '"', "'", '=', ':', '//', '^', '[^1]', '[^1]: ', '<!--', '-->',
  '<![CDATA[', '<a ', '<img ', '<svg ', '<math ', '<p ', '<b>', '</', 'href=', 'src=', 'onerror=', 'style=', 'id=', 'class=',
  'javascript:', 'java\tscript:', 'command:', 'vscode:', 'file:', 'data:text/html,', 'alert(1)', '\u0000', '\u202e', '\ufeff',
]; // prettier-ignore

const prose = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...syntax) },
      { weight: 1, arbitrary: fc.constantFrom(...known) },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''));

export const attacks: readonly Attack[] = [
  {
    name: 'fuzzing: markdown',
    async run(full) {
      await buildExtension();
      const browser = await launchBrowser();
      try {
        const shown = await PatchPage.open(browser, patchView([]));
        let number = 0;
        const drawn = fc.asyncProperty(prose, async (text) => {
          number += 1;
          const title = `Patch ${number}`;
          await shown.show(
            patchView([{ type: 'text', code: `t${number}`, title, text }], { title, description: text }),
          );
          await expect(shown.page.locator('main h1').first()).toHaveText(title);
          assert.deepEqual(await harmfulElements(shown, text), []);
          assert.deepEqual(await shown.takeDeeds(), []);
        });
        return await fuzzer('markdown', drawn).run(full);
      } finally {
        await browser.close();
      }
    },
  },
];
