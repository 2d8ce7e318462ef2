import type { ProseFix } from './proseChecks.ts';

/** Something at a place of a text that its author may want to change, in words. */
export interface ProseProblem {
  start: number;
  end: number;
  message: string;
  fix?: ProseFix & { title: string };
}

/** Something that a text can name, offered while it is written. */
export interface OfferedName {
  kind: 'file' | 'symbol' | 'patch' | 'person';
  name: string;
  /** Says more of it. */
  detail?: string;
}
