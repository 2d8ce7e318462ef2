import assert from 'node:assert/strict';
import fc from 'fast-check';
import { clean, serviceMessage } from '../../../src/api/decode/message.ts';

const said = (body: unknown) =>
  serviceMessage(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));

describe('serviceMessage', () => {
  const messages: [name: string, body: unknown, message: string | undefined][] = [
    ['error with a code', { error: 'No such user', error_code: 'not_found' }, 'No such user'],
    ['only a code', { error_code: 'not_found' }, 'not_found'],
    ['message', { message: 'Nope' }, 'Nope'],
    ['nested error', { error: { message: 'Deep' } }, 'Deep'],
    ['list of texts', { errors: ['One', 'Two'] }, 'One; Two'],
    ['bare list', ['One'], 'One'],
    ['plain text', 'Service Unavailable', 'Service Unavailable'],
    ['JSON text', '"Quoted"', 'Quoted'],
    ['HTML', '<html><head><title>502 Bad\n Gateway</title></head><body>secret', '502 Bad Gateway'],
    ['HTML without a title', '<html><body><h1>Oops</h1>', 'Oops'],
    ['HTML without anything', '<html><body>x', undefined],
    ['nothing', '', undefined],
    ['a number', '5', undefined],
    ['null', 'null', undefined],
    ['markup in a message', { message: '<script>x</script>Hi &lt;b&gt;there&lt;/b&gt;' }, 'x Hi there'],
  ];
  for (const [name, body, message] of messages) {
    it(`reads ${name}`, () => assert.equal(said(body).message, message));
  }

  it('reads messages about fields in each form', () => {
    const fields = [
      { field: 'name', message: 'is too short' },
      { field: '', message: 'and more' },
    ];
    assert.deepEqual(
      said({ errors: [{ field: 'name', message: 'is too short' }, 'and more'] }).fields,
      fields,
    );
    assert.deepEqual(said({ errors: { name: ['is too short'], '': 'and more' } }).fields, fields);
    assert.equal(said({ errors: { name: ['is too short'] } }).message, 'name is too short');
  });

  it('is one short line of text, whatever the service sends', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (body) => {
        const { message, fields } = said(body);
        for (const text of [message ?? 'x', ...fields.map((entry) => entry.message)]) {
          assert.ok(text.length > 0 && text.length <= 500 && text.isWellFormed());
          assert.doesNotMatch(text, /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
        }
      }),
    );
    assert.equal(clean('x'.repeat(10_000)).length, 500);
  });

  it('takes no time over hostile bodies', () => {
    for (const piece of ['<', '<title ', '&lt;', '<h1 <title', '{"a":', ' ']) {
      said(piece.repeat(5_000_000));
    }
  });
});
