import * as l10n from '@vscode/l10n';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { LostTextAction, LostTextView } from '../../protocol/stackPage.ts';
import { IconButton } from '../common/IconButton.tsx';
import { Prose } from '../common/Prose.tsx';
import { Toolbar } from '../common/Toolbar.tsx';
import type { Host } from './host.ts';
import { inBackground } from '../../util/inBackground.ts';

/** The texts whose commits are gone from the branch: nothing that somebody wrote is lost with a commit. */
export function LostTexts(props: {
  texts: readonly LostTextView[];
  settings: PanelSettings;
  host: Host;
  isReadOnly: boolean;
}) {
  const { texts, settings, host, isReadOnly } = props;
  if (texts.length === 0) {
    return null;
  }
  return (
    <section class="lost-texts" aria-labelledby="lost-texts">
      <h2 id="lost-texts">{l10n.t('Texts Without a Patch')}</h2>
      <p class="muted">
        {l10n.t(
          'The commits they belong to are no longer on the branch: they were dropped, rewritten, or merged. Move the texts to another patch, or delete them.',
        )}
      </p>
      <ul>
        {texts.map((text) => (
          <LostText key={text.code} text={text} settings={settings} host={host} isReadOnly={isReadOnly} />
        ))}
      </ul>
    </section>
  );
}

function LostText(props: { text: LostTextView; settings: PanelSettings; host: Host; isReadOnly: boolean }) {
  const { text, settings, host, isReadOnly } = props;
  const { code, changeId, patchTitle } = text;
  const run = (action: LostTextAction): void =>
    inBackground(host.request('lostText', { action, changeId, code }));
  return (
    <li>
      <div class="about">
        <p class="muted" dir="auto">
          {patchTitle}
        </p>
        <Prose markdown={text.text} settings={settings} id={`text-${code}`} headingsBelow={2} />
      </div>
      <Toolbar class="actions" label={l10n.t('Text')}>
        <IconButton icon="copy" label={l10n.t('Copy Text')} onClick={() => run('copy')} />
        {!isReadOnly && (
          <>
            <IconButton icon="move" label={l10n.t('Move to Patch…')} onClick={() => run('move')} />
            <IconButton icon="trash" label={l10n.t('Delete Text')} onClick={() => run('delete')} />
          </>
        )}
      </Toolbar>
    </li>
  );
}
