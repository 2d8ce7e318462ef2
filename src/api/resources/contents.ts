import { createHash } from 'node:crypto';
import type { CallOptions } from '../call.ts';
import { at, identifier, items, record, text } from '../decode/values.ts';
import { path, query } from '../path.ts';
import type { Requester } from '../request.ts';
import type { BlobContent } from '../types/contents.ts';

const blob = record<BlobContent>({ id: at('id', identifier), content: at('content', text) }, [
  'id',
  'content',
]);
const answer = record<{ contents: BlobContent[] }>({ contents: at('contents', items(blob)) }, ['contents']);

/** Ids that are asked for at once. */
const mostIds = 50;

/**
 * Contents of files by the ids of their blobs: no operation of the contract, but something that our own local service offers to the
 * person whom it runs for. No other service is asked.
 */
export class Contents {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** True once the service has said that it gives contents. */
  get isOffered(): boolean {
    return this.#requester.offers('contents');
  }

  /** `GET /contents`: those that the service has; nothing is taken for the content of a blob that isn't. */
  async read(ids: readonly string[], options?: CallOptions): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>();
    for (let from = 0; this.isOffered && from < ids.length; from += mostIds) {
      const { contents } = await this.#requester.read(
        {
          operation: 'contents.read',
          method: 'GET',
          repeat: 'read',
          path: () => path`/contents`,
          query: query({ ids: ids.slice(from, from + mostIds).join(',') }),
        },
        answer,
        options,
      );
      for (const { id, content } of contents) {
        const bytes = Buffer.from(content, 'base64');
        if (isBlob(id, bytes)) {
          found.set(id, bytes);
        }
      }
    }
    return found;
  }
}

/** True for the bytes that git calls by an id. */
function isBlob(id: string, bytes: Buffer): boolean {
  const algorithm = id.length === 64 ? 'sha256' : 'sha1';
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === id;
}
