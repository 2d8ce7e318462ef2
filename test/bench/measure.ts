import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { messageOf } from '../../src/util/messageOf.ts';

/**
 * One line of the table. What is judged is the ratio of ours to a reference, both taken in one interleaved run, or, where
 * there is nothing to compare with, the amount itself or how it grows.
 */
export interface Row {
  metric: string;
  unit: string;
  /** Median over the rounds. */
  ours: number;
  /** The reference that ours was compared with, and its median. */
  reference?: { name: string; amount: number };
  judged: 'ratio' | 'amount' | 'exponent';
  /** The number that is judged: the median over the rounds, with the quartiles around it. */
  result: number;
  spread: [low: number, high: number];
  aim: Aim;
  met: boolean;
  /** A remark for the reader of the number, such as what a profile showed. */
  note?: string;
}

/** A line of the table that could not be measured, and why. */
export interface Unmeasured {
  metric: string;
  reason: string;
}

/** The aim for a result. */
export type Aim = { atLeast: number } | { atMost: number };

/** The benchmarks of one file of the folder groups, whose name it has; each file exports one as `group`. */
export interface Group {
  /** Only metrics for which `wanted` is true need to be measured. */
  run: (wanted: (metric: string) => boolean) => Promise<(Row | Unmeasured)[]>;
}

/** Measures some rows; where that fails, says so in their places, for the others are as true without them. */
export async function orUnmeasured(
  metric: string,
  measureRows: () => Promise<(Row | Unmeasured)[]>,
): Promise<(Row | Unmeasured)[]> {
  try {
    return await measureRows();
  } catch (error) {
    return [{ metric, reason: messageOf(error) }];
  }
}

/** Gives one measurement. */
export type Measure = () => Promise<number> | number;

/** Something to compare with. */
export interface Reference {
  aim: Aim;
  measure: Measure;
}

export interface Rounds {
  /** Measurements that count. */
  rounds?: number;
  /** Measurements before them that do not. */
  warmUp?: number;
  note?: string;
}

/**
 * Measures ours and the references in turns, so that whatever else the machine does hits all of them. The order
 * rotates from round to round; the first rounds warm up and do not count.
 */
export async function compare(
  metric: string,
  unit: string,
  ours: Measure,
  references: Readonly<Record<string, Reference>>,
  { rounds = 25, warmUp = 3, note }: Rounds = {},
): Promise<Row[]> {
  const names = Object.keys(references);
  const runners = [ours, ...names.map((name) => references[name]!.measure)];
  const results: number[][] = runners.map(() => []);
  for (let round = -warmUp; round < rounds; round++) {
    for (let turn = 0; turn < runners.length; turn++) {
      const which = (turn + round + warmUp) % runners.length;
      // Once for nothing: what the one before has left to be cleared away isn't for this one to pay.
      await runners[which]!();
      const value = await runners[which]!();
      if (round >= 0) {
        results[which]!.push(value);
      }
    }
  }
  return names.map((name, index) =>
    ratioRow(metric, unit, results[0]!, { name, measured: results[index + 1]! }, references[name]!.aim, note),
  );
}

/** A row from measurements that were taken in turns: the n-th of ours is compared with the n-th of the reference. */
export function ratioRow(
  metric: string,
  unit: string,
  ours: readonly number[],
  reference: { name: string; measured: readonly number[] },
  aim: Aim,
  note?: string,
): Row {
  const { name, measured } = reference;
  return {
    metric,
    unit,
    ours: median(ours),
    reference: { name, amount: median(measured) },
    judged: 'ratio',
    ...judge(
      ours.map((value, round) => value / measured[round]!),
      aim,
    ),
    ...(note !== undefined && { note }),
  };
}

/** A row for an amount that has to be within a limit by itself. */
export function amountRow(
  metric: string,
  unit: string,
  measured: readonly number[],
  aim: Aim,
  note?: string,
): Row {
  return {
    metric,
    unit,
    ours: median(measured),
    judged: 'amount',
    ...judge(measured, aim),
    ...(note !== undefined && { note }),
  };
}

/** A row that says too what something else took in the same window, which says what the machine can do at its best. */
export function beside(row: Row, name: string, amount: number): Row {
  return { ...row, reference: { name, amount } };
}

/**
 * A row for how an amount grows with a size: the exponent e of amount ~ size^e, fitted over the steps. An amount below
 * the floor counts as the floor, for nothing can be said of what is lost in the noise.
 *
 * @param measure gives one measurement at a size.
 */
