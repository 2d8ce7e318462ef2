/** The patch document: one patch read as one page, its sections in order. */
import '@vscode/codicons/dist/codicon.css';
import '../common/base.css';
import '../common/highlight.css';
import '../common/prose.css';
import './patchDocument.css';
import './diff/diff.css';
import './editor/editor.css';
import { highlightCode } from '../common/highlight.ts';
import { colourCode } from '../common/markdown.ts';
import { DocumentPage } from './documentPage.tsx';

colourCode(highlightCode);

// The extension host loads the file of the page, too, and draws beginnings with it.
if ('document' in globalThis) {
  void new DocumentPage().start();
}

export { prerender } from './prerender.tsx';
