/**
 * The editor of a section's markdown: CodeMirror in the colors and fonts of VS Code. It stands in a shadow root, where its
 * styles need no exception from the content security policy.
 */
import { closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands';
import { markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import {
  Annotation,
  EditorState,
  Prec,
  type ChangeSet,
  type Extension,
  type StateCommand,
} from '@codemirror/state';
import { EditorView, drawSelection, keymap, placeholder, type KeyBinding } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { spliceBetween } from '../../../util/textSplice.ts';
import { markdownBlocks, type MarkdownBlock } from './blocks.ts';
import type { OfferedName } from '../../../util/proseProblem.ts';
import { closing } from './backticks.ts';
import { completeNames } from './completeNames.ts';
import { markProblems, showProblems, type Place } from './problems.ts';
import { activeMarks, markCommands, type MarkName } from './marks.ts';
import { pasteLink } from './pasteLink.ts';
import { markShortcuts } from './markShortcuts.ts';

export interface MarkdownEditorOptions {
  text: string;
  /** Its accessible name. */
  label: string;
  placeholder: string;
  /** The place of the cursor at first; else the start. */
  cursor?: number | undefined;
  /** Something was typed. @param changes since it was told last. */
  onChange: (changes: ChangeSet) => void;
  /** The marks around the cursor may be others now. */
  onMarks: (marks: ReadonlySet<MarkName>) => void;
  onScroll: () => void;
  /** Images were pasted or dropped. @returns the text to have in their place; undefined for none. */
  onImages: (names: readonly string[]) => string | undefined;
  /** Gives what the text can name. */
  names: () => Promise<readonly OfferedName[]>;
  onBlur: () => void;
  onSave: () => void;
  onCancel: () => void;
}

/** An editor of markdown. */
export interface MarkdownEditor {
  /** To be put where the editor shall stand; it can be moved. */
  readonly dom: HTMLElement;
  readonly text: string;
  readonly hasFocus: boolean;
  /** The text in blocks, for the preview; undefined when they are not known yet: asking again goes on with it. */
  blocks(): MarkdownBlock[] | undefined;
  focus(): void;
  /** Takes in a text that came from elsewhere: only what differs changes, so that the cursor keeps its place. */
  adopt(text: string): void;
  putMark(mark: MarkName): void;
  /** Writes something in the place of a part of the text, as if it was typed, and goes there. */
  replace(start: number, end: number, text: string): void;
  /** Goes to a part of the text, and selects it. */
  select(start: number, end: number): void;
  /** Underlines parts of the text. */
  showProblems(places: readonly Place[]): void;
  /** The line at the top of what is visible, counted from 0, with its hidden part as a fraction. */
  readonly topLine: number;
  readonly atEnd: boolean;
  dispose(): void;
}

/** Marks a change that no person typed here. */
const adopted = Annotation.define<boolean>();

/** Makes an editor. */
export function createMarkdownEditor(options: MarkdownEditorOptions): MarkdownEditor {
  const dom = document.createElement('div');
  dom.className = 'markdown-editor';
  const root = dom.attachShadow({ mode: 'open' });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      selection: { anchor: Math.min(options.cursor ?? 0, options.text.length) },
      extensions: extensionsOf(options),
    }),
  });
  // Keys that the editor has taken aren't for the workbench as well: Ctrl+B would toggle the side bar, Ctrl+Z undo twice.
  dom.addEventListener('keydown', (event) => {
    if (event.defaultPrevented) {
      event.stopPropagation();
    }
  });
  view.scrollDOM.addEventListener('scroll', options.onScroll, { passive: true });
  return {
    dom,
    get text() {
      return view.state.doc.toString();
    },
    get hasFocus() {
      return view.hasFocus;
    },
    blocks: () => markdownBlocks(view.state),
    focus: () => {
      view.focus();
      view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main) });
    },
    adopt: (text) => {
      const change = spliceBetween(view.state.doc.toString(), text);
      if (change) {
        view.dispatch({ changes: change, annotations: adopted.of(true) });
      }
    },
    putMark: (mark) => {
      markCommands[mark](view);
      view.focus();
    },
    replace: (start, end, text) => {
      const { length } = view.state.doc;
      const from = Math.min(start, length);
      view.dispatch({
        changes: { from, to: Math.min(Math.max(end, from), length), insert: text },
        selection: { anchor: from + text.length },
        userEvent: 'input',
      });
      view.focus();
    },
    select: (start, end) => {
      const { length } = view.state.doc;
      view.dispatch({
        selection: { anchor: Math.min(start, length), head: Math.min(end, length) },
        scrollIntoView: true,
      });
      view.focus();
    },
    showProblems: (places) => showProblems(view, places),
    get topLine() {
      const top = view.scrollDOM.getBoundingClientRect().top;
      const height = Math.max(0, top - view.documentTop);
      const block = view.lineBlockAtHeight(height);
      const line = view.state.doc.lineAt(block.from).number - 1;
      return line + Math.min(1, Math.max(0, (height - block.top) / Math.max(1, block.height)));
    },
    get atEnd() {
      const { scrollTop, clientHeight, scrollHeight } = view.scrollDOM;
      return scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2;
    },
    dispose: () => view.destroy(),
  };
}

