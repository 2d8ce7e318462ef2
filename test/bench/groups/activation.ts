import { amountRow, ratioRow, type Group, type Row } from '../measure.ts';
import type { Activation } from '../probes/activation.ts';
import { BenchWorkbench } from '../workbench.ts';

const ours = 'patch-stacks.patch-stacks';
const trivial = 'patch-stacks-bench.trivial';
/** As trivial as the other; what VS Code does for the first extension of all counts for neither of those that are measured. */
const first = 'patch-stacks-bench.first';
const rounds = 7;

/** Activation in a real extension host: one cold window per round, the order changing from round to round. */
export const group: Group = {
  name: 'activation',
  async run(wanted) {
    const activation = 'activation: load and activate';
    const load = 'activation: load the entry';
    const heap = 'activation: heap before the first view';
    if (![activation, load, heap].some(wanted)) return [];

    const results: Record<string, Activation>[] = [];
    await using code = await BenchWorkbench.start();
    for (let round = -1; round < rounds; round++) {
      const order = [first, ...(round % 2 === 0 ? [ours, trivial] : [trivial, ours])];
      const result = await code.inHost(import.meta.resolve('../probes/activation.ts'), order);
      if (round >= 0) results.push(result as Record<string, Activation>);
    }
    const of = (id: string, value: (one: Activation) => number): number[] =>
      results.map((result) => value(result[id]!));
    const total = ({ load, activate }: Activation): number => load + activate;
    const apiCopies =
      'the profile showed that two thirds of the load were copies that esbuild makes of the API of VS Code for each module, ' +
      'and most of the rest looking for ten small chunks: the build now makes no copies and joins the chunks into the entry';
    const rows: Row[] = [
      ratioRow(
        activation,
        'ms',
        of(ours, total),
        { name: 'a trivial extension', measured: of(trivial, total) },
        { atMost: 2 },
        apiCopies,
      ),
      amountRow(
        load,
        'ms',
        of(ours, (one) => one.load),
        { atMost: 5 },
      ),
      amountRow(
        heap,
        'KB',
        of(ours, (one) => one.heap / 1024),
        { atMost: 1024 },
      ),
    ];
    return rows.filter(({ metric }) => wanted(metric));
  },
};
