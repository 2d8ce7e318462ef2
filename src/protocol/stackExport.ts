/** A patch stack as it is exported, and what the file is made by. */
import type { CodeToColor, ColoredCode } from '../util/coloring.ts';
import type { Formula } from '../util/formula.ts';
import type { DiffSectionView } from './patchDocument.ts';

/** One file that a patch changes, or a text about it. */
export type ExportedSection = { type: 'text'; text: string } | ExportedDiff;

/** A file, with its diff. */
export type ExportedDiff = Pick<
  DiffSectionView,
  'type' | 'path' | 'oldPath' | 'added' | 'deleted' | 'oldSize' | 'newSize'
> & { diff: string };

export interface ExportedPatch {
  title: string;
  changeId: string;
  /** Authors, commit, who has said what: each in words. */
  facts: string[];
  /** The message of its commit; missing where a section says the same. */
  description?: string;
  sections: ExportedSection[];
}

export interface ExportedStack {
  title: string;
  /** Project, branch and version, in words. */
  facts: string[];
  /** Markdown; missing when there is none. */
  description?: string;
  /** Base to tip. */
  patches: ExportedPatch[];
  /** As HTML has it: `en`. */
  language: string;
  /** The texts of the window's language, as VS Code has them; empty for English. */
  bundle: Record<string, string>;
}

/** Colors code as VS Code's own light or dark theme does; null when no extension knows its language. */
export type ColorForOthers = (
  theme: 'light' | 'dark',
  code: Omit<CodeToColor, 'theme'>,
) => Promise<ColoredCode | null>;

/** HTML with MathML for each formula of a text; null for those that can't be drawn. */
export type DrawFormulas = (formulas: readonly Formula[]) => Promise<(string | null)[]>;

/** The help of the extension host with a page. */
export interface ExportHelp {
  color: ColorForOthers;
  draw: DrawFormulas;
}

/** The functions of `stackExport.mjs`, which is loaded in the extension host. The same stack always gives the same text. */
export interface StackExporter {
  /** One page that stands alone: it needs no script to be read, and asks nobody for anything. */
  stackAsHtml: (stack: ExportedStack, help: ExportHelp, signal: AbortSignal) => Promise<string>;
  stackAsMarkdown: (stack: ExportedStack) => string;
}
