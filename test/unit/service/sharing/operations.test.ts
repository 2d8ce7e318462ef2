import assert from 'node:assert/strict';
import {
  decodeBatch,
  encodeBatch,
  noChain,
  personOf,
  versionsOf,
  whyWithheld,
  writerOf,
  type LoggedOperation,
  type Operation,
  type Writer,
} from '../../../../src/service/sharing/operations.ts';

const writer: Writer = { person: personOf('ada@example.com'), device: '0123456789abcdef' };
const text: Operation = {
  type: 'text',
  branch: 'feature',
  change: 'I1',
  commit: 'c'.repeat(40),
  section: 'a',
  text: 'Why.',
  over: [],
};

function logged(content: Operation | undefined, seq = 1): LoggedOperation {
  return { id: `${writer.person}/${writer.device}/${seq}`, writer, seq, clock: [seq, 0], content };
}

const decode = (lines: readonly unknown[], who = writer) =>
  decodeBatch(Buffer.from(lines.map((each) => JSON.stringify(each)).join('\n')), who, noChain);

const header = { format: 1, ...writer };
const line = { seq: 1, clock: [1, 0], ...text };

function refusal(lines: readonly unknown[], who = writer): string {
  const batch = decode(lines, who);
  assert.ok('refusal' in batch, 'it was taken');
  return batch.refusal;
}

