/** The symbols of the lines that a patch adds. What is named in a comment or in a string is none. */
import type { PatchSection } from '../../api/types/patches.ts';
import { startOf } from '../../util/budget.ts';
import type { FileTarget, LineTarget, LinkTarget, NamedLine } from '../../util/proseLink.ts';
import { symbolOf } from '../../util/proseNames.ts';
import { codeOnly } from './codeOnly.ts';
import { definedAlone, longestLine } from './definitionWords.ts';
import { pathOf } from './filesByName.ts';
import { hunksIn } from './knownLines.ts';
import { isWithin } from './scopes.ts';

/** Characters of the lines that a patch adds in which symbols are looked for. */
const longestPatch = 4_000_000;

/** Lines of those that may be meant that are listed. */
const mostListed = 20;

/** A line that has a symbol, among those that are shown with it, without comments and strings. */
interface SymbolPlace {
  target: LineTarget;
  lines: readonly string[];
  index: number;
}

/** The lines that a patch adds, and those of them that define symbols, and that have them, by their names. */
interface PatchSymbols {
  places: readonly SymbolPlace[];
  definitions: ReadonlyMap<string, readonly SymbolPlace[]>;
  /** Most are asked for what is defined. */
  uses?: ReadonlyMap<string, readonly SymbolPlace[]>;
}

/**
 * The line that a piece of code names: one that defines its symbol; where none does, one that has it. Of several, none is picked.
 *
 * @param defined the lines of all files that define it; undefined where nobody knows them, and the patch is all there is.
 */
export function targetOfSymbol(
  code: string,
  sections: readonly PatchSection[],
  defined?: readonly NamedLine[],
): LinkTarget | undefined {
  const symbol = symbolOf(code);
  if (!symbol) {
    return undefined;
  }
  const { name, within, written } = symbol;
  const symbols = symbolsOf(sections);
  const isThere = ({ path, line }: NamedLine, { target }: SymbolPlace): boolean =>
    target.path === path && target.line === line;
  const definitions = defined
    ? defined.map(
        (place) => symbols.places.find((candidate) => isThere(place, candidate))?.target ?? fileTarget(place),
      )
    : (symbols.definitions.get(name) ?? [])
        .filter(({ target, lines, index }) => isWithin(within, target.path, lines, index))
        .map(({ target }) => target);
  const targets: readonly (FileTarget | LineTarget)[] =
    definitions.length > 0
      ? definitions
      : usesOf(name, symbols)
          .filter(({ lines, index }) => within.length === 0 || hasWhole(lines[index] ?? '', written))
          .map(({ target }) => target);
  return targets.length > 1
    ? {
        kind: 'several',
        places: targets.slice(0, mostListed),
        more: Math.max(0, targets.length - mostListed),
      }
    : targets[0];
}

function fileTarget({ path, line, text }: NamedLine): FileTarget {
  return { kind: 'file', path, start: line, end: line, lines: [startOf(text, longestLine)] };
}

/** Returns true for a line that has a name as it is written, and not as a part of another. */
function hasWhole(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    if (
      !/[\p{L}\p{N}_$.]$/u.test(line.slice(0, at)) &&
      !/^[\p{L}\p{N}_$]/u.test(line.slice(at + name.length))
    ) {
      return true;
    }
  }
  return false;
}

/** The symbols that a patch defines, with the first line that does. */
export function definitionsOf(sections: readonly PatchSection[]): { name: string; line: string }[] {
  return [...symbolsOf(sections).definitions].flatMap(([name, [first]]) =>
    first ? { name, line: first.target.text } : [],
  );
}

const known = new WeakMap<readonly PatchSection[], PatchSymbols>();

function symbolsOf(sections: readonly PatchSection[]): PatchSymbols {
  const symbols = known.get(sections) ?? findSymbols(sections);
  known.set(sections, symbols);
  return symbols;
}

function findSymbols(sections: readonly PatchSection[]): PatchSymbols {
  const places: SymbolPlace[] = [];
  const definitions = new Map<string, SymbolPlace[]>();
  let left = longestPatch;
  for (const section of sections) {
    for (const hunk of section.sectionType === 'diff' && left > 0 ? hunksIn(section.diffPatch ?? '') : []) {
      const path = section.sectionType === 'diff' ? pathOf(section) : '';
      const shown = [hunk.heading, ...hunk.lines.map(({ text }) => startOf(text, longestLine))];
      const lines = codeOnly(shown.join('\n'), path).split('\n');
      for (const [at, { line, text, isAdded }] of hunk.lines.entries()) {
        if (!isAdded || left <= 0) {
          continue;
        }
        left -= text.length;
        const index = at + 1;
        const target: LineTarget = {
          kind: 'line',
          code: section.code,
          path,
          line,
          text: shown[index] ?? '',
        };
        const place = { target, lines, index };
        places.push(place);
        const defined = definedAlone(lines[index] ?? '');
        if (defined !== undefined) {
          note(definitions, defined, place);
        }
      }
    }
  }
  return { places, definitions };
}

function usesOf(name: string, symbols: PatchSymbols): readonly SymbolPlace[] {
  symbols.uses ??= findUses(symbols.places);
  return symbols.uses.get(name) ?? [];
}

function findUses(places: readonly SymbolPlace[]): ReadonlyMap<string, readonly SymbolPlace[]> {
  const uses = new Map<string, SymbolPlace[]>();
  for (const place of places) {
    for (const [name] of (place.lines[place.index] ?? '').matchAll(/[\p{L}\p{N}_$]+/gu)) {
      note(uses, name, place);
    }
  }
  return uses;
}

function note(places: Map<string, SymbolPlace[]>, name: string, place: SymbolPlace): void {
  const there = places.get(name);
  if (!there) {
    places.set(name, [place]);
  } else if (there.at(-1) !== place) {
    there.push(place);
  }
}
