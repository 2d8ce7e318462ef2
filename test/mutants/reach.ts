/** Finds the tests that can notice a mistake in a file: those that import it, however far away. */
import path from 'node:path';
import ts from 'typescript';

/**
 * The tests that reach one of these files.
 *
 * @param tests test files, and
 * @param targets files of the sources, all from the folder of the project.
 * @param read gives the text of a file; undefined when there is none.
 */
export function testsThatReach(
  tests: readonly string[],
  targets: ReadonlySet<string>,
  read: (file: string) => string | undefined,
): string[] {
  const imports = new Map<string, readonly string[]>();
  const importsOf = (file: string): readonly string[] => {
    const known = imports.get(file) ?? findImports(file, read(file));
    imports.set(file, known);
    return known;
  };
  return tests.filter((test) => {
    const seen = new Set([test]);
    for (const file of seen) {
      if (targets.has(file)) {
        return true;
      }
      importsOf(file).forEach((next) => seen.add(next));
    }
    return false;
  });
}

function findImports(file: string, text: string | undefined): readonly string[] {
  return text === undefined
    ? []
    : ts
        .preProcessFile(text, true, true)
        .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
        .map(({ fileName }) => path.posix.join(path.posix.dirname(file), fileName));
}
