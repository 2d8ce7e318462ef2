/** Writes a patch stack into a file. It is loaded in the extension host, where there is no browser. */
import type { StackExporter } from '../../protocol/stackExport.ts';
import { stackAsHtml } from './html.tsx';
import { stackAsMarkdown } from './markdown.ts';

export { stackAsHtml, stackAsMarkdown };

({ stackAsHtml, stackAsMarkdown }) satisfies StackExporter;
