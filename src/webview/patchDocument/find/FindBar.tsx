import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from '../../common/IconButton.tsx';
import { useStore } from '../../common/store.ts';
import type { Finding } from './finding.ts';

/** The box in which the person types what they look for, as editors have it. */
export function FindBar({ finding }: { finding: Finding }) {
  const { shown, opened, text, matchCase, matches, current, searching } = useStore(
    finding.store,
    (state) => state,
  );
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [opened]);
  if (!shown) {
    return null;
  }
  const found =
    matches.length > 0
      ? l10n.t('{0} of {1}', current + 1, matches.length)
      : searching || text === ''
        ? ''
        : l10n.t('No results');
  return (
    <div
      class="find-bar"
      role="search"
      aria-label={l10n.t('Find in patch')}
      onKeyDown={(event) => onKey(event, finding)}
    >
      <input
        ref={input}
        type="text"
        value={text}
        placeholder={l10n.t('Find')}
        aria-label={l10n.t('Find')}
        spellcheck={false}
        onInput={({ currentTarget }) => finding.look({ text: currentTarget.value })}
      />
      <IconButton
        icon="case-sensitive"
        label={l10n.t('Match case')}
        pressed={matchCase}
        onClick={() => finding.look({ matchCase: !matchCase })}
      />
      <span class="find-count" role="status">
        {found}
      </span>
      <IconButton
        icon="arrow-up"
        label={l10n.t('Previous match')}
        disabled={matches.length === 0}
        onClick={() => finding.go(-1)}
      />
      <IconButton
        icon="arrow-down"
        label={l10n.t('Next match')}
        disabled={matches.length === 0}
        onClick={() => finding.go(1)}
      />
      <IconButton icon="close" label={l10n.t('Close')} onClick={() => finding.close()} />
    </div>
  );
}

function onKey(event: KeyboardEvent, finding: Finding): void {
  const inBox = event.target instanceof HTMLInputElement;
  if (event.key === 'Escape') {
    finding.close();
  } else if (event.key === 'F3' || (event.key === 'Enter' && inBox)) {
    finding.go(event.shiftKey ? -1 : 1);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}
