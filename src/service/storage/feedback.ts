import { createHash, type Hash } from 'node:crypto';
import type { Database } from './database.ts';

/** The content of an attachment of feedback (contract §4, Feedback). */
export type AttachmentKind = 'logs' | 'repo' | 'data';

/** Feedback as it is stored. */
interface FeedbackRow {
  id: number;
  user_id: number | null;
  email: string | null;
  message: string | null;
  context: string | null;
  created_at: number;
}

/** An attachment as it is stored, without its bytes: see `readAttachment`. */
interface AttachmentRow {
  id: number;
  feedback_id: number | null;
  kind: AttachmentKind;
  file_name: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

/** Bytes of an attachment that are written at once: as many of it as are ever in memory. */
export const chunkSize = 1024 * 1024;

/** Writes an attachment into the database while it arrives, in chunks that are each a transaction of their own. */
export class AttachmentWriter {
  readonly id: number;
  readonly #database: Database;
  readonly #hash: Hash = createHash('sha256');
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #chunks = 0;
  #size = 0;

  constructor(database: Database, kind: AttachmentKind, fileName: string) {
    this.#database = database;
    this.id = database.run(
      `INSERT INTO attachments (feedback_id, kind, file_name, size, sha256) VALUES (NULL, ?, ?, 0, '')`,
      kind,
      fileName,
    ).id;
  }

  /** Takes the next bytes. */
  write(bytes: Uint8Array): void {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes >= chunkSize) {
      this.#flush();
    }
  }

  /** Writes the rest, and what the attachment turned out to be. */
  end(): void {
    this.#flush();
    this.#database.run(
      'UPDATE attachments SET size = ?, sha256 = ? WHERE id = ?',
      this.#size,
      this.#hash.digest('hex'),
      this.id,
    );
  }

  #flush(): void {
    if (this.#pendingBytes === 0) {
      return;
    }
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#hash.update(bytes);
    this.#size += bytes.length;
    this.#database.run(
      'INSERT INTO attachment_chunks (attachment_id, number, bytes) VALUES (?, ?, ?)',
      this.id,
      this.#chunks++,
      bytes,
    );
  }
}

/** Stores feedback with the attachments that were written for it; gives its id. */
export function createFeedback(
  database: Database,
  feedback: {
    userId: number;
    email?: string | undefined;
    message?: string | undefined;
    context?: string | undefined;
  },
  attachmentIds: readonly number[],
): number {
  return database.transaction(() => {
    const { id } = database.run(
      'INSERT INTO feedback (user_id, email, message, context, created_at) VALUES (?, ?, ?, ?, ?)',
      feedback.userId,
      feedback.email ?? null,
      feedback.message ?? null,
      feedback.context ?? null,
      database.now(),
    );
    for (const attachmentId of attachmentIds) {
      database.run('UPDATE attachments SET feedback_id = ? WHERE id = ?', id, attachmentId);
    }
    return id;
  });
}

/** Forgets attachments whose feedback did not come to be. */
export function deleteAttachments(database: Database, ids: readonly number[]): void {
  for (const id of ids) {
    database.run('DELETE FROM attachments WHERE id = ?', id);
  }
}

/** Forgets the uploads that a stop of the service broke off. */
export function deleteBrokenUploads(database: Database): void {
  database.run('DELETE FROM attachments WHERE feedback_id IS NULL');
}

/** All feedback, newest first. */
export function listFeedback(database: Database): FeedbackRow[] {
  return database.query<FeedbackRow>('SELECT * FROM feedback ORDER BY id DESC').all();
}

/** The attachments of one feedback. */
export function attachmentsOf(database: Database, feedbackId: number): AttachmentRow[] {
  return database
    .query<AttachmentRow>('SELECT * FROM attachments WHERE feedback_id = ? ORDER BY id')
    .all(feedbackId);
}

/** Reads an attachment back, chunk by chunk. */
export function* readAttachment(database: Database, id: number): Generator<Uint8Array> {
  const rows = database
    .query<{ bytes: Uint8Array }>(
      'SELECT bytes FROM attachment_chunks WHERE attachment_id = ? ORDER BY number',
    )
    .iterate(id);
  for (const { bytes } of rows) {
    yield bytes;
  }
}
