/**
 * The patch document's page alone in a browser, without VS Code and without its content security policy: what the page itself
 * does with what it is given. The host's answers are the test's.
 */
import type { Browser, Page } from 'playwright-core';
import type { PatchView, PlaceInPatch, SectionView } from '../../src/protocol/patchDocument.ts';
import type { StackDocumentView } from '../../src/protocol/stackDocument.ts';
import { answerFromBuild, pageOrigin } from './builtPage.ts';
import { listenTo } from './ownErrors.ts';
import type { WindowConsole } from './windowConsole.ts';

/** The stand-in for VS Code in the page; see `acquireVsCodeApi`. */
const fakeHost = `
  let waiting;
  window.failure = undefined;
  window.answers = {
    moved: () => ({}),
    generated: () => [],
    proseLinks: () => [],
    images: () => ({}),
    emoji: () => ({}),
    checkText: () => [],
    offeredNames: () => [],
    template: () => '',
    settings: () => ({ bundle: {}, language: 'en', loadRemoteImages: false }),
    preferences: () => ({ layout: 'unified', ignoreWhitespace: false, wrap: true }),
    sectionToReveal: () => null,
    commitInWorkspace: () => false,
    avatars: () => ({}),
    patch: (_parameters, changeId) => window.patches?.get(changeId) ?? window.patch,
    stack: () => window.stack,
    diffs: () => ({}),
    placeToReveal: (_parameters, changeId) => window.places?.[changeId ?? 'alone'] ?? null,
    patchToShow: () => window.patchToShow ?? null,
    diff: () => { throw new Error(window.failure ?? 'No diff.'); },
  };
  // Requests that a test has wait for their answers.
  const held = [];
  window.release = () => {
    window.held = undefined;
    held.splice(0).forEach((hear) => hear());
  };
  const api = {
    getState: () => undefined,
    setState: () => undefined,
    postMessage: (said) => {
      // Of one patch of a stack, or of the page as a whole.
      const { patch, message = said } = said;
      const { rpc, id, method, parameters } = message;
      const reply = (answer) => window.postMessage(patch === undefined ? answer : { patch, message: answer }, '*');
      if (rpc === 'request' && method === window.held) {
        held.push(() => api.postMessage(said));
        return;
      }
      if (rpc === 'request') {
        let answer;
        try {
          if (method === 'patch' && window.failure !== undefined) throw new Error(window.failure);
          answer = { rpc: 'result', id, result: window.answers[method]?.(parameters, patch) ?? null };
        } catch (error) {
          answer = { rpc: 'error', id, message: error.message };
        }
        reply(answer);
      } else if (rpc === 'ping') {
        reply({ rpc: 'pong', id });
      } else if (rpc === 'result' || rpc === 'error') {
        // Whatever isn't asked for any more is told, too.
        waiting?.(message.result);
      }
    },
  };
  window.acquireVsCodeApi = () => api;
  window.ask = (method, parameters) => new Promise((resolve) => {
    waiting = resolve;
    window.postMessage({ rpc: 'request', id: 1, method, parameters }, '*');
  });
`;

/** What there is before the page is opened. */
interface Before {
  /** The request that waits for its answer from the beginning. */
  held?: string;
  /** Where the person wants to go in the patch. */
  place?: PlaceInPatch;
  /** The patch of a stack that they want to go to. */
  patchToShow?: string;
  /** Where they want to go in the patches of a stack, by change id. */
  places?: Record<string, PlaceInPatch>;
}

/** See the module. */
export class PatchPage {
  readonly page: Page;
  /** Deeds of the page that it must never do: dialogs, windows, navigations, requests to other places. */
  readonly deeds: string[] = [];
  /** What it has written to its console, and what was thrown in it. */
  readonly console: WindowConsole;

  private constructor(page: Page) {
    this.page = page;
    this.console = listenTo(page);
  }

  /** Opens the page with a patch, or with a sentence that loading it failed with. */
  static async open(
    browser: Browser,
    shown: PatchView | { failure: string },
    width = 1280,
    // So high that all of a patch of some sections is drawn.
    height = 6000,
    { held, place }: Before = {},
  ): Promise<PatchPage> {
    const context = await browser.newContext({ viewport: { width, height } });
    const page = await context.newPage();
    const opened = new PatchPage(page);
    await opened.#watch();
    await page.goto(`${pageOrigin}/`);
    await page.addScriptTag({ content: fakeHost });
    await page.evaluate((value) => Object.assign(globalThis, value), {
      ...('failure' in shown ? shown : { patch: shown }),
      held,
      places: { alone: place },
    });
    await page.addScriptTag({ url: '/patchDocument.mjs', type: 'module' });
    await page
      .locator('failure' in shown ? '[role="alert"]' : '.document')
      .first()
      .waitFor();
    return opened;
  }

