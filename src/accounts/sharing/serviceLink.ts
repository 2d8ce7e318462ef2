import type {
  LocalServiceAnswer,
  LocalServiceRequest,
  Remote,
  SharingNews,
  SharingRequest,
} from '../../protocol/localService.ts';

/** Thrown when the local service can't do what it was asked; the code is a word for programs. */
export class LocalServiceError extends Error {
  override name = 'LocalServiceError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The process that a link sends its requests to. */
interface Process {
  readonly connected: boolean;
  send(request: LocalServiceRequest): boolean;
}

/** The window's end of a running local service: asks it something, and gives the answer. */
export class ServiceLink {
  readonly #process: Process;
  readonly #asked = new Map<number, PromiseWithResolvers<LocalServiceAnswer>>();
  #last = 0;

  constructor(process: Process) {
    this.#process = process;
  }

  /** @throws {LocalServiceError} with the code `stopped` when it ends before it answers. */
  async ask(request: SharingRequest): Promise<{ remotes?: readonly Remote[]; news?: SharingNews }> {
    if (!this.#process.connected) {
      throw stopped();
    }
    const id = (this.#last += 1);
    const asked = Promise.withResolvers<LocalServiceAnswer>();
    this.#asked.set(id, asked);
    this.#process.send({ ...request, id });
    const answer = await asked.promise;
    if ('failure' in answer) {
      throw new LocalServiceError(answer.failure.code, answer.failure.message);
    }
    return answer;
  }

  /** Takes an answer from the service. */
  take(id: number, answer: LocalServiceAnswer): void {
    this.#asked.get(id)?.resolve(answer);
    this.#asked.delete(id);
  }

  /** Says that the service has ended: nothing that was asked is answered any more. */
  end(): void {
    for (const asked of this.#asked.values()) {
      asked.reject(stopped());
    }
    this.#asked.clear();
  }
}

function stopped(): LocalServiceError {
  return new LocalServiceError('stopped', 'The local service has stopped.');
}
