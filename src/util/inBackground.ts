/** Takes in why something failed that nobody waits for: the console, where there is no log. */
// eslint-disable-next-line no-console
let note = (failure: string): void => console.error(failure);

/** Has failures of what nobody waits for noted elsewhere from now on. */
export function noteBackgroundFailures(newNote: (failure: string) => void): void {
  note = newNote;
}

/** A failure that the person is told of where it is noticed: nobody has to note it once more. */
export interface ToldFailure {
  readonly isTold: true;
}

/** Lets something happen that nobody waits for. If it fails, that is noted unless it is told anyway, and nothing else happens. */
export function inBackground(work: PromiseLike<unknown> | undefined): void {
  work?.then(undefined, noteFailure);
}

/** Notes why something failed that nobody waits for, unless the person is told anyway. */
export function noteFailure(error: unknown): void {
  if (error instanceof Error && 'isTold' in error) {
    return;
  }
  try {
    note(
      `Something in the background failed: ${String((error instanceof Error ? error.stack : undefined) ?? error)}`,
    );
  } catch {
    // A log that fails has nobody to tell.
  }
}
