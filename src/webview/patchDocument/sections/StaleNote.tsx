import * as l10n from '@vscode/l10n';
import type { StaleText } from '../../../protocol/patchDocument.ts';
import { inBackground } from '../../../util/inBackground.ts';
import { plainText } from '../../../util/visibleText.ts';
import { untilAnswered } from '../../common/host.ts';
import { TextButton } from '../../common/TextButton.tsx';
import { useReading, useReadingState } from '../reading/reading.ts';
import { revealSection } from '../reading/sectionPlaces.ts';

/** That the code that a text is about has changed since it was written, with what has. */
export function StaleNote({ code }: { code: string }) {
  const stale = useReadingState((state) => state.stale[code]);
  const reading = useReading();
  if (!stale) {
    return null;
  }
  const { number, files, more } = stale;
  return (
    <details class="stale-text">
      <summary>
        <i class="codicon codicon-history" aria-hidden="true" />
        {l10n.t('The code changed after this was written')}
      </summary>
      <ul>
        {files.map((file) => (
          <li key={file.path}>
            <ChangedFile file={file} />
          </li>
        ))}
        {more > 0 && <li>{more === 1 ? l10n.t('1 more file') : l10n.t('{0} more files', more)}</li>}
      </ul>
      <p>
        <button
          type="button"
          class="link-button"
          onClick={() =>
            inBackground(reading.host.request('compareWithWritten', { code }, { timeoutMs: untilAnswered }))
          }
        >
          {number === undefined ? l10n.t('Show What Changed') : l10n.t('Compare with Version {0}', number)}
        </button>
        <button
          type="button"
          class="link-button"
          onClick={() =>
            inBackground(reading.host.request('confirmText', { code }, { timeoutMs: untilAnswered }))
          }
        >
          {l10n.t('Still True')}
        </button>
      </p>
    </details>
  );
}

function ChangedFile({ file: { path, kind, code, line } }: { file: StaleText['files'][number] }) {
  const reading = useReading();
  const name = <bdi>{plainText(path)}</bdi>;
  if (code === undefined) {
    return (
      <>
        {name} {l10n.t('(removed)')}
      </>
    );
  }
  return (
    <>
      <TextButton
        class=""
        onPress={() => {
          if (line === undefined) {
            revealSection(code);
          } else {
            reading.showLine(code, 'new', line);
          }
        }}
      >
        {name}
      </TextButton>
      {kind === 'added' && ` ${l10n.t('(added)')}`}
    </>
  );
}
