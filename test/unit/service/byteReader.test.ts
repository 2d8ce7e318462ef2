import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ByteReader } from '../../../src/service/git/byteReader.ts';

async function* stream(chunks: readonly string[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) {
    yield Buffer.from(chunk);
  }
}

const comma = 0x2c;

describe('reading bytes piece by piece', () => {
  it('gives the pieces between separators, however the stream is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.stringMatching(/^[ab,]*$/)), fc.boolean(), async (chunks, peeking) => {
        const reader = new ByteReader(stream(chunks));
        const pieces: string[] = [];
        for (;;) {
          const ahead = peeking ? await reader.peek(2) : undefined;
          const piece = await reader.next(comma);
          if (!piece) {
            break;
          }
          pieces.push(piece.toString());
          if (ahead !== undefined) {
            assert.ok(`${piece.toString()},`.startsWith(ahead.split(',')[0]!));
          }
        }
        const expected = chunks.join('').split(',');
        // The end after the last separator is a piece only if there is something in it.
        if (expected.at(-1) === '') {
          expected.pop();
        }
        assert.deepEqual(pieces, expected);
      }),
    );
  });

  it('gives what has arrived whole in one piece, as far as it is wanted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.stringMatching(/^[ab,]*$/)), fc.nat(5), async (chunks, most) => {
        const reader = new ByteReader(stream(chunks));
        let read = '';
        for (;;) {
          const first: string[] = [];
          const some = reader.takeWhile(comma, (byte) => {
            const isWanted = first.length < most;
            if (isWanted) {
              first.push(String.fromCharCode(byte));
            }
            return isWanted;
          });
          const pieces = some.toString().split(',').slice(0, -1);
          assert.deepEqual(
            pieces.map((piece) => `${piece},`.charAt(0)),
            first,
          );
          read += some.toString();
          if (first.length < most) {
            assert.equal(reader.take(comma), undefined);
          }
          const next = await reader.next(comma);
          if (!next) {
            break;
          }
          read += `${next.toString()},`;
        }
        const all = chunks.join('');
        assert.equal(read, all === '' || all.endsWith(',') ? all : `${all},`);
      }),
    );
  });

  it('gives at once only what has arrived', async () => {
    const reader = new ByteReader(stream(['a,b', ',c']));
    assert.equal(reader.take(comma), undefined);
    assert.equal((await reader.next(comma))?.toString(), 'a');
    assert.equal(reader.take(comma), undefined);
    assert.equal((await reader.next(comma))?.toString(), 'b');
    assert.equal(await reader.peek(5), 'c');
    assert.equal((await reader.next(comma))?.toString(), 'c');
    assert.equal(await reader.peek(1), '');
    assert.equal(await reader.next(comma), undefined);
  });
});
