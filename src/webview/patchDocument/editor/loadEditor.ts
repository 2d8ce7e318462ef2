import type { MarkdownEditor, MarkdownEditorOptions } from './markdownEditor.ts';
import type {} from './bundle.ts';

type CreateEditor = (options: MarkdownEditorOptions) => MarkdownEditor;

let loading: Promise<CreateEditor> | undefined;

/** The page's own script: beside it lies the editor's, and its nonce lets that one run. */
const pageScript = document.querySelector<HTMLScriptElement>('script[src]');

/**
 * Loads what makes an editor, once. A failure is not kept, so that the next try loads it again.
 *
 * @throws when the script does not come.
 */
export function loadEditor(): Promise<CreateEditor> {
  loading ??= loadScript('sectionEditor.js').then(() => {
    const bundle = globalThis.patchStacksEditor;
    if (!bundle) {
      throw new Error('The editor is not there.');
    }
    return bundle.createMarkdownEditor;
  });
  loading.catch(() => (loading = undefined));
  return loading;
}

function loadScript(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = new URL(name, pageScript?.src ?? document.baseURI).href;
    script.nonce = pageScript?.nonce ?? '';
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(`${name} did not load.`));
    };
    document.head.append(script);
  });
}
