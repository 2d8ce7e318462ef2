/** A patch stack as one page of HTML that stands alone: no script, no request, and nothing of what strangers wrote but to be read. */
import * as l10n from '@vscode/l10n';
import { renderToString, renderToStringAsync } from 'preact-render-to-string';
import type {
  DrawFormulas,
  ExportedDiff,
  ExportedPatch,
  ExportedSection,
  ExportedStack,
  ExportHelp,
} from '../../protocol/stackExport.ts';
import { membersOf } from '../../util/isObject.ts';
import { plainText } from '../../util/visibleText.ts';
import { createMarkdown } from '../common/markdown.ts';
import { isInlineImage } from '../common/imageAddresses.ts';
import { checkSource, OverBudget } from '../common/markdownBudget.ts';
import { arrange, type Line } from '../patchDocument/diff/arrange.ts';
import { colorBlock } from '../patchDocument/diff/colors.ts';
import { parseFileDiff, type FileDiff } from '../patchDocument/diff/diff.ts';
import { pieces } from '../patchDocument/diff/pieces.ts';
import { binaryText, unchangedText } from '../patchDocument/diff/withoutLines.ts';
import type { Token } from '../common/tokens.ts';
import { drawFormulas, showFormulas } from './formulas.ts';
import { Palette } from './palette.ts';
import { style } from './style.ts';

/** Nothing is loaded and nothing runs, whatever the page holds and wherever it is opened. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** Lines of a file that are not unfolded from the start: the next file should be in reach. */
const foldedFrom = 1_000;

/** Characters between two gaps that are colored: what takes longer a clock would end, and it would come out one way or the other. */
const coloredAtOnce = 30_000;

