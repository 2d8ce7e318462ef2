import assert from 'node:assert/strict';
import { tabTitle } from '../../../src/patch/tabTitle.ts';

describe('the title on a tab', () => {
  it('is the whole one when that is short enough', () => {
    assert.equal(tabTitle('Greet people by name'), 'Greet people by name');
    assert.equal(tabTitle('x'.repeat(50)), 'x'.repeat(50));
    assert.equal(tabTitle(''), '');
  });

  it('ends after a word', () => {
    assert.equal(
      tabTitle('Greet people by name, and by every other word they like to be called by'),
      'Greet people by name, and by every other word…',
    );
    assert.equal(
      tabTitle('Greet people by their name, then by their titles, and last of all by what they do'),
      'Greet people by their name, then by their titles…',
    );
    assert.equal(tabTitle(`${'x'.repeat(24)} ${'y'.repeat(24)} z`), `${'x'.repeat(24)} ${'y'.repeat(24)}…`);
  });

  it('ends after a word of a language without blanks too', () => {
    const title = tabTitle('名前で人に挨拶する'.repeat(8));
    assert.match(title, /(?:名前|で|人|に|挨拶|する)…$/);
    assert.ok(title.length <= 50);
  });

  it('ends in a word where that is long, but never in a character', () => {
    assert.equal(tabTitle('x'.repeat(51)), `${'x'.repeat(49)}…`);
    assert.equal(tabTitle(`Fix ${'x'.repeat(60)}`), `Fix ${'x'.repeat(45)}…`);
    assert.equal(tabTitle('😀'.repeat(51)), `${'😀'.repeat(24)}…`);
    assert.equal(tabTitle('👩‍👩‍👧'.repeat(10)), `${'👩‍👩‍👧'.repeat(6)}…`);
  });
});