describe('the operations of a commit', () => {
  it('are read as they were written', () => {
    const person: Operation = { type: 'person', name: 'Ada', email: 'Ada@Example.com' };
    const operations = [logged(person), logged(text, 2)];
    assert.deepEqual(decodeBatch(Buffer.from(encodeBatch(writer, operations)), writer, noChain), {
      operations,
      end: { seq: 2, clock: [2, 0] },
    });
  });

  it('may be of kinds that are not known, and say more than is known', () => {
    const batch = decode([
      { ...header, more: 1 },
      { seq: 1, clock: [1, 0], type: 'dance', with: 'Bob' },
      { seq: 2, clock: [1, 1], type: 'constructor' },
      { ...line, seq: 3, clock: [2, 0], more: {} },
    ]);
    assert.ok('operations' in batch);
    assert.deepEqual(
      batch.operations.map(({ content }) => content),
      [undefined, undefined, text],
    );
  });

  const wrong: Record<string, [string, unknown[], Writer?]> = {
    'nothing at all': ['malformed', []],
    'no header': ['malformed', [line]],
    'a header that is no object': ['malformed', [null, line]],
    'a newer format': ['newer', [{ ...header, format: 2 }, line]],
    "another person's header": ['forged', [header, line], { ...writer, person: personOf('b@example.com') }],
    "another device's header": ['forged', [header, line], { ...writer, device: 'f'.repeat(16) }],
    "another person's profile": [
      'forged',
      [header, { seq: 1, clock: [1, 0], type: 'person', name: 'Ada', email: 'b@example.com' }],
    ],
    'an operation that is missing': ['gap', [header, { ...line, seq: 2 }]],
    'one that stands there twice': ['gap', [header, line, line]],
    'a clock that goes back': ['clock', [header, line, { ...line, seq: 2, clock: [0, 5] }]],
    'a clock that stands still': ['clock', [header, line, { ...line, seq: 2 }]],
    'a clock that is no number': ['malformed', [header, { ...line, clock: ['1', 0] }]],
    'a clock that is no whole number': ['malformed', [header, { ...line, clock: [1.5, 0] }]],
    'a clock before there were any': ['malformed', [header, { ...line, clock: [-1, 0] }]],
    'a number that counts nothing': ['malformed', [header, { ...line, seq: 0 }]],
    'a number that is too large': ['malformed', [header, { ...line, seq: 2 ** 53 }]],
    'a review that says something else': [
      'malformed',
      [header, { ...line, type: 'review', patch: 'p', says: 'merged' }],
    ],
    'a stack in a state that there is none of': [
      'malformed',
      [header, { seq: 1, clock: [1, 0], type: 'stack', branch: 'b', status: 'inactive' }],
    ],
    'a branch without a name': ['malformed', [header, { ...line, branch: '' }]],
    'a section of two lines': ['malformed', [header, { ...line, section: 'a\nb' }]],
    'a kind with a name that is too long': ['malformed', [header, { ...line, type: 'x'.repeat(101) }]],
    'a header that is no format': ['malformed', [{ ...header, format: '1' }, line]],
    'no kind': ['malformed', [header, { seq: 1, clock: [1, 0] }]],
    'a list': ['malformed', [header, [1]]],
    'a text that is too long': ['malformed', [header, { ...line, text: 'x'.repeat(1_000_001) }]],
    'a megabyte in a title': [
      'malformed',
      [header, { seq: 1, clock: [1, 0], type: 'stack', branch: 'b', title: 'x'.repeat(1_000_000) }],
    ],
    'a title of two lines': [
      'malformed',
      [header, { seq: 1, clock: [1, 0], type: 'stack', branch: 'b', title: 'x\ny' }],
    ],
    'half a character': ['malformed', [header, { ...line, text: '\ud800' }]],
    'too many versions': [
      'malformed',
      [header, { ...line, over: Array.from({ length: 10_001 }, () => logged(text).id) }],
    ],
    'a version that is none': ['malformed', [header, { ...line, over: ['../../etc'] }]],
    'a commit that is none': ['malformed', [header, { ...line, commit: '--all' }]],
  };
  for (const [name, [reason, lines, who]] of Object.entries(wrong)) {
    it(`are refused with ${name}`, () => {
      assert.equal(refusal(lines, who), reason);
    });
  }

  it('are refused when they are no text, or no JSON however deep', () => {
    const bytes = [Buffer.from([0xff, 0xfe]), Buffer.from('{'), Buffer.from('['.repeat(1_000_000))];
    for (const each of bytes) {
      const batch = decodeBatch(each, writer, noChain);
      assert.ok('refusal' in batch && batch.refusal === 'malformed');
    }
  });

  it('name all commits of a branch, but those that none can name', () => {
    const commits = Array.from({ length: 10_001 }, (_, index) => ({
      change: `I${index}`,
      commit: index.toString(16).padStart(40, '0'),
    }));
    const versions = versionsOf('feature', [
      ...commits.slice(0, 5000),
      { change: 'I'.repeat(1001), commit: 'c'.repeat(40) },
      ...commits.slice(5000),
    ]);
    const batch = decodeBatch(
      Buffer.from(
        encodeBatch(
          writer,
          versions.map((version, index) => logged(version, index + 1)),
        ),
      ),
      writer,
      noChain,
    );
    assert.ok('operations' in batch);
    assert.deepEqual(
      batch.operations.flatMap(({ content }) => (content?.type === 'version' ? content.changes : [])),
      commits,
    );
    assert.deepEqual(versionsOf('feature', []), []);
  });

  it('are said where everybody takes them, and else it is said why not', () => {
    const why = (content: Operation, more: Partial<LoggedOperation> = {}): string | undefined =>
      whyWithheld({ ...logged(content), ...more }, noChain);
    const order = (names: string[]): Operation => ({
      type: 'order',
      branch: 'feature',
      change: 'I1',
      commit: 'c'.repeat(40),
      order: names,
    });
    assert.equal(why(text), undefined);
    assert.equal(why(order(['a'])), undefined);
    assert.equal(why(order(Array.from({ length: 10_001 }, () => 'a'))), 'tooLong');
    // Each name is short enough, and so is the list: together they are larger than a commit may be.
    assert.equal(why(order(Array.from({ length: 4500 }, () => 'é'.repeat(2000)))), 'tooLong');
    assert.equal(why(order(['a\tb'])), 'characters');
    assert.equal(why(order([' '])), 'unreadable');
    assert.equal(why(text, { clock: [-1, 0] }), 'unreadable');
  });

  it('belong to a writer whom the ref names', () => {
    assert.deepEqual(writerOf(`${writer.person}/${writer.device}`), writer);
    for (const path of ['', writer.person, `${writer.person}/x`, `x/${writer.person}/${writer.device}`]) {
      assert.equal(writerOf(path), undefined);
    }
  });
});
