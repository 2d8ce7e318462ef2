import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import oniguruma from 'vscode-oniguruma';
import { Colorer, type ColorSettings } from '../../../src/colors/colorer.ts';
import { readContributed } from '../../../src/colors/contributed.ts';
import type { CodeToColor, ColoredCode } from '../../../src/util/coloring.ts';

const engine = path.resolve(import.meta.dirname, '../../../node_modules/vscode-oniguruma/release/onig.wasm');

/** Files of two extensions: a small language, and two themes of which one includes the other. */
const files: Readonly<Record<string, string>> = {
  '/small/small.json': JSON.stringify({
    scopeName: 'source.small',
    patterns: [
      { match: '\\blet\\b', name: 'keyword.small' },
      { begin: '/\\*', end: '\\*/', name: 'comment.block.small' },
      {
        begin: '`',
        end: '`',
        name: 'string.template.small',
        patterns: [
          { begin: '\\$\\{', end: '\\}', name: 'meta.inside.small', patterns: [{ include: '$self' }] },
        ],
      },
      { match: '\\d+', name: 'constant.numeric.small' },
    ],
  }),
  '/small/injected.json': JSON.stringify({
    scopeName: 'injected.small',
    injectionSelector: 'L:comment',
    patterns: [{ match: 'TODO', name: 'keyword.todo' }],
  }),
  '/themes/dark.json': `{
    // A theme may have comments, and commas too many.
    "colors": { "editor.foreground": "#eeeeee" },
    "tokenColors": [
      { "scope": "keyword, nothing", "settings": { "foreground": "#0000ff", "fontStyle": "bold" } },
      { "scope": ["comment"], "settings": { "foreground": "#00ff00" } },
      { "scope": "string", "settings": { "foreground": "#ff0000" } },
      { "scope": "constant.numeric", "settings": { "foreground": "#eeeeee" } },
    ],
  }`,
  '/themes/darker.json': JSON.stringify({
    include: './dark.json',
    tokenColors: [{ scope: 'comment', settings: { foreground: '#003300', fontStyle: 'italic underline' } }],
  }),
  '/themes/old.tmTheme': `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>settings</key><array>
    <dict><key>settings</key><dict><key>foreground</key><string>#111111</string></dict></dict>
    <dict><key>scope</key><string>keyword</string><key>settings</key><dict><key>foreground</key><string>#123456</string></dict></dict>
    </array></dict></plist>`,
};

const contributed = readContributed(
  [
    {
      id: 'somebody.small',
      folder: '/small',
      manifest: {
        contributes: {
          languages: [
            { id: 'small', aliases: ['Small'], extensions: ['.small'], firstLine: '^#!.*small' },
            'odd',
          ],
          grammars: [
            {
              language: 'small',
              scopeName: 'source.small',
              path: './small.json',
              tokenTypes: { 'meta.inside.small': 'other' },
            },
            { scopeName: 'injected.small', path: './injected.json', injectTo: ['source.small'] },
          ],
        },
      },
    },
    {
      id: 'vscode.theme-defaults',
      folder: '/themes',
      manifest: {
        contributes: {
          themes: [
            { id: 'Dark', uiTheme: 'vs-dark', path: './dark.json' },
            { label: 'Darker', uiTheme: 'vs-dark', path: './darker.json' },
            { id: 'Old', uiTheme: 'vs', path: './old.tmTheme' },
          ],
        },
      },
    },
    { id: 'somebody.odd', folder: '/odd', manifest: { contributes: { themes: 'none', languages: [null] } } },
  ],
  (folder, name) => path.posix.join(folder, name),
);

let colorer: (settings?: Partial<ColorSettings>) => Colorer;

before(async () => {
  const onigLib = readFile(engine)
    .then((wasm) => oniguruma.loadWASM(wasm))
    .then(() => oniguruma);
  const read = async (file: string): Promise<string> => files[file] ?? assert.fail(file);
  colorer = (settings) =>
    new Colorer({ contributed, onigLib, read }, { tokens: {}, colors: {}, associations: {}, ...settings });
});

async function color(asked: Partial<CodeToColor>, by = colorer()): Promise<ColoredCode | undefined> {
  const coloring = await by.begin({
    name: { path: 'a.small' },
    theme: { id: 'Dark', kind: 'dark' },
    lines: [],
    isStart: true,
    ...asked,
  });
  while (coloring && !coloring.goOn(0)) {
    // A line at a time.
  }
  return coloring?.result;
}

/** The colors of each line, with the texts that have them. */
async function drawn(lines: string[], asked: Partial<CodeToColor> = {}, by?: Colorer): Promise<string[]> {
  const found = await color({ ...asked, lines }, by);
  return (found?.lines ?? []).map((tokens, line) => {
    const parts: string[] = [];
    for (let index = 0, at = 0; index < tokens.length; index += 2) {
      const end = at + (tokens[index] ?? 0);
      const { color, ...font } = found?.styles[(tokens[index + 1] ?? 0) - 1] ?? {};
      parts.push(`${lines[line]?.slice(at, end)}:${[color ?? '', ...Object.keys(font)].join(' ')}`);
      at = end;
    }
    return parts.join('|');
  });
}

