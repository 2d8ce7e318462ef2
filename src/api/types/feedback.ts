import type { FileUpload } from './files.ts';

/** A file that goes with feedback: bytes held in memory, or a stream with its length. */
export type FeedbackAttachment = FileUpload;

/** What a person sends as feedback; every part is optional (contract §4, Feedback). */
export interface FeedbackRequest {
  /** Where to answer to. */
  email?: string;
  message?: string;
  context?: string;
  logs?: FeedbackAttachment;
  repo?: FeedbackAttachment;
  data?: FeedbackAttachment;
}
