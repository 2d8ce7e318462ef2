/** Images: what may be sent as that of a person, and what a page may show. */
import { fileTypeFromBuffer } from 'file-type';
import { largestAvatar } from '../protocol/profile.ts';

/** The kinds of images a service takes, with the endings their files may have. */
const kinds: ReadonlyMap<string, { type: string; name: string; endings: readonly string[] }> = new Map([
  ['image/png', { type: 'image/png', name: 'PNG', endings: ['png', 'apng'] }],
  ['image/apng', { type: 'image/png', name: 'PNG', endings: ['png', 'apng'] }],
  ['image/jpeg', { type: 'image/jpeg', name: 'JPEG', endings: ['jpg', 'jpeg', 'jpe', 'jfif'] }],
  ['image/gif', { type: 'image/gif', name: 'GIF', endings: ['gif'] }],
  ['image/webp', { type: 'image/webp', name: 'WebP', endings: ['webp'] }],
]);

/** The result of checking a file that was chosen as an image. */
export type ImageCheck =
  /** An image that the page can show. */
  | { kind: 'image'; preview: string }
  | { kind: 'empty' }
  | { kind: 'tooLarge' }
  /** Something else, by its content; `found` names it when it is known. */
  | { kind: 'otherType'; found?: string }
  /** An image, but not the kind its name says. */
  | { kind: 'lying'; ending: string; found: string };

/** Checks by its content whether a file may be sent as an image. */
export async function checkImage(
  fileName: string,
  bytes: Uint8Array,
  largest = largestAvatar,
): Promise<ImageCheck> {
  if (bytes.length === 0) {
    return { kind: 'empty' };
  }
  if (bytes.length > largest) {
    return { kind: 'tooLarge' };
  }
  const found = await fileTypeFromBuffer(bytes);
  const kind = kinds.get(found?.mime ?? '');
  if (!found || !kind) {
    return { kind: 'otherType', ...(found && { found: found.ext.toUpperCase() }) };
  }
  const ending = /\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase();
  if (ending !== undefined && !kind.endings.includes(ending)) {
    return { kind: 'lying', ending, found: kind.name };
  }
  return { kind: 'image', preview: dataUrl(kind.type, bytes) };
}

/** The kind of a file by its content, as people call it: `PNG`; undefined when nothing is known of it. */
export async function kindOfFile(bytes: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(bytes);
  return found && (kinds.get(found.mime)?.name ?? found.ext.toUpperCase());
}

/** An image from a stranger as an address that a page can show; undefined when it is none, or has more bytes. */
export async function imageAddress(bytes: Uint8Array, largest?: number): Promise<string | undefined> {
  const check = await checkImage('', bytes, largest);
  return check.kind === 'image' ? check.preview : undefined;
}

function dataUrl(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}
