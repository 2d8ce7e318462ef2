import { useEffect, useRef, useState } from 'preact/hooks';
import { UnconfirmedFields, type FieldsParts } from './unconfirmedFields.ts';

/** Milliseconds after a key press until what was typed is saved locally, however long the typing goes on. */
const localSaveDelayMs = 100;

/** Keeps what is typed a moment after each key press. */
export interface TypedFields<T> {
  saveLocallySoon(fields: T): void;
  /**
   * Saves this at once, in the place of what waited to be saved: it is about to be sent. Nobody is told of it once more until it was
   * sent, or `goOn` says that it was not: it would be there again afterwards.
   */
  saveToSend(fields: T): void;
  /** Goes on with what was not sent. */
  goOn(): void;
  /** Saves at once what waits to be saved. */
  flush(): void;
  /** Gives up what no one has confirmed: it was sent. */
  forget(): void;
  /** Throws everything away; with *Undo*, what was typed in the last moment is there again, too. */
  discard(): Promise<void>;
}

interface TypedFieldsParts<T> extends FieldsParts<T> {
  /** Tells when the extension host is there again after it was silent. */
  onDidReturn: (listener: () => void) => () => void;
}

/** Saves locally what is typed into a form. What nobody confirms stays in the outbox: no reason to stop typing. */
export function useTypedFields<T>(parts: TypedFieldsParts<Partial<T>>): TypedFields<Partial<T>> {
  const timer = useRef<number>(undefined);
  const waiting = useRef<Partial<T>>(undefined);
  const [unconfirmed] = useState(() => new UnconfirmedFields<T>(parts));
  const stop = (): void => {
    window.clearTimeout(timer.current);
    timer.current = undefined;
    waiting.current = undefined;
  };
  const saveLocallyNow = (fields: Partial<T>): void => {
    stop();
    unconfirmed.save(fields);
  };
  const flush = (): void => {
    if (waiting.current !== undefined) {
      saveLocallyNow(waiting.current);
    }
  };
  useInterruptions({
    onHide: flush,
    onReturn: () => unconfirmed.saveAgain(),
    onDidReturn: parts.onDidReturn,
    // A form that begins anew does so because another pending change, or another account's, is the one to show.
    onEnd: stop,
  });
  return {
    saveLocallySoon: (fields) => {
      waiting.current = fields;
      timer.current ??= window.setTimeout(flush, localSaveDelayMs);
    },
    saveToSend: (fields) => {
      saveLocallyNow(fields);
      unconfirmed.isEnding = true;
    },
    goOn: () => {
      unconfirmed.isEnding = false;
      unconfirmed.saveAgain();
    },
    flush,
    forget: () => {
      stop();
      unconfirmed.forget();
    },
    discard: () => {
      flush();
      return unconfirmed.discard();
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
