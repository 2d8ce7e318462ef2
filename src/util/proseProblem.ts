import type { ProseFix } from './proseChecks.ts';

/** Something at a place of a text that its author may want to change, in words. */
export interface ProseProblem {
  start: number;
  end: number;
  message: string;
  fix?: ProseFix & { title: string };
}
