/** One line of the table: a ratio of ours to a reference, both taken in one interleaved run. */
export interface Row {
  metric: string;
  unit: string;
  reference: string;
  /** Medians over the rounds. */
  ours: number;
  theirs: number;
  /** Median of the rounds' ratios ours / theirs, with the quartiles around it. */
  ratio: number;
  spread: [low: number, high: number];
  aim: Aim;
  met: boolean;
}

/** What a ratio should be. */
export type Aim = { atLeast: number } | { atMost: number };

/** The benchmarks of one file of this folder; each file exports one as `group`. */
export interface Group {
  name: string;
  /** Only metrics for which `wanted` is true need to be measured. */
  run: (wanted: (metric: string) => boolean) => Promise<Row[]>;
}

/** Something to compare with. */
export interface Reference {
  aim: Aim;
  /** Gives one measurement. */
  measure: () => Promise<number> | number;
}

/**
 * Measures ours and the references in turns, so that whatever else the machine does hits all of them. The order
 * rotates from round to round; the first rounds warm up and do not count.
 */
export async function compare(
  metric: string,
  unit: string,
  ours: () => Promise<number> | number,
  references: Readonly<Record<string, Reference>>,
  { rounds = 25, warmUp = 3 } = {},
): Promise<Row[]> {
  const names = Object.keys(references);
  const runners = [ours, ...names.map((name) => references[name]!.measure)];
  const results: number[][] = runners.map(() => []);
  for (let round = -warmUp; round < rounds; round++) {
    for (let turn = 0; turn < runners.length; turn++) {
      const which = (turn + round + warmUp) % runners.length;
      const value = await runners[which]!();
      if (round >= 0) results[which]!.push(value);
    }
  }
  return names.map((name, index) => {
    const theirs = results[index + 1]!;
    const ratios = results[0]!.map((value, round) => value / theirs[round]!).toSorted((a, b) => a - b);
    const ratio = quantile(ratios, 0.5);
    const { aim } = references[name]!;
    return {
      metric,
      unit,
      reference: name,
      ours: median(results[0]!),
      theirs: median(theirs),
      ratio,
      spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
      aim,
      met: 'atLeast' in aim ? ratio >= aim.atLeast : ratio <= aim.atMost,
    };
  });
}

function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
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
      while (started++ < calls) await call();
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: concurrent }, worker));
    return (calls * 1000) / (performance.now() - start);
  };
}
