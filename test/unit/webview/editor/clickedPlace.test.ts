import assert from 'node:assert/strict';
import { placeInSource } from '../../../../src/webview/patchDocument/editor/clickedPlace.ts';

describe('the place of a click in the source', () => {
  const source = '# One *word*\n\nA [link](https://word.example) and a word, a **word** more.\n\nlast';
  const clicked = (line: number, before: string, after: string): string => {
    const place = placeInSource(source, { line, before, after });
    return `${source.slice(Math.max(0, place - 4), place)}|${source.slice(place, place + 4)}`;
  };

  it('is in the word that was clicked on', () => {
    assert.equal(clicked(0, 'One wo', 'rd'), ' *wo|rd*\n');
    assert.equal(clicked(4, 'la', 'st'), '\n\nla|st');
  });

  it('is in the same one of several words that are alike', () => {
    assert.equal(clicked(2, 'A link a', 'nd a word, a word more.'), 'e) a|nd a');
    assert.equal(clicked(2, 'A link and a wo', 'rd, a word more.'), 'a wo|rd, ');
    assert.equal(clicked(2, 'A link and a word, a wo', 'rd more.'), '**wo|rd**');
  });

  it('is the start of the block where no word was clicked on, or the source has no such word', () => {
    assert.equal(clicked(2, 'A link and a word, ', ' a word more.'), 'd*\n\n|A [l');
    assert.equal(clicked(2, 'no', 'where'), 'd*\n\n|A [l');
  });

  it('is the end when there is no such line', () => {
    assert.equal(clicked(40, '', ''), 'last|');
  });
});
