import busboy from '@fastify/busboy';
import { HttpError } from '../errors.ts';
import { bodyChunks, type RequestContext } from '../requests.ts';
import { messageOf } from '../../util/messageOf.ts';

/** Receives the bytes of one file part. Both methods may throw to refuse the request. */
export interface FileSink {
  write(chunk: Uint8Array): void;
  /** The part is complete. */
  end(): void;
}

/** The longest text part, in bytes. */
const largestField = 2 * 1024 * 1024;

/**
 * Reads a multipart/form-data body as it comes: files go to their sinks chunk by chunk, texts are collected.
 *
 * @param limit The largest body in bytes.
 * @param openFile Gives the sink for a file part; it may throw an HttpError to refuse the part.
 * @returns The text parts by name.
 * @throws HttpError 400 for a body that is not well formed, 413 for one that is too large.
 */
export async function readMultipart(
  context: RequestContext,
  limit: number,
  openFile: (name: string, fileName: string) => FileSink,
): Promise<Record<string, string>> {
  const malformed = (cause: unknown) =>
    new HttpError(400, 'malformed_multipart', `The body isn't valid multipart/form-data (${String(cause)}).`);
  const raise = (error: Error) => {
    throw error;
  };
  const fields: Record<string, string> = {};
  const contentType = context.req.header('content-type') ?? '';
  let failure: Error | undefined;
  let parser: InstanceType<typeof busboy.Busboy>;
  try {
    parser = new busboy.Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: largestField, fields: 20, files: 10, parts: 30 },
    });
  } catch (error) {
    throw malformed(messageOf(error));
  }
  parser.on('field', (name: string, value: string, _nameTruncated: boolean, truncated: boolean) => {
    if (truncated) {
      failure ??= new HttpError(413, 'too_large', `The field ${name} is too long.`);
    }
    fields[name] = value;
  });
  parser.on('file', (name: string, stream: NodeJS.ReadableStream, fileName: string) => {
    // The sinks write synchronously, so that reading the body waits for them: nothing piles up.
    const attempt = (work: () => void) => {
      try {
        if (failure === undefined) {
          work();
        }
      } catch (error) {
        failure = error instanceof Error ? error : malformed(messageOf(error));
      }
    };
    let sink: FileSink | undefined;
    attempt(() => (sink = openFile(name, fileName)));
    stream.on('data', (chunk: Uint8Array) => attempt(() => sink?.write(chunk)));
    stream.on('end', () => attempt(() => sink?.end()));
    // A body that ends within a file: without a listener this would end the process.
    stream.on('error', (error: Error) => attempt(() => raise(malformed(error.message))));
  });
  const finished = new Promise<void>((resolve, reject) => {
    parser.on('finish', resolve);
    parser.on('error', (error: unknown) => reject(malformed(messageOf(error))));
  });
  // The failure is handled below even when writing fails first.
  finished.catch(() => undefined);
  for await (const chunk of bodyChunks(context, limit)) {
    if (failure !== undefined) {
      break;
    }
    if (!parser.write(chunk)) {
      await Promise.race([new Promise((resolve) => parser.once('drain', resolve)), finished]);
    }
  }
  if (failure === undefined) {
    parser.end();
    await finished;
  }
  if (failure) {
    throw failure;
  }
  return fields;
}
