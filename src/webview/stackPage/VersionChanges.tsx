import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { ChangeRow, ChangesView, VersionsView, WantedVersions } from '../../protocol/stackPage.ts';
import { inBackground } from '../../util/inBackground.ts';
import { messageOf } from '../../util/messageOf.ts';
import { Button, Select } from '../common/controls.tsx';
import { untilAnswered } from '../common/host.ts';
import { Problem } from '../common/Problem.tsx';
import { Prose } from '../common/Prose.tsx';
import { TextButton } from '../common/TextButton.tsx';
import { goByArrows } from './goByArrows.ts';
import type { Host } from './host.ts';

interface Comparison {
  /** What was found last: it stays until something else is. */
  found?: ChangesView;
  failure?: string;
  isRunning: boolean;
}

/** Compares two versions as long as somebody wants that. @param stamp compares again when it is another one. */
function useComparison(host: Host, { older, newer }: WantedVersions, isWanted: boolean, stamp: string) {
  const [comparison, setComparison] = useState<Comparison>({ isRunning: false });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!isWanted) {
      return undefined;
    }
    const ended = new AbortController();
    const { signal } = ended;
    const compare = async (): Promise<void> => {
      setComparison(({ found }) => ({ ...(found && { found }), isRunning: true }));
      try {
        const found = await host.request('changes', { older, newer }, { signal, timeoutMs: untilAnswered });
        setComparison({ found, isRunning: false });
      } catch (error) {
        if (!signal.aborted) {
          setComparison({ failure: messageOf(error), isRunning: false });
        }
      }
    };
    inBackground(compare());
    return () => ended.abort();
  }, [host, older, newer, isWanted, stamp, tries]);
  return { ...comparison, tryAgain: () => setTries(tries + 1) };
}

/** What became of the patches between two versions of the stack: in one line, and as a table for whoever opens it. */
export function VersionChanges(props: { versions: VersionsView; settings: PanelSettings; host: Host }) {
  const { versions, settings, host } = props;
  const { all, lastRead, stamp, summary } = versions;
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState<Partial<WantedVersions>>({});
  const usual = { older: versions.older, newer: versions.newer };
  const both = { ...usual, ...chosen };
  // The page may be that of another version by now.
  const wanted = both.older === both.newer ? usual : both;
  const comparison = useComparison(host, wanted, isOpen || summary === undefined, stamp);
  const { found, failure, isRunning, tryAgain } = comparison;
  return (
    <section class="changes" aria-labelledby="changes">
      <h2 id="changes">{l10n.t('Changes Between Versions')}</h2>
      <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>{found?.summary ?? summary ?? failure ?? l10n.t('Comparing…')}</summary>
        <div class="choices">
          <label>
            {l10n.t('From')}{' '}
            <VersionSelect
              versions={[...(lastRead ? [lastRead] : []), ...all.filter(({ id }) => id !== wanted.newer)]}
              value={wanted.older}
              onChoose={(older) => setChosen({ ...chosen, older })}
            />
          </label>
          <label>
            {l10n.t('To')}{' '}
            <VersionSelect
              versions={all.filter(({ id }) => id !== wanted.older)}
              value={wanted.newer}
              onChoose={(newer) => setChosen({ ...chosen, newer })}
            />
          </label>
        </div>
        {failure !== undefined && (
          <Problem text={failure}>
            <Button class="secondary" onClick={tryAgain}>
              {l10n.t('Retry')}
            </Button>
          </Problem>
        )}
        <p class="muted" role="status">
          {isRunning ? l10n.t('Comparing…') : ''}
        </p>
        {isOpen && found && <ChangesTable changes={found} settings={settings} host={host} />}
      </details>
    </section>
  );
}

function VersionSelect(props: {
  versions: readonly { id: string; label: string }[];
  value: string;
  onChoose: (id: string) => void;
}) {
  const { versions, value, onChoose } = props;
  return (
    <Select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {versions.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </Select>
  );
}

function ChangesTable(props: { changes: ChangesView; settings: PanelSettings; host: Host }) {
  const { changes, settings, host } = props;
  return (
    <table aria-labelledby="changes">
      <thead>
        <tr>
          {[changes.older, changes.newer].map(({ id, label }) => (
            <th key={id} scope="col">
              <TextButton
                class="link-button"
                onPress={() => inBackground(host.request('openVersion', { stackUuid: id }))}
              >
                {label}
              </TextButton>
            </th>
          ))}
          <th scope="col">{l10n.t('Patch')}</th>
          <th scope="col">{l10n.t('Change')}</th>
        </tr>
      </thead>
      <tbody onKeyDown={goByArrows}>
        {changes.rows.map((row) => (
          <ChangeLine key={`${row.older} ${row.newer}`} row={row} settings={settings} host={host} />
        ))}
      </tbody>
    </table>
  );
}

function ChangeLine(props: { row: ChangeRow; settings: PanelSettings; host: Host }) {
  const { row, settings, host } = props;
  const { changeId, stackUuid, older, newer, title, text, isQuiet, signedOff, texts } = row;
  return (
    <tr>
      <td>{older ?? '–'}</td>
      <td>{newer ?? '–'}</td>
      <th scope="row">
        <TextButton
          class="link-button title"
          onPress={() => inBackground(host.request('openInVersion', { changeId, stackUuid }))}
        >
          <span dir="auto">{title}</span>
        </TextButton>
      </th>
      <td>
        <span class={isQuiet ? 'muted' : ''} dir="auto">
          {text}
        </span>
        {signedOff !== undefined && <p class="muted">{signedOff}</p>}
        {texts.length > 0 && <DroppedTexts id={`dropped-${older}`} texts={texts} settings={settings} />}
      </td>
    </tr>
  );
}

/** The texts of a patch that was dropped, for whoever wants to read or to copy them. */
function DroppedTexts({ id, texts, settings }: { id: string; texts: string[]; settings: PanelSettings }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{texts.length === 1 ? l10n.t('1 text') : l10n.t('{0} texts', texts.length)}</summary>
      {isOpen &&
        texts.map((markdown, index) => (
          <Prose
            key={index}
            markdown={markdown}
            settings={settings}
            id={`${id}-${index}`}
            headingsBelow={2}
          />
        ))}
    </details>
  );
}
