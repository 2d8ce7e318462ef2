/** Finds the tests that can notice a mistake in a file: those that import it, however far away; and the files that a test can import. */
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

/**
 * True when a file can be imported without VS Code, and so by a unit test: neither it nor what it imports as it is loaded needs that.
 *
 * @param read gives the text of a file; undefined when there is none.
 */
export function runsWithoutWindow(file: string, read: (file: string) => string | undefined): boolean {
  const seen = new Set([file]);
  for (const one of seen) {
    for (const imported of neededByFile(one, read(one) ?? '')) {
      if (imported === 'vscode') {
        return false;
      }
      if (imported.startsWith('.')) {
        seen.add(path.posix.join(path.posix.dirname(one), imported));
      }
    }
  }
  return true;
}

/** The modules that are loaded with a file: not those of which it only has types, nor those that it loads later. */
function neededByFile(file: string, text: string): string[] {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    const isExport = ts.isExportDeclaration(statement) && !statement.isTypeOnly;
    const isImport =
      ts.isImportDeclaration(statement) &&
      statement.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword;
    const module = isExport || isImport ? statement.moduleSpecifier : undefined;
    return module && ts.isStringLiteral(module) ? [module.text] : [];
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
