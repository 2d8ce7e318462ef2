import type { Frame } from 'playwright-core';
import type { Workbench } from '../../support/workbench.ts';
import {
  emptyPanel,
  frame,
  framesNote,
  most,
  openPanels,
  openingNote,
  openings,
  plainPage,
  timeFrames,
  timePlainFrames,
  took,
  windowHeap,
  type Opened,
} from '../panels.ts';
import { amountRow, beside, formatAmount, ratioRow, type Group, type Row } from '../measure.ts';
import { startSyntheticService, type SyntheticService } from '../syntheticService.ts';
import { BenchWorkbench } from '../workbench.ts';

/** Half of the sections are prose, half are diffs: 40 KB, and 1,000 sections with 5 MB of diff. */
const sizes = {
  typical: { sections: 12, text: 800, lines: 220 },
  large: { sections: 1_000, text: 800, lines: 380 },
  small: { sections: 12, lines: 20, filesOnly: true },
  files: { sections: 3_000, lines: 20, filesOnly: true },
  lines: { sections: 1, lines: 50_000, filesOnly: true },
  oneLine: { sections: 1, lines: 2, words: 200_000, filesOnly: true },
} as const;

const aims = { typical: 1.3, alone: 1.15, usable: 2.5, large: 1.5 } as const;
/** The time of one opening differs by a tenth and more from that of the next. */
const rounds = { typical: 41, large: 9 } as const;
/** Milliseconds until the first lines of a file that is unfolded are there. */
const firstLimit = 500;
/** Characters of the section that is written in, and keys that are pressed in it. */
const written = 100_000;
const keys = 120;
/** Milliseconds from one panel to the next. */
const open = { typical: 600, large: 2_500 } as const;

const typingNote =
  'on an idle machine, as with frames; a trace shows the script of the editor, then layout and paint, before a key is painted, and the preview after it: the blocks that have changed, in turns of a few milliseconds';

const usableNote =
  'until the script of the page has drawn the patch, which takes keys and clicks from then on, and it is painted; the empty panel is one whose line of script has run';

const metrics = {
  typical: 'patch document: first section of a typical patch',
  alone: 'patch document: first section of a typical patch, beside the same page alone',
  usable: 'patch document: until a typical patch can be used',
  large: 'patch document: first section of a large patch',
  scrolled: 'patch document: 95 % of the frames while scrolling a large patch',
  longestScrolled: 'patch document: longest frame while scrolling a large patch',
  dragged: 'patch document: 95 % of the frames while dragging through a large patch',
  longestDragged: 'patch document: longest frame while dragging through a large patch',
  typed: 'patch document: 95 % of the keys until painted, in 100 KB with the preview',
  files: 'patch document: 95 % of the frames while scrolling a patch of 3,000 files',
  filesElements: 'patch document: elements of the page while scrolling a patch of 3,000 files',
  filesKeys: 'patch document: 95 % of the keys until painted, in a patch of 3,000 files',
  lines: 'patch document: 95 % of the frames while scrolling 50,000 changed lines',
  linesElements: 'patch document: elements of the page while scrolling 50,000 changed lines',
  firstLines: 'patch document: first lines of a file of 50,000 changed lines',
  oneLine: 'patch document: changed words of a file of 2 MB in one line',
  oneLineHeight: 'patch document: height of a file of 2 MB in one line',
  hostHeap: 'patch document: heap of the extension host after ten openings of a large patch',
  windowHeap: 'patch document: heap of the window after ten openings of a large patch',
} as const;

