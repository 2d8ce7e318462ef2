import { ratioRow, type Group } from '../measure.ts';
import type { ShownView } from '../probes/showView.ts';
import { startSyntheticService } from '../syntheticService.ts';
import { BenchWorkbench } from '../workbench.ts';
import { Workbench } from '../../support/workbench.ts';

const metric = 'first row: from a cold window to the first project';
const rounds = 4;

interface Shown extends ShownView {
  /** The text of a row. */
  row: string;
}

const ours: Shown = { extension: 'patch-stacks.patch-stacks', view: 'patchStacks.stacks', row: 'Project 0' };
const trivial: Shown = { extension: 'patch-stacks-bench.trivial', view: 'trivial.view', row: 'trivial row' };

/**
 * A cold window for each: from when its extension host can activate anything until a row is painted. Ours loads its window,
 * its tree and its client, signs in and asks the service, whose own time is taken out; the trivial one has its row ready.
 */
export const group: Group = {
  name: 'firstRow',
  async run(wanted) {
    if (!wanted(metric)) return [];
    const service = await startSyntheticService({ projects: 50 });
    try {
      await using code = await BenchWorkbench.start({ service });
      const measured: { ours: number[]; trivial: number[] } = { ours: [], trivial: [] };
      for (let round = -1; round < rounds; round++) {
        service.takeTraffic();
        const our = (await untilPainted(code, ours)) - service.takeTraffic().busy;
        const other = await untilPainted(code, trivial);
        if (round < 0) continue;
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
          'a profile showed that VS Code waits 200 ms before it asks for rows again: the view waits with its first ones until it is ' +
            'known who is signed in; what is left is loading the client, and two answers of the service, one after the other',
        ),
      ];
    } finally {
      await service.close();
    }
  },
};

/** @returns milliseconds. */
async function untilPainted(code: BenchWorkbench, { row, ...view }: Shown): Promise<number> {
  const context = await code.browser.newContext({ viewport: { width: 1280, height: 800 } });
  const { promise: painted, resolve } = Promise.withResolvers<number>();
  await context.addInitScript((text) => {
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
  context.on('console', (message) => {
    const [, at] = /^painted (\d+)$/.exec(message.text()) ?? [];
    if (at !== undefined) resolve(Number(at));
  });
  const open = async (): Promise<Workbench> =>
    Workbench.openIn(await context.newPage(), code.windowUrl, () => context.close());
  const probe = import.meta.resolve('../probes/showView.ts');
  const asked = (await code.inHost(probe, view, open, () => painted)) as number;
  return (await painted) - asked;
}
