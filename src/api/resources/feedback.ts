/** A file that goes with feedback: bytes held in memory, or a stream with its length. */
export interface FeedbackAttachment {
  /** The file name the service is told, e.g. `logs.zip`. */
  fileName: string;
  /** Opens the content afresh for each attempt. */
  open: () => AsyncIterable<Uint8Array>;
  /** Bytes. */
  size: number;
}

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
