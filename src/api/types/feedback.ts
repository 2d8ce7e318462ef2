import type { FileUpload } from './files.ts';

/** A file that goes with feedback: bytes held in memory, or a stream with its length. */
export type FeedbackAttachment = FileUpload;

/** Feedback as a person sends it; every part is optional (contract §4, Feedback). */
export interface FeedbackRequest {
  /** The address for an answer. */
  email?: string;
  message?: string;
  context?: string;
  logs?: FeedbackAttachment;
  repo?: FeedbackAttachment;
  data?: FeedbackAttachment;
}
