/** A patch stack as one page of HTML that stands alone: no script, no request, and nothing of what strangers wrote but to be read. */
import * as l10n from '@vscode/l10n';
import { renderToStringAsync } from 'preact-render-to-string';
import type {
  ExportedDiff,
  ExportedPatch,
  ExportedSection,
  ExportedStack,
} from '../../protocol/stackExport.ts';
import { plainText } from '../../util/visibleText.ts';
import { highlightCode, languageOfPath, type Token } from '../common/highlight.ts';
import { createMarkdown } from '../common/markdown.ts';
import { checkSource, OverBudget } from '../common/markdownBudget.ts';
import { arrange, type Line } from '../patchDocument/diff/arrange.ts';
import { Colours } from '../patchDocument/diff/colours.ts';
import { parseFileDiff } from '../patchDocument/diff/diff.ts';
import { binaryText, unchangedText } from '../patchDocument/diff/withoutLines.ts';
import { style } from './style.ts';

/** Nothing is loaded and nothing runs, whatever the page holds and wherever it is opened. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** Lines of a file that are not unfolded from the start: the next file should be in reach. */
const foldedFrom = 1_000;

/** Characters between two gaps that are colored: what takes longer is left to a clock elsewhere, and comes out one way or the other. */
const colouredAtOnce = 3_000;

const inlineImage = /^data:image\/(png|jpeg|gif|webp);base64,/i;

