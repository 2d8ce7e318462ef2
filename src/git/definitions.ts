/** The lines of a commit's files that define a symbol. */
import { definedAlone, definitionWords } from '../model/prose/proseLinks.ts';
import { repositoryWith } from './repositories.ts';

/** A line that defines a symbol. */
export interface Definition {
  path: string;
  /** One-based. */
  line: number;
  text: string;
}

/** Milliseconds that git has to look through all files of a commit: nothing is to wait for it, and no computer to be busy with it. */
const patienceMs = 2_000;

/** Bytes of what it finds. */
const longestFound = 2_000_000;

/** Repositories that are too large for that, by their folders. */
const tooLarge = new Set<string>();

/** Files in which people write about code. */
const proseFiles = ['md', 'mdx', 'markdown', 'rst', 'adoc', 'txt', 'html'].map(
  (extension) => `:(exclude,icase)*.${extension}`,
);

/**
 * Finds the one line of a commit that defines a symbol, for each of several; of those that are defined in several places nobody knows
 * which one is meant. It finds none where the repository isn't open, or takes too long to look through.
 */
export async function findDefinitions(
  commitSha: string | undefined,
  symbols: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Definition>> {
  const repository = symbols.length > 0 ? await repositoryWith(commitSha, signal) : undefined;
  if (!repository || commitSha === undefined || tooLarge.has(repository.root)) {
    return new Map();
  }
  const names = symbols.map((symbol) => symbol.replaceAll('$', String.raw`\$`)).join('|');
  const pattern = `(${definitionWords.join('|')}) (${names})`;
  const patience = AbortSignal.timeout(patienceMs);
  const found = await repository
    .git(
      ['grep', '-z', '-n', '-I', '-w', '-E', '-e', pattern, commitSha, '--', ...proseFiles],
      AbortSignal.any([signal, patience]),
      longestFound,
    )
    // It fails, too, when it finds nothing.
    .catch(() => '');
  if (patience.aborted && !signal.aborted) {
    tooLarge.add(repository.root);
  }
  return onlyDefinitions(found, new Set(symbols));
}

function onlyDefinitions(found: string, wanted: ReadonlySet<string>): Map<string, Definition> {
  const places = new Map<string, Definition | 'several'>();
  for (const entry of found.split('\n')) {
    const [, path, line, text = ''] = /^[0-9a-f]+:([^\0]+)\0(\d+)[\0:](.*)$/.exec(entry) ?? [];
    const symbol = definedAlone(text);
    if (path !== undefined && symbol !== undefined && wanted.has(symbol)) {
      places.set(symbol, places.has(symbol) ? 'several' : { path, line: Number(line), text });
    }
  }
  return new Map([...places].flatMap(([symbol, place]) => (place === 'several' ? [] : [[symbol, place]])));
}
