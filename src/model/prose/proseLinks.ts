/** The things that a text of a patch names, as far as they are in its stack: patches, people, and symbols that its files change. */
import type { DiffSection, Patch, PatchSection, PatchUser } from '../../api/types/patches.ts';
import type { LinkTarget } from '../../util/proseLink.ts';
import { startOf, within } from '../../util/budget.ts';
import { symbolOf, type ProseWord } from '../../util/proseNames.ts';
import { changesIn } from '../reading/hunks.ts';

/** The places that a text can lead to without anything being asked for. */
export interface LinkPlaces {
  /** The patch that the text is in. */
  patch: Patch;
  /** Those of its stack. */
  patches: readonly Patch[];
}

/** Characters of a commit's SHA from which on it is told from other words. */
const shortestSha = 7;

/** The patch or the person that a word names; undefined when it is neither. */
export function targetOfWord(
  { name, start }: ProseWord,
  { patch, patches }: LinkPlaces,
): LinkTarget | undefined {
  if (start !== undefined) {
    return undefined;
  }
  const isSha = name.length >= shortestSha && /^[0-9a-f]{7,64}$/.test(name);
  const all = [patch, ...patches];
  const named = all.find(
    ({ changeId, commitSha }) => changeId === name || (isSha && commitSha?.startsWith(name) === true),
  );
  if (named) {
    return { kind: 'patch', changeId: named.changeId, title: named.title ?? '' };
  }
  const login = name.startsWith('@') ? name.slice(1) : undefined;
  return login !== undefined && isInStack(login, all) ? { kind: 'person', login } : undefined;
}

function isInStack(login: string, patches: readonly Patch[]): boolean {
  const isThey = (user: PatchUser | undefined): boolean => user?.login === login;
  return patches.some(
    ({ contributors, review, reviewAll }) =>
      contributors.some(({ user }) => isThey(user)) ||
      [review, reviewAll].some((all) =>
        [all?.viewed, all?.signedOff, all?.rejected].some((users) => users?.some(isThey) === true),
      ),
  );
}

/** The words of languages before the name of something that is defined there; `definition` has the same. */
export const definitionWords: readonly string[] =
  'function class interface type enum struct trait def fn func const let var val module namespace'.split(' ');

/** The name behind a word that says that it is defined there. */
const definition = within(
  1000,
  /\b(?:function|class|interface|type|enum|struct|trait|def|fn|func|const|let|var|val|module|namespace) ([\p{L}_$][\p{L}\p{N}_$]*)/u,
);

/** Nothing but words such as `export` and `pub(crate)`. */
const modifiers = within(1000, /^\s*(?:[a-z]+(?:\([a-z]+\))?\s+)*$/);

/** The symbol that a line of code defines. */
export function definedIn(line: string): string | undefined {
  return definition.exec(startOf(line, longestLine))?.[1];
}

/** The symbol that a line is about the definition of: before that it has no other code, and no words about code. */
export function definedAlone(line: string): string | undefined {
  const found = definition.exec(startOf(line, longestLine));
  return found && modifiers.test(line.slice(0, found.index)) ? found[1] : undefined;
}

/** Characters of the lines that a patch adds in which symbols are looked for, and of one of them. */
const longestPatch = 4_000_000;
const longestLine = 1_000;

interface SymbolPlace {
  target: LinkTarget;
  isDefinition: boolean;
}

const symbolsOf = new WeakMap<readonly PatchSection[], ReadonlyMap<string, SymbolPlace>>();

/** The line of the patch that a piece of code names: where a symbol is defined, else where it first stands. */
export function targetOfSymbol(code: string, sections: readonly PatchSection[]): LinkTarget | undefined {
  const name = symbolOf(code);
  if (name === undefined) {
    return undefined;
  }
  const symbols = symbolsOf.get(sections) ?? findSymbols(sections);
  symbolsOf.set(sections, symbols);
  return symbols.get(name)?.target;
}

/** The symbols that a patch defines, with the line where it does. */
export function definitionsOf(sections: readonly PatchSection[]): { name: string; line: string }[] {
  const symbols = symbolsOf.get(sections) ?? findSymbols(sections);
  symbolsOf.set(sections, symbols);
  return [...symbols].flatMap(([name, { target, isDefinition }]) =>
    isDefinition && target.kind === 'line' ? { name, line: target.text } : [],
  );
}

function findSymbols(sections: readonly PatchSection[]): ReadonlyMap<string, SymbolPlace> {
  const symbols = new Map<string, SymbolPlace>();
  let left = longestPatch;
  for (const section of sections) {
    for (const { line, text } of section.sectionType === 'diff' && left > 0 ? addedLines(section) : []) {
      left -= text.length;
      const start = startOf(text, longestLine);
      const target: LinkTarget = { kind: 'line', code: section.code, line, text: start };
      const defined = definedIn(start);
      if (defined !== undefined && symbols.get(defined)?.isDefinition !== true) {
        symbols.set(defined, { target, isDefinition: true });
      }
      for (const [name] of start.matchAll(/[\p{L}\p{N}_$]+/gu)) {
        if (!symbols.has(name)) {
          symbols.set(name, { target, isDefinition: false });
        }
      }
    }
  }
  return symbols;
}

function* addedLines({ diffPatch = '' }: DiffSection): Generator<{ line: number; text: string }> {
  for (const change of changesIn(diffPatch)) {
    let line = change?.place.new.start ?? 1;
    for (const text of change?.lines ?? []) {
      if (text.startsWith('+')) {
        yield { line, text: text.slice(1) };
        line += 1;
      }
    }
  }
}
