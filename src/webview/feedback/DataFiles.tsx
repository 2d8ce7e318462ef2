import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { DataFile } from '../../protocol/feedback.ts';
import { IconButton } from '../common/IconButton.tsx';
import { readableSize } from '../common/size.ts';
import { Button } from '../common/controls.tsx';
import { inBackground } from '../../util/inBackground.ts';
import { messageOf } from '../../util/messageOf.ts';

/** More files that go along, in one zip file. */
export function DataFiles(props: {
  files: DataFile[];
  problem: string | undefined;
  busy: boolean;
  language: string;
  choose: () => Promise<DataFile[] | undefined>;
  onChange: (files: DataFile[]) => void;
}) {
  const { files, problem, busy, language, choose, onChange } = props;
  const [failure, setFailure] = useState<string>();

  async function add(): Promise<void> {
    try {
      const chosen = await choose();
      setFailure(undefined);
      if (chosen) {
        const paths = new Set(chosen.map(({ path }) => path));
        onChange([...files.filter(({ path }) => !paths.has(path)), ...chosen]);
      }
    } catch (error) {
      setFailure(messageOf(error));
    }
  }

  const said = problem ?? failure;
  return (
    <div class="field" role="group" aria-labelledby="data-label">
      <span id="data-label">
        <strong>{l10n.t('More files')}</strong>
      </span>
      {files.length > 0 && (
        <ul class="files">
          {files.map((file) => (
            <li key={file.path}>
              <span dir="auto" title={file.path}>
                {file.name}
              </span>{' '}
              <span class="muted">
                {file.size === undefined ? l10n.t('missing') : readableSize(file.size, language)}
              </span>
              <IconButton
                icon="close"
                label={l10n.t('Remove {0}', file.name)}
                disabled={busy}
                onClick={() => onChange(files.filter(({ path }) => path !== file.path))}
              />
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button
          class="secondary"
          disabled={busy}
          aria-invalid={said !== undefined}
          {...(said !== undefined && { 'aria-describedby': 'data-problem' })}
          onClick={() => inBackground(add())}
        >
          {l10n.t('Choose Files…')}
        </Button>
      </div>
      {said === undefined ? (
        <p class="hint">{l10n.t('The files are sent as one ZIP file.')}</p>
      ) : (
        <p class="field-problem" id="data-problem" role="alert">
          {said}
        </p>
      )}
    </div>
  );
}
