/**
 * Our pages in German. This VS Code carries no language pack, so that a page is shown as a panel would show it: with the German
 * bundle, which the panel hands over.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { FeedbackForm } from '../../src/protocol/feedback.ts';
import type { ReleaseForm } from '../../src/protocol/release.ts';
import { launchBrowser } from '../host/browser.ts';
import { root, testFolder } from '../host/provision.ts';
import { answerFromBuild, pageOrigin } from '../support/builtPage.ts';

describe('the pages in German', function () {
  this.timeout(60_000);
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await launchBrowser();
  });

  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 700, height: 900 } });
  });

  afterEach(() => page.close());
  after(() => browser.close());

  async function germanBundle(): Promise<Record<string, string>> {
    const file = path.join(root, 'l10n/bundle.l10n.de.json');
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
  }

  /** Shows a page that is answered from a table, as its panel would answer it. */
  async function show(name: string, answers: Record<string, unknown>): Promise<void> {
    const settings = { bundle: await germanBundle(), language: 'de', loadRemoteImages: false };
    const known = JSON.stringify({ settings, ...answers }).replaceAll('<', '\\u003c');
    await page.route('**', async (route) => {
      if (!(await answerFromBuild(route, name))) {
        await route.abort();
      }
    });
    await page.goto(`${pageOrigin}/`);
    await page.addScriptTag({
      content: `const answers = ${known};
        globalThis.acquireVsCodeApi = () => ({
          setState: () => undefined,
          getState: () => undefined,
          postMessage: ({ rpc, id, method }) => {
            if (rpc === 'request') window.postMessage({ rpc: 'result', id, result: answers[method] ?? null });
          },
        });`,
    });
    await page.addScriptTag({ url: `/${name}.js`, type: 'module' });
  }

  /** The texts that stand on the page in English though there is German for them. */
  async function untranslated(): Promise<string[]> {
    const bundle = await germanBundle();
    const lines = (await page.locator('main').innerText()).split('\n').map((line) => line.trim());
    return lines.filter((line) => bundle[line] !== undefined && bundle[line] !== line);
  }

  it('show the form for a release', async () => {
    await show('release', {
      load: {
        server: 'patches.example.com',
        places: [
          {
            id: 'a',
            name: 'greetings',
            hasGit: true,
            versions: [{ version: '1.2.0', source: 'package.json' }],
          },
        ],
        draft: {},
        past: [],
      } satisfies ReleaseForm,
      findRevision: { kind: 'found', sha: 'a'.repeat(40), subject: 'Grüße', pushed: false },
    });
    await page.getByRole('heading', { name: 'Release anlegen' }).waitFor();
    await page.getByText('auf keinem Branch eines Remotes').waitFor();
    assert.deepEqual(await untranslated(), []);
    await page.screenshot({ path: path.join(testFolder, 'screenshots/release-de.png') });
  });

  it('show the form for feedback', async () => {
    await show('feedback', {
      load: {
        server: 'patches.example.com',
        suggested: {
          message: '',
          email: 'ada@example.org',
          context: 'Extension: Patch Stacks',
          log: false,
          repository: '',
          ignore: '',
          data: [],
        },
        draft: { message: '**Hallo**', repository: '/greetings' },
        log: 'eine Zeile\n',
        repositories: [{ root: '/greetings', name: 'greetings' }],
        untrusted: false,
        data: [],
      } satisfies FeedbackForm,
      survey: { files: 12, bytes: 345_678, secrets: ['.env'], ignored: 0, unreadable: [] },
    });
    await page.getByRole('heading', { name: 'Feedback senden' }).waitFor();
    await page.getByText('12 Dateien, unkomprimiert 338').waitFor();
    assert.deepEqual(await untranslated(), []);
    await page.screenshot({ path: path.join(testFolder, 'screenshots/feedback-de.png'), fullPage: true });
  });
});
