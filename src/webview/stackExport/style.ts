/** The looks of an exported stack: light or dark, as whoever reads it has it. */
export const style = `
:root { color-scheme: light dark; --text: #1f1f1f; --muted: #5c5c5c; --line: #d4d4d4; --page: #ffffff; --raised: #f6f6f6;
  --link: #005fb8; --added: #dff5e1; --deleted: #fde3e1; --plus: #1a6b27; --minus: #a1260d;
  --keyword: #0000ff; --string: #a31515; --comment: #007000; --number: #0a7d50; --type: #267f99; --function: #795e26; --attribute: #c7003b; }
@media (prefers-color-scheme: dark) { :root { --text: #d4d4d4; --muted: #a0a0a0; --line: #3c3c3c; --page: #1f1f1f; --raised: #282828;
  --link: #4daafc; --added: #17361f; --deleted: #472022; --plus: #73c991; --minus: #f48771;
  --keyword: #569cd6; --string: #ce9178; --comment: #7ca668; --number: #b5cea8; --type: #4ec9b0; --function: #dcdcaa; --attribute: #9cdcfe; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1100px; padding: 24px 16px 64px; background: var(--page); color: var(--text);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: break-word; }
h1, h2 { line-height: 1.25; }
a { color: var(--link); }
.facts, .number, .size, .notice, .image { color: var(--muted); }
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
.diff .gap td { background: var(--raised); color: var(--muted); padding: 2px 12px; }
.hljs-keyword, .hljs-literal, .hljs-built_in, .hljs-tag, .hljs-name { color: var(--keyword); }
.hljs-string, .hljs-regexp { color: var(--string); }
.hljs-comment, .hljs-quote { color: var(--comment); }
.hljs-number { color: var(--number); }
.hljs-type, .hljs-class { color: var(--type); }
.hljs-title { color: var(--function); }
.hljs-attr, .hljs-attribute, .hljs-property { color: var(--attribute); }
@media print { body { max-width: none; } .file { break-inside: auto; } }
`;
