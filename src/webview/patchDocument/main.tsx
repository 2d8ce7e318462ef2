/** The patch document: one patch read as one page, its sections in order. */
import '../common/syntaxColors.css';
import './patchDocument.css';
import './diff/diff.css';
import './editor/editor.css';
import { DocumentPage } from './documentPage.tsx';

// The extension host loads the file of the page, too, and draws beginnings with it.
if ('document' in globalThis) {
  void new DocumentPage().start();
}

export { prerender } from './prerender.tsx';
