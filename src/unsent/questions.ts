/** The questions in which conflicts are resolved, and beside which texts they are asked. */
import type { MessageAction } from '../ui/notifications.ts';

/** The texts of a conflict; `result` is the one that the person writes. */
export type Side = 'base' | 'theirs' | 'mine' | 'result';

export type Answer =
  /** The change is to be made all the same. */
  | 'mine'
  /** The change is not wanted any more. */
  | 'theirs'
  /** The section is the one that was to be added. */
  | 'same'
  | 'another'
  /** Nothing yet: they want to see what it was at first. */
  | 'showBase';

/** A question about two texts in the diff editor. */
export interface Question {
  text: string;
  actions: MessageAction<Answer>[];
  /** The texts beside each other, and the title of the diff editor. */
  left: Side;
  right: Side;
  title: string;
}
