/**
 * What the package is made of, by size: a table for people in docs/package.md, and the start budget in test/startBudget.json, which says
 * what the files have that are loaded until the first row is there. `npm run package -- --note-sizes` writes both.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format } from 'prettier';
import { openPromise } from 'yauzl';
import { root } from './provision.ts';

/** A file of a package; in bytes, as it is and as it is packed. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: number;
  readonly packed: number;
}

/** The name of each file that is loaded until the first row is there, and the most KB that it may have. */
export type StartBudget = Readonly<Record<string, number>>;

const tableFile = path.join(root, 'docs/package.md');
const budgetFile = path.join(root, 'test/startBudget.json');

/** Bytes: smaller files are in the table together, with those of their folder. */
const smallest = 10 * 1024;

/** Packed files and their rows in the table may differ by this much, so that it isn't written anew for each change. */
const tolerance = 0.1;

/** The files of a package, as its directory has them. */
export async function packedFiles(vsix: string): Promise<PackedFile[]> {
  const zip = await openPromise(vsix, { lazyEntries: true });
  const files: PackedFile[] = [];
  for await (const { fileName, uncompressedSize, compressedSize } of zip.eachEntry()) {
    files.push({
      name: fileName.replace('extension/', ''),
      bytes: uncompressedSize,
      packed: compressedSize,
    });
  }
  return files;
}

/** What there is a row for, the largest first: each large file, and of a folder what is left. */
function rowsOf(files: readonly PackedFile[]): PackedFile[] {
  const rows = new Map<string, PackedFile>();
  for (const file of files) {
    // A file of styles and code has its name made of what is in it.
    const isLarge = file.packed >= smallest && !/-[A-Z0-9]{8}\./.test(file.name);
    const name = isLarge ? file.name : path.posix.join(path.posix.dirname(file.name), '…');
    const { bytes = 0, packed = 0 } = rows.get(name) ?? {};
    rows.set(name, { name, bytes: bytes + file.bytes, packed: packed + file.packed });
  }
  return [...rows.values()].sort((a, b) => b.packed - a.packed);
}

/** The table of the files of a package, in KB. */
export function sizesTable(files: readonly PackedFile[]): string {
  const lines = rowsOf(files).map(
    ({ name, bytes, packed }) => `| ${name} | ${kilobytes(packed)} | ${kilobytes(bytes)} |`,
  );
  return ['| File | KB in the package | KB as it is |', '| --- | ---: | ---: |', ...lines].join('\n');
}

/** What is wrong with the sizes of a package: a file of the start that has more than its budget, or a row of the table that isn't true any more. */
export function complaintsAboutSizes(
  files: readonly PackedFile[],
  table: string,
  budget: StartBudget,
): string[] {
  const bytesOf = new Map(files.map(({ name, bytes }) => [name, bytes]));
  const overBudget = Object.entries(budget)
    .filter(([name, most]) => !(kilobytes(bytesOf.get(name) ?? Infinity) <= most))
    .map(
      ([name, most]) =>
        `${name} is loaded for the first row, and has ${kilobytes(bytesOf.get(name) ?? 0)} KB: test/startBudget.json says ${most}.`,
    );
  const noted = new Map(
    [...table.matchAll(/^\| (\S+) +\| +(\d+) \|/gm)].map(([, name = '', packed]) => [name, Number(packed)]),
  );
  const isTrue = ({ name, packed }: PackedFile): boolean =>
    Math.abs(kilobytes(packed) - (noted.get(name) ?? -Infinity)) <=
    Math.max(1, kilobytes(packed) * tolerance);
  const untrue = rowsOf(files)
    .filter((row) => !isTrue(row))
    .map(
      ({ name, packed }) =>
        `docs/package.md isn't true: ${name} has ${kilobytes(packed)} KB, not ${noted.get(name) ?? 'none'}.`,
    );
  const complaints = [...overBudget, ...untrue];
  return complaints.length > 0
    ? [...complaints, 'If that is meant: npm run package -- --note-sizes']
    : complaints;
}

/** The start budget of the repository. */
export async function startBudget(): Promise<StartBudget> {
  return JSON.parse(await readFile(budgetFile, 'utf8')) as StartBudget;
}

/** See `complaintsAboutSizes`: of a package, held against what the repository says of it. */
export async function complaintsAboutNotedSizes(vsix: string): Promise<string[]> {
  return complaintsAboutSizes(
    await packedFiles(vsix),
    await readFile(tableFile, 'utf8'),
    await startBudget(),
  );
}

/** Writes what the repository says of the sizes of a package as they are. */
export async function noteSizes(vsix: string): Promise<void> {
  const files = await packedFiles(vsix);
  const text = await readFile(tableFile, 'utf8');
  const noted = `${text.slice(0, text.indexOf('| File'))}${sizesTable(files)}\n`;
  await writeFile(tableFile, await format(noted, { parser: 'markdown' }));
  const now = Object.keys(await startBudget()).map((name) => [
    name,
    kilobytes(files.find((file) => file.name === name)?.bytes ?? 0),
  ]);
  await writeFile(budgetFile, `${JSON.stringify(Object.fromEntries(now), undefined, 2)}\n`);
}

function kilobytes(bytes: number): number {
  return Math.ceil(bytes / 1024);
}
