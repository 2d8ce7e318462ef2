import { useChanges, useWriting } from './WritingContext.tsx';

/** Says to screen readers what has happened: where a section was moved to, that something was saved. */
export function Announcer() {
  const { writing } = useWriting();
  useChanges(writing.onDidChange);
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {writing.announcement}
    </div>
  );
}
