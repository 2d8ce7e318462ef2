import assert from 'node:assert/strict';
import fc from 'fast-check';
import { markConflict, splitConflict } from '../../../src/util/sharedConflict.ts';

const conflict = markConflict({ before: 'was\n', earlier: 'one\n', later: 'two\n' });

describe('a conflict of shared texts', () => {
  it('stands between lines like those of Git', () => {
    assert.equal(conflict, '<<<<<<< earlier\none\n||||||| before\nwas\n=======\ntwo\n>>>>>>> later\n');
    assert.equal(
      markConflict({ before: '', earlier: 'one', later: '' }),
      '<<<<<<< earlier\none\n||||||| before\n=======\n>>>>>>> later\n',
    );
  });

  it('is made of three whole texts, what is around it included, however often it is in one', () => {
    assert.deepEqual(splitConflict(`a\n${conflict}b\n${conflict}c`), {
      before: 'a\nwas\nb\nwas\nc',
      earlier: 'a\none\nb\none\nc',
      later: 'a\ntwo\nb\ntwo\nc',
    });
    assert.deepEqual(splitConflict(conflict.replaceAll('\n', '\r\n')), {
      before: 'was\r\n',
      earlier: 'one\r\n',
      later: 'two\r\n',
    });
  });

  it('may have headings and ends of its own around it, and a heading in the earlier text', () => {
    const heading = 'Title\n=======\n>>>>>>> later\n';
    assert.deepEqual(
      splitConflict(heading + markConflict({ before: '', earlier: 'T\n=======\n', later: '' })),
      {
        before: heading,
        earlier: `${heading}T\n=======\n`,
        later: heading,
      },
    );
  });

  it('is none where it is not whole, or nobody could say what is whose', () => {
    const lines = conflict.split('\n');
    for (const text of [
      '',
      'a\n=======\nb\n',
      ...[0, 2, 4, 6].map((left) => lines.filter((_, index) => index !== left).join('\n')),
      `${conflict}<<<<<<< earlier\n`,
      markConflict({ before: 'T\n=======\n', earlier: 'one\n', later: 'two\n' }),
      markConflict({ before: '', earlier: conflict, later: 'three\n' }),
      markConflict({ before: '', earlier: 'three\n', later: conflict }),
      markConflict({ before: conflict, earlier: 'three\n', later: '' }),
    ]) {
      assert.equal(splitConflict(text), undefined, text);
    }
  });

  it('gives back what it was made of', () => {
    const text = fc
      .array(fc.constantFrom('a', '', '======', '<<<<<<<'), { maxLength: 4 })
      .map((all) => all.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, text, text, (before, earlier, later, around) => {
        assert.deepEqual(splitConflict(around + markConflict({ before, earlier, later }) + around), {
          before: around + before + around,
          earlier: around + earlier + around,
          later: around + later + around,
        });
      }),
    );
  });
});
