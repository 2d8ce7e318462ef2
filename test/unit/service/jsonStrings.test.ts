import assert from 'node:assert/strict';
import fc from 'fast-check';
import { HttpError } from '../../../src/service/errors.ts';
import { JsonStringsReader } from '../../../src/service/uploads/jsonStrings.ts';

/** Reads a body that arrives in pieces of `size` bytes. */
function read(json: string | Buffer, size = 1): Record<string, string> {
  const values: Record<string, string> = {};
  const reader = new JsonStringsReader((name) => {
    let text = '';
    return { write: (more) => (text += more), end: () => (values[name] = text) };
  });
  const bytes = Buffer.from(json);
  for (let offset = 0; offset < bytes.length; offset += size) {
    reader.write(bytes.subarray(offset, offset + size));
  }
  reader.end();
  return values;
}

describe('reading a JSON object of strings as it arrives', () => {
  it('gives what JSON.parse gives, however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ unit: 'binary' }).filter((name) => name !== '__proto__'),
          fc.string({ unit: 'binary' }),
        ),
        fc.integer({ min: 1, max: 7 }),
        (values, size) => {
          for (const json of [JSON.stringify(values), JSON.stringify(values, null, 2)]) {
            assert.deepEqual(read(json, size), { ...(JSON.parse(json) as object) });
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('resolves every escape', () => {
    assert.deepEqual(read(String.raw`{"a\u0041": "\"\\\/\b\f\n\r\t\ud83d\ude00"}`), {
      aA: '"\\/\b\f\n\r\t😀',
    });
  });

  it('counts null as left out', () => {
    assert.deepEqual(read('{"a": null, "b": "x"}'), { b: 'x' });
  });

  const malformed = [
    '',
    '{',
    '[]',
    '"a"',
    '{"a"}',
    '{"a":}',
    '{"a": 1}',
    '{"a": {}}',
    '{"a": nul}',
    '{"a": "b",}',
    '{"a": "b"} x',
    '{"a": "b" "c": "d"}',
    '{"a": "\\x"}',
    '{"a": "\\u12g4"}',
    '{"a": "\n"}',
    '{"a": "b',
  ];
  for (const json of malformed) {
    it(`refuses ${JSON.stringify(json)}`, () => {
      assert.throws(
        () => read(json),
        (error) => error instanceof HttpError && error.status === 400,
      );
    });
  }

  it('refuses bytes that are no UTF-8', () => {
    assert.throws(() => read(Buffer.from([0x7b, 0x22, 0xff, 0x22])), HttpError);
  });
});
