/** The whole patch as lines of text, for those who hear it rather than see it. */
import * as l10n from '@vscode/l10n';
import type {
  DiffSectionView,
  GoneSection,
  MovedLines,
  PatchAsText,
  PatchView,
  PlaceInPatch,
  SectionView,
} from '../../protocol/patchDocument.ts';
import { compareProse } from '../../util/compareProse.ts';
import { languageOfPage } from '../common/size.ts';
import { sectionTitle } from '../../util/sectionTitle.ts';
import { plainText } from '../../util/visibleText.ts';
import { newlineCount } from '../../util/newlineCount.ts';
import { withBaseRemovals } from './diff/baseRemovals.ts';
import { arrange, type Line } from './diff/arrange.ts';
import { parseFileDiff } from './diff/diff.ts';
import { lineEndChange } from './diff/lineEnds.ts';
import { movedOf, movedText } from './diff/moved.ts';
import { spokenLine } from './diff/spokenRow.ts';
import { binaryText, unchangedText } from './diff/withoutLines.ts';
import { baselineText, comparedText, summaryText } from './reading/comparisonTexts.ts';
import { sectionName } from './reading/sectionName.ts';

/** Sections between two moments in which the page answers. */
const atOnce = 50;

/**
 * Writes a patch as text: each line of a diff begins with what became of it.
 *
 * @param sections as they are shown: with what is being written, in the order that the person has put them in.
 * @param diffs the diffs that did not come with the patch, by section code.
 * @param place where the person is.
 * @param moved the lines that the patch moves, by section code.
 */
export async function patchAsText(
  patch: PatchView,
  sections: readonly SectionView[],
  diffs: ReadonlyMap<string, string>,
  place: PlaceInPatch | undefined,
  moved: Readonly<Record<string, MovedLines[]>> = {},
): Promise<PatchAsText> {
  const parts = [headOf(patch)];
  const files = new Map(sections.map((section) => [section.code, section]));
  const remarkOf = (section: SectionView, line: Line): string | undefined => {
    // Once it is compared, its lines are not those of the patch.
    const lines = section.compared?.diff === undefined ? (moved[section.code] ?? []) : [];
    const found = movedOf({ moved: lines }, line);
    return (
      found && (found.isFirst ? movedText(found.moved, files.get(found.moved.other.code)) : l10n.t('moved'))
    );
  };
  let line = 0;
  let count = newlineCount(parts[0] ?? '') + 2;
  for (const [index, section] of sections.entries()) {
    if (index % atOnce === atOnce - 1) {
      await new Promise((resolve) => setTimeout(resolve));
    }
    const name = l10n.t('Section {0} of {1}: {2}', index + 1, sections.length, sectionName(section));
    const became = comparedText(section);
    const heading = became === '' ? name : l10n.t('{0} ({1})', name, became);
    const { text, at } = contentOf(
      section,
      diffs,
      (of) => remarkOf(section, of),
      place?.code === section.code ? place : undefined,
    );
    if (place?.code === section.code) {
      line = count + (at === undefined ? 0 : 1 + at);
    }
    const part = text === '' ? heading : `${heading}\n${text}`;
    parts.push(part);
    count += newlineCount(part) + 2;
  }
  return { text: `${parts.join('\n\n')}\n`, line };
}

function headOf({
  title,
  position,
  authors,
  signedOff,
  rejected,
  description,
  sections,
  comparison,
}: PatchView): string {
  const names = (people: readonly { name: string }[]): string => people.map(({ name }) => name).join(', ');
  const facts: [string, string][] = [
    [l10n.t('Authors'), names(authors)],
    [l10n.t('Signed off by'), names(signedOff)],
    [l10n.t('Changes requested by'), names(rejected)],
  ];
  const isSaid = sections.some(
    (section) => section.type === 'text' && section.text.trim() === description?.trim(),
  );
  return [
    title,
    ...(position
      ? [`${l10n.t('Patch {0} of {1}', position.index, position.count)}: ${position.stackTitle}`]
      : []),
    ...facts.flatMap(([label, text]) => (text === '' ? [] : [`${label}: ${text}`])),
    ...(description && !isSaid ? ['', description.trim()] : []),
    ...(comparison
      ? [
          '',
          `${baselineText(comparison.with)} ${summaryText(comparison)}`,
          ...comparison.removed.map(goneText),
        ]
      : []),
  ].join('\n');
}

