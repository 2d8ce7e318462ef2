/** Tells what changed between two versions of a commit, or of a stack of them, as a program: `npm run compare`. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, styleText } from 'node:util';
import './englishTexts.ts';
import { commitId } from '../src/git/commitChanges.ts';
import { repositoryAt, type OpenRepository } from '../src/git/repository.ts';
import { pairPatches, type PatchPair } from '../src/model/reading/pairPatches.ts';
import { compareStacks, isDisputed, pathOf, versionsOf, type ToldPatch } from './compareStacks.ts';
import { describeComparison, describeStacks, oldPathOf, shown, type NamedVersion } from './compareText.ts';

const { readingText } = await import('../src/ui/readingTexts.ts');

const help = `Tells what the author changed between two versions of a commit, or of a stack of them, whatever was rebased meanwhile.

Usage: npm run compare -- [options] OLDER NEWER
       npm run compare -- [options] BASE..OLDER BASE..NEWER
       npm run compare -- [options] OLDER...NEWER
       npm run compare -- [options] BASE OLDER NEWER

Stacks are named as for git range-diff, and their patches are paired. Of each patch it says what became of its files, and
what its row in the stacks view says for someone who has read the older version.

  --repo PATH   The git repository (default: the current folder).
  --json        Prints {"files": [{"path", "oldPath"?, "verdict"}], "state"} with a verdict for each file of either version:
                same, rebased, changed, conflict, added or removed, and the state of the row: read, unchanged, rebased,
                changed or alike. Of stacks, {"patches": [{"older"?, "newer"?, "state"?, "files"?}]}.
  --help        Shows this.

Ends with 1 where a row says something else than the files.
`;

/** A mistake in the command line. */
class UsageError extends Error {}

interface Arguments {
  repository: string;
  /** The names of two commits, or what to ask `git rev-list` for the commits of two stacks. */
  older: string;
  newer: string;
  isStack: boolean;
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
  return { repository: path.resolve(values.repo), json: values.json, ...readVersions(positionals) };
}

/** @throws UsageError */
function readVersions(names: readonly string[]): Pick<Arguments, 'older' | 'newer' | 'isStack'> {
  const [one = '', other = '', third = ''] = names;
  const [, left = '', right = ''] = /^(.*)\.\.\.(.*)$/.exec(one) ?? [];
  if (names.length === 1 && left !== '' && right !== '') {
    return { older: `${right}..${left}`, newer: `${left}..${right}`, isStack: true };
  }
  if (
    names.length === 2 &&
    one.includes('..') === other.includes('..') &&
    !names.some((name) => name.includes('...'))
  ) {
    return { older: one, newer: other, isStack: one.includes('..') };
  }
  if (names.length === 3 && !names.some((name) => name.includes('..'))) {
    return { older: `${one}..${other}`, newer: `${one}..${third}`, isStack: true };
  }
  throw new UsageError('Name two commits or two ranges of them: the older version, then the newer one.');
}

/** Asks git for what was named. @throws UsageError */
async function ask<T>(repository: OpenRepository, name: string, answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
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
}

/** The commits of a stack, the first one first, without merges: those are no patches. @throws UsageError */
async function findStack(repository: OpenRepository, range: string): Promise<string[]> {
  const printed = await ask(repository, range, () =>
    repository.git(['rev-list', '--reverse', '--topo-order', '--no-merges', '--end-of-options', range, '--']),
  );
  return printed.split('\n').filter((sha) => sha !== '');
}

async function namedVersion(repository: OpenRepository, sha: string): Promise<NamedVersion> {
  const told = await repository.git(['show', '--no-patch', '--format=%an <%ae>%n%B', sha]);
  const [author = '', ...message] = told.split('\n');
  return { sha, author, message: message.join('\n').trim() };
}

/** @returns what to print, and whether all rows say what the files do. */
async function main(args: readonly string[]): Promise<{ text: string; isAgreed: boolean }> {
  const wanted = readArguments(args);
  if (!wanted) {
    return { text: help, isAgreed: true };
  }
  const { older, newer, isStack, json } = wanted;
  const repository = repositoryAt('git', wanted.repository);
  const find = async (name: string): Promise<string[]> =>
    isStack ? findStack(repository, name) : [await ask(repository, name, () => commitId(repository, name))];
  const [before, after] = [await find(older), await find(newer)];
  const versions = [await versionsOf(repository, before), await versionsOf(repository, after)] as const;
  const [[one], [other]] = versions;
  const pairs: PatchPair[] =
    !isStack && one && other ? [{ older: one, newer: other, isMoved: false }] : pairPatches(...versions);
  const told = await compareStacks(repository, pairs, tmpdir());
  const isAgreed = !told.some(isDisputed);
  if (json) {
    const patches = told.map(jsonOf);
    const [patch] = patches;
    const found = isStack ? { patches } : { files: patch?.files, state: patch?.state };
    return { text: `${JSON.stringify(found, null, 2)}\n`, isAgreed };
  }
  if (isStack) {
    return { text: describeStacks(versions, told, readingText, styleText), isAgreed };
  }
  const [patch] = told;
  const [was, is] = [
    await namedVersion(repository, before[0] ?? ''),
    await namedVersion(repository, after[0] ?? ''),
  ];
  return { text: patch ? describeComparison(was, is, patch, readingText, styleText) : '', isAgreed };
}

/** A patch of either version, for programs. */
function jsonOf({ older, newer, row, commits }: ToldPatch) {
  return {
    ...(older && { older: older.commitSha }),
    ...(newer && { newer: newer.commitSha }),
    ...(row && { state: row.state }),
    ...(commits && {
      files: commits.files.map((file) => {
        const oldPath = oldPathOf(file);
        return {
          path: shown(pathOf(file)),
          ...(oldPath !== undefined && { oldPath: shown(oldPath) }),
          verdict: file.verdict,
        };
      }),
    }),
  };
}

try {
  const { text, isAgreed } = await main(process.argv.slice(2));
  process.stdout.write(text);
  process.exitCode = isAgreed ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