/** The patch document in a real window, over a service that answers at once. */
export const group: Group = {
  async run(wanted) {
    if (!Object.values(metrics).some(wanted)) {
      return [];
    }
    const service = await startSyntheticService();
    try {
      await using code = await BenchWorkbench.start({ service });
      const rows: Row[] = [];
      if ([metrics.typical, metrics.alone, metrics.usable].some(wanted)) {
        rows.push(...(await typicalRows(code, service)));
      }
      if (wanted(metrics.large)) {
        rows.push(await largeRow(code, service));
      }
      const { scrolled, longestScrolled, dragged, longestDragged, typed, hostHeap, windowHeap } = metrics;
      if ([scrolled, longestScrolled, dragged, longestDragged].some(wanted)) {
        rows.push(...(await movingRows(code, service)));
      }
      const { files, filesElements, lines, linesElements, firstLines, oneLine, oneLineHeight } = metrics;
      if ([files, filesElements].some(wanted)) {
        rows.push(...(await scrollingRows(code, service, 'files')));
      }
      if ([lines, linesElements, firstLines].some(wanted)) {
        rows.push(...(await scrollingRows(code, service, 'lines')));
      }
      if ([oneLine, oneLineHeight].some(wanted)) {
        rows.push(...(await oneLineRows(code, service)));
      }
      if (wanted(metrics.filesKeys)) {
        rows.push(await filesKeysRow(code, service));
      }
      if (wanted(typed)) {
        rows.push(await typingRow(code, service));
      }
      if (wanted(hostHeap)) {
        rows.push(await hostHeapRow(code, service));
      }
      if (wanted(windowHeap)) {
        rows.push(await windowHeapRow(code, service));
      }
      return rows.filter(({ metric }) => wanted(metric));
    } finally {
      await service.close();
    }
  },
};

/** The first section, and what the same page takes that no one has to ask for and draw. */
async function typicalRows(code: BenchWorkbench, service: SyntheticService): Promise<Row[]> {
  service.resize(sizes.typical);
  // The first has no beginning yet; nor has the second, where a cold start took so long that no one saw the first.
  const { page } = await openPanels(code, { ...openingOf(service), rounds: 3, open: open.typical });
  if (page === undefined) {
    throw new Error('The document had no beginning.');
  }
  const opened = await openPanels(code, {
    ...openingOf(service),
    rounds: rounds.typical + 1,
    open: open.typical,
    page,
  });
  const row = firstSectionRow('typical', opened);
  const plain = took(opened, 'painted', 'plain');
  const { result } = ratioRow('plain', 'ms', plain, emptyPanel(opened), row.aim);
  const limit = `the same page alone, shown by a trivial extension in the same run: ${formatAmount(result)} times the empty panel`;
  const alone = ratioRow(
    metrics.alone,
    'ms',
    took(opened, 'painted', 'ours'),
    { name: 'its HTML', measured: plain },
    { atMost: aims.alone },
    'what reading the patch and drawing its beginning add',
  );
  const usable = ratioRow(
    metrics.usable,
    'ms',
    took(opened, 'usable', 'ours'),
    emptyPanel(opened),
    { atMost: aims.usable },
    usableNote,
  );
  return [{ ...row, note: `${openingNote}; ${limit}` }, alone, usable];
}

async function largeRow(code: BenchWorkbench, service: SyntheticService): Promise<Row> {
  service.resize(sizes.large);
  return firstSectionRow(
    'large',
    await openPanels(code, { ...openingOf(service), rounds: rounds.large + 1, open: open.large }),
  );
}

function firstSectionRow(size: 'typical' | 'large', opened: Opened): Row {
  const aim = { atMost: aims[size] };
  return ratioRow(metrics[size], 'ms', took(opened, 'painted', 'ours'), emptyPanel(opened), aim, openingNote);
}

/** Opens the patch in a window as a person does. */
async function openPatch(code: BenchWorkbench): Promise<{ workbench: Workbench; document: Frame }> {
  const workbench = await code.openWindow();
  await workbench.tree.expand(/Project 0/);
  await workbench.tree.expand('Stack 0');
  return { workbench, document: await showPatch(workbench) };
}

async function showPatch(workbench: Workbench): Promise<Frame> {
  await workbench.tree.open('Patch 0');
  const section = workbench.webview.locator('.document:not(.beginning) [data-section]').first();
  const element = await section.elementHandle({ timeout: 60_000 });
  const document = await element.ownerFrame();
  if (!document) {
    throw new Error('There is no patch document.');
  }
  return document;
}

