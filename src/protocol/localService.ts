/** What the local service, as a process beside the extension host, tells the window that started it. */
export type LocalServiceMessage =
  | { kind: 'progress'; branch: string; done: number; total: number }
  /** It listens at `url`, the API root, and takes `token`. */
  | { kind: 'ready'; url: string; token: string }
  /** It could not start: a word for programs and a sentence in English. */
  | { kind: 'failed'; code: string; message: string };
