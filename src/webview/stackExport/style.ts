import { codeBackgrounds } from './palette.ts';

function variables(theme: keyof typeof codeBackgrounds): string {
  return Object.entries(codeBackgrounds[theme])
    .map(([name, color]) => `--${name}: ${color};`)
    .join(' ');
}

/** The looks of an exported stack: light or dark, as whoever reads it has it. */
export const style = `
:root { color-scheme: light dark; ${variables('light')}
  --text: #1f1f1f; --muted: #5c5c5c; --line: #d4d4d4; --link: #005fb8; --plus: #1a6b27; --minus: #a1260d; }
@media (prefers-color-scheme: dark) { :root { ${variables('dark')}
  --text: #d4d4d4; --muted: #a0a0a0; --line: #3c3c3c; --link: #4daafc; --plus: #73c991; --minus: #f48771; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1100px; padding: 24px 16px 64px; background: var(--page); color: var(--text);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: break-word; }
h1, h2 { line-height: 1.25; }
a { color: var(--link); }
.facts, .number, .size, .notice, .image { color: var(--muted); }
nav ol { list-style: none; padding: 0; }
nav li { padding: 2px 0; }
ul.facts { list-style: none; margin: 0; padding: 0; }
article { border-top: 1px solid var(--line); margin-top: 40px; padding-top: 8px; }
.prose { max-width: 80ch; }
.prose pre, .prose table, .plain { overflow-x: auto; }
.prose pre, .plain { background: var(--raised); padding: 8px 12px; }
.plain { white-space: pre-wrap; }
.prose table { border-collapse: collapse; display: block; }
.prose th, .prose td { border: 1px solid var(--line); padding: 4px 10px; }
.prose blockquote { border-inline-start: 4px solid var(--line); color: var(--muted); margin-inline: 0; padding-inline-start: 12px; }
.prose img { max-width: 100%; }
figure.formula { margin: 1em 0; overflow-x: auto; }
math { font-size: 1.1em; }
math .align-left { text-align: start; }
math .align-right { text-align: end; }
math .in-bold { font-weight: bold; }
math .in-italic { font-style: italic; }
math .in-sans { font-family: system-ui, sans-serif; }
math .in-monospace { font-family: ui-monospace, monospace; }
menclose[notation~="box"] { border: 1px solid; padding: 0.2em; }
code, pre, .diff, summary bdi { font-family: ui-monospace, "Cascadia Code", Menlo, Consolas, monospace; font-size: 13px; }
.file { border: 1px solid var(--line); border-radius: 4px; margin: 16px 0; }
.file summary { background: var(--raised); cursor: pointer; padding: 6px 12px; }
.file .size { float: inline-end; }
.file .added { color: var(--plus); }
.file .deleted { color: var(--minus); }
.file .notice { margin: 8px 12px; white-space: pre-wrap; }
.diff { overflow-x: auto; }
.diff table { border-collapse: collapse; min-width: 100%; }
.diff td { padding: 0 6px; vertical-align: top; }
.diff .line, .diff .sign { color: var(--muted); text-align: end; user-select: none; white-space: nowrap; }
.diff .line::before { content: attr(data-line); }
.diff .sign::before { content: attr(data-sign); }
.diff .code { tab-size: 4; white-space: pre-wrap; width: 100%; }
.diff .add { background: var(--added); }
.diff .delete { background: var(--deleted); }
.hidden-character { border: 1px solid currentColor; border-radius: 2px; font-size: 0.8em; padding: 0 2px; unicode-bidi: isolate; }
.hidden-character::before { content: attr(data-name); }
.visually-hidden { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; white-space: nowrap; width: 1px; }
.diff .gap td { background: var(--raised); color: var(--muted); padding: 2px 12px; }
@media print { body { max-width: none; } .file { break-inside: auto; } }
`;
