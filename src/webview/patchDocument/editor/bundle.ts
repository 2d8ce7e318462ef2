/** The entry of the editor's own script, which the page loads when somebody writes. */
import { createMarkdownEditor } from './markdownEditor.ts';

const editorBundle = { createMarkdownEditor };

declare global {
  /** Set by the editor's script. */
  var patchStacksEditor: typeof editorBundle | undefined;
}

globalThis.patchStacksEditor = editorBundle;