  /** Opens the page of a stack with these patches, all of which change the same files by their codes. */
  static async openStack(
    browser: Browser,
    patches: readonly PatchView[],
    width = 1280,
    { held, patchToShow, places }: Before = {},
  ): Promise<PatchPage> {
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    const page = await context.newPage();
    const opened = new PatchPage(page);
    await opened.#watch();
    await page.goto(`${pageOrigin}/`);
    await page.addScriptTag({ content: fakeHost });
    const stack: StackDocumentView = {
      ref: { serverUrl: 'https://service.test', projectId: 'project', stackUuid: 'stack' },
      title: 'A stack',
      patches: patches.map(({ ref, title, sections }) => ({
        changeId: ref.changeId,
        title,
        files: sections.length,
        lines: sections.reduce((sum, section) => sum + (section.type === 'diff' ? section.diffLines : 3), 0),
      })),
    };
    await page.evaluate(
      ({ shown, all, wanted }) => {
        document.documentElement.dataset['shows'] = 'stack';
        const byId = new Map(all.map((patch) => [patch.ref.changeId, patch]));
        Object.assign(globalThis, { stack: shown, patches: byId, ...wanted });
      },
      { shown: stack, all: patches, wanted: { held, patchToShow, places } },
    );
    await page.addScriptTag({ url: '/patchDocument.mjs', type: 'module' });
    await page.locator('[data-patch] [data-section]').first().waitFor();
    return opened;
  }

  /** Shows another patch, and waits until it is drawn. */
  async show(patch: PatchView): Promise<void> {
    await this.page.evaluate(async (view) => {
      const { ask } = globalThis as unknown as {
        ask: (method: string, parameters: unknown) => Promise<void>;
      };
      await ask('show', view);
      const nextFrame = (): Promise<unknown> =>
        new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      await nextFrame();
      // Sections further down are drawn when the browser says that they are near.
      for (let frame = 0; frame < 60 && document.querySelector('.far-sections'); frame++) {
        await nextFrame();
      }
    }, patch);
  }

  /** The deeds since this was asked the last time. */
  async takeDeeds(): Promise<string[]> {
    // Pictures and the like are asked for once they are drawn; a request of our own comes after theirs.
    await this.page.evaluate(() => fetch('/patchDocument.css'));
    return this.deeds.splice(0);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  async #watch(): Promise<void> {
    const { page, deeds } = this;
    await page.context().route('**', async (route) => {
      if (!(await answerFromBuild(route, 'patchDocument'))) {
        deeds.push(`request ${route.request().url()}`);
        await route.abort();
      }
    });
    page.on('dialog', (dialog) => {
      deeds.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.context().on('page', (popup) => {
      if (popup !== page) {
        deeds.push(`window ${popup.url()}`);
      }
    });
    page.on('framenavigated', (frame) => {
      if (frame.url() !== `${pageOrigin}/`) {
        deeds.push(`navigation ${frame.url()}`);
      }
    });
  }
}

/** A patch with nothing in it but what the test gives. */
export function patchView(sections: SectionView[], more: Partial<PatchView> = {}): PatchView {
  return {
    ref: { serverUrl: 'https://service.test', stackUuid: 'stack', changeId: 'change' },
    title: 'A patch',
    authors: [],
    openedBy: [],
    signedOff: [],
    rejected: [],
    fingerprint: 'as read',
    sections,
    tickedSections: [],
    pending: { texts: [], deletions: [] },
    ...more,
  };
}

/** Elements of the page that could do something when they are pointed at or pressed. */
export async function harmfulElements({ page }: PatchPage, vector: string): Promise<string[]> {
  const found = await page.evaluate(() => {
    const bad =
      'script, iframe, object, embed, form, style, base, meta, svg, math, template, body link, frame';
    const elements = [...document.body.querySelectorAll(bad)].filter((element) => !element.closest('head'));
    const handlers = [...document.body.querySelectorAll('*')].filter((element) =>
      [...element.attributes].some(
        ({ name, value }) =>
          name.startsWith('on') ||
          name === 'style' ||
          name === 'srcset' ||
          (name === 'href' && !/^(https?:|mailto:|#prose-)/i.test(value)) ||
          (name === 'src' && !/^data:image\/(png|jpeg|gif|webp);base64,/i.test(value)),
      ),
    );
    // An element that is not drawn cannot do anything, and would not be noticed.
    const notDrawn = document.querySelectorAll('.far-sections');
    return [...elements, ...handlers, ...notDrawn]
      .filter((element) => !element.matches('table, td, div.unread, body > script, .formula > math'))
      .map((element) => element.outerHTML.slice(0, 200));
  });
  return found.map((element) => `${element} from ${vector}`);
}
