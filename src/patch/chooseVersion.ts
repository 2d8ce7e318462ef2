import * as vscode from 'vscode';
import { parseTimestamp } from '../api/timestamp.ts';
import type { Baseline, VersionOffer } from '../model/reading/versions.ts';
import { choose, type Choice } from '../ui/choose.ts';

/** Has the person choose what a patch is compared with; undefined for nothing. @throws {CancelledError} when they give up. */
export async function chooseVersion(
  load: () => Promise<VersionOffer[]>,
  patchTitle: string,
): Promise<Baseline | undefined> {
  const { baseline } = await choose<{ baseline: Baseline | undefined }>({
    title: vscode.l10n.t('Compare "{0}" With', patchTitle),
    placeholder: vscode.l10n.t('Select a version'),
    loading: vscode.l10n.t('Looking for versions…'),
    load: async () => [
      {
        label: vscode.l10n.t('Nothing'),
        description: vscode.l10n.t('shows the whole patch'),
        choice: { value: { baseline: undefined } },
      },
      ...(await load()).map(choiceOf),
    ],
  });
  return baseline;
}

function choiceOf({ baseline, number, createdAt, isThere }: VersionOffer): Choice<{ baseline: Baseline }> {
  const version = number === undefined ? undefined : vscode.l10n.t('Version {0}', number);
  const own = {
    lastRead: vscode.l10n.t('What You Last Read'),
    signedOff: vscode.l10n.t('What You Signed Off On'),
    version: undefined,
  }[baseline.kind];
  const facts = [
    own && version,
    createdAt === undefined ? undefined : dateOf(createdAt),
    isThere ? undefined : vscode.l10n.t('no longer available'),
  ];
  const label = own ?? version ?? vscode.l10n.t('Older Version');
  return {
    label,
    description: facts.filter((fact) => fact !== undefined).join(', '),
    choice: { value: { baseline } },
    ...(!isThere && {
      refusal: vscode.l10n.t("Couldn't find this version on this computer, on the server, or in Git."),
    }),
  };
}

function dateOf(timestamp: string): string {
  const date = parseTimestamp(timestamp);
  return date?.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }) ?? timestamp;
}
