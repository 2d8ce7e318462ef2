import * as l10n from '@vscode/l10n';
import type { DiffSectionView } from '../../../protocol/patchDocument.ts';
import { IconButton } from '../../common/IconButton.tsx';
import { useReading } from '../reading/reading.ts';
import { inBackground } from '../../../util/inBackground.ts';

/** The buttons that open a file or its changes. The extension host reports failures. */
export function FileActions({ section }: { section: DiffSectionView }) {
  const { host } = useReading();
  const { code, path } = section;
  return (
    <>
      <IconButton
        icon="diff"
        label={l10n.t('Open changes')}
        onClick={() => inBackground(host.request('openChanges', { code }))}
      />
      <IconButton
        icon="go-to-file"
        label={l10n.t('Open file')}
        onClick={() => inBackground(host.request('openFile', { path }))}
      />
      <IconButton
        icon="copy"
        label={l10n.t('Copy path')}
        onClick={() => inBackground(host.request('copy', { text: path }))}
      />
    </>
  );
}
