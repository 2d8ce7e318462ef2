/** What holds for every page of ours: in every theme, and where there is little room. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FrameLocator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** VS Code's own themes, one of each kind. */
export const themes = ['Dark 2026', 'Light 2026', 'Dark High Contrast', 'Light High Contrast'] as const;

interface Axe {
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

/** What axe finds wrong with the page that is shown: a line for each. */
export async function faultsOf(page: FrameLocator): Promise<string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return page.locator('body').evaluate(async (_element, script) => {
    // The page's policy runs no script but its own; the browser's driver is not bound by it.
    (0, eval)(script);
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 5)
        .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 150)} ${failureSummary ?? ''}`),
    );
  }, source);
}

/** How many pixels of the page that is shown are reached only by scrolling to the side. */
export async function overflowOf(page: FrameLocator): Promise<number> {
  return page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
}

function bodyClass(theme: string): string {
  const isLight = theme.startsWith('Light');
  if (theme.includes('High Contrast')) {
    return isLight ? 'vscode-high-contrast-light' : 'vscode-high-contrast';
  }
  return isLight ? 'vscode-light' : 'vscode-dark';
}
