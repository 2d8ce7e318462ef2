/** The patch document: one patch read as one page, its sections in order; or all patches of a stack, one after another. */
import '../common/syntaxColors.css';
import './patchDocument.css';
import './stack/stackDocument.css';
import './diff/diff.css';
import './editor/editor.css';
import { DocumentPage } from './documentPage.tsx';
import { StackDocumentPage } from './stack/stackDocumentPage.tsx';
import { inBackground } from '../../util/inBackground.ts';

// The extension host loads the file of the page, too, and draws beginnings with it.
if ('document' in globalThis) {
  const isStack = document.documentElement.dataset['shows'] === 'stack';
  inBackground((isStack ? new StackDocumentPage() : new DocumentPage()).start());
}

export { prerender } from './prerender.tsx';
