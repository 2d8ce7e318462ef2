import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { PanelSettings } from '../../../protocol/panel.ts';
import type { TextSectionView } from '../../../protocol/patchDocument.ts';
import { compareProse } from '../../../util/compareProse.ts';
import { renderMarkdown } from '../../common/markdown.ts';
import { piecesOf } from '../../common/markdownBudget.ts';
import { markdownOptions } from '../../common/Prose.tsx';
import { DocumentProse, titleLevel } from '../reading/DocumentProse.tsx';
import { markWords } from './markWords.ts';
import { Words } from './Words.tsx';

/** A text with the words that changed; where that is not to be seen once it is rendered, as it is written. */
export function ChangedProse(props: { section: TextSectionView; before: string; settings: PanelSettings }) {
  const { section, before, settings } = props;
  const { text, code } = section;
  const mark = useMemo(() => {
    if (typeof document === 'undefined') {
      return undefined;
    }
    if (piecesOf(text, false).length > 1) {
      return undefined;
    }
    const options = { ...markdownOptions(settings), withReferences: true, headingsBelow: titleLevel };
    const [old, now] = [renderMarkdown(before, options), renderMarkdown(text, options)];
    const isMarked = old !== undefined && now !== undefined && markWords(old, now) !== undefined;
    return isMarked ? (html: string) => markWords(old, html) ?? html : undefined;
  }, [before, text, settings]);
  const isRendered = mark !== undefined || typeof document === 'undefined';
  const words = useMemo(() => (isRendered ? [] : compareProse(before, text)), [isRendered, before, text]);
  return (
    <>
      {!isRendered && (
        <>
          <p class="notice">{l10n.t('Changes in the Markdown source')}</p>
          <pre class="plain-text" tabIndex={0}>
            <Words words={words} />
          </pre>
        </>
      )}
      <DocumentProse markdown={text} id={code} settings={settings} mark={mark} />
    </>
  );
}
