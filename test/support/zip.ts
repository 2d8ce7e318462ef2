import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** The files of a zip file, by their paths. */
export async function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}

/** The mode of each file, as Unix and git write it. */
export async function zipModes(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const modes = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    modes.set(entry.fileName, (entry.externalFileAttributes >>> 16).toString(8));
  }
  return modes;
}
