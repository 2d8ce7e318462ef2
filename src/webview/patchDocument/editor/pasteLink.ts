import { syntaxTree } from '@codemirror/language';
import { EditorSelection, type EditorState, type Transaction } from '@codemirror/state';

/** One address, and nothing else. */
const address = /^(https?:\/\/|mailto:)[^\s<>]+$/i;

/** Nodes in which an address is only text. */
const verbatim = /Code|HTML|Link|URL|Autolink|Image|Comment/;

/**
 * Makes the selected words a link to a pasted address.
 *
 * @returns whether it did; else the paste goes on as usual.
 */
export function pasteLink(
  { state, dispatch }: { state: EditorState; dispatch: (transaction: Transaction) => void },
  pasted: string,
): boolean {
  const url = pasted.trim();
  const { main, ranges } = state.selection;
  const words = state.sliceDoc(main.from, main.to);
  if (
    state.readOnly ||
    ranges.length > 1 ||
    !address.test(url) ||
    words.trim() === '' ||
    words.includes('\n') ||
    address.test(words.trim()) ||
    isVerbatim(state, main.from, main.to)
  ) {
    return false;
  }
  const target = /[()]/.test(url) ? `<${url}>` : url;
  const link = `[${words}](${target})`;
  dispatch(
    state.update({
      changes: { from: main.from, to: main.to, insert: link },
      selection: EditorSelection.cursor(main.from + link.length),
      userEvent: 'input.paste',
      scrollIntoView: true,
    }),
  );
  return true;
}

/** True when a selection lies in, or cuts into, anything that isn't prose. */
function isVerbatim(state: EditorState, from: number, to: number): boolean {
  let found = false;
  syntaxTree(state).iterate({
    from,
    to,
    enter: ({ name, from: start, to: end }) => {
      // A node that only touches the selection has nothing to do with it.
      found ||= start < to && end > from && verbatim.test(name);
    },
  });
  return found;
}
