import assert from 'node:assert/strict';
import { namedIcons } from '../../../src/webview/usedIcons.mjs';

describe('the icons that pages name', () => {
  for (const [how, text] of [
    ['by itself', `<IconButton icon="diff-multiple" label="a" />`],
    ['in a choice', `icon={shown ? 'diff-multiple' : 'eye'}`],
    ['by its class among others', `<i class="codicon codicon-diff-multiple" />`],
    ['by its class with others after it', `<i class="codicon codicon-diff-multiple large" />`],
    ['by its class alone', `const icon = 'codicon-diff-multiple';`],
    ['by its class alone in a template', 'element.className = `codicon-diff-multiple`;'],
  ] as const) {
    it(`are found where one is named ${how}`, () => {
      assert.ok(namedIcons(text).has('diff-multiple'), [...namedIcons(text)].join());
    });
  }

  it('have to be named as a whole', () => {
    assert.throws(
      () => namedIcons('`codicon codicon-chevron-${side}`'),
      /named as a whole: codicon-chevron-/,
    );
    assert.doesNotThrow(() => namedIcons('`codicon codicon-${icon}`'));
  });
});
