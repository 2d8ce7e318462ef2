/** The page of a patch stack: what it is about, and its patches as lines to read, to sign off on and to go on with. */
import '../common/syntaxColors.css';
import '../patchDocument/editor/editor.css';
import './stackPage.css';
import { showStackPage } from './showStackPage.tsx';

// The extension host loads the file of the page, too, and draws beginnings with it.
if ('document' in globalThis) {
  showStackPage();
}

export { prerender } from './prerender.tsx';
