import type { WordChange } from '../../../util/compareProse.ts';
import { undisguised } from '../../../util/visibleText.ts';

/** Words of a text that stayed, came and went. */
export function Words({ words }: { words: readonly WordChange[] }) {
  return (
    <>
      {words.map(({ kind, text }, index) =>
        kind === 'added' ? (
          <ins key={index} class="added-words">
            {undisguised(text)}
          </ins>
        ) : kind === 'removed' ? (
          <del key={index} class="removed-words">
            {undisguised(text)}
          </del>
        ) : (
          undisguised(text)
        ),
      )}
    </>
  );
}
