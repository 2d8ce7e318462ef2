/** Tells what changed between two versions of a commit as a program: `npm run compare`. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { commitId } from '../src/git/commitChanges.ts';
import { compareCommits } from '../src/git/compareCommits.ts';
import { repositoryAt, type OpenRepository } from '../src/git/repository.ts';
import { describeComparison, oldPathOf, shown, type NamedVersion } from './compareText.ts';

const help = `Tells what the author changed between two versions of a commit, whatever was rebased meanwhile.

Usage: npm run compare -- [options] OLDER NEWER

  --repo PATH   The git repository (default: the current folder).
  --json        Prints {"files": [{"path", "oldPath"?, "verdict"}]} with a verdict for each file of either version:
                same, rebased, changed, conflict, added or removed.
  --help        Shows this.
`;

/** A mistake in the command line. */
class UsageError extends Error {}

interface Arguments {
  repository: string;
  older: string;
  newer: string;
  json: boolean;
}

/** @returns undefined when only help is asked for. @throws UsageError */
function readArguments(args: readonly string[]): Arguments | undefined {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        repo: { type: 'string', default: '.' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { values, positionals } = parsed;
  if (values.help) {
    return undefined;
  }
  const [older, newer, ...more] = positionals;
  if (older === undefined || newer === undefined || more.length > 0) {
    throw new UsageError('Name two commits: the older version, then the newer one.');
  }
  return { repository: path.resolve(values.repo), older, newer, json: values.json };
}

async function findVersion(repository: OpenRepository, name: string): Promise<NamedVersion> {
  let sha: string;
  try {
    sha = await commitId(repository, name);
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') {
      throw new UsageError(`Couldn't find the folder ${repository.root}, or Git.`, { cause: error });
    }
    const said = stderr?.trim() ?? '';
    throw new UsageError(said !== '' ? said : `Couldn't find commit "${name}" in ${repository.root}.`, {
      cause: error,
    });
  }
  const told = await repository.git(['show', '--no-patch', '--format=%an <%ae>%n%B', sha]);
  const [author = '', ...message] = told.split('\n');
  return { sha, author, message: message.join('\n').trim() };
}

async function main(args: readonly string[]): Promise<string> {
  const wanted = readArguments(args);
  if (!wanted) {
    return help;
  }
  const repository = repositoryAt('git', wanted.repository);
  const older = await findVersion(repository, wanted.older);
  const newer = await findVersion(repository, wanted.newer);
  const [files = []] = await compareCommits(repository, [{ older: older.sha, newer: newer.sha }], tmpdir());
  const sorted = files.toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
  if (!wanted.json) {
    return describeComparison(older, newer, sorted, styleText);
  }
  const told = sorted.map((file) => {
    const oldPath = oldPathOf(file);
    return {
      path: shown(pathOf(file)),
      ...(oldPath !== undefined && { oldPath: shown(oldPath) }),
      verdict: file.verdict,
    };
  });
  return `${JSON.stringify({ files: told }, null, 2)}\n`;
}

function pathOf({ older, newer }: Awaited<ReturnType<typeof compareCommits>>[number][number]): string {
  return (newer ?? older)?.path ?? '';
}

try {
  process.stdout.write(await main(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
