import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../../../tools/provision.ts';
import { amountRow, median, ratioRow, type Group, type Row } from '../measure.ts';
import type { Activation } from '../probes/activation.ts';
import { BenchWorkbench } from '../workbench.ts';

const ours = 'patch-stacks.patch-stacks';
const trivial = 'patch-stacks-bench.trivial';
/** Makes as many registrations as ours, and does nothing else. */
const registrations = 'patch-stacks-bench.registrations';
/** As trivial as the other; what VS Code does for the first extension of all counts for none of those that are measured. */
const first = 'patch-stacks-bench.first';
const rounds = 6;

const metrics = {
  activation: 'activation: load and activate',
  floor: 'activation: load and activate, beside its registrations alone',
  load: 'activation: load the entry',
  heap: 'activation: heap before the first view',
  window: 'activation: the window, loaded after it',
} as const;

/** Activation in a real extension host: one cold window per round, the order changing from round to round. */
export const group: Group = {
  async run(wanted) {
    if (!Object.values(metrics).some(wanted)) {
      return [];
    }

    const manifest = await readFile(path.join(root, 'package.json'), 'utf8');
    const { contributes } = JSON.parse(manifest) as { contributes: { commands: unknown[] } };
    const results: Record<string, Activation>[] = [];
    await using code = await BenchWorkbench.start({
      env: { PATCH_STACKS_BENCH_COMMANDS: String(contributes.commands.length) },
    });
    for (let round = -1; round < rounds; round++) {
      const order = [ours, trivial, registrations].map((_id, index, all) => all[(index + round + 1) % 3]!);
      const result = await code.inHost(import.meta.resolve('../probes/activation.ts'), [first, ...order]);
      if (round >= 0) {
        results.push(result as Record<string, Activation>);
      }
    }
    const of = (id: string, value: (one: Activation) => number): number[] =>
      results.map((result) => value(result[id]!));
    const total = ({ load, activate }: Activation): number => load + activate;
    const [ourTotals, trivialTotals, floorTotals] = [
      of(ours, total),
      of(trivial, total),
      of(registrations, total),
    ];
    const floor = median(floorTotals.map((value, round) => value / trivialTotals[round]!));
    const limit =
      `an extension that only makes the same ${contributes.commands.length + 3} registrations takes ` +
      `${floor.toFixed(1)} times as long as the trivial one: none that has so many commands can go below that. ` +
      'A profile showed that most of the rest was reading the entry: it is bundled by itself by now, as the few statements ' +
      'that register, and the window is loaded after it';
    const rows: Row[] = [
      ratioRow(
        metrics.activation,
        'ms',
        ourTotals,
        { name: 'a trivial extension', measured: trivialTotals },
        { atMost: 2 },
        limit,
      ),
      ratioRow(
        metrics.floor,
        'ms',
        ourTotals,
        { name: 'an extension that only registers', measured: floorTotals },
        { atMost: 1.5 },
      ),
      amountRow(
        metrics.load,
        'ms',
        of(ours, ({ load }) => load),
        { atMost: 5 },
      ),
      amountRow(
        metrics.heap,
        'KB',
        of(ours, ({ heap }) => heap / 1024),
        { atMost: 1024 },
        'with the window',
      ),
      amountRow(
        metrics.window,
        'ms',
        of(ours, ({ after }) => after),
        { atMost: 15 },
        'the status bar, the view, the account; one turn of the event loop, after the other extensions that start',
      ),
    ];
    return rows.filter(({ metric }) => wanted(metric));
  },
};
