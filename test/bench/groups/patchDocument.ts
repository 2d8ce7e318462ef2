import type { Frame, Page } from 'playwright-core';
import { Workbench } from '../../support/workbench.ts';
import { amountRow, ratioRow, type Group, type Row } from '../measure.ts';
import type { Asked, Openings } from '../probes/openPanels.ts';
import { startSyntheticService, type SyntheticService } from '../syntheticService.ts';
import { BenchWorkbench } from '../workbench.ts';

/** Half of the sections are prose, half are diffs: 40 KB, and 1,000 sections with 5 MB of diff. */
const sizes = {
  typical: { sections: 12, text: 800, lines: 220 },
  large: { sections: 1_000, text: 800, lines: 380 },
} as const;

const aims = { typical: 1.3, large: 1.6 } as const;
const rounds = 7;
/** Frames that are scrolled through. */
const frames = 400;
/** Milliseconds from one panel to the next. */
const open = { typical: 1_500, large: 2_500 } as const;

const metrics = {
  typical: 'patch document: first section of a typical patch',
  large: 'patch document: first section of a large patch',
  usual: 'patch document: 95 % of the frames while scrolling a large patch',
  longest: 'patch document: longest frame while scrolling a large patch',
} as const;

/** The patch document in a real window, over a service that answers at once. */
export const group: Group = {
  name: 'patchDocument',
  async run(wanted) {
    if (!Object.values(metrics).some(wanted)) return [];
    const service = await startSyntheticService();
    try {
      await using code = await BenchWorkbench.start({ service });
      const rows: Row[] = [];
      for (const size of ['typical', 'large'] as const) {
        if (wanted(metrics[size])) rows.push(await openingRow(code, service, size));
      }
      if ([metrics.usual, metrics.longest].some(wanted)) {
        rows.push(...(await scrollingRows(code, service)));
      }
      return rows.filter(({ metric }) => wanted(metric));
    } finally {
      await service.close();
    }
  },
};

/** What is painted, and when: milliseconds since 1970. */
type Painted = (what: string, at: number, page: Page) => void;

async function openingRow(
  code: BenchWorkbench,
  service: SyntheticService,
  size: keyof typeof sizes,
): Promise<Row> {
  service.resize(sizes[size]);
  const painted: { what: string; at: number }[] = [];
  const asked = await openPanels(code, service, { rounds: rounds + 1, open: open[size] }, (what, at) =>
    painted.push({ what, at }),
  );
  // The first of each is cold.
  const took = (what: 'ours' | 'empty'): number[] =>
    asked[what].slice(1).map((start) => {
      const end = painted.find((one) => one.what === what && one.at >= start)?.at;
      return (end ?? Number.NaN) - start;
    });
  return ratioRow(
    metrics[size],
    'ms',
    took('ours'),
    { name: 'an empty webview panel', measured: took('empty') },
    { atMost: aims[size] },
  );
}

async function scrollingRows(code: BenchWorkbench, service: SyntheticService): Promise<Row[]> {
  service.resize(sizes.large);
  let scrolled: Promise<number[]> | undefined;
  await openPanels(code, service, { rounds: 1, open: 20_000 }, (what, _at, page) => {
    if (what === 'ours') scrolled ??= scroll(page);
  });
  const times = ((await scrolled) ?? []).toSorted((a, b) => a - b);
  return [
    // A frame of a screen with 60 Hz, and what a clock in whole tenths makes of it.
    amountRow(metrics.usual, 'ms', [times[Math.floor(times.length * 0.95)] ?? Number.NaN], { atMost: 16.8 }),
    amountRow(metrics.longest, 'ms', [times.at(-1) ?? Number.NaN], { atMost: 100 }),
  ];
}

/** Scrolls as a wheel does that is turned fast. @returns milliseconds of each frame. */
async function scroll(page: Page): Promise<number[]> {
  let shown: Frame | undefined;
  for (const frame of page.frames()) {
    if ((await frame.locator('[data-section]').count()) > 0) shown = frame;
  }
  if (!shown) throw new Error('There is no patch document.');
  return shown.evaluate(async (count) => {
    const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const times: number[] = [];
    let before = await nextFrame();
    for (let index = 0; index < count; index++) {
      document.documentElement.scrollTop += 120;
      const now = await nextFrame();
      times.push(now - before);
      before = now;
    }
    return times;
  }, frames);
}

/** Opens the document and an empty panel in turns, in a window of its own, and tells when each was painted. */
async function openPanels(
  code: BenchWorkbench,
  service: SyntheticService,
  options: Omit<Openings, 'patch'>,
  painted: Painted,
): Promise<Asked> {
  const patch = {
    serverUrl: service.url,
    projectId: '0',
    branchId: 'branch-0',
    stackUuid: 'stack-0',
    changeId: 'change-0',
  };
  const context = await code.browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript(() => {
    const look = (): void => {
      const what = document.querySelector('[data-section]')
        ? 'ours'
        : document.querySelector('[data-empty]')
          ? 'empty'
          : undefined;
      if (what === undefined) {
        setTimeout(look, 2);
      } else {
        // After the frame in which it was found has been painted.
        requestAnimationFrame(() => setTimeout(() => console.log(`painted ${what} ${Date.now()}`)));
      }
    };
    look();
  });
  context.on('console', (message) => {
    const [, what, at] = /^painted (\w+) (\d+)$/.exec(message.text()) ?? [];
    const page = message.page();
    if (what !== undefined && page) painted(what, Number(at), page);
  });
  const openWindow = async (): Promise<Workbench> =>
    Workbench.openIn(await context.newPage(), code.windowUrl, () => context.close());
  const module = import.meta.resolve('../probes/openPanels.ts');
  return (await code.inHost(module, { ...options, patch }, openWindow)) as Asked;
}
