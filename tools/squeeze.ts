import { buffer } from 'node:stream/consumers';
import sevenZip, { type SevenZipModuleFactory } from '7z-wasm';
import { openPromise } from 'yauzl';

/**
 * An archive with the same files, packed as small as its format allows, which takes some seconds. What else an archive says of
 * its files is left out: the times at which they were made, and entries of folders.
 *
 * @param file a zip file.
 * @param change what a file is to have in its place, if it isn't to be as it was.
 */
export async function squeeze(
  file: string,
  change: (name: string, content: Buffer) => Buffer | string = (_name, content) => content,
): Promise<Uint8Array> {
  // Its types take it for a module, which it isn't.
  const start = sevenZip as unknown as SevenZipModuleFactory;
  const archiver = await start({ print: () => undefined });
  const { FS } = archiver;
  const names: string[] = [];
  const folders = new Set<string>();
  FS.mkdir('/files');
  FS.chdir('/files');
  const zip = await openPromise(file, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    for (const { index } of entry.fileName.matchAll(/\//g)) {
      const folder = entry.fileName.slice(0, index);
      if (!folders.has(folder)) {
        FS.mkdir(folder);
        folders.add(folder);
      }
    }
    const content = await buffer(await zip.openReadStreamPromise(entry));
    FS.writeFile(entry.fileName, change(entry.fileName, content));
    names.push(entry.fileName);
  }
  FS.writeFile('/names', names.join('\n'));
  archiver.callMain(['a', '-tzip', '-mx=9', '-mfb=258', '-mpass=15', '-mtm=off', '/squeezed.zip', '@/names']);
  return FS.readFile('/squeezed.zip');
}
