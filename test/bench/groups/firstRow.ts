import type { BrowserContext } from 'playwright-core';
import { ratioRow, type Group } from '../measure.ts';
import type { ShownView } from '../probes/showView.ts';
import { startSyntheticService } from '../syntheticService.ts';
import { BenchWorkbench } from '../workbench.ts';
import { keptByVsCode } from '../../support/keptInBrowser.ts';
import { until } from '../../support/until.ts';
import { Workbench } from '../../support/workbench.ts';

const metric = 'first row: from a cold window to the first project';
const rounds = 7;

interface Shown extends ShownView {
  /** The text of a row. */
  row: string;
}

const ours: Shown = { extension: 'patch-stacks.patch-stacks', view: 'patchStacks.stacks', row: 'Project 0' };
const trivial: Shown = { extension: 'patch-stacks-bench.trivial', view: 'trivial.view', row: 'trivial row' };

/**
 * A cold window for each: from when its extension host can activate anything until a row is painted. Someone is signed in
 * already, but nothing is kept of what the service said before: ours loads its window, its tree and its client, and asks the
 * service, whose own time is taken out. The trivial one has its row ready.
 */
export const group: Group = {
  async run(wanted) {
    if (!wanted(metric)) {
      return [];
    }
    const service = await startSyntheticService({ projects: 50 });
    try {
      await using code = await BenchWorkbench.start({ service, signsInOnce: true });
      const measured: { ours: number[]; trivial: number[] } = { ours: [], trivial: [] };
      const context = await code.browser.newContext({ viewport: { width: 1280, height: 800 } });
      await signIn(code, context);
      for (let round = -1; round < rounds; round++) {
        await code.forgetContent();
        service.takeTraffic();
        const our = (await untilPainted(code, context, ours)) - service.takeTraffic().busy;
        const other = await untilPainted(code, context, trivial);
        if (round < 0) {
          continue;
        }
        measured.ours.push(our);
        measured.trivial.push(other);
      }
      return [
        ratioRow(
          metric,
          'ms',
          measured.ours,
          { name: 'a trivial extension', measured: measured.trivial },
          { atMost: 2 },
          'marks in a window that took 215 ms: VS Code made room for the view for 80, loading the client took 18, the answer of ' +
            'the service 10 to 20, the question for the rows below the owner 6, and painting fifty rows 50; the trivial one does ' +
            'without all but the first, and is painted after 99 to 120',
        ),
      ];
    } finally {
      await service.close();
    }
  },
};

/** Opens a window that signs in, and closes it once the browser keeps that for the others. */
async function signIn(code: BenchWorkbench, context: BrowserContext): Promise<void> {
  const window = await Workbench.openIn(await context.newPage(), code.windowUrl);
  await until(async () => (await keptByVsCode(window.page)).some((kept) => kept.includes('activeSession')));
  await window.page.close();
}

/** @returns milliseconds. */
async function untilPainted(
  code: BenchWorkbench,
  context: BrowserContext,
  { row, ...view }: Shown,
): Promise<number> {
  const { promise: painted, resolve } = Promise.withResolvers<number>();
  const open = async (): Promise<Workbench> => {
    const page = await context.newPage();
    await page.addInitScript((text) => {
      const look = (): void => {
        const rows = [...document.querySelectorAll('.pane-body .monaco-list-row')];
        if (rows.some(({ textContent }) => textContent.includes(text))) {
          // After the frame in which it was found has been painted.
          requestAnimationFrame(() => setTimeout(() => console.log(`painted ${Date.now()}`)));
        } else {
          setTimeout(look, 2);
        }
      };
      look();
    }, row);
    page.on('console', (message) => {
      const [, at] = /^painted (\d+)$/.exec(message.text()) ?? [];
      if (at !== undefined) {
        resolve(Number(at));
      }
    });
    return Workbench.openIn(page, code.windowUrl, () => page.close());
  };
  const probe = import.meta.resolve('../probes/showView.ts');
  const asked = (await code.inHost(probe, view, open, () => painted)) as number;
  return (await painted) - asked;
}
