/** Finds the language of a file or of a block of code, as VS Code does. */
import ignore from 'ignore';
import type { IOnigLib } from 'vscode-textmate';
import { startOf } from '../util/budget.ts';
import type { CodeToColor } from '../util/coloring.ts';
import type { ContributedLanguage } from './contributed.ts';

/** Languages by patterns of paths: the setting `files.associations`. */
export type Associations = Readonly<Record<string, string>>;

/** Characters of a file's first line by which it may be told. */
const longestFirstLine = 200;

/** The ids of the languages that code may be in, the likeliest first; the engine tries the expressions that extensions name. */
export function languagesOf(
  { name, lines, isStart }: Pick<CodeToColor, 'name' | 'lines' | 'isStart'>,
  languages: readonly ContributedLanguage[],
  associations: Associations,
  engine: IOnigLib,
): string[] {
  return 'path' in name
    ? languagesOfFile(name.path, isStart ? lines[0] : undefined, languages, associations, engine)
    : languagesOfName(name.language.toLowerCase(), languages);
}

function languagesOfName(name: string, languages: readonly ContributedLanguage[]): string[] {
  return [
    ...languages.filter(({ id }) => id.toLowerCase() === name),
    ...languages.filter(({ names }) => names.includes(name)),
    ...languages.filter(({ endings }) => endings.includes(`.${name}`)),
  ].map(({ id }) => id);
}

function languagesOfFile(
  path: string,
  firstLine: string | undefined,
  languages: readonly ContributedLanguage[],
  associations: Associations,
  engine: IOnigLib,
): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  // The last one that says so counts, as with VS Code; and the longest ending.
  const later = languages.toReversed();
  const endings = later
    .flatMap(({ id, endings }) => endings.map((ending) => ({ id, ending })))
    .filter(({ ending }) => name.endsWith(ending))
    .sort((one, other) => other.ending.length - one.ending.length);
  return [
    ...Object.entries(associations).flatMap(([pattern, id]) => (matches(pattern, path) ? [id] : [])),
    ...later.filter(({ fileNames }) => fileNames.includes(name)).map(({ id }) => id),
    ...later.filter(({ patterns }) => patterns.some((pattern) => matches(pattern, path))).map(({ id }) => id),
    ...endings.map(({ id }) => id),
    ...later
      .filter((language) => firstLine !== undefined && isToldBy(language, firstLine, engine))
      .map(({ id }) => id),
  ];
}

function matches(pattern: string, path: string): boolean {
  try {
    return ignore({ ignorecase: true }).add(pattern).ignores(path);
  } catch {
    // A path that leads out of the repository, which only a stranger writes.
    return false;
  }
}

function isToldBy({ firstLine }: ContributedLanguage, line: string, engine: IOnigLib): boolean {
  if (firstLine === undefined) {
    return false;
  }
  try {
    const start = engine.createOnigString(startOf(line, longestFirstLine));
    return engine.createOnigScanner([firstLine]).findNextMatchSync(start, 0, 0) !== null;
  } catch {
    return false;
  }
}
