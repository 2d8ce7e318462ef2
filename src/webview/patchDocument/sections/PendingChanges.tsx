import * as l10n from '@vscode/l10n';
import { Problem } from '../../common/Problem.tsx';
import { HeldElsewhere } from './HeldElsewhere.tsx';
import { useChanges, useWriting } from '../writing/WritingContext.tsx';

/** Changes of the whole patch that the service has not taken, each with the reason and what can be done about it. */
export function PendingChanges() {
  const { writing } = useWriting();
  useChanges(writing.onDidChange);
  const { order, signOff, deletions } = writing;
  return (
    <>
      <HeldElsewhere />
      {order?.proposed && (
        <div class="writing-note" role="status">
          <i class="codicon codicon-sparkle" aria-hidden="true" />
          <span>{l10n.t("An agent proposed this order of the sections. It isn't saved yet.")}</span>
          <button type="button" class="link-button" onClick={() => writing.retryPending('order')}>
            {l10n.t('Save')}
          </button>
          <button type="button" class="link-button" onClick={() => writing.discardPending('order')}>
            {l10n.t('Discard')}
          </button>
        </div>
      )}
      {order?.problem !== undefined && (
        <Pending
          text={l10n.t("Couldn't save the new section order: {0}", order.problem)}
          undecided={order.conflict}
          onRetry={() => writing.retryPending('order')}
          onDiscard={() => writing.discardPending('order')}
        />
      )}
      {signOff?.problem !== undefined && (
        <Pending
          text={
            signOff.value === 'signedOff'
              ? l10n.t("Couldn't sign off: {0}", signOff.problem)
              : l10n.t("Couldn't request changes: {0}", signOff.problem)
          }
          undecided={signOff.conflict}
          onRetry={() => writing.retryPending('signOff')}
          onDiscard={() => writing.discardPending('signOff')}
        />
      )}
      {deletions.map(
        ({ value, problem, conflict: undecided }) =>
          problem !== undefined && (
            <Pending
              key={value}
              text={l10n.t("Couldn't delete the section: {0}", problem)}
              undecided={undecided}
              onRetry={() => writing.retryPending('deletion', value)}
              onDiscard={() => writing.discardPending('deletion', value)}
            />
          ),
      )}
    </>
  );
}

function Pending(props: {
  text: string;
  undecided: boolean | undefined;
  onRetry: () => void;
  onDiscard: () => void;
}) {
  return (
    <Problem text={props.text}>
      <button type="button" class="link-button" onClick={props.onRetry}>
        {props.undecided ? l10n.t('Resolve…') : l10n.t('Retry')}
      </button>
      <button type="button" class="link-button" onClick={props.onDiscard}>
        {l10n.t('Discard')}
      </button>
    </Problem>
  );
}
