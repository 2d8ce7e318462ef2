/**
 * Runs the benchmarks of this folder and prints a table.
 *
 *   npm run bench -- [--only NAME] [--json]
 *
 * NAME is a group, or part of a metric. Each row is a ratio of ours to a reference, taken in one interleaved run:
 * numbers of different runs or machines are not to be compared. Ends with code 1 when an aim is missed.
 */
import { readdir } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Group, Row } from './measure.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, json: { type: 'boolean', default: false } },
});

const rows: Row[] = [];
for (const file of (await readdir(import.meta.dirname)).toSorted()) {
  if (!file.endsWith('.ts') || file === 'run.ts' || file === 'measure.ts') continue;
  const { group } = (await import(`./${file}`)) as { group: Group };
  const only = values.only;
  rows.push(
    ...(await group.run((metric) => only === undefined || group.name === only || metric.includes(only))),
  );
}

if (values.json) {
  console.log(JSON.stringify({ node: process.version, cpu: cpus()[0]?.model, rows }, undefined, 2));
} else {
  console.log(`Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model}\n`);
  console.table(
    rows.map(({ metric, unit, reference, ours, theirs, ratio, spread, aim, met }) => ({
      metric,
      ours: `${amount(ours)} ${unit}`,
      reference: `${reference}: ${amount(theirs)}`,
      'ratio (quartiles)': `${ratio.toFixed(2)} (${spread.map((value) => value.toFixed(2)).join('–')})`,
      aim: 'atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`,
      met: met ? 'yes' : 'NO',
    })),
  );
}
process.exitCode = rows.every(({ met }) => met) ? 0 : 1;

function amount(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
