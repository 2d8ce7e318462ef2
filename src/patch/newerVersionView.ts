import * as vscode from 'vscode';
import type { Newer } from '../model/reading/newerVersion.ts';
import type { NewerVersionView } from '../protocol/patchDocument.ts';
import { changesSummary } from '../ui/readingTexts.ts';
import { plainText } from '../util/visibleText.ts';

/** Says that there is a newer version, and what became of the patches in it as far as that is known. */
export function newerVersionView({ newest, changes, changed }: Newer): NewerVersionView {
  const name = plainText(newest.version ?? newest.uuid);
  return {
    id: newest.uuid,
    text: changes
      ? vscode.l10n.t('Version {0} is here: {1}.', name, changesSummary(changes))
      : vscode.l10n.t('Version {0} is here.', name),
    action: changed.length > 0 ? vscode.l10n.t('Read What Changed') : vscode.l10n.t('Open Newest Version'),
  };
}