function extensionsOf(options: MarkdownEditorOptions): Extension[] {
  return [
    history(),
    drawSelection(),
    closing,
    // Without the parsers of HTML, CSS and JavaScript that `markdown()` brings, which are as large as the editor.
    markdownLanguage,
    Prec.high(keymap.of(markdownKeymap)),
    EditorView.domEventHandlers({
      paste: (event, view) => {
        const text = event.clipboardData?.getData('text/plain') ?? '';
        return text === '' ? takeImages(event, event.clipboardData, view, options) : pasteLink(view, text);
      },
      drop: (event, view) => takeImages(event, event.dataTransfer, view, options),
    }),
    completeNames(options.names),
    markProblems,
    syntaxHighlighting(syntaxColors),
    theme,
    EditorView.lineWrapping,
    EditorState.tabSize.of(4),
    EditorState.allowMultipleSelections.of(true),
    placeholder(options.placeholder),
    EditorView.contentAttributes.of({
      'aria-label': options.label,
      spellcheck: 'true',
      autocorrect: 'on',
      autocapitalize: 'sentences',
      dir: 'auto',
    }),
    Prec.high(
      keymap.of([
        ...sessionKeys(options),
        ...markShortcuts.map(({ key, mark }): KeyBinding => ({
          key,
          run: markCommands[mark],
          preventDefault: true,
        })),
      ]),
    ),
    keymap.of([
      { key: 'Tab', run: inList(indentMore), shift: inList(indentLess) },
      ...closeBracketsKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((one) => one.annotation(adopted))) {
        options.onChange(update.changes);
      }
      if (update.docChanged || update.selectionSet) {
        options.onMarks(activeMarks(update.state));
      }
      if (update.focusChanged && !update.view.hasFocus) {
        options.onBlur();
      }
    }),
  ];
}

/** A section is text alone: of an image the person is told so, rather than left with nothing. */
function takeImages(
  event: Event,
  data: DataTransfer | null,
  view: EditorView,
  { onImages }: MarkdownEditorOptions,
): boolean {
  const files = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
  if (files.length === 0) {
    return false;
  }
  event.preventDefault();
  const text = onImages(files.map(({ name }) => name));
  if (text !== undefined) {
    view.dispatch(view.state.replaceSelection(text), { userEvent: 'input.paste' });
  }
  return true;
}

function sessionKeys({ onSave, onCancel }: MarkdownEditorOptions): KeyBinding[] {
  const running = (work: () => void) => (): boolean => {
    work();
    return true;
  };
  return [
    { key: 'Mod-Enter', run: running(onSave) },
    { key: 'Mod-s', run: running(onSave) },
    // The selection of several places ends first, as in VS Code itself.
    {
      key: 'Escape',
      run: (view) => {
        if (view.state.selection.ranges.length > 1) {
          return false;
        }
        onCancel();
        return true;
      },
    },
  ];
}

/** A command for the lines of lists alone: elsewhere Tab goes on to the next control, so that no one is trapped. */
function inList(command: StateCommand): StateCommand {
  return (target) => {
    const { state } = target;
    const line = state.doc.lineAt(state.selection.main.head);
    const start = line.from + (/^\s*/.exec(line.text)?.[0].length ?? 0);
    for (let node = syntaxTree(state).resolveInner(start, 1); ; node = node.parent) {
      if (node.name === 'ListItem') {
        return command(target);
      }
      if (!node.parent) {
        return false;
      }
    }
  };
}

const syntaxColors = HighlightStyle.define([
  { tag: tags.heading, color: 'var(--syntax-keyword)', fontWeight: 'bold' },
  { tag: tags.strong, fontWeight: 'bold' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--syntax-string)' },
  { tag: [tags.monospace, tags.labelName], color: 'var(--syntax-string)' },
  { tag: tags.quote, color: 'var(--syntax-comment)' },
  {
    tag: [tags.processingInstruction, tags.contentSeparator, tags.atom],
    color: 'var(--syntax-keyword)',
  },
  { tag: [tags.angleBracket, tags.tagName], color: 'var(--syntax-tag)' },
  { tag: tags.attributeName, color: 'var(--syntax-attribute)' },
  { tag: tags.attributeValue, color: 'var(--syntax-string)' },
  { tag: tags.comment, color: 'var(--syntax-comment)' },
]);

const theme = EditorView.theme({
  '&': {
    height: '100%',
    // A height of its own, for what is around it has none: else it is as high as the text, and cannot be scrolled.
    maxHeight: '60vh',
    color: 'var(--vscode-editor-foreground)',
    backgroundColor: 'var(--vscode-editor-background)',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--vscode-editor-font-family)',
    fontSize: 'var(--vscode-editor-font-size)',
    fontWeight: 'var(--vscode-editor-font-weight)',
    lineHeight: '1.5',
    overflow: 'auto',
  },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--vscode-editorCursor-foreground)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-cursor': { borderLeft: '2px solid var(--vscode-editorCursor-foreground)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--vscode-editor-selectionBackground)',
  },
  '&:not(.cm-focused) .cm-selectionBackground': {
    backgroundColor: 'var(--vscode-editor-inactiveSelectionBackground)',
  },
  '.cm-placeholder': { color: 'var(--vscode-input-placeholderForeground)' },
});