async function movingRows(code: BenchWorkbench, service: SyntheticService): Promise<Row[]> {
  service.resize(sizes.large);
  const { workbench, document } = await openPatch(code);
  try {
    const scrolled = await timeFrames(document, 120);
    const dragged = await drag(workbench, document);
    const plain = await timePlainFrames(document);
    const rowsOf = (times: number[], usual: string, longest: string): Row[] => [
      beside(amountRow(usual, 'ms', [most(times)], { atMost: frame }, framesNote), plainPage, most(plain)),
      beside(amountRow(longest, 'ms', [Math.max(...times)], { atMost: 100 }), plainPage, Math.max(...plain)),
    ];
    return [
      ...rowsOf(scrolled, metrics.scrolled, metrics.longestScrolled),
      ...rowsOf(dragged, metrics.dragged, metrics.longestDragged),
    ];
  } finally {
    await workbench.close();
  }
}

/** A patch that is too large to be on the page at once: frames while it is scrolled, and elements, in its middle too. */
async function scrollingRows(
  code: BenchWorkbench,
  service: SyntheticService,
  size: 'files' | 'lines',
): Promise<Row[]> {
  service.resize(sizes[size]);
  const { workbench, document } = await openPatch(code);
  try {
    const unfolding = size === 'lines' ? await unfold(document) : undefined;
    const elements = (): Promise<number> =>
      document.evaluate(() => window.document.querySelectorAll('*').length);
    const counts = [await elements()];
    const times = await timeFrames(document, 120);
    counts.push(await elements());
    await document.evaluate(() => scrollTo(0, window.document.documentElement.scrollHeight / 2));
    times.push(...(await timeFrames(document, 120)));
    counts.push(await elements());
    const plain = await timePlainFrames(document);
    const usual = amountRow(metrics[size], 'ms', [most(times)], { atMost: frame }, framesNote);
    return [
      beside(usual, plainPage, most(plain)),
      amountRow(metrics[`${size}Elements`], 'elements', [Math.max(...counts)], { atMost: 3_000 }),
      ...(unfolding === undefined
        ? []
        : [amountRow(metrics.firstLines, 'ms', [unfolding], { atMost: firstLimit })]),
    ];
  } finally {
    await workbench.close();
  }
}

async function oneLineRows(code: BenchWorkbench, service: SyntheticService): Promise<Row[]> {
  service.resize(sizes.oneLine);
  const { workbench, document } = await openPatch(code);
  try {
    const unfolding = await unfold(document);
    const height = await document.evaluate(() => window.document.documentElement.scrollHeight);
    return [
      amountRow(metrics.oneLine, 'ms', [unfolding], { atMost: firstLimit }),
      amountRow(metrics.oneLineHeight, 'pixels', [height], { atMost: 10_000 }),
    ];
  } finally {
    await workbench.close();
  }
}

/** Unfolds the first file. @returns milliseconds until its first lines, with the words that changed, are painted. */
function unfold(document: Frame): Promise<number> {
  return document.evaluate(async () => {
    const start = performance.now();
    window.document.querySelector<HTMLElement>('.file-toggle[aria-expanded="false"]')?.click();
    while (!window.document.querySelector('td.code mark')) {
      await new Promise((resolve) => setTimeout(resolve));
    }
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - start;
  });
}

/** Typing in a new section of a patch of 3,000 files, beside the same in one of a few. */
async function filesKeysRow(code: BenchWorkbench, service: SyntheticService): Promise<Row> {
  const typeIn = async (size: 'small' | 'files'): Promise<number> => {
    service.resize(sizes[size]);
    const { workbench, document } = await openPatch(code);
    try {
      await document.getByRole('button', { name: 'Insert section at the top' }).click();
      await document.locator('.cm-content:focus').waitFor();
      return most(await timeKeys(workbench, document));
    } finally {
      await workbench.close();
    }
  };
  const small = await typeIn('small');
  const row = amountRow(metrics.filesKeys, 'ms', [await typeIn('files')], { atMost: 33 }, typingNote);
  return beside(row, 'a patch of 12 files', small);
}

