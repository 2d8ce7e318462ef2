import { path } from '../path.ts';
import type { Call, CallOptions } from '../call.ts';
import type { Requester } from '../request.ts';
import type { FeedbackRequest } from '../types/feedback.ts';
import type { UploadProgress, Uploads } from '../uploads.ts';

/** Feedback to the people who run the service (contract §4, Feedback). */
export class Feedback {
  readonly #requester: Requester;
  readonly #uploads: Uploads;

  constructor(requester: Requester, uploads: Uploads) {
    this.#requester = requester;
    this.#uploads = uploads;
  }

  /** `PUT /feedback`: sends feedback. Attachments are streamed; `onProgress` counts their bytes. */
  send(
    request: FeedbackRequest,
    options?: CallOptions & { onProgress?: (progress: UploadProgress) => void },
  ): Promise<void> {
    const { email, message, context, logs, repo, data } = request;
    const call: Call = {
      operation: 'feedback.send',
      method: 'PUT',
      repeat: 'once',
      path: () => path`/feedback`,
    };
    return this.#uploads.send(
      call,
      { email, message, context },
      { logs, repo, data },
      options?.onProgress,
      (filled) => this.#requester.run(filled, options),
    );
  }
}