function goneText(section: GoneSection): string {
  const name = section.kind === 'text' ? (sectionTitle(section.text) ?? l10n.t('Text')) : section.path;
  return l10n.t('Removed since then: {0}', plainText(name));
}

/** The words of a text that changed, each in a line. */
function changedWords(before: string, after: string): string[] {
  return compareProse(before, after).flatMap(({ kind, text }) => {
    const words = text.trim().replaceAll(/\s+/g, ' ');
    return words === '' || kind === 'same'
      ? []
      : kind === 'added'
        ? l10n.t('Added: {0}', words)
        : l10n.t('Removed: {0}', words);
  });
}

/** @returns what a section says, and the line of it, counted from 0, at which the person is. */
function contentOf(
  section: SectionView,
  diffs: ReadonlyMap<string, string>,
  remarkOf: RemarkOf,
  place: PlaceInPatch | undefined,
): { text: string; at?: number } {
  if (section.compared?.isFolded) {
    return { text: '' };
  }
  switch (section.type) {
    case 'text': {
      const { textBefore } = section.compared ?? {};
      const changed = textBefore === undefined ? [] : ['', ...changedWords(textBefore, section.text)];
      return { text: [section.text.replaceAll('\r\n', '\n').trim(), ...changed].join('\n') };
    }
    case 'unreadable':
      return { text: l10n.t('Couldn\'t read section "{0}".', sectionName(section)) };
    case 'diff':
      return diffContent(section, section.diff ?? diffs.get(section.code) ?? '', remarkOf, place);
  }
}

function diffContent(
  section: DiffSectionView,
  text: string,
  remarkOf: RemarkOf,
  place: PlaceInPatch | undefined,
): { text: string; at?: number } {
  const diff = parseFileDiff(text);
  if (diff?.binary) {
    return { text: binaryText(section, diff.change, languageOfPage()) };
  }
  if (!diff) {
    return { text: text === '' ? l10n.t('No diff available.') : text.trimEnd() };
  }
  if (diff.rows.length === 0) {
    return { text: unchangedText(diff) };
  }
  const arranged = arrange(diff.rows, {
    ignoreWhitespace: false,
    ignoreLineEnds: lineEndChange(diff.rows) !== undefined,
    openings: new Map(),
  });
  const lines = withBaseRemovals(arranged, section.compared?.baseRemovals);
  const { side, line: wanted } = place?.line ?? {};
  const at = lines.findIndex(
    (line) =>
      (line.type === 'add' || line.type === 'delete' || line.type === 'context') &&
      (side === 'old' ? line.oldLine : line.newLine) === wanted,
  );
  const saidWithRemark = (line: Line): string => {
    const [said, remark] = [saidOf(line), remarkOf(line)];
    return remark === undefined ? said : l10n.t('{0}, {1}', said, remark);
  };
  return { text: lines.map(saidWithRemark).join('\n'), ...(wanted !== undefined && at >= 0 && { at }) };
}

/** Says of a line that it was moved, and where. */
type RemarkOf = (line: Line) => string | undefined;

function saidOf(line: Line): string {
  switch (line.type) {
    case 'note':
      return line.text;
    case 'gap':
      return line.count === 1 ? l10n.t('1 unchanged line') : l10n.t('{0} unchanged lines', line.count);
    default:
      return spokenLine(line, line.text.trimEnd());
  }
}