/** Drags a section by its handle to the lower edge, where the page scrolls by itself. */
async function drag(workbench: Workbench, document: Frame): Promise<number[]> {
  const { mouse } = workbench.page;
  await document.evaluate(() => window.document.documentElement.scrollTo(0, 0));
  const section = document.locator('section.section').first();
  await section.hover();
  const handle = await section.locator('.drag-handle').boundingBox();
  const panel = await workbench.page.locator('iframe.webview.ready:visible').boundingBox();
  if (!handle || !panel) {
    throw new Error('There is nothing to drag.');
  }
  await mouse.move(handle.x + 4, handle.y + 4);
  await mouse.down();
  await mouse.move(handle.x + 4, handle.y + 60, { steps: 5 });
  await mouse.move(panel.x + panel.width / 2, panel.y + panel.height - 12, { steps: 10 });
  const times = await timeFrames(document, 0);
  if ((await document.evaluate(() => window.document.documentElement.scrollTop)) === 0) {
    throw new Error('The page does not scroll while something is dragged.');
  }
  await mouse.move(handle.x + 4, handle.y + 4);
  await mouse.up();
  return times;
}

async function typingRow(code: BenchWorkbench, service: SyntheticService): Promise<Row> {
  service.resize({ sections: 1, text: written });
  const { workbench, document } = await openPatch(code);
  try {
    await document.locator('section.section').first().press('Enter');
    await document.locator('.cm-content:focus').waitFor();
    await document.locator('.preview-block').first().waitFor({ state: 'attached' });
    const ours = await timeKeys(workbench, document);
    await document.evaluate((count) => {
      window.document.body.innerHTML = '<textarea rows="40" cols="80"></textarea>';
      const area = window.document.querySelector('textarea')!;
      area.value = 'A paragraph of words, as people write them.\n\n'.repeat(count / 45);
      area.setSelectionRange(20, 20);
      area.focus();
    }, written);
    const plain = await timeKeys(workbench, document);
    const row = amountRow(metrics.typed, 'ms', [most(ours)], { atMost: 25 }, typingNote);
    return beside(row, 'a text area with as much in it', most(plain));
  } finally {
    await workbench.close();
  }
}

/** Types. @returns milliseconds from each key until it was painted. */
async function timeKeys(workbench: Workbench, document: Frame): Promise<number[]> {
  const { keyboard } = workbench.page;
  await document.evaluate(() => {
    const times: number[] = [];
    const onKey = (event: KeyboardEvent): void => {
      const start = event.timeStamp;
      // The task after the frame that shows the key.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => void times.push(performance.now() - start);
        port2.postMessage(null);
      });
    };
    Object.assign(window, { times });
    window.addEventListener('keydown', onKey, { capture: true });
  });
  await keyboard.type('words and more words '.repeat(keys / 20).slice(0, keys), { delay: 60 });
  return document.evaluate(() => (window as unknown as { times: number[] }).times);
}

async function hostHeapRow(code: BenchWorkbench, service: SyntheticService): Promise<Row> {
  service.resize(sizes.large);
  const module = import.meta.resolve('../probes/hostHeap.ts');
  const [before, after] = (await code.inHost(module, {
    ...openingOf(service),
    openings,
    open: open.large,
  })) as [number, number];
  const note = `${formatAmount(before / 2 ** 20)} MB before, ${formatAmount(after / 2 ** 20)} MB after`;
  return amountRow(metrics.hostHeap, 'times', [after / before], { atMost: 1.05 }, note);
}

async function windowHeapRow(code: BenchWorkbench, service: SyntheticService): Promise<Row> {
  service.resize(sizes.large);
  const { workbench } = await openPatch(code);
  try {
    const [before, after] = await windowHeap(workbench, () => showPatch(workbench));
    const note = `${formatAmount(before / 2 ** 20)} MB before, ${formatAmount(after / 2 ** 20)} MB after`;
    return amountRow(metrics.windowHeap, 'times', [after / before], { atMost: 1.05 }, note);
  } finally {
    await workbench.close();
  }
}

function openingOf(service: SyntheticService) {
  return { command: 'patchStacks.openPatch', argument: patchOf(service) };
}

function patchOf(service: SyntheticService): object {
  return {
    serverUrl: service.url,
    projectId: '0',
    branchId: 'branch-0',
    stackUuid: 'stack-0',
    changeId: 'change-0',
  };
}
