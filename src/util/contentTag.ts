import { createHash } from 'node:crypto';

/**
 * Names the state of something that is written, for who writes it and for a service that compares before it does (`If-Match`): equal
 * for equal contents.
 *
 * @param content a text, or a list of texts.
 */
export function contentTag(content: string | readonly string[]): string {
  return `"${createHash('sha256').update(JSON.stringify(content)).digest('hex')}"`;
}
