import assert from 'node:assert/strict';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../../../tools/provision.ts';

describe('what pages take from the file of the document', () => {
  it('has no style sheets, which would be missing in theirs', async () => {
    const { metafile } = await build({
      entryPoints: [path.join(root, 'src/webview/patchDocument/handedOn.ts')],
      bundle: true,
      write: false,
      metafile: true,
      outdir: root,
      format: 'esm',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      logLevel: 'silent',
    });
    const inputs = Object.keys(metafile.inputs);
    assert.ok(inputs.some((name) => name.endsWith('common/Prose.tsx')));
    assert.deepEqual(
      inputs.filter((name) => name.endsWith('.css')),
      [],
    );
  });
});
