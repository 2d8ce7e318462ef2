/** The encodings that people declare for the files of a repository, which no guess is as good as. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { knownEncoding, type DeclaredEncoding } from './encodings.ts';

/** Characters of a file of settings that are looked at, and rules of it. */
const longestSettings = 100_000;
const mostRules = 500;

/** Files that are in an encoding; in UTF-8 where there is none. */
interface Rule {
  files: Ignore;
  encoding: string | undefined;
}

/**
 * Reads what a working tree says that its files are in: for git (`.gitattributes`), for all editors (`.editorconfig`), and
 * for VS Code. What is said of some files counts before what is said of all.
 *
 * @param editor What the editor takes files for where nothing else is said.
 */
export async function readDeclaredEncodings(directory: string, editor?: string): Promise<DeclaredEncoding> {
  const read = async (file: string): Promise<string> =>
    (await readFile(path.join(directory, file), 'utf8').catch(() => ''))
      .slice(0, longestSettings)
      .replaceAll('\r', '');
  const sections = readSections(await read('.editorconfig'));
  const settings = /"files\.encoding"\s*:\s*"([\w-]+)"/.exec(await read('.vscode/settings.json'))?.[1];
  const forAll = sections.findLast(({ pattern }) => pattern === '*')?.charset;
  const general = [settings, forAll, editor].map(knownEncoding).find((name) => name !== undefined);
  const rules = [
    ...sections
      .filter(({ pattern }) => pattern !== '*')
      .map(({ pattern, charset }) => ({ pattern, name: charset })),
    ...readAttributes(await read('.gitattributes')),
  ]
    .slice(0, mostRules)
    .map(({ pattern, name }): Rule => ({
      files: ignore().add(alternatives(pattern)),
      encoding: knownEncoding(name),
    }));
  return (file) => {
    const rule =
      file !== undefined && ignore.isPathValid(file)
        ? rules.findLast(({ files }) => files.ignores(file))
        : undefined;
    return rule ? rule.encoding : general;
  };
}

/** The sections of an `.editorconfig` that name a `charset`. */
function readSections(text: string): { pattern: string; charset: string }[] {
  return text
    .split(/^[ \t]*\[/m)
    .slice(1)
    .flatMap((section) => {
      const end = section.indexOf('\n');
      const pattern = section.slice(0, end).trimEnd().replace(/\]$/, '');
      const charset = /^[ \t]*charset[ \t]*=[ \t]*([\w-]+)/im.exec(section.slice(end))?.[1];
      return end > 0 && charset !== undefined ? [{ pattern, charset }] : [];
    });
}

/** Reads `.gitattributes`: the encoding that files are in, or were in before they were committed as UTF-8. */
function readAttributes(text: string): { pattern: string; name: string }[] {
  return text.split('\n').flatMap((line) => {
    const [pattern = '', ...attributes] = line.trim().split(/\s+/);
    const named = attributes.flatMap((one) => /^(?:working-tree-)?encoding=(.+)$/.exec(one)?.[1] ?? []);
    return pattern === '' || pattern.startsWith('#') ? [] : named.map((name) => ({ pattern, name }));
  });
}

/** The patterns that one with braces stands for, such as `*.{c,h}`: those of git have none. */
function alternatives(pattern: string): string[] {
  const {
    before = '',
    inner = '',
    after = '',
  } = /^(?<before>[^{]*)\{(?<inner>[^{}]*)\}(?<after>[^{]*)$/.exec(pattern)?.groups ?? {};
  return inner === '' ? [pattern] : inner.split(',').map((one) => `${before}${one.trim()}${after}`);
}
