import assert from 'node:assert/strict';
import { TypedTexts } from '../../../src/patch/writing/typedTexts.ts';
import { textKey, type TypedText } from '../../../src/protocol/patchWriting.ts';

const patch = { stackUuid: 'stack', changeId: 'change' };
const target = { code: 'a' };
const on = { patch, target, page: 'page' };

describe('the texts that a page has told', () => {
  let texts: TypedTexts;
  const tell = (edition: number, typed: TypedText['typed'], where = on): string | undefined =>
    texts.take({ ...where, edition, typed })?.text;

  beforeEach(() => {
    texts = new TypedTexts();
    tell(1, { base: 'was', text: 'one' });
  });

  it('go on with changes since what was told last', () => {
    assert.equal(tell(2, { after: 1, changes: [3, [0, ' two']] }), 'one two');
    assert.equal(tell(5, { after: 2, changes: [[3, 'not'], 4] }), 'not two');
    assert.deepEqual(texts.of(patch, target), { base: 'was', text: 'not two', page: 'page', edition: 5 });
  });

  it('are asked for whole when the changes are of anything else, though it is as long', () => {
    const changes: TypedText['typed'] = { after: 1, changes: [[3, 'two']] };
    assert.equal(tell(3, { ...changes, after: 2 }), undefined);
    assert.equal(tell(3, { ...changes, after: 0 }), undefined);
    assert.equal(tell(3, changes, { ...on, page: 'other' }), undefined);
    assert.equal(tell(3, changes, { ...on, target: { code: 'b' } }), undefined);
    assert.equal(tell(3, changes, { ...on, patch: { ...patch, changeId: 'other' } }), undefined);
    assert.equal(tell(3, { after: 1, changes: [[2, 'two']] }), undefined);
    // A text that was not taken is nothing to go on with.
    assert.equal(tell(3, changes), 'two');
  });

  it('are not taken back by what the page had told before, only by what another page tells', () => {
    tell(4, { base: 'was', text: 'four' });
    assert.equal(tell(3, { base: 'was', text: 'three' }), undefined);
    assert.equal(texts.of(patch, target)?.text, 'four');
    assert.equal(tell(4, { base: 'was', text: 'four' }), 'four');
    assert.equal(tell(2, { base: 'was', text: 'two' }, { ...on, page: 'other' }), 'two');
  });

  it('are forgotten when they are pending no more, or the page is another one', () => {
    texts.forget((key) => key === textKey(patch, { code: 'b' }));
    assert.ok(texts.of(patch, target));
    texts.forget();
    assert.equal(texts.of(patch, target), undefined);
    assert.equal(tell(2, { after: 1, changes: [3] }), undefined);
  });
});
