/** Pictures of states of a page, in each theme, and where it matters in a narrow, an enlarged, a wide window too. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { setSystemTheme, themes } from '../../test/support/pageChecks.ts';
import type { Workbench } from '../../test/support/workbench.ts';
import { say } from '../progress.ts';

const whole = { width: 1280, height: 800 };
/** Windows of other sizes. */
const rooms = {
  /** VS Code's own bar of icons takes 48 of it. */
  narrow: { width: 448, height: 800, scale: 1, theme: themes[0] },
  'narrow in high contrast': { width: 448, height: 800, scale: 1, theme: themes[2] },
  /** A window at 200 %, in which less fits. */
  enlarged: { width: 640, height: 400, scale: 2, theme: themes[0] },
  /** VS Code is not narrower. */
  'enlarged most': { width: 400, height: 250, scale: 3.2, theme: themes[0] },
  wide: { width: 1920, height: 1080, scale: 1, theme: themes[0] },
  widest: { width: 2560, height: 1440, scale: 1, theme: themes[0] },
} as const;
/** Those in which there is little room, and all. */
export const small = ['narrow', 'narrow in high contrast', 'enlarged'] as const;
export const all = [...small, 'enlarged most', 'wide', 'widest'] as const;

interface Wish {
  /** In what other windows. */
  also?: readonly (keyof typeof rooms)[];
  /** The place that the state is about: it is brought on screen in each of them. */
  of?: Locator;
  /** The steps in each of the other windows before. */
  before?: () => Promise<void>;
}

/** All pictures of a state are on one sheet: FOLDER/STATE.png. */
export class PictureSheets {
  readonly #window: Workbench;
  readonly #folder: string;
  readonly #only: readonly string[] | undefined;

  constructor(window: Workbench, folder: string, only: readonly string[] | undefined) {
    this.#window = window;
    this.#folder = folder;
    this.#only = only;
  }

  /** Takes a state's pictures, and puts them on a sheet. */
  async take(state: string, { also = [], of, before }: Wish = {}): Promise<void> {
    const { page, webview } = this.#window;
    if (this.#only && !this.#only.includes(state)) {
      return;
    }
    const pictures: { name: string; data: string }[] = [];
    const session = await page.context().newCDPSession(page);
    const shoot = async (name: string): Promise<void> => {
      await of?.scrollIntoViewIfNeeded();
      // The status bar takes a while for its new color.
      await page.evaluate(() => {
        const ending = document
          .getAnimations()
          .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
        return Promise.allSettled(ending.map(({ finished }) => finished));
      });
      await webview.locator('body').evaluate(async () => {
        await document.fonts.ready;
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      });
      const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
      pictures.push({ name, data });
      const file = path.join(this.#folder, 'single', `${state}-${name.replaceAll(' ', '-')}.png`);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, Buffer.from(data, 'base64'));
    };
    for (const theme of themes.toReversed()) {
      await setSystemTheme(this.#window, theme);
      await shoot(theme);
    }
    for (const name of also) {
      const { width, height, scale, theme } = rooms[name];
      await setSystemTheme(this.#window, theme);
      await page.setViewportSize({ width, height });
      await session.send('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: scale,
        mobile: false,
      });
      await before?.();
      await shoot(name);
    }
    if (also.length > 0) {
      await session.send('Emulation.clearDeviceMetricsOverride');
      await page.setViewportSize(whole);
      await setSystemTheme(this.#window, themes[0]);
    }
    await session.detach();
    await this.#drawSheet(state, pictures);
  }

  /** All pictures of a state in one, each with its name. */
  async #drawSheet(state: string, pictures: readonly { name: string; data: string }[]): Promise<void> {
    const browser = this.#window.page.context().browser();
    if (!browser) {
      throw new Error('The window has no browser.');
    }
    const sheet = await browser.newPage({ viewport: { width: 1620, height: 100 } });
    const figures = pictures.map(
      ({ name, data }) =>
        `<figure style="margin:0"><figcaption>${name}</figcaption><img style="max-width:800px;max-height:640px" src="data:image/png;base64,${data}"></figure>`,
    );
    await sheet.setContent(
      `<body style="margin:4px;display:flex;flex-wrap:wrap;gap:8px;font:14px sans-serif">${figures.join('')}`,
    );
    const file = path.join(this.#folder, `${state}.png`);
    await sheet.screenshot({ path: file, fullPage: true });
    await sheet.close();
    say(path.relative(process.cwd(), file));
  }
}
