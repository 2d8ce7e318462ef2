/** Rules for every page of ours: in every theme, and where there is little room. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FrameLocator, Page } from 'playwright-core';
import { expect } from './expect.ts';
import type { Workbench } from './workbench.ts';

/** VS Code's own themes, one of each kind. */
export const themes = ['Dark 2026', 'Light 2026', 'Dark High Contrast', 'Light High Contrast'] as const;

/** Rules of axe that are not asked for, each with the reason. All others are, best practices and experimental ones, too. */
const exceptions: Readonly<Record<string, string>> = {
  'color-contrast-enhanced':
    'the colors are those of the theme, and its high-contrast kinds are there for those who need 7:1',
};

interface Axe {
  getRules: () => { ruleId: string }[];
  run: (
    context: unknown,
    options: unknown,
  ) => Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

/** Chooses a theme for the whole window; a page that is shown has it when this resolves. */
export async function chooseTheme(window: Workbench, theme: (typeof themes)[number]): Promise<void> {
  await window.runCommand('Preferences: Color Theme');
  await window.quickInput.fill(theme);
  await window.pick(theme);
  await window.quickInput.waitFor({ state: 'hidden' });
  await isShownIn(window, theme);
}

function isShownIn({ webview }: Workbench, theme: string): Promise<void> {
  return webview.locator(`body.${bodyClass(theme)}`).waitFor();
}

/**
 * Has a window be told of high contrast by the test. It follows what the system says of that; the browser's own way to say it
 * would paint the page itself.
 */
export async function followSystemTheme(window: Workbench): Promise<void> {
  await window.page.addInitScript(() => {
    const ask = globalThis.matchMedia.bind(globalThis);
    const asked: EventTarget[] = [];
    let isHigh = false;
    const setHighContrast = (high: boolean): void => {
      isHigh = high;
      for (const list of asked) {
        list.dispatchEvent(new Event('change'));
      }
    };
    const matchMedia = (query: string): MediaQueryList => {
      if (!query.includes('forced-colors')) {
        return ask(query);
      }
      const list = Object.defineProperty(new EventTarget(), 'matches', { get: () => isHigh });
      asked.push(list);
      return list as MediaQueryList;
    };
    Object.assign(globalThis, { matchMedia, setHighContrast });
  });
  await window.reload();
}

/** Shows such a window in a theme, at once and without a key or a click: whatever is open or dragged stays so. */
export async function setSystemTheme(window: Workbench, theme: (typeof themes)[number]): Promise<void> {
  await window.page.emulateMedia({ colorScheme: theme.startsWith('Light') ? 'light' : 'dark' });
  await window.page.evaluate(`setHighContrast(${theme.includes('High Contrast')})`);
  await isShownIn(window, theme);
}

/**
 * Asserts that axe finds no fault with the page that is shown, by all of its rules. A page of which the theme has just changed has the colors of its
 * code a moment later: it is looked at again.
 *
 * @param options.message Words for what the page shows.
 * @param options.but The rule of faults that are meant to be there.
 */
export async function expectNoFaults(
  page: FrameLocator | Page,
  { message = '', but }: { message?: string; but?: string } = {},
): Promise<void> {
  const faults = async (): Promise<string[]> =>
    (await faultsOf(page)).filter((fault) => but === undefined || !fault.startsWith(`${but}:`));
  await expect.poll(faults, { message }).toEqual([]);
}

/** A line for each fault. */
async function faultsOf(page: FrameLocator | Page): Promise<string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return page.locator('body').evaluate(
    async (_element, { script, left }) => {
      // The page's policy runs no script but its own; the browser's driver is not bound by it.
      (0, eval)(script);
      const { axe } = globalThis as unknown as { axe: Axe };
      const rules = axe.getRules().map(({ ruleId }) => [ruleId, { enabled: !left.includes(ruleId) }]);
      const { violations } = await axe.run(document, {
        resultTypes: ['violations'],
        rules: Object.fromEntries(rules) as Record<string, unknown>,
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes
          .slice(0, 5)
          .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 150)} ${failureSummary ?? ''}`),
      );
    },
    { script: source, left: Object.keys(exceptions) },
  );
}

/** Controls that take the focus although part of them is cut off: a line for each. */
export async function clippedControlsOf(page: FrameLocator): Promise<string[]> {
  return page.locator('body').evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      'button:not(:disabled), a[href], input, select, textarea, summary, [tabindex="0"]',
    );
    const slack = 1.5;
    return [...controls].flatMap((control) => {
      const box = control.getBoundingClientRect();
      const isShown = control.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (!isShown || box.width <= 1 || control.closest('.visually-hidden')) {
        return [];
      }
      for (let around = control.parentElement; around; around = around.parentElement) {
        const { overflowX } = getComputedStyle(around);
        const frame = around.getBoundingClientRect();
        if (overflowX === 'auto' || overflowX === 'scroll') {
          // Text that is cut off can be scrolled to.
          return [];
        }
        const isCut = box.left < frame.left - slack || box.right > frame.right + slack;
        if ((overflowX === 'hidden' || overflowX === 'clip') && isCut) {
          return [`${control.outerHTML.slice(0, 150)} is cut off by ${around.className}`];
        }
      }
      return box.left < -slack || box.right > innerWidth + slack
        ? [`${control.outerHTML.slice(0, 150)} is out of the window: ${box.left} to ${box.right}`]
        : [];
    });
  });
}

/** Makes the window so wide that the page that is shown has a width, in CSS pixels. */
export async function setPageWidth({ page, webview }: Workbench, width: number): Promise<void> {
  const widthOf = (): Promise<number> => webview.locator('body').evaluate(() => innerWidth);
  for (let tries = 0; tries < 5; tries++) {
    const { width: whole, height } = page.viewportSize()!;
    const present = await widthOf();
    if (present === width) {
      return;
    }
    await page.setViewportSize({ width: whole + width - present, height });
    await webview.locator('body').evaluate(
      (_body, before) =>
        new Promise<void>((resolve) => {
          const look = (): void => (innerWidth === before ? void requestAnimationFrame(look) : resolve());
          look();
        }),
      present,
    );
  }
  throw new Error(`the page is ${await widthOf()} pixels wide, and not ${width}`);
}

/** The number of pixels of the page that are reached only by scrolling to the side. */
export async function overflowOf(page: FrameLocator | Page): Promise<number> {
  return page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
}

function bodyClass(theme: string): string {
  const isLight = theme.startsWith('Light');
  if (theme.includes('High Contrast')) {
    return isLight ? 'vscode-high-contrast-light' : 'vscode-high-contrast';
  }
  return isLight ? 'vscode-light' : 'vscode-dark';
}
