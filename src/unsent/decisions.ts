/** What a person can decide about a change that does not go with somebody else's, and beside which texts. */
import type { MessageAction } from '../ui/notifications.ts';

/** The texts of a conflict; `result` is the one that the person writes. */
export type Side = 'base' | 'theirs' | 'mine' | 'result';

/** What a person has decided. */
export type Decision =
  /** The change is to be made all the same. */
  | 'mine'
  /** The change is not wanted any more. */
  | 'theirs'
  /** Whether a section is the one that was to be added. */
  | 'same'
  | 'another'
  /** Nothing yet: they want to see what it was at first. */
  | 'showBase';

/** A question about two texts in the diff editor. */
export interface Question {
  text: string;
  actions: MessageAction<Decision>[];
  /** The texts beside each other, and the title of the diff editor. */
  left: Side;
  right: Side;
  title: string;
}
