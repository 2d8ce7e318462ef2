import * as l10n from '@vscode/l10n';
import type { ReviewerView } from '../../protocol/patchStatuses.ts';
import type { PatchLine } from '../../protocol/stackPage.ts';
import { IconButton } from '../common/IconButton.tsx';
import { signatureWord } from '../common/SignatureNote.tsx';
import { TextButton } from '../common/TextButton.tsx';
import { Toolbar } from '../common/Toolbar.tsx';
import type { Host } from './host.ts';
import { inBackground } from '../../util/inBackground.ts';

/** A patch as one line: its number, title and size, how far it was read, who says what of it, and what can be done with it. */
export function PatchRow(props: { patch: PatchLine; number: number; host: Host; isReadOnly: boolean }) {
  const { patch, number, host, isReadOnly } = props;
  const { changeId, title, authors, size, reading, explained, signedOff, changesRequested } = patch;
  const { mine, unsent } = patch;
  const isChanged = reading?.isChanged === true;
  // One that has changed begins compared with what was read.
  const open = (): void => inBackground(host.request('openPatch', { changeId }));
  const review = (said: 'signedOff' | 'changesRequested'): void =>
    inBackground(host.request('review', { changeId, review: said }));
  return (
    <li>
      <span class="number" aria-hidden="true">
        {number}
      </span>
      <div class="about">
        <div class="first">
          <TextButton class="link-button title" onPress={open}>
            <span dir="auto">{title}</span>
          </TextButton>
          {reading && (
            <span class={`reading ${reading.isLeft ? 'left' : ''}`} data-reading={reading.text}>
              {reading.text}
            </span>
          )}
        </div>
        <div class="muted second">
          {authors !== '' && <span dir="auto">{authors}</span>}
          {size && <Size {...size} />}
          {explained !== undefined && <span class="explained">{explained}</span>}
          <Said people={signedOff} icon="pass" text={(names) => l10n.t('Signed off by {0}', names)} />
          <Said
            people={changesRequested}
            icon="request-changes"
            text={(names) => l10n.t('Changes requested by {0}', names)}
          />
          {unsent && (
            <span class="said">
              {unsent === 'signedOff' ? l10n.t('Signing off…') : l10n.t('Requesting changes…')}
            </span>
          )}
        </div>
      </div>
      <Toolbar class="actions" label={l10n.t('Review')}>
        <IconButton
          icon={isChanged ? 'diff' : 'book'}
          label={isChanged ? l10n.t('Read What Changed') : l10n.t('Read')}
          onClick={open}
        />
        {!isReadOnly && (
          <>
            <IconButton
              icon="pass"
              label={mine === 'signedOff' ? l10n.t('You signed off on this patch') : l10n.t('Sign Off')}
              pressed={(unsent ?? mine) === 'signedOff'}
              onClick={() => review('signedOff')}
            />
            <IconButton
              icon="request-changes"
              label={
                mine === 'changesRequested' ? l10n.t('You requested changes') : l10n.t('Request Changes')
              }
              pressed={(unsent ?? mine) === 'changesRequested'}
              onClick={() => review('changesRequested')}
            />
          </>
        )}
      </Toolbar>
    </li>
  );
}

function Size({ files, added, deleted }: NonNullable<PatchLine['size']>) {
  const inFiles = files === 1 ? l10n.t('1 file') : l10n.t('{0} files', files);
  return (
    <span class="size" role="img" aria-label={l10n.t('{0} added, {1} deleted, {2}', added, deleted, inFiles)}>
      <span class="added">+{added}</span> <span class="deleted">−{deleted}</span> · {inFiles}
    </span>
  );
}

function Said(props: { people: ReviewerView[]; icon: string; text: (names: string) => string }) {
  const { people, icon, text } = props;
  if (people.length === 0) {
    return null;
  }
  const names = people.map(nameOf).join(', ');
  const isLoud = people.some(({ signature }) => signature === 'mismatch');
  return (
    <span class={`said ${isLoud ? 'mismatch' : ''}`} dir="auto">
      <i class={`codicon codicon-${isLoud ? 'warning' : icon}`} aria-hidden="true" />
      <span>{text(names)}</span>
    </span>
  );
}

function nameOf({ name, isSelf, signature }: ReviewerView): string {
  const whole = isSelf ? l10n.t('{0} (you)', name) : name;
  return signature ? l10n.t('{0} ({1})', whole, signatureWord(signature)) : whole;
}
