import * as l10n from '@vscode/l10n';
import type { ComparisonView, PatchDocumentHost, PatchView } from '../../../protocol/patchDocument.ts';
import { untilAnswered } from '../../common/host.ts';
import { baselineText, summaryText } from '../reading/comparisonTexts.ts';
import { useReading } from '../reading/reading.ts';
import { Words } from '../sections/Words.tsx';
import { inBackground } from '../../../util/inBackground.ts';

type Choice = Parameters<PatchDocumentHost['compareWith']>[0]['baseline'];

/** Says what the patch is compared with and what changed since, and leads back to all of it; or says that it has changed. */
export function ComparisonNote({ patch }: { patch: PatchView }) {
  const { comparison, changedSince } = patch;
  if (comparison) {
    return <Compared comparison={comparison} />;
  }
  return changedSince ? <Changed since={changedSince} /> : null;
}

function Compared({ comparison }: { comparison: ComparisonView }) {
  const { title, message, isFromDiffs, missing } = comparison;
  return (
    <section class="comparison" aria-label={l10n.t('Comparison')}>
      <i class="codicon codicon-compare-changes" aria-hidden="true" />
      <div>
        <p>
          {baselineText(comparison.with)} {summaryText(comparison)}
        </p>
        {title && (
          <p>
            {l10n.t('Title:')} <Words words={title} />
          </p>
        )}
        {message && (
          <p class="message">
            {l10n.t('Message:')} <Words words={message} />
          </p>
        )}
        {(isFromDiffs || missing) && (
          <p>{l10n.t("Some files' contents aren't available. Of those, only the diffs are compared.")}</p>
        )}
        {missing && <MissingContents reason={missing} />}
        {comparison.with.isFromGit && (
          <p>
            {l10n.t("Only the commit of that version was found, so texts and their order aren't compared.")}
          </p>
        )}
        <p class="comparison-actions">
          <Choose baseline="nothing" text={l10n.t('Show Whole Patch')} />
          <Choose baseline="choose" text={l10n.t('Compare With…')} />
        </p>
      </div>
    </section>
  );
}

/** Says why contents of files aren't at hand, and gets them where that can be done. */
function MissingContents({ reason }: { reason: NonNullable<ComparisonView['missing']> }) {
  const { host } = useReading();
  const get = (): void => inBackground(host.request('getContents', null, { timeoutMs: untilAnswered }));
  switch (reason) {
    case 'untrusted':
      return (
        <p>
          {l10n.t("Git isn't run in untrusted folders.")}{' '}
          <button type="button" class="link-button" onClick={get}>
            {l10n.t('Manage Workspace Trust')}
          </button>
        </p>
      );
    case 'notFetched':
      return (
        <p>
          {l10n.t("The open repository doesn't have them.")}{' '}
          <button type="button" class="link-button" onClick={get}>
            {l10n.t('Fetch')}
          </button>
        </p>
      );
    case 'notOpen':
      return <p>{l10n.t('To compare them, too, open a folder with the repository.')}</p>;
  }
}

function Changed({ since: { number, isLost } }: { since: NonNullable<PatchView['changedSince']> }) {
  const text =
    number === undefined
      ? isLost
        ? l10n.t('You read an earlier version of this patch.')
        : l10n.t('This patch changed since you read it.')
      : isLost
        ? l10n.t('You read version {0} of this patch.', number)
        : l10n.t('This patch changed since you read version {0}.', number);
  return (
    <section class="comparison" aria-label={l10n.t('Comparison')}>
      <i class="codicon codicon-compare-changes" aria-hidden="true" />
      <p>
        {text} <Choose baseline="lastRead" text={l10n.t('Show What Changed')} />
      </p>
    </section>
  );
}

/** Compares the patch with something else. */
export function Choose({ baseline, text }: { baseline: Choice; text: string }) {
  const { host } = useReading();
  return (
    <button
      type="button"
      class="link-button"
      onClick={() => inBackground(host.request('compareWith', { baseline }, { timeoutMs: untilAnswered }))}
    >
      {text}
    </button>
  );
}
