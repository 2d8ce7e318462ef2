/**
 * What other pages take from the file of the document, which has it anyway: markdown and what makes it safe, which are most of what a
 * page with texts needs, what draws pages, and what they all do. So it is in the package once. esbuild.mjs reads the names here.
 *
 * A module with a style sheet is not among them: it would be missing in the styles of those pages.
 */
export * from '@vscode/l10n';
export * from 'preact';
export { renderToString, renderToStringAsync } from 'preact-render-to-string';
export * from 'preact/hooks';
export * from 'preact/jsx-runtime';
export * from '../../protocol/rpc.ts';
export * from '../../util/budget.ts';
export * from '../../util/event.ts';
export * from '../../util/inBackground.ts';
export * from '../../util/isObject.ts';
export * from '../../util/messageOf.ts';
export * from '../common/Avatar.tsx';
export * from '../common/codeBlocks.ts';
export * from '../common/contrast.ts';
export * from '../common/controls.tsx';
export * from '../common/drawnFormulas.ts';
export * from '../common/drawnTexts.ts';
export * from '../common/emoji.ts';
export * from '../common/focusKeeping.ts';
export * from '../common/formulaElements.ts';
export * from '../common/formulas.ts';
export * from '../common/host.ts';
export * from '../common/IconButton.tsx';
export * from '../common/imageAddresses.ts';
export * from '../common/initials.ts';
export * from '../common/markdown.ts';
export * from '../common/markdownBudget.ts';
export * from '../common/NotUpdatedNote.tsx';
export * from '../common/page.tsx';
export * from '../common/PageHeading.tsx';
export * from '../common/Problem.tsx';
export * from '../common/Prose.tsx';
export * from '../common/sanitizedFormula.ts';
export * from '../common/selectionEnds.ts';
export * from '../common/SignatureNote.tsx';
export * from '../common/SilenceNote.tsx';
export * from '../common/size.ts';
export * from '../common/stillHtml.ts';
export * from '../common/store.ts';
export * from '../common/TextButton.tsx';
export * from '../common/textNodes.ts';
export * from '../common/themeColors.ts';
export * from '../common/time.ts';
export * from '../common/Toolbar.tsx';
export * from './diff/arrange.ts';
export * from './diff/colors.ts';
export * from './diff/diff.ts';
export * from './diff/pieces.ts';
export * from './diff/withoutLines.ts';
export * from './editor/EditorPanes.tsx';
export * from './editor/markShortcuts.ts';
export * from './editor/preview.ts';
export * from './writing/MarkToolbar.tsx';
