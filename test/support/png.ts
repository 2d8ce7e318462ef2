import { crc32, deflateSync } from 'node:zlib';

/** A picture in the format PNG: all of it has one color. @param color red, green and blue. */
export function pngOf(width: number, height: number, color: readonly number[] = [90, 120, 200]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of three colors.
  header.set([8, 2], 8);
  const row = Buffer.from([0, ...Array.from({ length: width }, () => color).flat()]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const ends = [content.length, crc32(named)].map((value) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  });
  return Buffer.concat([ends[0]!, named, ends[1]!]);
}
