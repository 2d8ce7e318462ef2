import { createContext } from 'preact';
import { useContext, useLayoutEffect, useReducer } from 'preact/hooks';
import type { Event } from '../../../util/event.ts';
import type { Reordering } from './reordering.ts';
import type { Writing } from './writing.ts';

export interface WritingParts {
  writing: Writing;
  reordering: Reordering;
}

/** Given by the page to everything in the document. */
export const WritingContext = createContext<WritingParts | undefined>(undefined);

export function useWriting(): WritingParts {
  const parts = useContext(WritingContext);
  if (!parts) {
    throw new Error('There is no document to write in.');
  }
  return parts;
}

/** Draws a component again whenever something happens. */
export function useChanges(event: Event<unknown>): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  // At once: what happens before the next frame is not to be missed.
  useLayoutEffect(() => {
    const subscription = event(() => redraw(undefined));
    return () => void subscription.dispose();
  }, [event]);
}
