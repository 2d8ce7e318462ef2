import { randomUUID } from 'node:crypto';
import { isApiError, type AnyApiError } from './errors.ts';
import type { Call } from './call.ts';
import type { FileUpload } from './types/files.ts';

/** Progress of the files of one try. Bytes. */
export interface UploadProgress {
  sent: number;
  total: number;
}

/** The ways a server takes files: Base64 in JSON, as the contract says, or as parts of a form. */
export type UploadForm = 'json' | 'multipart';

type Fields = Readonly<Record<string, string | undefined>>;
type Files = Readonly<Record<string, FileUpload | undefined>>;

/** Statuses with which a service says that it cannot read this form of body. */
const otherFormWanted = new Set([400, 415, 422]);

/** A file of bytes that are in memory already. */
export function fileFromBytes(fileName: string, bytes: Uint8Array): FileUpload {
  return {
    fileName,
    size: bytes.length,
    open: async function* () {
      yield bytes;
    },
  };
}

/** Sends requests with files, in the form the server takes, and remembers which one that is. */
export class Uploads {
  /** The form that has worked on this server; undefined until one has. */
  form: UploadForm | undefined;
  readonly #onForm: ((form: UploadForm) => void) | undefined;

  constructor(form: UploadForm | undefined, onForm: ((form: UploadForm) => void) | undefined) {
    this.form = form;
    this.#onForm = onForm;
  }

  /**
   * Fills `call` with the fields and files and sends it through `send`, in the form that has worked on this server, else
   * as JSON; when the service does not understand that, once more in the other form, with files or without.
   */
  async send<T>(
    call: Call,
    fields: Fields,
    files: Files,
    onProgress: ((progress: UploadProgress) => void) | undefined,
    send: (call: Call) => Promise<T>,
  ): Promise<T> {
    const present = Object.entries(files).filter(
      (entry): entry is [string, FileUpload] => entry[1] !== undefined,
    );
    const sendAs = (form: UploadForm): Promise<T> =>
      this.#remember(form, send(fill(call, form, fields, present, onProgress)));
    const first = this.form ?? 'json';
    try {
      return await sendAs(first);
    } catch (refusal) {
      if (!isRefusal(refusal)) {
        throw refusal;
      }
      try {
        return await sendAs(first === 'json' ? 'multipart' : 'json');
      } catch (error) {
        throw isRefusal(error) ? moreTelling(refusal, error) : error;
      }
    }
  }

  async #remember<T>(form: UploadForm, sent: Promise<T>): Promise<T> {
    const result = await sent;
    if (this.form !== form) {
      this.form = form;
      this.#onForm?.(form);
    }
    return result;
  }
}

function isRefusal(error: unknown): error is AnyApiError {
  return isApiError(error) && error.status !== undefined && otherFormWanted.has(error.status);
}

/** Of the refusals of both forms, the one about what was sent: whoever says 415 has not read it. */
function moreTelling(one: AnyApiError, other: AnyApiError): AnyApiError {
  if (one.status === 415 || other.status === 415) {
    return one.status === 415 ? other : one;
  }
  const fieldsOf = (error: AnyApiError): number => (error.kind === 'invalid' ? error.fields.length : 0);
  return fieldsOf(other) > fieldsOf(one) ? other : one;
}

type Piece = string | FileUpload;

function fill(
  call: Call,
  form: UploadForm,
  fields: Fields,
  files: readonly [string, FileUpload][],
  onProgress: ((progress: UploadProgress) => void) | undefined,
): Call {
  const boundary = `patch-stacks-${randomUUID()}`;
  const pieces = form === 'json' ? jsonPieces(fields, files) : multipartPieces(fields, files, boundary);
  const encodedSize = (size: number) => (form === 'json' ? Math.ceil(size / 3) * 4 : size);
  const contentLength = pieces.reduce(
    (length, piece) =>
      length + (typeof piece === 'string' ? Buffer.byteLength(piece) : encodedSize(piece.size)),
    0,
  );
  const total = files.reduce((sum, [, file]) => sum + file.size, 0);
  return {
    ...call,
    stream: {
      contentType: form === 'json' ? 'application/json' : `multipart/form-data; boundary=${boundary}`,
      contentLength,
      open: () => stream(pieces, form, total, onProgress),
    },
  };
}

/** JSON text cut where the files' Base64 goes. */
function jsonPieces(fields: Fields, files: readonly [string, FileUpload][]): Piece[] {
  const head = JSON.stringify(fields).slice(0, -1);
  return [
    head,
    ...files.flatMap(([name, file], index): Piece[] => [
      `${head === '{' && index === 0 ? '' : ','}${JSON.stringify(name)}:"`,
      file,
      '"',
    ]),
    '}',
  ];
}

function multipartPieces(fields: Fields, files: readonly [string, FileUpload][], boundary: string): Piece[] {
  const texts = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return [
    ...texts.map(
      ([name, value]) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
    ),
    ...files.flatMap(([name, file]): Piece[] => [
      `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"; filename="${quoted(file.fileName)}"\r\n` +
        'content-type: application/octet-stream\r\n\r\n',
      file,
      '\r\n',
    ]),
    `--${boundary}--\r\n`,
  ];
}

/** As browsers quote names in forms. */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

async function* stream(
  pieces: readonly Piece[],
  form: UploadForm,
  total: number,
  onProgress: ((progress: UploadProgress) => void) | undefined,
): AsyncIterable<Uint8Array> {
  let sent = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      yield Buffer.from(piece);
      continue;
    }
    const content = counted(piece, (bytes) => {
      sent += bytes;
      onProgress?.({ sent, total });
    });
    yield* form === 'json' ? base64(content) : content;
  }
}

/** Large pieces are cut: what waits to be sent is what the upload holds in memory. */
const longestPiece = 48 * 1024;

/** The content of a file in small pieces. A file that has another length than was said breaks the request. */
async function* counted(file: FileUpload, report: (bytes: number) => void): AsyncIterable<Uint8Array> {
  let left = file.size;
  for await (const chunk of file.open()) {
    left -= chunk.length;
    if (left < 0) {
      throw new RangeError('The file grew while it was sent');
    }
    for (let start = 0; start < chunk.length; start += longestPiece) {
      const piece = chunk.subarray(start, start + longestPiece);
      yield piece;
      report(piece.length);
    }
  }
  if (left > 0) {
    throw new RangeError('The file shrank while it was sent');
  }
}

/** Base64 of a stream, carrying over the bytes that do not fill a group of three. */
async function* base64(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let rest = Buffer.alloc(0);
  for await (const chunk of content) {
    const bytes =
      rest.length === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
        : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    rest = Buffer.from(bytes.subarray(whole));
    if (whole > 0) {
      yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1');
    }
  }
  if (rest.length > 0) {
    yield Buffer.from(rest.toString('base64'), 'latin1');
  }
}
