import * as vscode from 'vscode';
import { choose } from '../ui/choose.ts';
import { isCancellation } from '../ui/commands.ts';
import type { NamedLine } from '../util/proseLink.ts';
import { plainText } from '../util/visibleText.ts';

/** Asks which of several lines is meant. @returns its place among them; null when the person gives up. */
export async function chooseLine(lines: readonly NamedLine[]): Promise<number | null> {
  try {
    return await choose({
      title: vscode.l10n.t('Go to One of Several Lines'),
      placeholder: vscode.l10n.t('Select a line'),
      load: async () =>
        lines.map(({ path, line, text }, value) => ({
          label: `${plainText(path)}:${line}`,
          description: plainText(text),
          choice: { value },
        })),
    });
  } catch (error) {
    if (isCancellation(error)) {
      return null;
    }
    throw error;
  }
}
