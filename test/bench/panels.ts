/** Panels in a real window, for the groups that measure them. */
import type { Frame } from 'playwright-core';
import { Workbench } from '../support/workbench.ts';
import type { Asked, Openings, PanelName } from './probes/openPanels.ts';
import type { BenchWorkbench } from './workbench.ts';

/** Frames that are scrolled through, and dragged for. */
const frames = 300;
/** Milliseconds: a frame of a screen with 60 Hz, and what a clock in whole tenths makes of it. */
export const frame = 16.8;
/** Times that a document is opened and closed to see what stays of it. */
export const openings = 10;

export const plainPage = 'a page of plain text';
export const idleNote = 'on an idle machine: a busy one leaves out frames of the plain page too';
export const framesNote = `${idleNote}; a profile shows the browser laying out and painting rows that come near; about 15 % is script`;
export const openingNote =
  'until VS Code shows the page: most of it goes to making room for the page as for an empty one, while the extension host draws the beginning, and the rest to laying it out and painting';

/** A state of a panel, and the time of it: milliseconds since 1970. */
export interface Seen {
  state: 'painted' | 'usable';
  name: string;
  at: number;
}

/** Panels that were opened: when they were asked for, and when each was there. */
export interface Opened {
  asked: Asked;
  seen: Seen[];
  /** The page that the document begins with. */
  page: string | undefined;
}

/** Opens the document and others in turns, in a window of its own, and watches them. */
export async function openPanels(code: BenchWorkbench, opening: Openings): Promise<Opened> {
  const context = await code.browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript(() => {
    // Asked for at once: VS Code hides it from the page. It shows the frame when the page has been loaded.
    const frame = window.frameElement as HTMLElement | null;
    // After the next frame has been painted.
    const tell = (state: string, name: string): unknown =>
      requestAnimationFrame(() => setTimeout(() => console.log(`${state} ${name} ${Date.now()}`)));
    const lookWhetherUsable = (): void => {
      if (
        document.querySelector('.document:not(.beginning) [data-section], .stack-page:not(.beginning) li')
      ) {
        tell('usable', 'ours');
      } else {
        setTimeout(lookWhetherUsable, 2);
      }
    };
    const look = (): void => {
      const name =
        document.querySelector<HTMLElement>('[data-panel]')?.dataset['panel'] ??
        (document.querySelector('[data-section], .stack-page .patches > li') ? 'ours' : undefined);
      if (name === undefined || frame?.style.visibility === 'hidden') {
        setTimeout(look, 2);
        return;
      }
      tell('painted', name);
      if (name === 'ours') {
        lookWhetherUsable();
        const beginning = document.querySelector('.beginning')?.outerHTML.replace(' shown"', '"');
        const styles = document.querySelector('style:not(#_defaultStyles)')?.textContent;
        if (beginning) {
          console.log(`page <style>${styles}</style></head><body>${beginning}`);
        }
      }
    };
    look();
  });
  const seen: Seen[] = [];
  let page: string | undefined;
  context.on('console', (message) => {
    const text = message.text();
    const [, state, name, at] = /^(painted|usable) (\w+) (\d+)$/.exec(text) ?? [];
    if (state !== undefined) {
      seen.push({ state: state as Seen['state'], name: name!, at: Number(at) });
    }
    if (text.startsWith('page ')) {
      page = text.slice('page '.length);
    }
  });
  const openWindow = async (): Promise<Workbench> =>
    Workbench.openIn(await context.newPage(), code.windowUrl, () => context.close());
  const module = import.meta.resolve('./probes/openPanels.ts');
  const asked = (await code.inHost(module, opening, openWindow)) as Asked;
  return { asked, seen, page };
}

/** Milliseconds from asking for the panel of each round until it was painted or could be used; the first round is cold. */
export function took(opened: Opened, state: Seen['state'], name: Exclude<PanelName, 'empty'>): number[] {
  return times(opened, state, name).slice(1);
}

/** The reference of a document: a panel of a trivial extension, opened before and after it in each round; the mean of both. */
export function emptyPanel(opened: Opened): { name: string; measured: number[] } {
  const all = times(opened, 'painted', 'empty');
  const means = opened.asked.ours.map((_asked, round) => (all[2 * round]! + all[2 * round + 1]!) / 2);
  return { name: 'an empty webview panel', measured: means.slice(1) };
}

function times({ asked, seen }: Opened, state: Seen['state'], name: PanelName): number[] {
  return asked[name].map((start) => {
    const end = seen.find((one) => one.state === state && one.name === name && one.at >= start)?.at;
    return (end ?? Number.NaN) - start;
  });
}

/** The time that all but the longest twentieth keep within. */
export function most(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

/** Scrolls by some pixels in each frame, as a wheel does that is turned fast. @returns milliseconds of each frame. */
export function timeFrames(document: Frame, pixels: number): Promise<number[]> {
  return document.evaluate(
    async ({ count, step }) => {
      const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      const times: number[] = [];
      let before = await nextFrame();
      for (let index = 0; index < count; index++) {
        window.document.documentElement.scrollTop += step;
        const now = await nextFrame();
        // The clock has whole tenths, of which a difference makes 16.800000001.
        times.push(Math.round((now - before) * 10) / 10);
        before = now;
      }
      return times;
    },
    { count: frames, step: pixels },
  );
}

/** The times that this machine takes for the plainest page in the same window, scrolled in the same way. */
export async function timePlainFrames(document: Frame): Promise<number[]> {
  await document.evaluate(() => {
    const line = 'A line of plain text as long as those of the document are, about.\n';
    window.document.body.innerHTML = '<pre></pre>';
    window.document.querySelector('pre')!.textContent = line.repeat(4_000);
  });
  return timeFrames(document, 120);
}

/** Opens a document and closes it. @returns bytes of the window's heap after the first two times, and after ten more. */
export async function windowHeap(
  workbench: Workbench,
  show: () => Promise<unknown>,
): Promise<[number, number]> {
  const session = await workbench.page.context().newCDPSession(workbench.page);
  const heap = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number };
    return usedSize;
  };
  const showAndClose = async (times: number): Promise<number> => {
    for (let time = 0; time < times; time++) {
      await show();
      await workbench.runCommand('View: Close All Editors');
      await workbench.editorTab('').first().waitFor({ state: 'detached' });
    }
    return heap();
  };
  // The first two bring in what stays.
  return [await showAndClose(2), await showAndClose(openings)];
}
