/** Lines that define a symbol. */
import { startOf, within } from '../../util/budget.ts';

/** The words of languages before the name of something that is defined there; `definition` has the same. */
export const definitionWords: readonly string[] =
  'function class interface type enum struct trait def fn func const let var val module namespace'.split(' ');

/** The name behind a word that says that it is defined there. */
const definition = within(
  1000,
  /\b(?:function|class|interface|type|enum|struct|trait|def|fn|func|const|let|var|val|module|namespace) ([\p{L}_$][\p{L}\p{N}_$]*)/u,
);

/** Nothing but words that may stand before those, such as `export` and `pub(crate)`. */
const modifiers = within(
  1000,
  /^\s*(?:(?:abstract|async|case|companion|const|data|declare|default|export|extern|final|fileprivate|implicit|inline|inner|internal|lazy|local|mut|open|override|partial|private|protected|pub(?:\([a-z:]+\))?|public|readonly|sealed|static|unsafe|virtual)\s+)*$/,
);

/** Characters of a line in which symbols are looked for. */
export const longestLine = 1_000;

/** The symbol that a line is about the definition of: before that it has no other code, and no words about code. */
export function definedAlone(line: string): string | undefined {
  const found = definition.exec(startOf(line, longestLine));
  return found && modifiers.test(line.slice(0, found.index)) ? found[1] : undefined;
}
