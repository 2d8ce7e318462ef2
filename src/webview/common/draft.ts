import { useEffect, useRef } from 'preact/hooks';

/** Milliseconds between a key press and the keeping of what was typed, however long the typing goes on. */
const draftDelay = 100;

/** Keeps what is typed a moment after each key press. */
export interface DraftKeeper<T> {
  keep(fields: T): void;
  /** Keeps this at once, and nothing that was to be kept before. */
  keepNow(fields: T): void;
  /** Keeps at once what was to be kept. */
  flush(): void;
}

/**
 * A keeper of drafts for a form.
 *
 * @param send hands them to the extension host. A draft that cannot be kept is no reason to stop typing: sending says what is
 *   wrong.
 */
export function useDraft<T>(send: (fields: T) => Promise<unknown>): DraftKeeper<T> {
  const timer = useRef<number>(undefined);
  const waiting = useRef<T>(undefined);
  const stop = (): void => {
    window.clearTimeout(timer.current);
    timer.current = undefined;
    waiting.current = undefined;
  };
  const keepNow = (fields: T): void => {
    stop();
    send(fields).catch(() => undefined);
  };
  const flush = (): void => {
    if (waiting.current !== undefined) {
      keepNow(waiting.current);
    }
  };
  useEffect(() => {
    // A page that is hidden may not be shown again.
    document.addEventListener('visibilitychange', flush);
    return () => {
      document.removeEventListener('visibilitychange', flush);
      // A form that begins anew does so because another draft, or another account's, is the one to show.
      stop();
    };
  }, []);
  return {
    keep: (fields) => {
      waiting.current = fields;
      timer.current ??= window.setTimeout(flush, draftDelay);
    },
    keepNow,
    flush,
  };
}
