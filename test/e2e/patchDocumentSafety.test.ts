import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { PatchView, PersonView, Prerender, SectionView } from '../../src/protocol/patchDocument.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { root } from '../../tools/provision.ts';
import { expect } from '../support/expect.ts';
import { isFull } from '../support/full.ts';
import { harmfulElements, PatchPage, patchView } from '../support/patchPage.ts';

/** One vector to a line; `XSS_VECTORS` names another file, all of whose vectors are tried. */
const ownFile = process.env['XSS_VECTORS'];
const file = ownFile ?? path.resolve(import.meta.dirname, '../support/xssVectors.txt');
const all = [...new Set(readFileSync(file, 'utf8').split(/\r?\n/))].filter((line) => line.trim() !== '');

/**
 * In every run a third of them, evenly from all kinds: each in every field, which takes a ninth of a second. They begin with the second, and
 * so none of them is one of those in strangers.test.ts.
 */
const vectors = isFull || ownFile !== undefined ? all : all.filter((_vector, index) => index % 3 === 1);

/** Vectors that are shown at once: one that does something spoils no more than its company. */
const atOnce = 12;

/** A patch in which every text that comes from strangers is the vector. */
function patchOf(vector: string, number: number): PatchView {
  const person: PersonView = { name: vector, login: vector, avatar: vector };
  const hunk = `@@ -1,2 +1,2 @@ ${vector}\n ${vector}\n-${vector} a\n+${vector} b\n`;
  const file = (name: string): SectionView => ({
    type: 'diff',
    code: `${name}-${number}-${vector}`,
    path: `${vector}${name}`,
    oldPath: vector,
    diff: `diff --git a/x b/x\nold mode ${vector}\nnew mode 1\n--- a/${vector}\n+++ b/${vector}\n${hunk}`,
    diffLength: 1,
    diffLines: 5,
  });
  const texts = [
    vector,
    `[x](${vector})`,
    `[x](<${vector}>)`,
    `![x](${vector})`,
    `<${vector}>`,
    `\`\`\`${vector}\n${vector}\n\`\`\``,
    `| a |\n|---|\n| ${vector} |`,
    `a[^1]\n\n[^1]: ${vector}`,
    `<a title="${vector}" href="${vector}" id="${vector}">x</a><p class="${vector}">`,
    `\`${vector}#L1\``,
  ];
  return patchView(
    [
      ...texts.map((text, index): SectionView => ({
        type: 'text',
        code: `t${index}-${number}`,
        title: vector,
        text,
      })),
      file('.ts'),
      file('.html'),
      { type: 'diff', code: `raw-${number}`, path: vector, diff: vector, diffLength: 1, diffLines: 1 },
      { type: 'unreadable', code: vector, title: vector },
    ],
    {
      ref: { serverUrl: vector, stackUuid: vector, changeId: `${number}-${vector}` },
      title: vector,
      description: `${vector}\n\n${vector}`,
      commitSha: vector,
      version: vector,
      createdAt: vector,
      authors: [person],
      openedBy: [person],
      signedOff: [person],
      rejected: [person],
      position: { stackTitle: vector, index: 1, count: 2 },
      notUpdated: { asOf: vector, why: 'offline' },
    },
  );
}

