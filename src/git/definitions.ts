/** The lines of a commit's files that define a symbol. */
import { codeOnly, proseExtensions } from '../model/prose/codeOnly.ts';
import { definedAlone, definitionWords } from '../model/prose/definitionWords.ts';
import { isWithin } from '../model/prose/scopes.ts';
import type { NamedLine } from '../util/proseLink.ts';
import type { NamedSymbol } from '../util/proseNames.ts';
import { repositoryWith } from './repositories.ts';
import type { OpenRepository } from './repository.ts';

/** Milliseconds that git has to look through all files of a commit: nothing is to wait for it, and no computer to be busy with it. */
const patienceMs = 2_000;

/** Bytes of what it finds. */
const longestFound = 2_000_000;

/** Files that are read to see whether what it found is in a comment or a string, and what it is in. */
const mostRead = 100;

/** Repositories that are too large for that, by their folders. */
const tooLarge = new Set<string>();

/** Files in which people write about code. */
const proseFiles = proseExtensions.map((extension) => `:(exclude,icase)*.${extension}`);

/**
 * Finds the lines of a commit that define symbols, by how those are written. It knows nothing where the repository isn't open, or takes
 * too long to look through, and nothing of a symbol that more files may define than are read.
 */
export async function findDefinitions(
  commitSha: string | undefined,
  symbols: readonly NamedSymbol[],
  signal: AbortSignal,
): Promise<Map<string, NamedLine[]>> {
  const repository = symbols.length > 0 ? await repositoryWith(commitSha, signal) : undefined;
  if (!repository || commitSha === undefined || tooLarge.has(repository.root)) {
    return new Map();
  }
  const candidates = await linesWith(repository, commitSha, new Set(symbols.map(({ name }) => name)), signal);
  if (!candidates) {
    return new Map();
  }
  const files = new Map(
    [...new Set(candidates.map(({ path }) => path))].slice(0, mostRead).map((path) => [path, undefined]),
  );
  const contents = await readFiles(repository, commitSha, [...files.keys()], signal);
  const lines = new Map(
    [...contents].map(([path, text]) => [path, codeOnly(text, path).split('\n')] as const),
  );
  const found = new Map<string, NamedLine[]>();
  for (const { name, within, written } of symbols) {
    const named = candidates.filter(({ text }) => definedAlone(text) === name);
    if (named.every(({ path }) => lines.has(path))) {
      const isDefined = ({ path, line }: NamedLine): boolean => {
        const code = lines.get(path) ?? [];
        return definedAlone(code[line - 1] ?? '') === name && isWithin(within, path, code, line - 1);
      };
      found.set(written, named.filter(isDefined));
    }
  }
  return found;
}

/** The lines that look as if they defined one of the names; undefined where git can't tell in time. */
async function linesWith(
  repository: OpenRepository,
  commitSha: string,
  names: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<NamedLine[] | undefined> {
  const either = [...names].map((name) => name.replaceAll('$', String.raw`\$`)).join('|');
  const pattern = `(${definitionWords.join('|')}) (${either})`;
  const patience = AbortSignal.timeout(patienceMs);
  const found = await repository
    .git(
      ['grep', '-z', '-n', '-I', '-w', '-E', '-e', pattern, commitSha, '--', ...proseFiles],
      AbortSignal.any([signal, patience]),
      longestFound,
    )
    // It ends with 1 when it finds nothing.
    .catch((error: unknown) =>
      error instanceof Error && 'code' in error && error.code === 1 ? '' : undefined,
    );
  if (patience.aborted && !signal.aborted) {
    tooLarge.add(repository.root);
  }
  return found?.split('\n').flatMap((entry) => {
    const [, path, line, text = ''] = /^[0-9a-f]+:([^\0]+)\0(\d+)[\0:](.*)$/.exec(entry) ?? [];
    return path !== undefined && names.has(definedAlone(text) ?? '')
      ? { path, line: Number(line), text }
      : [];
  });
}

/** The contents of files of a commit, as far as it has them. */
async function readFiles(
  repository: OpenRepository,
  commitSha: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const input = Buffer.from(paths.map((path) => `${commitSha}:${path}\n`).join(''));
  const contents = new Map<string, string>();
  const output = Buffer.from(
    paths.length > 0
      ? await repository.gitBytes(['cat-file', '--batch'], { input, signal }).catch(() => new Uint8Array())
      : [],
  );
  let at = 0;
  for (const path of paths) {
    const end = output.indexOf('\n', at);
    const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(output.subarray(at, Math.max(at, end)).toString()) ?? [];
    if (size === undefined) {
      break;
    }
    at = end + 1 + Number(size) + 1;
    contents.set(path, output.subarray(end + 1, at - 1).toString());
  }
  return contents;
}
