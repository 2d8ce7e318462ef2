/** The share of planted mistakes that the tests notice, by folder, and the share that they have to. */

/** A mistake that was planted, and what came of it. */
export interface Planted {
  readonly file: string;
  readonly line: number;
  /** The kind of mistake, as StrykerJS calls it. */
  readonly mutator: string;
  /** The text that stood there instead. */
  readonly replacement: string;
  readonly status: string;
}

/** A mistake that changes nothing that anybody could notice. */
export interface Equivalent {
  readonly file: string;
  readonly mutator: string;
  readonly replacement: string;
  readonly reason: string;
}

/** The percentages to be noticed: the first whose beginning fits the path. */
export const aims: readonly [beginning: string, percent: number][] = [
  ['src/model/pending/', 95],
  // Who may reach the service, what each operation takes, and what is taken of others' logs.
  ['src/service/guards', 95],
  ['src/service/requests', 95],
  ['src/service/storage/projects', 95],
  ['src/service/sharing/admission', 95],
  ['src/util/secrets/', 95],
  ['src/feedback/mask', 95],
  ['src/webview/common/markdown', 95],
  ['src/', 85],
];

const noticed = new Set(['Killed', 'Timeout', 'RuntimeError']);
const unnoticed = new Set(['Survived', 'NoCoverage']);

/** The mistakes that no test noticed. */
export function survivors(planted: readonly Planted[], equivalents: readonly Equivalent[]): Planted[] {
  return planted.filter(
    (one) => unnoticed.has(one.status) && !equivalents.some((equivalent) => isSame(one, equivalent)),
  );
}

/** The score of each folder directly below `src`, and of what has an aim of its own. */
export function scoresOf(
  planted: readonly Planted[],
  equivalents: readonly Equivalent[],
): { readonly text: string; readonly isReached: boolean }[] {
  const missed = survivors(planted, equivalents);
  const count = (all: readonly Planted[], place: string): number =>
    all.filter((one) => placeOf(one.file) === place).length;
  const found = planted.filter(({ status }) => noticed.has(status));
  const places = [...new Set([...found, ...missed].map(({ file }) => placeOf(file)))].toSorted();
  return places.map((place) => {
    const [killed, alive] = [count(found, place), count(missed, place)];
    const percent = (100 * killed) / (killed + alive);
    const aim = aimOf(place);
    const isReached = percent >= aim;
    return {
      text: `${isReached ? 'enough' : 'too few'} ${place}: ${percent.toFixed(1)} % of ${killed + alive} noticed, aim ${aim} %`,
      isReached,
    };
  });
}

/** How many mistakes were planted, and where: a score says nothing of what was left out. */
export function plantedLine(planted: readonly Planted[]): string {
  const judged = planted.filter(({ status }) => noticed.has(status) || unnoticed.has(status));
  const places = [...Map.groupBy(judged, ({ file }) => placeOf(file))].map(
    ([place, all]) => `${all.length} in ${place}`,
  );
  return `${judged.length} mistakes were planted: ${places.toSorted().join(', ') || 'nowhere'}.`;
}

function isSame(one: Planted, { file, mutator, replacement }: Equivalent): boolean {
  return one.file === file && one.mutator === mutator && one.replacement === replacement;
}

/** The group that a file counts in: an aim of its own, else the folder below `src`. */
function placeOf(file: string): string {
  const own = aims.find(([beginning]) => beginning !== 'src/' && file.startsWith(beginning));
  return own?.[0].replace(/\/$/, '') ?? file.split('/').slice(0, 2).join('/');
}

function aimOf(place: string): number {
  return aims.find(([beginning]) => `${place}/`.startsWith(beginning))?.[1] ?? 0;
}
