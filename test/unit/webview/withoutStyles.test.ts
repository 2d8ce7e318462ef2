import assert from 'node:assert/strict';
import { withoutStyles } from '../../../src/webview/common/withoutStyles.ts';

describe('HTML without styles', () => {
  for (const [what, html, expected] of [
    ['an attribute', '<p style="color: red">a</p>', '<p data-style="color: red">a</p>'],
    ['one of several', "<p id='a' STYLE = 'b' class=c>", "<p id='a' data-style = 'b' class=c>"],
    ['one behind a value', '<p id="a"style="b">', '<p id="a"data-style="b">'],
    ['an element', '<style>p { color: red }</style>', '<noframes>p { color: red }</noframes>'],
    ['an element with attributes', '<STYLE type="a">b</STYLE >', '<noframes type="a">b</noframes >'],
  ] as const) {
    it(`has ${what} renamed`, () => assert.equal(withoutStyles(html), expected));
  }

  for (const html of [
    'In style="bold" letters',
    '<p title="my style = none">style=</p>',
    '<p lifestyle="a" style>',
    '<styled>',
    '<!-- style="a" -->',
  ]) {
    it(`leaves alone: ${html}`, () => assert.equal(withoutStyles(html), html));
  }
});