describe('what strangers wrote, in the patch document without its content security policy', function () {
  this.timeout(900_000);
  let browser: Browser;

  before(async () => {
    browser = await launchBrowser();
  });

  after(async () => {
    await browser.close();
  });

  it('is tried with a third of at least 200 vectors, or with all of them', () => {
    assert.ok(all.length >= 200, String(all.length));
    assert.equal(vectors.length, isFull || ownFile !== undefined ? all.length : Math.round(all.length / 3));
  });

  it('is noticed when it does something', async () => {
    const shown = await PatchPage.open(browser, patchView([]));
    await shown.page.evaluate(() => {
      const element = document.createElement('div');
      element.innerHTML = '<img src=x onerror=alert(1)><img src=//evil.test/a.png>';
      document.body.append(element);
    });
    await shown.page.waitForEvent('dialog');
    assert.ok(shown.deeds.some((deed) => deed.includes('evil.test')));
    assert.ok(shown.deeds.some((deed) => deed.startsWith('dialog')));
    await shown.close();
  });

  it(`does nothing in any of its fields: ${vectors.length} vectors`, async () => {
    const shown = await PatchPage.open(browser, patchView([]));
    const failures: string[] = [];
    for (let start = 0; start < vectors.length; start += atOnce) {
      const some = vectors.slice(start, start + atOnce);
      for (const [index, vector] of some.entries()) {
        const view = patchOf(vector, start + index);
        await shown.show(view);
        // A page that could not draw it would do nothing either.
        const drawn = await shown.page.locator('.document').getAttribute('data-patch');
        assert.equal(drawn, view.ref.changeId);
        failures.push(...(await harmfulElements(shown, vector)));
      }
      const deeds = await shown.takeDeeds();
      if (deeds.length > 0) {
        failures.push(`${deeds.join(', ')} after one of ${JSON.stringify(some)}`);
      }
    }
    assert.deepEqual(failures, []);
    await shown.close();
  });

  it('does nothing where formulas are drawn, whatever has become of them', async () => {
    const shown = await PatchPage.open(browser, patchView([]));
    const failures: string[] = [];
    for (let start = 0; start < vectors.length; start += atOnce) {
      const some = vectors.slice(start, start + atOnce);
      const drawn = some.flatMap((vector) =>
        [
          `<math>${vector}</math>`,
          `<math><mi>${vector}</mi><mo ${vector}>+</mo></math>`,
          `<math><mtext>${vector}</mtext><mi href="${vector}" style="${vector}" mathvariant="${vector}">x</mi></math>`,
          `<math><semantics><mi>x</mi><annotation-xml encoding="text/html">${vector}</annotation-xml></semantics></math>`,
        ].map((html) => `${html}<p>${vector}</p><math><mi>after</mi></math>`),
      );
      await shown.page.evaluate((answers) => {
        Object.assign((globalThis as unknown as { answers: object }).answers, { formulas: () => answers });
      }, drawn);
      const formulas = drawn.map((_html, index) => `$x_{${start}.${index}}$`).join(' ');
      await shown.show(patchView([{ type: 'text', code: `f${start}`, title: 'Formulas', text: formulas }]));
      await shown.page.locator('.formula math').first().waitFor({ state: 'attached' });
      failures.push(...(await harmfulElements(shown, JSON.stringify(some))));
      const others = await shown.page
        .locator('.formula')
        .evaluateAll((all) =>
          all.flatMap((formula) =>
            [...formula.querySelectorAll('*')]
              .filter(
                ({ namespaceURI, attributes }) =>
                  namespaceURI !== 'http://www.w3.org/1998/Math/MathML' ||
                  [...attributes].some(({ name }) => !/^(class|mathvariant)$/.test(name)),
              )
              .map(({ outerHTML }) => outerHTML),
          ),
        );
      failures.push(...others, ...(await shown.takeDeeds()));
    }
    assert.deepEqual(failures, []);
    await shown.close();
  });

  it('does nothing in the beginning of a document, which the extension host draws', async () => {
    const file = path.join(root, 'dist/webview/patchDocument.mjs');
    const { prerender } = createRequire(file)(file) as { prerender: Prerender };
    const settings = { bundle: {}, language: 'en', loadRemoteImages: false };
    const shown = await PatchPage.open(browser, patchView([]));
    const failures: string[] = [];
    for (let start = 0; start < vectors.length; start += atOnce) {
      const some = vectors.slice(start, start + atOnce);
      const beginnings = some.map((vector, index) =>
        prerender(patchOf(vector, start + index), settings, {
          layout: 'unified',
          ignoreWhitespace: false,
          wrap: true,
        }),
      );
      await shown.page.setContent(`<!DOCTYPE html><body>${beginnings.join('')}</body>`);
      const drawn = await shown.page.locator('.beginning').count();
      assert.equal(drawn, some.length, `${drawn} beginnings of ${some.length}: one took others in`);
      failures.push(...(await harmfulElements(shown, JSON.stringify(some))));
      if (shown.deeds.length > 0) {
        failures.push(`${shown.deeds.splice(0).join(', ')} after one of ${JSON.stringify(some)}`);
      }
    }
    assert.deepEqual(failures, []);
    await shown.close();
  });

  it('does nothing as the reason of a failure', async () => {
    for (let start = 0; start < vectors.length; start += 50) {
      const some = vectors.slice(start, start + 50);
      const shown = await PatchPage.open(browser, { failure: some.join('\n') });
      await expect.poll(() => shown.page.locator('[role="alert"]').textContent()).toBe(some.join('\n'));
      await expect(shown.page.locator('main *')).toHaveCount(2);
      assert.deepEqual(shown.deeds, []);
      await shown.close();
    }
  });
});
