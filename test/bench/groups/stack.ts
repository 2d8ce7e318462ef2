import type { Frame } from 'playwright-core';
import {
  emptyPanel,
  frame,
  idleNote,
  most,
  openPanels,
  openings,
  plainPage,
  timeFrames,
  timePlainFrames,
  took,
  windowHeap,
} from '../panels.ts';
import type { Workbench } from '../../support/workbench.ts';
import { amountRow, beside, formatAmount, ratioRow, type Group, type Row } from '../measure.ts';
import { startSyntheticService } from '../syntheticService.ts';
import { BenchWorkbench } from '../workbench.ts';

/** 5,000 sections: half of them are prose, half are diffs. */
const size = { patches: 200, sections: 25, text: 400, lines: 20, stacks: 1 } as const;

/** The aim of `usable` is that of the document of one patch. */
const aims = { firstLine: 1.3, firstSection: 1.6, usable: 3.5 } as const;
/** The time of one opening of a page differs by a tenth and more from that of the next. */
const rounds = { page: 21, document: 9 } as const;
/** Milliseconds from one panel to the next. */
const open = { page: 1_000, document: 2_500 } as const;

const metrics = {
  firstLine: 'stack: first line of the page of 200 patches',
  firstSection: 'stack: first section of a document of 5,000',
  usable: 'stack: until a document of 5,000 sections can be used',
  scrolled: 'stack: 95 % of the frames while scrolling a document of 5,000 sections',
  elements: 'stack: elements of the page while scrolling a document of 5,000 sections',
  hostHeap: 'stack: heap of the extension host after ten openings of a document of 5,000 sections',
  windowHeap: 'stack: heap of the window after ten openings of a document of 5,000 sections',
} as const;

/** The page of a long stack, and the whole of it as one document, in a real window, over a service that answers at once. */
export const group: Group = {
  async run(wanted) {
    if (!Object.values(metrics).some(wanted)) {
      return [];
    }
    const service = await startSyntheticService(size);
    try {
      await using code = await BenchWorkbench.start({ service });
      const rows: Row[] = [];
      if (wanted(metrics.firstLine)) {
        const opened = await openPanels(code, {
          ...openingOf('patchStacks.openStack'),
          rounds: rounds.page + 1,
          open: open.page,
        });
        const ours = took(opened, 'painted', 'ours');
        rows.push(ratioRow(metrics.firstLine, 'ms', ours, emptyPanel(opened), { atMost: aims.firstLine }));
      }
      if ([metrics.firstSection, metrics.usable].some(wanted)) {
        rows.push(...(await openingRows(code)));
      }
      if ([metrics.scrolled, metrics.elements].some(wanted)) {
        rows.push(...(await scrollingRows(code)));
      }
      if (wanted(metrics.hostHeap)) {
        const module = import.meta.resolve('../probes/hostHeap.ts');
        const argument = { ...openingOf('patchStacks.openStackAsDocument'), openings, open: open.document };
        const heaps = (await code.inHost(module, argument)) as [number, number];
        rows.push(heapRow(metrics.hostHeap, heaps));
      }
      if (wanted(metrics.windowHeap)) {
        rows.push(await windowHeapRow(code));
      }
      return rows.filter(({ metric }) => wanted(metric));
    } finally {
      await service.close();
    }
  },
};

async function openingRows(code: BenchWorkbench): Promise<Row[]> {
  const opened = await openPanels(code, {
    ...openingOf('patchStacks.openStackAsDocument'),
    rounds: rounds.document + 1,
    open: open.document,
  });
  const [painted, usable] = (['painted', 'usable'] as const).map((state) => took(opened, state, 'ours'));
  const empty = emptyPanel(opened);
  return [
    ratioRow(metrics.firstSection, 'ms', painted!, empty, { atMost: aims.firstSection }),
    ratioRow(metrics.usable, 'ms', usable!, empty, { atMost: aims.usable }),
  ];
}

/** Frames while the stack is scrolled at its beginning, and in its middle, where nothing was loaded before. */
async function scrollingRows(code: BenchWorkbench): Promise<Row[]> {
  const workbench = await code.openWindow();
  try {
    await workbench.tree.expand(/Project 0/);
    const document = await showStack(workbench);
    const elements = (): Promise<number> =>
      document.evaluate(() => window.document.querySelectorAll('*').length);
    const times = await timeFrames(document, 120);
    const counts = [await elements()];
    await document.evaluate(() => scrollTo(0, window.document.documentElement.scrollHeight / 2));
    times.push(...(await timeFrames(document, 120)));
    counts.push(await elements());
    const plain = await timePlainFrames(document);
    const usual = amountRow(metrics.scrolled, 'ms', [most(times)], { atMost: frame }, idleNote);
    return [
      beside(usual, plainPage, most(plain)),
      amountRow(metrics.elements, 'elements', [Math.max(...counts)], { atMost: 5_000 }),
    ];
  } finally {
    await workbench.close();
  }
}

async function windowHeapRow(code: BenchWorkbench): Promise<Row> {
  const workbench = await code.openWindow();
  try {
    await workbench.tree.expand(/Project 0/);
    return heapRow(metrics.windowHeap, await windowHeap(workbench, () => showStack(workbench)));
  } finally {
    await workbench.close();
  }
}

function heapRow(metric: string, [before, after]: readonly [number, number]): Row {
  const note = `${formatAmount(before / 2 ** 20)} MB before, ${formatAmount(after / 2 ** 20)} MB after`;
  return amountRow(metric, 'times', [after / before], { atMost: 1.05 }, note);
}

/** Opens the whole stack as a person does, from its page. */
async function showStack(workbench: Workbench): Promise<Frame> {
  await workbench.tree.open('Stack 0');
  await workbench.webview.getByRole('button', { name: 'Open Patch Stack as One Document' }).click();
  const section = workbench.webview.locator('.document.stack [data-section]').first();
  const document = await (await section.elementHandle({ timeout: 60_000 })).ownerFrame();
  if (!document) {
    throw new Error('There is no document of the stack.');
  }
  return document;
}

function openingOf(command: string) {
  const stack = { uuid: 'stack-0', branchId: 'branch-0', title: 'Stack 0', status: 'active' };
  return { command, argument: { projectId: '0', stack } };
}
