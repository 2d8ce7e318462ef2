import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeText, mergingText } from '../../../src/util/mergeText.ts';

const merged = (text: string) => ({ kind: 'merged', text });
const conflict = { kind: 'conflict' };

describe('mergeText', () => {
  it('joins changes of different lines', () => {
    assert.deepEqual(mergeText('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n'), merged('A\nb\nC\n'));
    assert.deepEqual(mergeText('a\nb\nc', 'a\nb\nc\nd', 'x\na\nb\nc'), merged('x\na\nb\nc\nd'));
  });

  it('joins changes of different words of one line', () => {
    const base = 'Prose is one long line, in which two people may change two things.';
    const mine = base.replace('long', 'very long');
    const theirs = base.replace('two things', 'three things');
    assert.deepEqual(mergeText(base, mine, theirs), merged(mine.replace('two things', 'three things')));
  });

  it('finds a conflict where both changed the same word, or added something in the same place', () => {
    assert.deepEqual(mergeText('one two', 'one 2', 'one II'), conflict);
    assert.deepEqual(mergeText('a\n', 'a\nmine\n', 'a\ntheirs\n'), conflict);
    assert.deepEqual(mergeText('a b c', 'a c', 'a B c'), conflict);
  });

  it('takes a change once that both made', () => {
    assert.deepEqual(mergeText('a\nb\nc\n', 'a\nB\nc\n', 'a\nB\nC\n'), merged('a\nB\nC\n'));
  });

  it('ends lines as the service does when it has to join', () => {
    assert.deepEqual(mergeText('a\r\nb\r\nc\r\n', 'A\nb\nc\n', 'a\r\nb\r\nC\r\n'), merged('A\r\nb\r\nC\r\n'));
  });

  it('soon gives up where thousands of words and lines differ', () => {
    const words = (name: string) => Array.from({ length: 4000 }, (_, index) => `${name}${index}`).join(' ');
    assert.deepEqual(mergeText(words('a'), words('b'), words('c')), conflict);
    const paragraphs = (name: string) => words(name).replaceAll(' ', '\n\n');
    assert.deepEqual(mergeText(paragraphs('a'), paragraphs('b'), paragraphs('c')), conflict);
    const long = paragraphs('a');
    assert.deepEqual(
      mergeText(long, long.replace('a2000', 'mine'), long.replace('a2009', 'theirs')),
      merged(long.replace('a2000', 'mine').replace('a2009', 'theirs')),
    );
  });

  it('compares so much of one text, and in steps, however many lines both changed', () => {
    const text = (first: string, last: string) =>
      Array.from(
        { length: 40 },
        (_, index) => `${first} ${index} ${'a b '.repeat(80)}${last}\n\nLine ${index}.\n\n`,
      ).join('');
    const steps = (count: number, budget?: { pairs: number }) => {
      const cut = (whole: string) => whole.split('Line').slice(0, count).join('Line');
      const merging = mergingText(cut(text('x', 'y')), cut(text('A', 'y')), cut(text('x', 'B')), budget);
      let made = 0;
      for (;;) {
        const step = merging.next();
        if (step.done) {
          return { made, kind: step.value.kind };
        }
        made++;
      }
    };
    const few = steps(3);
    assert.equal(few.kind, 'merged');
    assert.ok(few.made >= 6, String(few.made));
    assert.deepEqual(steps(3, { pairs: 50_000 }).kind, 'conflict');
    const many = steps(40);
    assert.equal(many.kind, 'conflict');
    assert.ok(many.made < 40, String(many.made));
  });

  it('joins changes at both ends of a text of thousands of paragraphs', () => {
    const long = Array.from({ length: 4000 }, (_, index) => `${index}: It is so.\n\n`).join('');
    const mine = `Mine.\n\n${long}`;
    const theirs = `${long}Theirs.\n`;
    assert.deepEqual(mergeText(long, mine, theirs), merged(`Mine.\n\n${long}Theirs.\n`));
    const changed = (text: string, paragraph: number) =>
      text.replace(`${paragraph}: It is`, `${paragraph}: It was`);
    assert.deepEqual(
      mergeText(long, changed(mine, 17), changed(theirs, 3017)),
      merged(changed(changed(`Mine.\n\n${long}Theirs.\n`, 17), 3017)),
    );
    assert.deepEqual(
      mergeText(long, changed(mine, 17), long.replace('17: It is', "17: It isn't") + 'Theirs.\n'),
      conflict,
    );
  });

  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'a b', 'b c d', ''), { maxLength: 6 })
    .map((lines) => lines.join('\n'));

  it('changes nothing where only one side did', () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        assert.deepEqual(mergeText(base, other, base), merged(other));
        assert.deepEqual(mergeText(base, base, other), merged(other));
        assert.deepEqual(mergeText(base, other, other), merged(other));
      }),
    );
  });

  it('comes to the same whoever is asked', () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        assert.deepEqual(mergeText(base, mine, theirs), mergeText(base, theirs, mine));
      }),
    );
  });

  it('loses no line that one of them added', () => {
    fc.assert(
      fc.property(text, fc.nat(6), fc.nat(6), (base, at, other) => {
        const lines = base.split('\n');
        const mine = lines.toSpliced(at, 0, 'MINE').join('\n');
        const theirs = lines.toSpliced(other, 0, 'THEIRS').join('\n');
        const result = mergeText(base, mine, theirs);
        if (result.kind === 'merged') {
          const found = result.text.split('\n');
          assert.ok(found.includes('MINE') && found.includes('THEIRS'), result.text);
          assert.equal(found.length, lines.length + 2);
        }
      }),
    );
  });
});
