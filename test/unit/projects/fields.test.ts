import assert from 'node:assert/strict';
import { nameProblem, slugFrom, slugProblem } from '../../../src/projects/fields.ts';

describe('the fields of a project', () => {
  it('make a slug of a name, in any script', () => {
    assert.equal(slugFrom('  My Great Project! '), 'my-great-project');
    assert.equal(slugFrom('Größere Übung'), 'groessere-uebung');
    assert.equal(slugFrom('Привет мир'), 'privet-mir');
    assert.equal(slugFrom('!!!'), '');
    assert.equal(slugProblem(slugFrom('a '.repeat(300))), undefined);
  });

  it('refuse a name that is empty or too long', () => {
    assert.equal(nameProblem(' '), 'empty');
    assert.equal(nameProblem('x'.repeat(201)), 'tooLong');
    assert.equal(nameProblem(` ${'x'.repeat(200)} `), undefined);
  });

  it('refuse a slug that cannot stand in an address', () => {
    assert.equal(slugProblem(''), 'empty');
    assert.equal(slugProblem('x'.repeat(201)), 'tooLong');
    assert.equal(slugProblem(` ${'x'.repeat(200)} `), undefined);
    for (const slug of ['a b', 'a/b', '.', '..', 'a?b', 'a#b', 'a\u0000b']) {
      assert.equal(slugProblem(slug), 'notASlug', slug);
    }
    for (const slug of ['a', 'a.b', 'größe', 'a-b_c']) {
      assert.equal(slugProblem(slug), undefined, slug);
    }
  });
});
