import { useEffect, useRef } from 'preact/hooks';
import type { TypedFormFields } from '../../protocol/form.ts';
import type { Outbox } from './outbox.ts';

/** Milliseconds after a key press until what was typed is saved locally, however long the typing goes on. */
const localSaveDelayMs = 100;

/** Keeps what is typed a moment after each key press. */
export interface TypedFields<T> {
  saveLocallySoon(fields: T): void;
  /** Saves this at once, in the place of what waited to be saved. */
  saveLocallyNow(fields: T): void;
  /** Saves at once what waits to be saved. */
  flush(): void;
  /** Gives up what no one has confirmed: it was sent. */
  forget(): void;
  /** Throws everything away; with *Undo*, what was typed in the last moment is there again, too. */
  discard(): Promise<void>;
}

interface TypedFieldsParts<T> {
  outbox: Outbox;
  begun: T;
  /** The outbox's name for the form. */
  about: string;
  /** Hands what was typed to the extension host; says whether it is on disk. */
  send: (typed: TypedFormFields<T>) => Promise<boolean>;
  /** Has the extension host throw the pending change away. */
  discard: () => Promise<unknown>;
  /** Tells when the extension host is there again after it was silent. */
  onDidReturn: (listener: () => void) => () => void;
}

/** The last edition of any form on this page. */
let lastEdition = 0;

/** Saves locally what is typed into a form. What nobody confirms stays in the outbox: no reason to stop typing. */
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
  const saveLocallyNow = (fields: Partial<T>): void => {
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
      () => undefined, // The outbox has it.
    );
  };
  const flush = (): void => {
    if (waiting.current !== undefined) {
      saveLocallyNow(waiting.current);
    }
  };
  const forget = (): void => {
    stop();
    unconfirmed.current = undefined;
    outbox.confirm(about, lastEdition);
  };
  useInterruptions({
    onHide: flush,
    onReturn: () => {
      if (unconfirmed.current !== undefined && outbox.has(about)) {
        saveLocallyNow(unconfirmed.current);
      }
    },
    onDidReturn,
    // A form that begins anew does so because another pending change, or another account's, is the one to show.
    onEnd: stop,
  });
  return {
    saveLocallySoon: (fields) => {
      waiting.current = fields;
      timer.current ??= window.setTimeout(flush, localSaveDelayMs);
    },
    saveLocallyNow,
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

function useInterruptions({
  onHide,
  onReturn,
  onEnd,
  onDidReturn,
}: {
  onHide: () => void;
  onReturn: () => void;
  onEnd: () => void;
  onDidReturn: TypedFieldsParts<unknown>['onDidReturn'];
}): void {
  useEffect(() => {
    // A page that is hidden may not be shown again.
    document.addEventListener('visibilitychange', onHide);
    const stopFollowing = onDidReturn(onReturn);
    return () => {
      document.removeEventListener('visibilitychange', onHide);
      stopFollowing();
      onEnd();
    };
  }, []);
}
