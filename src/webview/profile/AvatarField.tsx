import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { avatarTypes, largestAvatar } from '../../protocol/profile.ts';
import { Button } from '../common/controls.tsx';
import { inBackground } from '../../util/inBackground.ts';

/** Chooses an image of the person, which is sent with everything else. */
export function AvatarField(props: {
  /** The image that was chosen and is not sent yet. */
  chosen: string | undefined;
  problem: string | undefined;
  busy: boolean;
  onChoose: (file: File) => Promise<void>;
  onDrop: () => void;
}) {
  const { chosen, problem, busy, onChoose, onDrop } = props;
  const file = useRef<HTMLInputElement>(null);

  async function choose(input: HTMLInputElement): Promise<void> {
    const [wanted] = input.files ?? [];
    if (wanted) {
      await onChoose(wanted);
      // The same file can be chosen again, after it was corrected.
      input.value = '';
    }
  }

  return (
    <div class="field" role="group" aria-labelledby="avatar-label">
      <span id="avatar-label">
        <strong>{l10n.t('Profile picture')}</strong>
      </span>
      <input
        ref={file}
        id="avatar"
        type="file"
        class="visually-hidden"
        tabIndex={-1}
        aria-hidden="true"
        accept={avatarTypes}
        onChange={(event) => inBackground(choose(event.currentTarget))}
      />
      <div class="new-avatar">
        <Button
          class="secondary"
          disabled={busy}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? 'avatar-hint' : 'avatar-problem'}
          onClick={() => file.current?.click()}
        >
          {l10n.t('Choose Image…')}
        </Button>
        {chosen !== undefined && (
          <Button class="secondary" disabled={busy} onClick={onDrop}>
            {l10n.t('Keep Current Image')}
          </Button>
        )}
      </div>
      {problem === undefined ? (
        <p class="hint" id="avatar-hint">
          {chosen === undefined
            ? l10n.t('PNG, JPEG, GIF, or WebP, up to {0} MB', largestAvatar / (1024 * 1024))
            : l10n.t('This image is sent when you save.')}
        </p>
      ) : (
        <p class="field-problem" id="avatar-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
