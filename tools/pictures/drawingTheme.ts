/**
 * The theme that the drawings of the walkthrough are made with: each of its colors is there once, and so says which color of VS Code it
 * is. A drawing names that one, and has the colors of whoever looks at it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** As it is called in VS Code. */
export const drawingTheme = 'Drawing';

/** Colors that lie behind something, by the names that they have in themes. */
const behind = [
  'badge.background',
  'button.background',
  'button.secondaryBackground',
  'checkbox.background',
  'diffEditor.insertedLineBackground',
  'diffEditor.insertedTextBackground',
  'diffEditor.removedLineBackground',
  'diffEditor.removedTextBackground',
  'diffEditor.unchangedRegionBackground',
  'dropdown.background',
  'editor.background',
  'editorGroupHeader.tabsBackground',
  'editorWidget.background',
  'input.background',
  'inputOption.activeBackground',
  'keybindingLabel.background',
  'list.activeSelectionBackground',
  'list.inactiveSelectionBackground',
  'quickInput.background',
  'quickInputList.focusBackground',
  'sideBar.background',
  'sideBarSectionHeader.background',
  'tab.activeBackground',
  'tab.inactiveBackground',
  'textBlockQuote.background',
  'textCodeBlock.background',
  'textPreformat.background',
  'toolbar.hoverBackground',
];

/** Those of texts, icons and lines. */
const inFront = [
  'badge.foreground',
  'button.foreground',
  'button.secondaryForeground',
  'charts.blue',
  'charts.purple',
  'charts.yellow',
  'checkbox.border',
  'checkbox.foreground',
  'descriptionForeground',
  'disabledForeground',
  'editor.foreground',
  'editorCursor.foreground',
  'editorGroup.border',
  'editorGroupHeader.tabsBorder',
  'editorLineNumber.activeForeground',
  'editorLineNumber.foreground',
  'editorWarning.foreground',
  'editorWidget.border',
  'editorWidget.foreground',
  'errorForeground',
  'focusBorder',
  'foreground',
  'gitDecoration.addedResourceForeground',
  'gitDecoration.deletedResourceForeground',
  'gitDecoration.modifiedResourceForeground',
  'icon.foreground',
  'input.border',
  'input.foreground',
  'inputOption.activeBorder',
  'inputOption.activeForeground',
  'keybindingLabel.border',
  'keybindingLabel.bottomBorder',
  'keybindingLabel.foreground',
  'list.activeSelectionForeground',
  'list.activeSelectionIconForeground',
  'list.highlightForeground',
  'list.inactiveSelectionForeground',
  'pickerGroup.border',
  'progressBar.background',
  'quickInput.foreground',
  'quickInputList.focusForeground',
  'quickInputList.focusIconForeground',
  'sideBar.border',
  'sideBar.foreground',
  'sideBarSectionHeader.border',
  'sideBarSectionHeader.foreground',
  'sideBarTitle.foreground',
  'symbolIcon.fileForeground',
  'tab.activeForeground',
  'tab.border',
  'tab.inactiveForeground',
  'testing.iconFailed',
  'testing.iconPassed',
  'textBlockQuote.border',
  'textLink.activeForeground',
  'textLink.foreground',
  'textPreformat.foreground',
  'tree.indentGuidesStroke',
  'tree.inactiveIndentGuidesStroke',
  'widget.border',
];

/** What stands for the colors of code, which only VS Code's editors know: the name of the color, and what is written in it. */
const ofCode: readonly [color: string, scopes: string[], style?: string][] = [
  ['descriptionForeground', ['comment', 'punctuation.definition.comment']],
  ['debugTokenExpression.string', ['string', 'punctuation.definition.string', 'markup.inline.raw']],
  ['debugTokenExpression.name', ['keyword', 'storage']],
  ['debugTokenExpression.number', ['constant.numeric']],
  ['debugTokenExpression.boolean', ['constant.language', 'variable.language', 'support.type.primitive']],
  ['symbolIcon.functionForeground', ['entity.name.function', 'support.function']],
  ['symbolIcon.classForeground', ['entity.name.type', 'support.class', 'support.type']],
  ['editor.foreground', ['markup.bold'], 'bold'],
  ['editor.foreground', ['markup.italic'], 'italic'],
];

/** What newer versions have for a part of the window, or what would be no color to see, and what stands for it. */
const standIns: Readonly<Record<string, string>> = {
  'editor.border': 'widget.border',
  'list.focusHighlightForeground': 'quickInputList.focusForeground',
  'modernActivityBar.border': 'widget.border',
  'modernPanel.border': 'widget.border',
  'surface.border': 'widget.border',
  'titleBar.activeBackground': 'editorGroupHeader.tabsBackground',
};

/** Of what marks up texts, the page has colors of its own: see syntaxColors.css. */
const ofPages: Readonly<Record<string, string>> = {
  '#0000ff': 'debugTokenExpression.boolean',
  '#a31515': 'debugTokenExpression.string',
};

function hex(red: number, green: number, blue: number): string {
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

// Light ones behind dark ones: what the page draws so that it can be read stays as it is.
const ownColors = [
  ...behind.map((name, index) => [name, hex(255 - index, 253, 250)] as const),
  ...inFront.map((name, index) => [name, hex(index, 10, 20)] as const),
];

const codeColors = ofCode.map(([name], index) => [name, hex(index, 40, 0)] as const);

/** The name of each color, as a style sheet has it, by its red, green and blue. */
export const colorNames: ReadonlyMap<string, string> = new Map(
  [
    ...ownColors,
    ...codeColors,
    ...Object.entries(ofPages).map(([color, name]) => [name, color] as const),
  ].map(([name, color]) => [color, `--vscode-${name.replaceAll('.', '-')}`]),
);

/** Writes the theme, as an extension. @param folder its own, which is made. */
export async function writeDrawingTheme(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const manifest = {
    name: 'drawing-theme',
    publisher: 'patch-stacks-test',
    version: '1.0.0',
    engines: { vscode: '^1.105.0' },
    contributes: { themes: [{ label: drawingTheme, uiTheme: 'vs', path: './theme.json' }] },
  };
  const colors = Object.fromEntries(ownColors);
  for (const [name, other] of Object.entries(standIns)) {
    colors[name] = colors[other] ?? '';
  }
  const theme = {
    name: drawingTheme,
    type: 'light',
    colors,
    tokenColors: ofCode.map(([, scope, fontStyle], index) => ({
      scope,
      settings: { foreground: codeColors[index]?.[1], ...(fontStyle !== undefined && { fontStyle }) },
    })),
  };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(folder, 'theme.json'), JSON.stringify(theme));
}
