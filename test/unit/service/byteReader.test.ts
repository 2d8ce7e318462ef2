import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
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

  it('gives lines and numbers of bytes in turn, and nothing of what has no end', async () => {
    const records = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(records, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), async (all, sizes) => {
        const whole = Buffer.concat(
          all.flatMap((bytes) => [Buffer.from(`${bytes.length}\n`), Buffer.from(bytes)]),
        );
        const chunks: Buffer[] = [];
        for (let at = 0; at < whole.length; at += chunks.at(-1)?.length ?? 1) {
          chunks.push(whole.subarray(at, at + Number(sizes.next().value)));
        }
        const reader = new ByteReader(Readable.from(chunks, { objectMode: true }));
        for (const bytes of all) {
          assert.equal(await reader.line(), `${bytes.length}`);
          assert.deepEqual(await reader.bytes(bytes.length), Buffer.from(bytes));
        }
        assert.equal(await reader.bytes(1), undefined);
        assert.equal(await new ByteReader(stream(['no end'])).line(), undefined);
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
