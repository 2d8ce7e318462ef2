/** Messages between the extension host and the form for feedback. No credential is ever in them. */
import type { FormHost, FormPage, FormStart } from './form.ts';
import type { CodeHost } from './panel.ts';

/** The largest attachment that is sent. Bytes. */
export const largestAttachment = 100 * 1024 * 1024;

export interface FeedbackFields {
  /** Markdown. */
  message: string;
  email: string;
  context: string;
  log: boolean;
  /** The folder of the repository that goes along; empty for none. */
  repository: string;
  /** Patterns of files that stay behind, in the form of a .gitignore file. */
  ignore: string;
  /** The paths of more files that go along. */
  data: string[];
}

/** A repository that can go along. */
interface RepositoryChoice {
  root: string;
  name: string;
}

/** A file that goes along. */
export interface DataFile {
  path: string;
  name: string;
  /** Bytes; undefined when the file is gone. */
  size?: number;
}

/** Everything the form starts from. */
export interface FeedbackForm extends FormStart<FeedbackFields> {
  /** The server's host. */
  server: string;
  suggested: FeedbackFields;
  /** The log as it is sent: the secrets in it are masked. */
  log: string;
  repositories: RepositoryChoice[];
  /** True when there are none because Git isn't run in a folder that isn't trusted. */
  untrusted: boolean;
  /** The files of the pending change. */
  data: DataFile[];
}

/** A count of what would be sent of a repository. */
export interface RepositorySurvey {
  files: number;
  /** Before they are compressed. */
  bytes: number;
  /** Files that look like secrets: they stay behind. */
  secrets: string[];
  /** Number of files that the person's own list leaves behind. */
  ignored: number;
  /** Files that Git lists and that cannot be read, are gone, or are repositories of their own: they stay behind. */
  unreadable: string[];
}

/** In bytes. */
export interface FeedbackProgress {
  step: 'zipping' | 'sending';
  done: number;
  total: number;
}

export type SendAnswer =
  | { kind: 'sent' }
  | { kind: 'cancelled' }
  /** Why it was not sent, and what was wrong with which field. */
  | { kind: 'refused'; reason: string; fields: Partial<Record<keyof FeedbackFields, string>> };

export interface FeedbackHost extends FormHost<FeedbackFields>, CodeHost {
  load: (parameters: null) => FeedbackForm;
  /** Counts what would be sent of a repository. */
  survey: (parameters: { root: string; ignore: string }) => RepositorySurvey;
  /** Lets the person choose more files; undefined when they do not want to. */
  chooseData: (parameters: null) => DataFile[] | undefined;
  /** Sends everything; the caller cancels it by giving up. */
  send: (parameters: { fields: FeedbackFields }) => SendAnswer;
}

export interface FeedbackPage extends FormPage {
  progress: (parameters: FeedbackProgress) => null;
}
