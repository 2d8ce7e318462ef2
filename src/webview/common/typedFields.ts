import { useEffect, useRef } from 'preact/hooks';
import type { KeptFields } from '../../protocol/form.ts';
import type { Outbox } from './outbox.ts';

/** Milliseconds between a key press and the keeping of what was typed, however long the typing goes on. */
const keepDelay = 100;

/** Keeps what is typed a moment after each key press. */
export interface TypedFields<T> {
  keep(fields: T): void;
  /** Keeps this at once, and nothing that was to be kept before. */
  keepNow(fields: T): void;
  /** Keeps at once what was to be kept. */
  flush(): void;
  /** Gives up what no one has confirmed: it was sent. */
  forget(): void;
  /** Throws everything away; with *Undo*, what was typed in the last moment is there again, too. */
  discard(): Promise<void>;
}

/** How the pending changes of a form are kept. */
export interface TypedFieldsParts<T> {
  outbox: Outbox;
  begun: T;
  /** What the outbox calls the form. */
  about: string;
  /** Hands what was typed to the extension host; says whether it is on disk. */
  send: (kept: KeptFields<T>) => Promise<boolean>;
  /** Has the extension host throw the pending change away. */
  discard: () => Promise<unknown>;
  /** Tells when the extension host is there again after it was silent. */
  onDidReturn: (listener: () => void) => () => void;
}

/** The last edition of any form on this page. */
let lastEdition = 0;

/** Keeps what is typed into a form. What cannot be handed over is kept in the outbox: no reason to stop typing. */
export function useTypedFields<T>({
  outbox,
  begun,
  about,
  send,
  discard,
  onDidReturn,
}: TypedFieldsParts<Partial<T>>): TypedFields<Partial<T>> {
  const timer = useRef<number>(undefined);
  const waiting = useRef<Partial<T>>(undefined);
  const confirmed = useRef<Partial<T>>(begun);
  const unconfirmed = useRef<Partial<T>>(undefined);
  const stop = (): void => {
    window.clearTimeout(timer.current);
    timer.current = undefined;
    waiting.current = undefined;
  };
  const keepNow = (fields: Partial<T>): void => {
    stop();
    const edition = ++lastEdition;
    unconfirmed.current = fields;
    outbox.hold(about, edition, { fields, after: confirmed.current });
    send({ fields, page: outbox.page, edition }).then(
      (isOnDisk) => {
        if (isOnDisk) {
          confirmed.current = fields;
          outbox.confirm(about, edition);
          if (unconfirmed.current === fields) {
            unconfirmed.current = undefined;
          }
        }
      },
      () => undefined, // It is kept here.
    );
  };
  const flush = (): void => {
    if (waiting.current !== undefined) {
      keepNow(waiting.current);
    }
  };
  const forget = (): void => {
    stop();
    unconfirmed.current = undefined;
    outbox.confirm(about, lastEdition);
  };
  useEffect(() => {
    // A page that is hidden may not be shown again.
    document.addEventListener('visibilitychange', flush);
    const stopFollowing = onDidReturn(() => {
      if (unconfirmed.current !== undefined && outbox.has(about)) {
        keepNow(unconfirmed.current);
      }
    });
    return () => {
      document.removeEventListener('visibilitychange', flush);
      stopFollowing();
      // A form that begins anew does so because another pending change, or another account's, is the one to show.
      stop();
    };
  }, []);
  return {
    keep: (fields) => {
      waiting.current = fields;
      timer.current ??= window.setTimeout(flush, keepDelay);
    },
    keepNow,
    flush,
    forget,
    discard: async () => {
      flush();
      const edition = lastEdition;
      try {
        await discard();
        unconfirmed.current = undefined;
        outbox.confirm(about, edition);
      } catch {
        // The page says that no one answers; the pending change is there again when someone does.
      }
    },
  };
}
