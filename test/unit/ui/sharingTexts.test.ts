import assert from 'node:assert/strict';
import '../../../tools/englishTexts.ts';

const { leftOutSentence, sharingText, troubleSentence, unfinishedSentence, withheldText } =
  await import('../../../src/ui/sharingTexts.ts');

describe('the words beside the name of a project that is shared', () => {
  const shared = { remote: 'origin', waiting: 0, sharedAt: new Date() };
  const long = { what: 'text', of: 'Greet people', why: 'tooLong' } as const;

  it('say when all was shared, where it was', () => {
    assert.match(sharingText(shared), /^shared /);
    assert.match(sharingText({ ...shared, withheld: [] }), /^shared /);
  });

  it("say how much can't be shared, and not that it was", () => {
    assert.equal(sharingText({ ...shared, withheld: [long] }), "1 change can't be shared");
    assert.equal(sharingText({ ...shared, withheld: [long, long] }), "2 changes can't be shared");
  });

  it('say first what keeps all from being shared', () => {
    assert.equal(sharingText({ ...shared, withheld: [long], trouble: 'offline' }), 'offline: not shared');
  });

  it('say that the remote has lost it, where it has, and what can be done', () => {
    assert.equal(
      sharingText({ ...shared, waiting: 1, trouble: 'vanished' }),
      'gone from the remote: 1 change to share',
    );
    assert.match(
      troubleSentence('origin', 'vanished'),
      /no longer in "origin": .* push again .* Nothing is lost/,
    );
  });

  it('say that the clock is ahead, where it is', () => {
    assert.equal(sharingText({ ...shared, trouble: 'clockAhead' }), 'clock ahead: not taken by others yet');
    const sentence = troubleSentence('origin', 'clockAhead', new Date(2026, 0, 2, 3, 4));
    assert.match(sentence, /from Jan 2, 2026, 3:04.AM on, by their time/);
    // It has been pushed.
    assert.doesNotMatch(sentence, /stay on this computer/);
    assert.doesNotMatch(troubleSentence('origin', 'offline'), /clock/);
  });

  it('name those whose changes were left out, each once, and make no links of their names', () => {
    const why = "were ignored because they can't be trusted or read. See the log.";
    assert.equal(leftOutSentence([undefined]), `Some shared changes ${why}`);
    assert.equal(leftOutSentence([undefined, 'Ann']), `Some changes shared by Ann ${why}`);
    assert.equal(leftOutSentence(['Ann', 'Bob', 'Ann']), `Some changes shared by Ann and Bob ${why}`);
    assert.match(leftOutSentence(['a', 'b', 'c', 'd']), /shared by a, b, c, and … were/);
    assert.match(leftOutSentence(['[Ann](command:x)']), /shared by Ann\(command:x\) were/);
  });

  it('say that there is more of what others shared, where there is, and whose', () => {
    assert.equal(sharingText({ ...shared, unfinished: ['Ann'] }), 'taking in changes…');
    assert.match(sharingText({ ...shared, unfinished: [] }), /^shared /);
    assert.equal(
      sharingText({ ...shared, unfinished: ['Ann'], trouble: 'offline', waiting: 0 }),
      'offline: not shared',
    );
    const more = 'shared: there is a lot of it.';
    assert.equal(unfinishedSentence(['Ann', undefined, 'Ann']), `Still taking in what Ann ${more}`);
    assert.equal(unfinishedSentence([undefined]), `Still taking in what others ${more}`);
  });

  it('name each thing that stays here, and why', () => {
    assert.equal(
      withheldText(long),
      'Stays on this computer: a text of "Greet people" (too long to be shared)',
    );
    const texts = (
      ['profile', 'key', 'changes', 'title', 'description', 'status', 'order', 'review'] as const
    ).map((what) => withheldText({ what, of: 'x', why: 'characters' }));
    assert.deepEqual(
      texts.map((text) => /: (.*) \(it has control characters/.exec(text)?.[1]),
      [
        'your name "x"',
        'the SSH key "x"',
        'the changes of "x"',
        'the title of "x"',
        'the description of "x"',
        'the status of "x"',
        'the order of "x"',
        'your review of "x"',
      ],
    );
  });
});
