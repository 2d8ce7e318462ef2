/** The patch document: one patch read as one page, its sections in order; or all patches of a stack, one after another. */
import '../common/syntaxColors.css';
import './patchDocument.css';
import './stack/stackDocument.css';
import './diff/diff.css';
import './editor/editor.css';
import { DocumentPage } from './documentPage.tsx';
import { StackDocumentPage } from './stack/stackDocumentPage.tsx';
import { inBackground } from '../../util/inBackground.ts';

// The extension host loads the file of the page, too, and draws beginnings with it; other pages have much from it.
const shows = 'document' in globalThis ? document.documentElement.dataset['shows'] : undefined;
if (shows === 'patchDocument') {
  inBackground(new DocumentPage().start());
} else if (shows === 'stack') {
  inBackground(new StackDocumentPage().start());
}

export * from './handedOn.ts';
export { prerender } from './prerender.tsx';