describe('code in the colors of a theme', () => {
  it('has those that the rules of the theme give to its scopes, and none where they are those of the text', async () => {
    assert.deepEqual(await drawn(['let x = 1', '/* one', 'TODO two */ let']), [
      'let:#0000FF bold| x = 1:',
      '/* one:#00FF00',
      'TODO:#0000FF bold| two */:#00FF00| :|let:#0000FF bold',
    ]);
  });

  it('follows what a theme includes, and themes in the form of TextMate', async () => {
    const lines = ['/* a */ let'];
    assert.deepEqual(await drawn(lines, { theme: { id: 'Darker', kind: 'dark' } }), [
      '/* a */:#003300 italic underline| :|let:#0000FF bold',
    ]);
    assert.deepEqual(await drawn(lines, { theme: { id: 'Old', kind: 'light' } }), ['/* a */ :|let:#123456']);
  });

  it('has those of a theme of VS Code where the one of the window is not to be had', async () => {
    assert.deepEqual(await drawn(['let'], { theme: { id: 'Elsewhere', kind: 'dark' } }), [
      'let:#0000FF bold',
    ]);
    assert.deepEqual(await drawn(['let'], { theme: { id: 'Elsewhere', kind: 'highContrast' } }), ['let:']);
  });

  it('has another color with another theme, in the same colorer', async () => {
    const by = colorer();
    assert.deepEqual(await drawn(['let'], {}, by), ['let:#0000FF bold']);
    assert.deepEqual(await drawn(['let'], { theme: { id: 'Old', kind: 'light' } }, by), ['let:#123456']);
    assert.deepEqual(await drawn(['let'], {}, by), ['let:#0000FF bold']);
  });

  it('has what the person has changed in the theme, for all or for this one', async () => {
    const tokens = {
      comments: '#abcdef',
      '[Dark]': { strings: { foreground: '#fedcba', fontStyle: 'bold' } },
      '[Other][D*k]': { textMateRules: [{ scope: 'keyword', settings: { foreground: '#010101' } }, 'odd'] },
      '[Darker]': { comments: '#000000' },
    };
    assert.deepEqual(await drawn(['/* a */ let `b`'], {}, colorer({ tokens })), [
      '/* a */:#ABCDEF| :|let:#010101 bold| :|`b`:#FEDCBA bold',
    ]);
    const colors = { 'editor.foreground': '#00ff00' };
    assert.deepEqual(await drawn(['/* a */ 1'], {}, colorer({ colors })), ['/* a */ :|1:#EEEEEE']);
  });

  it('knows its language by the ending, the first line, a name in a text, or what the person has said', async () => {
    const let1 = ['let:#0000FF bold'];
    assert.deepEqual(await drawn(['let'], { name: { language: 'Small' } }), let1);
    assert.deepEqual((await drawn(['#!/bin/small', 'let'], { name: { path: 'run' } })).slice(1), let1);
    assert.equal(await color({ name: { path: 'run' }, lines: ['#!/bin/small'], isStart: false }), undefined);
    assert.equal(await color({ name: { path: 'a.large' }, lines: ['let'] }), undefined);
    const by = colorer({ associations: { '*.large': 'small' } });
    assert.deepEqual(await drawn(['let'], { name: { path: 'src/A.LARGE' } }, by), let1);
    assert.equal(await color({ name: { path: '../a.large' }, lines: ['let'] }, by), undefined);
  });

  it('takes nothing for a string of several lines that may have begun before', async () => {
    const lines = ['inside', '`;', 'let a', 'let b'];
    const plain = ['inside:', '`:#FF0000|;:#FF0000', 'let:#0000FF bold| a:', 'let:#0000FF bold| b:'];
    const found = await drawn(lines, { isStart: false });
    assert.deepEqual(found.slice(2), plain.slice(2));
    assert.deepEqual((await drawn(lines)).slice(2), ['let a:#FF0000', 'let b:#FF0000']);
  });

  it('takes a comment that begins and ends there for one, and no other', async () => {
    assert.deepEqual(await drawn(['/* a', 'let */', 'let'], { isStart: false }), [
      '/* a:#00FF00',
      'let */:#00FF00',
      'let:#0000FF bold',
    ]);
    assert.deepEqual((await drawn(['/* a', 'let'], { isStart: false })).slice(1), ['let:#0000FF bold']);
  });

  it('colors no line that is longer than those of the editor', async () => {
    const [long, next] = await drawn([`let ${'x'.repeat(20_000)}`, 'let']);
    assert.deepEqual([long, next], ['', 'let:#0000FF bold']);
  });
});