export async function growth(
  metric: string,
  unit: string,
  sizes: readonly number[],
  measure: (size: number) => Promise<number> | number,
  aim: Aim,
  { rounds = 5, warmUp = 1, note, floor = 0 }: Rounds & { floor?: number } = {},
): Promise<Row> {
  const results = new Map<number, number[]>(sizes.map((size) => [size, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const size of sizes) {
      const value = await measure(size);
      if (round >= 0) {
        results.get(size)!.push(value);
      }
    }
  }
  return growthRow(metric, unit, results, aim, { ...(note !== undefined && { note }), floor });
}

/** The row of `growth` from measurements by size; the n-th measurements of all sizes make one round. */
export function growthRow(
  metric: string,
  unit: string,
  measured: ReadonlyMap<number, readonly number[]>,
  aim: Aim,
  { note, floor = 0 }: { note?: string; floor?: number } = {},
): Row {
  const sizes = [...measured.keys()];
  const medians = sizes.map((size) => median(measured.get(size)!));
  const rounds = Math.min(...[...measured.values()].map((values) => values.length));
  const exponents = Array.from({ length: rounds }, (_value, round) =>
    slope(
      sizes.map(Math.log),
      sizes.map((size) => Math.log(Math.max(measured.get(size)![round]!, floor, Number.MIN_VALUE))),
    ),
  );
  const steps = sizes.map((size, step) => `${formatAmount(size)}: ${formatAmount(medians[step]!)} ${unit}`);
  return {
    metric,
    unit,
    ours: medians.at(-1)!,
    reference: { name: `at ${formatAmount(sizes[0]!)}`, amount: medians[0]! },
    judged: 'exponent',
    ...judge(exponents, aim),
    note: [steps.join(', '), note].filter(Boolean).join('; '),
  };
}

function judge(results: readonly number[], aim: Aim): Pick<Row, 'result' | 'spread' | 'aim' | 'met'> {
  const [low, result, high] = quartiles(results);
  return {
    result,
    spread: [low, high],
    aim,
    met: 'atLeast' in aim ? result >= aim.atLeast : result <= aim.atMost,
  };
}

/** The slope of the straight line that fits best. */
function slope(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(xs), mean(ys)];
  const over = xs.reduce((sum, x, index) => sum + (x - meanX) * (ys[index]! - meanY), 0);
  return over / xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0);
}

export function median(values: readonly number[]): number {
  return quartiles(values)[1];
}

/** The values that a quarter, half and three quarters of all are below. */
export function quartiles(values: readonly number[]): [low: number, middle: number, high: number] {
  const sorted = values.toSorted((a, b) => a - b);
  return [quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)];
}

/** The value that this share of all values is below; between two of them it is in proportion, as in the mean of the middle two. */
function quantile(sorted: readonly number[], part: number): number {
  const position = (sorted.length - 1) * part;
  const [below, above] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]];
  return below === undefined || above === undefined
    ? Number.NaN
    : below + (above - below) * (position - Math.floor(position));
}

/** A number as the table shows it. */
export function formatAmount(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(+value.toPrecision(3));
}

/**
 * Milliseconds that this process has had of the processor until now: a difference of two says what some work took, however
 * busy the machine is with other things.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds in which Linux counts the processor's time. */
const processorTick = 10;

/**
 * The same of this process with those that it has started and that have ended: to ten milliseconds; undefined where the system
 * doesn't tell.
 */
export function processorTimeOfAll(): number | undefined {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const stat = readFileSync('/proc/self/stat', 'latin1');
  // Behind the name of the program, which may have anything in it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * processorTick;
}

/** Resolves when no process is left that this one has started. */
export async function othersEnded(): Promise<void> {
  while (process.getActiveResourcesInfo().includes('ProcessWrap')) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Watches how long the turns of the event loop are, in the processor's time: other programs on the machine do not count.
 *
 * @returns ends the watch, and says how many milliseconds the longest took.
 */
export function watchTurns(): () => Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  let watching = true;
  const turn = (): void => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, (now.user + now.system - before.user - before.system) / 1000);
    before = now;
    if (watching) {
      setImmediate(turn);
    }
  };
  setImmediate(turn);
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    watching = false;
    return longest;
  };
}

/** Bytes of the heap that are in use when everything has been collected that no one needs any more. */
export function collectedHeap(): number {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  // Things that the first time only marks to be ended are gone after the second.
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** Milliseconds that some work takes. */
export function milliseconds(work: () => unknown): () => number {
  return () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
}

/** Calls per second, with so many calls on their way at a time. */
export function perSecond(
  call: () => Promise<unknown>,
  calls: number,
  concurrent: number,
): () => Promise<number> {
  return async () => {
    let started = 0;
    const worker = async () => {
      while (started++ < calls) {
        await call();
      }
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: concurrent }, worker));
    return (calls * 1000) / (performance.now() - start);
  };
}

/** The bytes of all files in a folder. */
export function sizeOfFolder(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}