/** See the module. @throws the signal's reason. */
export async function stackAsHtml(
  stack: ExportedStack,
  { color, draw }: ExportHelp,
  signal: AbortSignal,
): Promise<string> {
  l10n.config({ contents: stack.bundle });
  const palette = new Palette(color);
  const tools = { palette, draw };
  const { title, facts, description, patches, language } = stack;
  const articles: string[] = [];
  for (const [index, patch] of patches.entries()) {
    // Others have their turn between two patches.
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    const article = await readyArticle(patch, index + 1, tools);
    articles.push(await renderToStringAsync(<PatchArticle article={article} language={language} />));
  }
  const about = description === undefined ? undefined : await readyProse(description, 'd', 1, tools);
  const head = await renderToStringAsync(
    <header>
      <h1 dir="auto">{title}</h1>
      <p class="facts" dir="auto">
        {facts.join(' · ')}
      </p>
      {about && <Prose prose={about} />}
      <nav aria-label={l10n.t('Patches')}>
        <ol>
          {patches.map((patch, index) => (
            <li key={patch.changeId}>
              <a href={`#patch-${index + 1}`} dir="auto">
                <span class="number">{index + 1}.</span> {patch.title}
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
<style>${style}${palette.rules}</style>
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

interface ReadyProse {
  markdown: string;
  /** Undefined when it can't be made into that. */
  html: string | undefined;
}

interface ReadyFile {
  file: ExportedDiff;
  parsed: FileDiff | undefined;
  lines: Line[];
  /** The tokens of lines that have colors. */
  tokens: ReadonlyMap<Line, readonly Token[]>;
}

/** A patch with all that takes time: its texts as HTML, and the colors of its code. */
interface ReadyArticle {
  patch: ExportedPatch;
  number: number;
  description: ReadyProse | undefined;
  sections: (ReadyProse | ReadyFile)[];
}

/** The means by which texts and files are made ready. */
interface Tools {
  palette: Palette;
  draw: DrawFormulas;
}

async function readyArticle(patch: ExportedPatch, number: number, tools: Tools): Promise<ReadyArticle> {
  const description =
    patch.description === undefined
      ? undefined
      : await readyProse(patch.description, `${number}-d`, 2, tools);
  const sections: ReadyArticle['sections'] = [];
  for (const [index, section] of patch.sections.entries()) {
    sections.push(await readySection(section, `${number}-${index + 1}`, tools));
  }
  return { patch, number, description, sections };
}

async function readySection(
  section: ExportedSection,
  id: string,
  tools: Tools,
): Promise<ReadyProse | ReadyFile> {
  if (section.type === 'text') {
    return readyProse(section.text, id, 2, tools);
  }
  const { palette } = tools;
  const { path, diff } = section;
  const parsed = parseFileDiff(diff);
  const lines = parsed ? arrange(parsed.rows, { ignoreWhitespace: false, openings: new Map() }) : [];
  const tokens = new Map<Line, readonly Token[]>();
  for (const block of blocksToColor(lines)) {
    const colored = await colorBlock(block, (texts, isStart) => palette.colorLines({ path }, texts, isStart));
    colored.forEach(([line, found]) => found && tokens.set(line, found));
  }
  return { file: section, parsed, lines, tokens };
}

function PatchArticle({ article, language }: { article: ReadyArticle; language: string }) {
  const { number, description, sections } = article;
  const { title, facts } = article.patch;
  return (
    <article id={`patch-${number}`} aria-labelledby={`title-${number}`}>
      <h2 id={`title-${number}`} dir="auto">
        <span class="number">{number}.</span> {title}
      </h2>
      {facts.length > 0 && (
        <ul class="facts">
          {facts.map((fact) => (
            <li key={fact} dir="auto">
              {fact}
            </li>
          ))}
        </ul>
      )}
      {description && <Prose prose={description} />}
      {sections.map((section, index) =>
        'file' in section ? (
          <File key={index} ready={section} of={`${number}. ${title}`} language={language} />
        ) : (
          <Prose key={index} prose={section} />
        ),
      )}
    </article>
  );
}

/** @param of the patch, by its number and title. */
function File({ ready, of, language }: { ready: ReadyFile; of: string; language: string }) {
  const { file, parsed, lines, tokens } = ready;
  const { path, oldPath, diff, added, deleted } = file;
  const isMoved = oldPath !== undefined && oldPath !== path;
  return (
    <details class="file" open={lines.length < foldedFrom}>
      <summary>
        {isMoved && (
          <>
            <bdi>
              <Code text={plainText(oldPath)} />
            </bdi>{' '}
            →{' '}
          </>
        )}
        <bdi>
          <Code text={plainText(path)} />
        </bdi>
        {added !== undefined && deleted !== undefined && added + deleted > 0 && (
          <span class="size">
            <span class="added">+{added}</span> <span class="deleted">−{deleted}</span>
          </span>
        )}
      </summary>
      {lines.length > 0 ? (
        <Diff lines={lines} tokens={tokens} name={l10n.t('{0} ({1})', plainText(path), of)} />
      ) : (
        <p class="notice">
          {parsed ? (
            parsed.binary ? (
              binaryText(file, parsed.change, language)
            ) : (
              unchangedText(parsed)
            )
          ) : (
            <code>
              <Code text={diff} />
            </code>
          )}
        </p>
      )}
    </details>
  );
}

function Diff({ lines, tokens, name }: Pick<ReadyFile, 'lines' | 'tokens'> & { name: string }) {
  return (
    <div class="diff" tabIndex={0} role="region" aria-label={l10n.t('Changes in {0}', name)}>
      <table>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">{l10n.t('Line before')}</th>
            <th scope="col">{l10n.t('Line after')}</th>
            <th scope="col">{l10n.t('Change')}</th>
            <th scope="col">{l10n.t('Code')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <Row key={index} line={line} tokens={tokens.get(line)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The lines between two gaps, where those are to be colored. */
function blocksToColor(lines: readonly Line[]): Line[][] {
  const blocks: Line[][] = [[]];
  for (const line of lines) {
    if (line.type === 'gap') {
      blocks.push([]);
    } else {
      blocks.at(-1)?.push(line);
    }
  }
  const lengthOf = (block: Line[]): number =>
    block.reduce((sum, line) => sum + ('text' in line ? line.text.length : 0) + 1, 0);
  return blocks.filter((block) => block.length > 0 && lengthOf(block) <= coloredAtOnce);
}

const signs = { add: '+', delete: '−', context: ' ' };

function Row({ line, tokens }: { line: Line; tokens: readonly Token[] | undefined }) {
  switch (line.type) {
    case 'gap':
      return (
        <tr class="gap">
          <td colSpan={4}>
            {line.count === 1 ? l10n.t('1 unchanged line') : l10n.t('{0} unchanged lines', line.count)}{' '}
            <Code text={line.heading} />
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
            <Code text={line.text} tokens={tokens} />
          </td>
        </tr>
      );
  }
}

/** Code with what can't be seen in it, or turns the direction of what follows, made visible. */
function Code({ text, tokens }: { text: string; tokens?: readonly Token[] | undefined }) {
  return (
    <>
      {pieces(text, tokens).map((piece, index) =>
        piece.hidden !== undefined ? (
          <span
            key={index}
            class="hidden-character"
            data-name={piece.hidden}
            title={l10n.t('Hidden character {0}', piece.hidden)}
          >
            {piece.text}
          </span>
        ) : piece.className !== undefined ? (
          <span key={index} class={piece.className}>
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}

/** A text as HTML; it stays as it was written when it can't be made into that. */
function Prose({ prose: { markdown, html } }: { prose: ReadyProse }) {
  return html === undefined ? (
    <pre class="prose plain" dir="auto" tabIndex={0}>
      <Code text={markdown} />
    </pre>
  ) : (
    <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
  );
}

// Nothing is sanitized here: HTML in a text is text, and links lead to the web alone.
const renderer = createMarkdown(false);
renderer.validateLink = (address) => /^(https?:|mailto:|#)/i.test(address) || isInlineImage(address);
// The headings of a text are below the title of what it is about, and none leaves out a level.
renderer.core.ruler.push('headings-below', ({ tokens, env }) => {
  const levelOf = ({ tag }: { tag: string }): number => Number(tag.slice(1));
  const headings = tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close');
  const { below = 0 } = env as { below?: number };
  const highest = Math.min(...headings.map(levelOf));
  let before = below;
  for (const token of headings) {
    before = Math.min(6, before + 1, levelOf(token) - highest + below + 1);
    token.tag = `h${before}`;
  }
});
const { rules } = renderer.renderer;
const plainFence = rules['fence'];
rules['fence'] = (tokens, index, options, env, self) => {
  const { lines } = membersOf(tokens[index]?.meta) as { lines?: Token[][] };
  const highlight = (code: string): string =>
    lines?.map((line) => codeAsHtml(line.map(({ text }) => text).join(''), line)).join('\n') ??
    codeAsHtml(code);
  const html = plainFence?.(tokens, index, { ...options, highlight }, env, self) ?? '';
  return html.replace('<pre>', '<pre tabindex="0">');
};
rules['code_block'] = (tokens, index) =>
  `<pre tabindex="0"><code>${codeAsHtml(tokens[index]?.content ?? '')}</code></pre>\n`;
rules['code_inline'] = (tokens, index) => `<code>${codeAsHtml(tokens[index]?.content ?? '')}</code>`;
// Joiners and marks of direction belong to many scripts and to emoji: of prose only what reorders it is shown.
rules['text'] = (tokens, index) =>
  escapeText(tokens[index]?.content ?? '').replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, (character) =>
    codeAsHtml(character),
  );
rules['table_open'] = () => '<table tabindex="0">\n';
showFormulas(renderer);
rules['image'] = (tokens, index) => {
  const token = tokens[index];
  const text = renderer.utils.escapeHtml(token?.content ?? '');
  const source = String(token?.attrGet('src') ?? '');
  return isInlineImage(source)
    ? `<img src="${renderer.utils.escapeHtml(source)}" alt="${text}">`
    : `<span class="image">${renderer.utils.escapeHtml(l10n.t('Image: {0}', token?.content ?? ''))}</span>`;
};

/** @param below the level of the heading above it. */
async function readyProse(
  markdown: string,
  id: string,
  below: number,
  { palette, draw }: Tools,
): Promise<ReadyProse> {
  try {
    checkSource(markdown);
    const env = { docId: id, below };
    const tokens = renderer.parse(markdown, env);
    for (const token of tokens) {
      const language = token.type === 'fence' ? /^\s*(\S+)/.exec(token.info)?.[1] : undefined;
      if (language !== undefined && token.content.length <= coloredAtOnce) {
        const lines = await palette.colorLines({ language }, token.content.split('\n'), true);
        token.meta = { lines };
      }
    }
    await drawFormulas(tokens, draw);
    return { markdown, html: renderer.renderer.render(tokens, renderer.options, env) };
  } catch (error) {
    if (error instanceof OverBudget) {
      return { markdown, html: undefined };
    }
    throw error;
  }
}

function codeAsHtml(text: string, tokens?: readonly Token[]): string {
  return renderToString(<Code text={text} tokens={tokens} />);
}

function escapeText(text: string): string {
  return renderer.utils.escapeHtml(text);
}