/** See the module. @throws the signal's reason. */
export async function stackAsHtml(stack: ExportedStack, signal: AbortSignal): Promise<string> {
  l10n.config({ contents: stack.bundle });
  const { title, facts, description, patches, language } = stack;
  const articles: string[] = [];
  for (const [index, patch] of patches.entries()) {
    // Others have their turn between two patches.
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    articles.push(await renderToStringAsync(<PatchArticle patch={patch} number={index + 1} language={language} />));
  }
  const head = await renderToStringAsync(
    <header>
      <h1 dir="auto">{title}</h1>
      <p class="facts" dir="auto">
        {facts.join(' · ')}
      </p>
      {description !== undefined && <Prose markdown={description} id="d" />}
      <nav aria-label={l10n.t('Patches')}>
        <ol>
          {patches.map((patch, index) => (
            <li key={patch.changeId}>
              <a href={`#patch-${index + 1}`} dir="auto">
                {patch.title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
    </header>,
  );
  return `<!doctype html>
<html lang="${escapeText(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(title)}</title>
<style>${style}</style>
</head>
<body>
${head}
<main>
${articles.join('\n')}
</main>
</body>
</html>
`;
}

function PatchArticle(props: { patch: ExportedPatch; number: number; language: string }) {
  const { patch, number, language } = props;
  const { title, facts, description, sections } = patch;
  return (
    <article id={`patch-${number}`} aria-labelledby={`title-${number}`}>
      <h2 id={`title-${number}`} dir="auto">
        <span class="number">{number}.</span> {title}
      </h2>
      <ul class="facts">
        {facts.map((fact) => (
          <li key={fact} dir="auto">
            {fact}
          </li>
        ))}
      </ul>
      {description !== undefined && <Prose markdown={description} id={`${number}-d`} />}
      {sections.map((section, index) => (
        <Section key={index} section={section} id={`${number}-${index + 1}`} language={language} />
      ))}
    </article>
  );
}

function Section(props: { section: ExportedSection; id: string; language: string }) {
  const { section, id, language } = props;
  return section.type === 'text' ? (
    <Prose markdown={section.text} id={id} />
  ) : (
    <File file={section} language={language} />
  );
}

function File({ file, language }: { file: ExportedDiff; language: string }) {
  const { path, oldPath, diff, added, deleted } = file;
  const parsed = parseFileDiff(diff);
  const lines = parsed ? arrange(parsed.rows, { ignoreWhitespace: false, openings: new Map() }) : [];
  const isMoved = oldPath !== undefined && oldPath !== path;
  return (
    <details class="file" open={lines.length < foldedFrom}>
      <summary>
        <bdi>{isMoved ? `${plainText(oldPath)} → ${plainText(path)}` : plainText(path)}</bdi>
        {added !== undefined && deleted !== undefined && added + deleted > 0 && (
          <span class="size">
            <span class="added">+{added}</span> <span class="deleted">−{deleted}</span>
          </span>
        )}
      </summary>
      {lines.length > 0 ? (
        <Diff lines={lines} language={languageOfPath(path)} name={plainText(path)} />
      ) : (
        <p class="notice">
          {parsed ? (
            parsed.binary ? (
              binaryText(file, parsed.change, language)
            ) : (
              unchangedText(parsed)
            )
          ) : (
            <code>{diff}</code>
          )}
        </p>
      )}
    </details>
  );
}

function Diff({ lines, language, name }: { lines: Line[]; language: string | undefined; name: string }) {
  const colours = new Colours(lines, language);
  const coloured = linesToColour(lines);
  return (
    <div class="diff" tabIndex={0} role="region" aria-label={l10n.t('Changes in {0}', name)}>
      <table>
        <tbody>
          {lines.map((line, index) => (
            <Row key={index} line={line} tokens={coloured.has(index) ? colours.of(index) : undefined} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Lines that are colored, by where they are. */
function linesToColour(lines: readonly Line[]): Set<number> {
  const found = new Set<number>();
  let first = 0;
  let length = 0;
  for (let index = 0; index <= lines.length; index++) {
    const line = lines[index];
    if (line === undefined || line.type === 'gap') {
      if (length <= colouredAtOnce) {
        for (let at = first; at < index; at++) {
          found.add(at);
        }
      }
      first = index + 1;
      length = 0;
    } else {
      length += line.text.length + 1;
    }
  }
  return found;
}

const signs = { add: '+', delete: '−', context: ' ' };

function Row({ line, tokens }: { line: Line; tokens: readonly Token[] | undefined }) {
  switch (line.type) {
    case 'gap':
      return (
        <tr class="gap">
          <td colSpan={4}>
            {line.count === 1 ? l10n.t('1 unchanged line') : l10n.t('{0} unchanged lines', line.count)}{' '}
            {line.heading}
          </td>
        </tr>
      );
    case 'note':
      return (
        <tr class="gap">
          <td colSpan={4}>{line.text}</td>
        </tr>
      );
    default:
      return (
        <tr class={line.type}>
          <td class="line" data-line={line.oldLine} />
          <td class="line" data-line={line.newLine} />
          <td class="sign" data-sign={signs[line.type]} />
          <td class="code">
            {tokens
              ? tokens.map((token, index) => (
                  <span key={index} class={token.className}>
                    {token.text}
                  </span>
                ))
              : line.text}
          </td>
        </tr>
      );
  }
}

/** A text as HTML; it stays as it was written when it can't be made into that. */
function Prose({ markdown, id }: { markdown: string; id: string }) {
  const html = proseAsHtml(markdown, id);
  return html === undefined ? (
    <pre class="prose plain" dir="auto">
      {markdown}
    </pre>
  ) : (
    <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
  );
}

// Nothing is sanitized here: HTML in a text is text, and links lead to the web alone.
const renderer = createMarkdown(false);
renderer.validateLink = (address) => /^(https?:|mailto:|#)/i.test(address) || inlineImage.test(address);
// The headings of a text are below the title of its patch.
renderer.core.ruler.push('headings-below', ({ tokens }) => {
  for (const token of tokens) {
    if (token.type === 'heading_open' || token.type === 'heading_close') {
      token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 2)}`;
    }
  }
});
renderer.set({
  highlight: (code, language) => (code.length <= colouredAtOnce ? highlightCode(code, language) : '') ?? '',
});
renderer.renderer.rules['image'] = (tokens, index) => {
  const token = tokens[index];
  const text = renderer.utils.escapeHtml(token?.content ?? '');
  const source = String(token?.attrGet('src') ?? '');
  return inlineImage.test(source)
    ? `<img src="${renderer.utils.escapeHtml(source)}" alt="${text}">`
    : `<span class="image">${renderer.utils.escapeHtml(l10n.t('Image: {0}', token?.content ?? ''))}</span>`;
};

function proseAsHtml(source: string, id: string): string | undefined {
  try {
    checkSource(source);
    return renderer.render(source, { docId: id });
  } catch (error) {
    if (error instanceof OverBudget) {
      return undefined;
    }
    throw error;
  }
}

function escapeText(text: string): string {
  return renderer.utils.escapeHtml(text);
}
