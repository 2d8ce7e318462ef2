import assert from 'node:assert/strict';
import { drawnCharacters, namedIcons } from '../../../tools/usedIcons.mjs';

describe('the icons that pages name', () => {
  for (const [how, text] of [
    ['by itself', `<IconButton icon="diff-multiple" label="a" />`],
    ['in a choice', `icon={shown ? 'diff-multiple' : 'eye'}`],
    ['by its class among others', `<i class="codicon codicon-diff-multiple" />`],
    ['by its class with others after it', `<i class="codicon codicon-diff-multiple large" />`],
    ['by its class alone', `const icon = 'codicon-diff-multiple';`],
    ['by its class alone in a template', 'element.className = `codicon-diff-multiple`;'],
    ['in styles', '.row .codicon-diff-multiple {'],
    ['in styles alone', '.codicon-diff-multiple::before { color: red; }'],
    ['in styles with others', '.codicon-diff-multiple,.codicon-diff-multiple.large > i {}'],
  ] as const) {
    it(`are found where one is named ${how}`, () => {
      assert.ok(namedIcons(text).has('diff-multiple'), [...namedIcons(text)].join());
    });
  }

  it('are those of the whole name', () => {
    assert.deepEqual([...namedIcons('.codicon-diff-multiple:hover {}')], ['diff-multiple']);
  });

  for (const [how, text] of [
    ['in styles', "content: '\\eab2';"],
    ['in quotation marks', 'content: "\\eab2";'],
    ['in large letters', "content: '\\EAB2';"],
    ['with all its zeros', "content: '\\00eab2';"],
    ['beside text', "content: 'a \\eab2 b';"],
    ['under a name', "--tick: '\\eab2';"],
    ['as it is', "content: '\ueab2';"],
    ['in a script', "element.textContent = '\\ueab2';"],
    ['in a script with braces', "element.textContent = '\\u{eab2}';"],
  ] as const) {
    it(`are found where one is drawn ${how}`, () => {
      assert.deepEqual([...drawnCharacters(text)], [0xeab2]);
    });
  }

  it('are not taken for drawn where something else is', () => {
    assert.deepEqual([...drawnCharacters(`content: '\\2026'; content: 'é'; color: #eab2ff; '\\eab2c'`)], []);
  });

  it('have to be named as a whole', () => {
    assert.throws(
      () => namedIcons('`codicon codicon-chevron-${side}`'),
      /named as a whole: codicon-chevron-/,
    );
    assert.doesNotThrow(() => namedIcons('`codicon codicon-${icon}`'));
  });
});
