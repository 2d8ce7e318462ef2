/** Code with the colors of a person's theme, as it is asked for and answered. */

/** The color theme of the window, as VS Code tells it to pages. */
export interface ThemeName {
  /** The id that the setting `workbench.colorTheme` has for it. */
  id: string;
  kind: 'light' | 'dark' | 'highContrast' | 'highContrastLight';
}

/** Lines of code that are to be colored. */
export interface CodeToColor {
  /** The path of the file, or the name that the author of a text gives to its language. */
  name: { path: string } | { language: string };
  theme: ThemeName;
  lines: string[];
  /** True when it begins with the file: else nothing is known of what it begins in. */
  isStart: boolean;
}

/** The looks of a token, where they differ from those of the text. */
export interface TokenStyle {
  /** As a theme writes it: `#rrggbb`, or with the opacity. */
  color?: string;
  italic?: boolean;
  bold?: boolean;
  underline?: boolean;
  strikethrough?: boolean;
}

/** Lines of code with colors. */
export interface ColoredCode {
  styles: TokenStyle[];
  /**
   * The tokens of each line: a length and the one-based number of a style, or 0 for none, by turns. What is missing at the end of a
   * line, or of all, has no color.
   */
  lines: number[][];
}
