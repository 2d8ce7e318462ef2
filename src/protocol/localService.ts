/** Messages from the local service, as a process beside the extension host, to the window that started it. */
export type LocalServiceMessage =
  | { kind: 'progress'; branch: string; done: number; total: number }
  /** It listens at `url`, the API root, and takes `token`. */
  | { kind: 'ready'; url: string; token: string; isImported: boolean }
  /** The import that went on when it got ready has ended; with a sentence in English where it failed. */
  | { kind: 'imported'; failure?: string }
  /** It could not start: a word for programs and a sentence in English. */
  | { kind: 'failed'; code: string; message: string };
