/**
 * Runs the benchmarks of the folder groups, each in a process of its own, for what one leaves in memory would slow the next one down, and
 * prints a table: see the usage below. Ratios are of ours to a reference, taken in
 * one interleaved run: numbers of different runs or machines are not to be compared. Ends with code 1 when an aim is missed
 * or something could not be measured; the rest is measured anyway.
 *
 * A group is a file of the folder groups that exports `group` (see measure.ts); what is measured in a real VS Code uses
 * workbench.ts, and what needs a service of any size syntheticService.ts.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { say, sayOnStderr } from '../../tools/progress.ts';
import { asOneRun } from '../support/runFolder.ts';
import { timeYardstick } from '../support/yardstick.ts';
import { describeMachine } from './machine.ts';
import { formatAmount, orUnmeasured, type Row, type Unmeasured } from './measure.ts';

const usage = `Measures, and says which aims are missed.

  npm run bench -- [--only NAME]
  npm run --silent bench -- --json

  --only NAME   only this group, which is a file of test/bench/groups, or the metrics that have this in their names
  --json        prints JSON on stdout, and nothing else; npm itself would, without --silent
  --help        prints this text`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

/** Measures all that is wanted, and prints it. @returns The exit code. */
async function main(): Promise<number> {
  if (values.json) {
    sayOnStderr();
  }
  const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;
  const started = performance.now();
  const rows: Row[] = [];
  const unmeasured: Unmeasured[] = [];
  const yardstick = timeYardstick(5);
  const files = (await readdir(path.join(import.meta.dirname, 'groups'))).toSorted();
  const all = files.map((file) => path.basename(file, '.ts'));
  const group = all.find((name) => name === values.only);
  for (const name of group === undefined ? all : [group]) {
    const begun = performance.now();
    say(`Measuring ${name} …`);
    for (const row of await orUnmeasured(name, () => measure(name, group === undefined ? values.only : ''))) {
      if ('reason' in row) {
        unmeasured.push(row);
      } else {
        rows.push(row);
      }
    }
    yardstick.push(...timeYardstick(5));
    say(`  done in ${seconds(begun)}`);
  }
  say(`All of it took ${seconds(started)}.\n`);

  if (values.json) {
    console.log(
      JSON.stringify(
        { node: process.version, cpu: cpus()[0]?.model, yardstick, rows, unmeasured },
        undefined,
        2,
      ),
    );
  } else {
    printTable(rows);
    console.log(`\n${describeMachine(yardstick)}`);
  }
  const missed = rows.filter(({ met }) => !met).length;
  unmeasured.forEach(({ metric, reason }) => console.error(`Not measured: ${metric}: ${reason}`));
  if (unmeasured.length === 0 && rows.length === 0) {
    console.error(`There is no group and no metric like ${values.only}.`);
  }
  return missed === 0 && rows.length > 0 && unmeasured.length === 0 ? 0 : 1;
}

function printTable(rows: readonly Row[]): void {
  console.log(`Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model}\n`);
  console.table(
    rows.map(({ metric, unit, ours, reference, judged, result, spread, aim, met }) => ({
      metric,
      ours: `${formatAmount(ours)} ${unit}`,
      reference: reference === undefined ? '' : `${reference.name}: ${formatAmount(reference.amount)}`,
      [`result (quartiles)`]: `${judged} ${formatAmount(result)} (${spread.map(formatAmount).join('–')})`,
      aim: 'atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`,
      met: met ? 'yes' : 'NO',
    })),
  );
  for (const { metric, note } of rows) {
    if (note !== undefined) {
      console.log(`${metric}: ${note}`);
    }
  }
}

/**
 * Measures a group: of its metrics, those that have `metric` in their names.
 *
 * @throws where its process ends without having said anything.
 */
async function measure(group: string, metric = ''): Promise<(Row | Unmeasured)[]> {
  const child = fork(path.join(import.meta.dirname, 'runGroup.ts'), [group, metric], {
    // What a group prints is no part of the JSON.
    stdio: ['inherit', 2, 2, 'ipc'],
  });
  let measured: (Row | Unmeasured)[] | undefined;
  child.once('message', (rows) => (measured = rows as (Row | Unmeasured)[]));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (!measured) {
    throw new Error(`It ended with ${code ?? signal}.`);
  }
  return measured;
}

if (values.help) {
  say(usage);
} else {
  await asOneRun(main);
}
